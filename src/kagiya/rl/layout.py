"""Where everything stands in a vector: the Hanabi Learning Environment's canonical order, section by section."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kagiya.cards import COLOR_NAMES
from kagiya.rules import Rules

# What a vector says of cards that hints spoke of: the Hanabi Learning Environment's three, then JaxMARL's.
MINIMAL, KNOWLEDGE, SEER, BELIEF = 0, 1, 2, 3
KINDS = {"minimal": MINIMAL, "card-knowledge": KNOWLEDGE, "seer": SEER, "belief": BELIEF}


@dataclass(frozen=True)
class Part:
    """A run of entries that belong together: entries `first` to `first + size - 1`."""

    section: str
    name: str
    first: int
    size: int


def parts(rules: Rules, kind: int, own_hand: bool = False) -> list[Part]:
    """All parts of a vector in their order; together they cover it without a gap."""
    found: list[Part] = []
    for section, name, size in _sizes(rules, kind, own_hand):
        first = found[-1].first + found[-1].size if found else 0
        found.append(Part(section, name, first, size))
    return found


def vector_size(rules: Rules, kind: int, own_hand: bool = False) -> int:
    """How many entries a vector has."""
    return sum(size for _, _, size in _sizes(rules, kind, own_hand))


def _sizes(rules: Rules, kind: int, own_hand: bool) -> Iterator[tuple[str, str, int]]:
    kinds = rules.colors * rules.ranks
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
