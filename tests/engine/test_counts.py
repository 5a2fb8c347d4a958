"""Every game of some tiny rules, counted to the end from every deck, by the engine and by its slow twin."""
# mypy: allow-untyped-calls

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import Any

import pytest

from kagiya._jit import JIT_OFF
from kagiya.engine import game_kernels
from kagiya.engine.batch import sorted_deck, write_deck
from kagiya.engine.layout import States, new_states
from kagiya.engine.reference import ReferenceGame
from kagiya.rules import BombScore, DrawnCard, Rules
from tests.engine.compare import numbers_of

DEEPEST = 32


@dataclass
class Counts:
    """What a walk through all games finds, by depth: the number of moves made."""

    positions: list[int]
    finished: list[int]
    score: int  # summed over the finished games

    @classmethod
    def none(cls) -> Counts:
        return cls([0] * DEEPEST, [0] * DEEPEST, 0)

    def trimmed(self) -> Counts:
        depth = max(moves for moves, positions in enumerate(self.positions) if positions) + 1
        return Counts(self.positions[:depth], self.finished[:depth], self.score)


ODD: dict[str, Any] = {
    "empty_hints": True,
    "discard_at_full_tokens": True,
    "bomb_score": BombScore.KEEP,
    "token_for_five": False,
    "drawn_card": DrawnCard.VACATED,
}
EXPECTED = [
    (
        Rules(colors=2, copies=(1, 1), hand_size=1, hint_tokens=2, lives=2),
        Counts(
            [24, 72, 264, 780, 2258, 5656, 8208, 4096],
            [0, 0, 4, 18, 258, 1920, 5968, 4096],
            11628,
        ),
    ),
    (
        Rules(colors=2, copies=(1, 1), hand_size=1, hint_tokens=1, lives=2, **ODD),
        Counts(
            [24, 144, 480, 1704, 5940, 14368, 10624],
            [0, 0, 4, 42, 1860, 11360, 10624],
            15996,
        ),
    ),
    (
        Rules(players=3, colors=2, copies=(1, 1), hand_size=1, hint_tokens=1, lives=2, **ODD),
        Counts(
            [24, 240, 864, 3992, 16908, 40416],
            [0, 0, 4, 74, 7836, 40416],
            25652,
        ),
    ),
    (
        Rules(colors=1, copies=(2, 2, 1), hand_size=2, hint_tokens=1, lives=2),
        Counts(
            [30, 144, 624, 2484, 5488],
            [0, 0, 36, 1112, 5488],
            4258,
        ),
    ),
    (
        Rules(colors=1, copies=(3, 2), hand_size=2, hint_tokens=1, lives=2, **ODD),
        Counts(
            [10, 70, 400, 2148, 3528],
            [0, 0, 16, 1536, 3528],
            3072,
        ),
    ),
    (
        Rules(colors=2, copies=(2, 1), hand_size=1, hint_tokens=1, lives=1),
        Counts(
            [180, 540, 1080, 2256, 4668, 9456, 18816, 36864, 62544, 57792, 17280],
            [0, 60, 168, 348, 780, 1776, 3840, 9072, 30480, 47040, 17280],
            123888,
        ),
    ),
]
LARGEST = EXPECTED[-1][0]


def all_decks(rules: Rules) -> list[tuple[int, ...]]:
    return sorted(set(permutations(sorted_deck(rules))))


def walk_engine(states: States, depth: int, counts: Counts) -> None:
    """Count from the position in lane `depth`; deeper positions use the lanes behind it."""
    counts.positions[depth] += 1
    if game_kernels.is_over(states, depth):
        counts.finished[depth] += 1
        counts.score += int(game_kernels.score(states, depth))
    for move in numbers_of(game_kernels.legal_moves(states, depth)):
        states[depth + 1] = states[depth]
        game_kernels.apply_move(states, depth + 1, move)
        walk_engine(states, depth + 1, counts)


def walk_twin(twin: ReferenceGame, counts: Counts) -> None:
    counts.positions[twin.turn] += 1
    if twin.is_over():
        counts.finished[twin.turn] += 1
        counts.score += twin.score()
    for move in twin.legal_moves():
        after = twin.copy()
        after.apply(move)
        walk_twin(after, counts)


def count_by_engine(rules: Rules) -> Counts:
    counts, states = Counts.none(), new_states(DEEPEST)
    for deck in all_decks(rules):
        write_deck(rules, states, 0, deck)
        game_kernels.deal_hands(states, 0)
        walk_engine(states, 0, counts)
    return counts.trimmed()


def count_by_twin(rules: Rules) -> Counts:
    counts = Counts.none()
    for deck in all_decks(rules):
        walk_twin(ReferenceGame(rules, deck), counts)
    return counts.trimmed()


@pytest.mark.parametrize(("rules", "expected"), EXPECTED, ids=lambda value: getattr(value, "text", str)())
def test_counts(rules: Rules, expected: Counts) -> None:
    if JIT_OFF and rules is LARGEST:
        pytest.skip("too many positions without compilation")
    assert count_by_engine(rules) == expected
    assert count_by_twin(rules) == expected


def test_every_deck_is_counted_once() -> None:
    assert len(all_decks(LARGEST)) == 720 // 2 // 2
