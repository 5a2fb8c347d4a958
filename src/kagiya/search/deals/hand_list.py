"""The list of hands that a seat may hold: its record, the rows of memories, its arrays, and what it says of a hand.

A hand is one integer, five bits a slot. An entry is a hand and the number of a row of memories: what the other seats
remember if that is the hand they see. Equal rows are stored once. There are two sides: one is read while the other is
written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NewType

import numpy as np

from kagiya._jit import array_address, kernel, record_viewer, stored_array
from kagiya.agents.api import Agent
from kagiya.cards import MAX_HAND, NO_CARD, Seat, cards_name
from kagiya.engine.layout import MAX_TURNS, STATE, Lane, new_states
from kagiya.engine.memory import DECLARED
from kagiya.rules import MAX_DECK, Rules
from kagiya.search.search_layout import SearchRecord, extents_of, memory_of

NOT_LISTED = -1  # listed: there are too many hands, so they are sampled
SLOT_BITS = 5
EMPTY_SLOT = (1 << SLOT_BITS) - 1  # in a packed hand; there are at most thirty kinds
SIDES = 2
ROW_BYTES = 32 << 20  # of memories at most, on each side
MOVES_FOR_EACH = 8  # moves replayed at most for each hand of a full list, when it is made
PROBES = 1_000  # sampled hands that tell whether a move can be explained
LIKELIEST = 3  # hands that an explanation names

_SETTINGS = [
    ("players", np.int64),
    ("owner", np.int64),  # the seat whose hand it is
    ("capacity", np.int64),  # entries of a side
    ("row_capacity", np.int64),  # rows of memories of a side
    ("row_words", np.int64),  # words of a row
    ("gives_reasons", np.int64),  # whether the first word of a memory is a reason, which is not remembered
    ("most_moves", np.int64),  # replayed at most, over all hands that the hints leave, to make a list of them
    ("most_unexplained", np.int64),  # moves that a hand may leave unexplained and stay in the list
    ("odds", np.float64),  # of a hand for each of them, to one that explains the move
    ("probes", np.int64),  # sampled hands after which a move that none of them explains is left unexplained
    ("places", np.int64),  # of the table in which equal rows are found, a power of two
]
_PROGRESS = [
    ("listed", np.int64),  # entries, or NOT_LISTED
    ("side", np.int64),  # where they stand
    ("possible", np.int64),  # entries that the seat can hold by what it sees, when they were last weighed
    ("base_turn", np.int64),  # the owner's turn at which the list holds
    ("known_turns", np.int64),  # moves of the story so far
    ("known_cards", np.int64),  # mask by `order`: cards of the story that its reader has seen
    ("probed_turns", np.int64),  # moves of which sampled hands have told whether they can be explained
    ("contradictions", np.int64),  # times that no hand was left, in this game
    ("drawn_at", np.int64),  # the slot of the card that the owner has drawn since the list held, or NO_SLOT
    ("unexplained", np.int64),  # moves that the hand in question leaves unexplained
    ("fewest", np.int64),  # of them, among sampled hands
    ("allowed", np.int64),  # of them, before the hand is given up
    ("total", np.float64),  # weight of all entries
]
_TABLES = [
    ("rows_used", np.int64, (SIDES,)),
    ("moves", np.int64, (MAX_TURNS,)),  # of the story, by turn
    ("cards", np.int64, (MAX_DECK,)),  # by `order`; those that the reader has not seen are any that fit the hints
    ("skipped", np.int64, (MAX_TURNS,)),  # by turn: whether the move is left unexplained by every hand
    ("tested", np.int64, (MAX_TURNS,)),  # by turn: hands under which the move was asked for
    ("passed", np.int64, (MAX_TURNS,)),  # by turn: those under which it would have been made
    ("digits", np.int64, (MAX_HAND,)),  # by slot: kinds still to be tried while hands are listed one after another
    ("hand", np.int64, (MAX_HAND,)),  # the hand in question, by slot
    ("kept_at", np.int64, (MAX_HAND,)),  # by slot when the list holds: where the card is at the next turn, or NO_SLOT
]
_ARRAYS = ("states", "hands", "rows", "unexplained", "memories", "places", "weights")
HandsRecord = NewType("HandsRecord", np.void)  # of HANDS
_ADDRESSES = [(f"{name}_address", np.int64) for name in _ARRAYS]
HANDS = np.dtype([*_SETTINGS, *_PROGRESS, *_TABLES, *_ADDRESSES], align=True)

# States of a list: the game as it was dealt, at the turn at which the list holds, and where it is brought to.
START: Any = np.int64(0)
BASE: Any = np.int64(1)
TARGET: Any = np.int64(2)
LIST_STATES = 3

hands_at = record_viewer(HANDS)
list_states_of = stored_array(STATE, "states_address", LIST_STATES)
hands_of = stored_array(np.int64, "hands_address", SIDES, "capacity")
rows_of = stored_array(np.int64, "rows_address", SIDES, "capacity")
unexplained_of = stored_array(np.int64, "unexplained_address", SIDES, "capacity")
memories_of = stored_array(np.int64, "memories_address", SIDES, "row_capacity", "row_words")
places_of = stored_array(np.int64, "places_address", "places")
weights_of = stored_array(np.float64, "weights_address", "capacity")  # up to and with the entry


NO_ROW = -1
HASH_FACTOR = 0x2545F491  # small enough that nothing overflows
HASH_BITS = 0x7FFFFFFF


@kernel
def forget_rows(hands: HandsRecord, side: int) -> None:
    """Begin a side again."""
    hands["rows_used"][side] = 0
    places = places_of(hands)
    for place in range(hands["places"]):
        places[place] = NO_ROW


@kernel
def load_row(work: SearchRecord, hands: HandsRecord, side: int, row: int, lane: Lane) -> None:
    """Give the seats that see the hand the memories of a row."""
    memories, stored, extents = memory_of(work), memories_of(hands), extents_of(work)
    place = 0
    for seat in range(hands["players"]):
        if seat == hands["owner"]:
            continue
        for word in range(extents[seat, DECLARED]):
            memories[lane, seat, word] = stored[side, row, place]
            place += 1


@kernel
def keep_row(work: SearchRecord, hands: HandsRecord, side: int, lane: Lane) -> int:
    """The number of the row that holds what a lane remembers, a new one if need be; NO_ROW if there is no room."""
    row = hands["rows_used"][side]
    if row == hands["row_capacity"]:
        return NO_ROW
    hashed = write_row(work, hands, side, row, lane)
    places = places_of(hands)
    mask = hands["places"] - 1
    place = (hashed ^ hashed >> 15) & mask
    while places[place] != NO_ROW:
        if same_rows(hands, side, places[place], row):
            return places[place]
        place = (place + 1) & mask
    places[place] = row
    hands["rows_used"][side] = row + 1
    return row


@kernel
def write_row(work: SearchRecord, hands: HandsRecord, side: int, row: int, lane: Lane) -> int:
    """Write what a lane remembers into a row; returns a number that equal rows share."""
    memories, stored, extents = memory_of(work), memories_of(hands), extents_of(work)
    place, hashed = 0, 0
    for seat in range(hands["players"]):
        if seat == hands["owner"]:
            continue
        for word in range(extents[seat, DECLARED]):
            value = memories[lane, seat, word] if word or not hands["gives_reasons"] else 0
            stored[side, row, place] = value
            hashed = ((hashed ^ value ^ value >> 31) & HASH_BITS) * HASH_FACTOR >> 7 & HASH_BITS
            place += 1
    return hashed


@kernel
def same_rows(hands: HandsRecord, side: int, one: int, other: int) -> bool:
    """Whether two rows of a side are equal."""
    stored, differs = memories_of(hands), 0
    for place in range(hands["row_words"]):
        differs |= stored[side, one, place] ^ stored[side, other, place]
    return differs == 0


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
        for name in _ARRAYS:
            record[f"{name}_address"] = array_address(getattr(self, name))
