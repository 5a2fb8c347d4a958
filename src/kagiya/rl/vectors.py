"""The Hanabi Learning Environment's canonical vector, section by section, its numbers of moves and names of settings.

OpenSpiel shares them. With hands of H cards, P players, C colors and R ranks the numbers of moves ("uids") are: H
discards, H plays, then C color hints for each other seat, then R rank hints for each other seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kagiya.cards import COLOR_NAMES, MAX_RANKS, Color, Rank
from kagiya.moves import MOVES, Move, MoveError
from kagiya.rules import BombScore, DrawnCard, Rules, RulesError

# What a vector says of cards that hints spoke of: the Hanabi Learning Environment's three, then JaxMARL's; or nothing.
MINIMAL, KNOWLEDGE, SEER, BELIEF, NO_VECTOR = 0, 1, 2, 3, 4
KINDS = {"minimal": MINIMAL, "card-knowledge": KNOWLEDGE, "seer": SEER, "belief": BELIEF, "none": NO_VECTOR}


@dataclass(frozen=True)
class VectorPart:
    """A run of entries that belong together: entries `first` to `first + size - 1`."""

    section: str
    name: str
    first: int
    size: int


def parts(rules: Rules, kind: int, own_hand: bool = False) -> list[VectorPart]:
    """All parts of a vector in their order; together they cover it without a gap."""
    found: list[VectorPart] = []
    for section, name, size in _sizes(rules, kind, own_hand):
        first = found[-1].first + found[-1].size if found else 0
        found.append(VectorPart(section, name, first, size))
    return found


def vector_size(rules: Rules, kind: int, own_hand: bool = False) -> int:
    """How many entries a vector has."""
    return sum(size for _, _, size in _sizes(rules, kind, own_hand))


def _sizes(rules: Rules, kind: int, own_hand: bool) -> Iterator[tuple[str, str, int]]:
    kinds = rules.colors * rules.ranks
    if kind == NO_VECTOR:
        return
    for offset in range(0 if own_hand else 1, rules.players):
        for slot in range(rules.hand_size):
            yield "hands", f"{_whose(offset)}, slot {slot + 1}: the card", kinds
    yield "hands", "hands with a card missing, from the observer's hand on", rules.players
    yield from _board_sizes(rules)
    yield from _last_move_sizes(rules)
    if kind != MINIMAL:
        yield from _knowledge_sizes(rules, kind)


def _board_sizes(rules: Rules) -> Iterator[tuple[str, str, int]]:
    yield "board", "cards left in the deck, as many ones", rules.deck_size - rules.players * rules.hand_size
    for color in range(rules.colors):
        yield "board", f"{COLOR_NAMES[color]} firework: its highest card", rules.ranks
    yield "board", "tokens, as many ones", rules.hint_tokens
    yield "board", "lives, as many ones", rules.lives
    for color in range(rules.colors):
        for rank, copies in enumerate(rules.copies):
            yield "discards", f"{COLOR_NAMES[color]} {rank + 1} discarded, as many ones", copies


def _last_move_sizes(rules: Rules) -> Iterator[tuple[str, str, int]]:
    section = "last move"
    yield section, "who made it, from the observer on", rules.players
    yield section, "play, discard, hint of a color, hint of a rank", 4
    yield section, "who was told, from the observer on", rules.players
    yield section, "color told", rules.colors
    yield section, "rank told", rules.ranks
    yield section, "slots that the hint touched", rules.hand_size
    yield section, "slot played or discarded", rules.hand_size
    yield section, "card played or discarded", rules.colors * rules.ranks
    yield section, "the card scored", 1
    yield section, "it gave a token back", 1


def _knowledge_sizes(rules: Rules, kind: int) -> Iterator[tuple[str, str, int]]:
    what = "chance of each card" if kind == BELIEF else "cards that hints leave open"
    for offset in range(rules.players):
        for slot in range(rules.hand_size):
            where = f"{_whose(offset)}, slot {slot + 1}"
            yield "knowledge", f"{where}: {what}", rules.colors * rules.ranks
            yield "knowledge", f"{where}: color told", rules.colors
            yield "knowledge", f"{where}: rank told", rules.ranks


def _whose(offset: int) -> str:
    return "own hand" if offset == 0 else f"seat {offset} after the observer"


MAX_COLORS = 5
# Their settings, and what we call them.
SETTINGS = {
    "players": "players",
    "colors": "colors",
    "ranks": "ranks",
    "hand_size": "hand_size",
    "max_information_tokens": "hint_tokens",
    "max_life_tokens": "lives",
}


def num_uids(rules: Rules) -> int:
    """How many moves their numbering has under these rules."""
    return 2 * rules.hand_size + (rules.players - 1) * (rules.colors + rules.ranks)


def move_to_uid(move: int, rules: Rules) -> int:
    """Their number for our move; a move that these rules never have is refused."""
    if not 0 <= move < len(MOVES):
        raise MoveError(f"moves are 0-{len(MOVES) - 1}, not {move!r}")
    chosen = MOVES[move]
    if chosen.slot is not None:
        _check(chosen, chosen.slot < rules.hand_size, f"hands hold {rules.hand_size} cards")
        return chosen.slot + (rules.hand_size if chosen.is_play else 0)
    return 2 * rules.hand_size + _hint_to_uid(chosen, rules)


def _hint_to_uid(hint: Move, rules: Rules) -> int:
    assert hint.offset is not None
    _check(hint, hint.offset < rules.players, f"there are {rules.players} players")
    if hint.color is not None:
        _check(hint, hint.color < rules.colors, f"there are {rules.colors} colors")
        return (hint.offset - 1) * rules.colors + hint.color
    assert hint.rank is not None
    _check(hint, hint.rank < rules.ranks, f"there are {rules.ranks} ranks")
    return (rules.players - 1) * rules.colors + (hint.offset - 1) * rules.ranks + hint.rank


def _check(move: Move, possible: bool, reason: str) -> None:
    if not possible:
        raise MoveError(f"{move} cannot be made under these rules: {reason}")


def uid_to_move(uid: int, rules: Rules) -> Move:
    """Our move for their number."""
    if not 0 <= uid < num_uids(rules):
        raise MoveError(f"under these rules the numbers of moves are 0-{num_uids(rules) - 1}, not {uid!r}")
    if uid < rules.hand_size:
        return Move.discard(uid)
    if uid < 2 * rules.hand_size:
        return Move.play(uid - rules.hand_size)
    hint = uid - 2 * rules.hand_size
    color_hints = (rules.players - 1) * rules.colors
    if hint < color_hints:
        return Move.hint_color(hint // rules.colors + 1, Color(hint % rules.colors))
    hint -= color_hints
    return Move.hint_rank(hint // rules.ranks + 1, Rank(hint % rules.ranks))


def config(rules: Rules) -> dict[str, int]:
    """The settings with which both programs play these rules; rules they cannot play are refused."""
    if reason := why_not(rules):
        raise RulesError(f"the Hanabi Learning Environment and OpenSpiel cannot play these rules: {reason}")
    return {name: getattr(rules, field) for name, field in SETTINGS.items()}


def rules_from_config(settings: Mapping[str, int | None]) -> Rules:
    """The inverse of `config`; without a hand size it is 5, or 4 with four and more players."""
    given: dict[str, Any] = {field: settings[name] or 0 for name, field in SETTINGS.items() if name != "ranks"}
    return Rules(copies=their_copies(settings["ranks"] or 0), **given)


def why_not(rules: Rules) -> str:
    """Why those programs cannot play these rules, in a sentence; empty if they can."""
    copies = their_copies(rules.ranks)
    obstacles = (
        (rules.colors > MAX_COLORS, f"they have at most {MAX_COLORS} colors, not {rules.colors}"),
        (rules.copies != copies, f"their copies per rank are {copies}, not {rules.copies}"),
        (rules.empty_hints, "with them a hint must touch a card"),
        (rules.discard_at_full_tokens, "with them nobody discards when no token is missing"),
        (rules.discard_limit < rules.hint_tokens, "with them one may discard when a single token is missing"),
        (rules.bomb_score is not BombScore.ZERO, "with them a bombed game scores 0"),
        (not rules.token_for_five, "with them a finished color always gives a token back"),
        (rules.drawn_card is not DrawnCard.END, "with them a drawn card goes to the end of the hand"),
    )
    return next((reason for stands, reason in obstacles if stands), "")


def their_copies(ranks: int) -> tuple[int, ...]:
    """Their copies of each rank: three of the lowest, one of the highest, two of the others."""
    if not 1 <= ranks <= MAX_RANKS:
        raise RulesError(f"the number of ranks must be an integer from 1 to {MAX_RANKS}, not {ranks}")
    return (3, *[2] * (ranks - 2), 1) if ranks > 1 else (3,)
