"""Our position written as the Hanabi Learning Environment prints it, to be compared with its own words.

That text holds all there is to compare: tokens, lives, fireworks, every hand, what the hints have told
of every card and what they leave open, the cards left and the discards.
"""
# mypy: allow-untyped-calls

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kagiya.cards import COLOR_LETTERS, NO_CARD, Card, card_name, mask_cards
from kagiya.engine import game_kernels
from kagiya.engine.batch import write_deck
from kagiya.engine.layout import TOLD_COLOR, TOLD_RANK, States, new_states
from kagiya.interop.hle import move_to_uid
from kagiya.rules import Rules
from tests.engine.compare import numbers_of

PEER_RULES = [
    *[Rules(players=players) for players in range(2, 6)],
    Rules.preset("hle-small"),
    Rules.preset("hle-very-small"),
    Rules(players=3, colors=4, copies=(3, 2, 1), hand_size=4, hint_tokens=2, lives=2),
    Rules(players=2, colors=3, copies=(3,), hand_size=3),
]


@dataclass
class Snapshot:
    """A position as one program tells it; `legal` are the other program's numbers of moves."""

    text: str
    legal: set[int]
    score: int
    over: bool


def deal_from(rules: Rules, deck: list[int]) -> States:
    states = new_states(1)
    write_deck(rules, states, 0, deck)
    game_kernels.deal_hands(states, 0)
    return states


def our_snapshot(rules: Rules, states: States) -> Snapshot:
    legal = {move_to_uid(move, rules) for move in numbers_of(game_kernels.legal_moves(states, 0))}
    over = bool(game_kernels.is_over(states, 0))
    return Snapshot(table_text(states[0], over), legal, int(game_kernels.score(states, 0)), over)


def their_text(text: str, over: bool) -> str:
    """Their words made comparable: we keep the discards without their order, and nobody moves after the end."""
    table, _, discards = text.partition("Discards:")
    return (table.replace("Cur player\n", "") if over else table) + " ".join(["Discards:", *sorted(discards.split())])


def table_text(state: Any, over: bool) -> str:
    fireworks = zip(COLOR_LETTERS, state["fireworks"][: state["colors"]], strict=False)
    lines = [
        f"Life tokens: {state['lives']}",
        f"Info tokens: {state['tokens']}",
        "Fireworks: " + "".join(f"{letter}{height} " for letter, height in fireworks),
        "Hands:",
    ]
    for seat in range(state["players"]):
        rule = ["-----"] if seat > 0 else []
        mark = ["Cur player"] if seat == state["seat"] and not over else []
        lines += rule + mark + hand_lines(state, seat)
    return "\n".join([*lines, f"Deck size: {state['deck_size'] - state['drawn']}", discards_text(state)])


def hand_lines(state: Any, seat: int) -> list[str]:
    columns = [state[name][seat].tolist() for name in ("hands", "told", "possible")]
    return [card_line(*slot) for slot in zip(*columns, strict=True) if slot[0] != NO_CARD]


def card_line(card: int, told: int, possible: int) -> str:
    """The card || what was told of it | what it may be: ``R1 || R X|R12345``, without the blank."""
    name = card_name(Card(card))
    names = [card_name(kind) for kind in mask_cards(possible)]
    colors, ranks = dict.fromkeys(kind[0] for kind in names), sorted({kind[1] for kind in names})
    known = (name[0] if told & TOLD_COLOR else "X") + (name[1] if told & TOLD_RANK else "X")
    return f"{name} || {known}|{''.join(colors)}{''.join(ranks)}"


def discards_text(state: Any) -> str:
    low, high = int(state["discard_low"]), int(state["discard_high"])
    cards = [*mask_cards(low), *mask_cards(high), *mask_cards(high)]
    return " ".join(["Discards:", *sorted(map(card_name, cards))])
