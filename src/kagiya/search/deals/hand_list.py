"""A list of hands as Python sees it: its arrays, made when a search sits down, and what it says of a hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kagiya._jit import array_address
from kagiya.agents.api import Agent
from kagiya.cards import NO_CARD, Seat, cards_name
from kagiya.engine.layout import new_states
from kagiya.rules import Rules
from kagiya.search.deals.hands_layout import EMPTY_SLOT, HANDS, LIST_STATES, NOT_LISTED, SIDES, SLOT_BITS

ROW_BYTES = 32 << 20  # of memories at most, on each side
MOVES_FOR_EACH = 8  # hand of a full list, when it is made: hints have left so few by about that turn
PROBES = 1_000  # sampled hands that tell whether a move can be explained
LIKELIEST = 3  # hands that an explanation names


@dataclass(frozen=True)
class ListSetup:
    """What a list of hands is told: whose, seen by whom, and how long it may become."""

    owner: Seat
    capacity: int  # hands at most
    odds: float = 0.0  # of a hand for each move that it leaves unexplained
    most_unexplained: int = 0  # such moves at most


@dataclass(frozen=True)
class HandBelief:
    """What a searching seat knows of its own hand."""

    hands: int | None  # how many are possible; None if there were too many to list
    likeliest: tuple[tuple[str, float], ...]  # hands and their chances, the likeliest first
    telling_turn: int | None  # the turn of the move that most of the hands it was tested with do not explain
    ruled_out: float  # the share of hands that do not explain it
    unexplained: tuple[int, ...]  # turns of moves from which nothing is concluded, for no hand explains them

    def __str__(self) -> str:
        count = "too many hands to list" if self.hands is None else f"{self.hands:,} possible"
        likely = ", ".join(f"{cards} ({100 * chance:.2g} %)" for cards, chance in self.likeliest)
        parts = [f"{count}: {likely}" if likely else count]
        if self.telling_turn is not None:
            parts.append(f"the move of turn {self.telling_turn + 1} spoke against {100 * self.ruled_out:.0f} % of them")
        if self.unexplained:
            turns = ", ".join(str(turn + 1) for turn in self.unexplained)
            parts.append(f"a partner left the blueprint at turn {turns}")
        return "; ".join(parts)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "hands": self.hands,
            "likeliest": [{"hand": cards, "chance": chance} for cards, chance in self.likeliest],
            "telling_turn": None if self.telling_turn is None else self.telling_turn + 1,
            "ruled_out": self.ruled_out,
            "unexplained": [turn + 1 for turn in self.unexplained],
        }


class HandList:
    """The arrays of a list of hands at one table."""

    def __init__(self, rules: Rules, setup: ListSetup, models: Sequence[Agent]) -> None:
        self.rules = rules
        self._array = np.zeros(1, HANDS)
        self.record: Any = self._array[0]
        words = sum(model.memory_words for seat, model in enumerate(models) if seat != setup.owner)
        self.row_capacity = max(1, min(setup.capacity, ROW_BYTES // (8 * max(words, 1))))
        self.states = new_states(LIST_STATES)
        self.hands = np.zeros((SIDES, setup.capacity), np.int64)
        self.rows = np.zeros((SIDES, setup.capacity), np.int64)
        self.unexplained = np.zeros((SIDES, setup.capacity), np.int64)
        self.memories = np.zeros((SIDES, self.row_capacity, max(words, 1)), np.int64)
        self.places = np.zeros(1 << (2 * self.row_capacity).bit_length(), np.int64)
        self.weights = np.zeros(setup.capacity)
        self._write(setup, words, all(model.reasons for model in models))

    @property
    def address(self) -> int:
        """Where the kernels find the record."""
        return array_address(self._array)

    @property
    def most_bytes(self) -> int:
        """The memory that the list can come to use."""
        arrays = (self.hands, self.rows, self.unexplained, self.memories, self.places, self.weights)
        return sum(array.nbytes for array in arrays)

    def listed(self) -> dict[tuple[int, ...], float] | None:
        """Every hand of the list and its weight; None if there were too many."""
        count, side = int(self.record["listed"]), int(self.record["side"])
        if count == NOT_LISTED:
            return None
        weights = np.diff(self.weights[:count], prepend=0.0)
        return {self._cards(hand): float(w) for hand, w in zip(self.hands[side, :count], weights, strict=True)}

    def belief(self) -> HandBelief:
        """What the last search of the seat knew of its hand."""
        listed = self.listed()
        total = sum(listed.values()) if listed else 0.0
        best = sorted(listed.items(), key=lambda pair: -pair[1])[:LIKELIEST] if listed and total else []
        turns = int(self.record["known_turns"])
        tested, passed = self.record["tested"][:turns], self.record["passed"][:turns]
        shares = np.where(tested > 0, 1 - passed / np.maximum(tested, 1), 0.0)
        turn = int(shares.argmax()) if turns and shares.max() > 0 else None
        return HandBelief(
            hands=sum(weight > 0 for weight in listed.values()) if listed else None,
            likeliest=tuple((cards_name(hand), weight / total) for hand, weight in best),
            telling_turn=turn,
            ruled_out=0.0 if turn is None else float(shares[turn]),
            unexplained=tuple(int(each) for each in np.flatnonzero(self.record["skipped"][:turns])),
        )

    def _cards(self, packed: int) -> tuple[int, ...]:
        cards = [int(packed) >> SLOT_BITS * slot & EMPTY_SLOT for slot in range(self.rules.hand_size)]
        return tuple(int(NO_CARD) if card == EMPTY_SLOT else card for card in cards)

    def _write(self, setup: ListSetup, words: int, gives_reasons: bool) -> None:
        record = self.record
        record["players"], record["owner"] = self.rules.players, setup.owner
        record["capacity"], record["row_capacity"], record["row_words"] = setup.capacity, self.row_capacity, words
        record["most_moves"], record["gives_reasons"] = MOVES_FOR_EACH * setup.capacity, gives_reasons
        record["probes"], record["odds"], record["most_unexplained"] = PROBES, setup.odds, setup.most_unexplained
        record["places"], record["listed"] = len(self.places), NOT_LISTED
        arrays = ("states", "hands", "rows", "unexplained", "memories", "places", "weights")
        for name in arrays:
            record[f"{name}_address"] = array_address(getattr(self, name))
