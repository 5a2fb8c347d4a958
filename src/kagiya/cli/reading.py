"""What the person typed, as a move; whatever is wrong with it is said in words that count from 1."""

from __future__ import annotations

import re

from kagiya.cards import SEAT_NAMES
from kagiya.engine.game import Game
from kagiya.moves import Move, MoveError, parse_move
from kagiya.view.observation import LANE, Observation

SHORT = re.compile(r"^([pd])(\d)$")  # p1, d2


def read_move(text: str, view: Observation) -> Move:
    """A legal move, or a MoveError that says what was expected."""
    words = SHORT.sub(r"\1 \2", text.lower()).split()
    _check_words(words, view)
    move = parse_move(" ".join(words), view.seat, view.rules.players)
    if reason := Game.from_state(view.rules, view.states, LANE).why_illegal(move):
        raise MoveError(reason)
    return move


def _check_words(words: list[str], view: Observation) -> None:
    rules, me = view.rules, SEAT_NAMES[view.seat]
    match words:
        case [("play" | "p" | "discard" | "d") as verb, *rest] if not _is_one_number(rest, rules.hand_size):
            raise MoveError(f"expected a slot from 1 to {rules.hand_size} after {verb!r}, like '{verb} 1'")
        case ["hint" | "h", receiver, _] if receiver in ("me", "myself") or me.startswith(receiver):
            raise MoveError("you cannot hint yourself")
        case ["hint" | "h", _, rank] if rank.isdecimal() and not 1 <= int(rank) <= rules.ranks:
            raise MoveError(f"expected a rank from 1 to {rules.ranks}, not {rank}")
        case ["hint" | "h", *rest] if len(rest) != 2:
            partner = SEAT_NAMES[(view.seat + 1) % rules.players]
            raise MoveError(f"expected a partner and a color or rank, like 'hint {partner} red' or 'hint {partner} 3'")


def _is_one_number(words: list[str], highest: int) -> bool:
    return len(words) == 1 and words[0].isdecimal() and 1 <= int(words[0]) <= highest
