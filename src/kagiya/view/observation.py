"""`Observation`: all that one seat may know of a position, for agents written in plain Python.

It is built from a state censored for that seat: the deck's order and the seat's own cards are nowhere
in its memory. Building one costs a copy of the record; everything else is worked out when asked for.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.cards import NO_CARD, Card, Color, Rank, Seat, Slot, mask_cards
from kagiya.engine.kernels import legal_moves
from kagiya.engine.layout import STATE, STATE_OFFSETS, TOLD_COLOR, TOLD_RANK, States
from kagiya.engine.log import Event, Log
from kagiya.moves import MOVES, Move
from kagiya.rules import MAX_HAND, Rules
from kagiya.view.kernels import DEAL_TABLE, critical_kinds, hand_chances, possible_kinds, unseen_planes

TURN, TOKENS, LIVES, DRAWN, TURNS_LEFT, PLAYED, PLAYABLE, USELESS, FIREWORKS, HANDS, TOLD, ORDER, LOW, HIGH = (
    STATE_OFFSETS[name]
    for name in (
        *("turn", "tokens", "lives", "drawn", "turns_left", "played", "playable", "useless", "fireworks"),
        *("hands", "told", "order", "discard_low", "discard_high"),
    )
)
LANE = 0


class Observation:
    """One seat's view of the table. Ranks and slots count from 0; slot 0 holds the oldest card.

    (With rules that draw into the vacated slot, ask `HandView.oldest_slot` instead.)
    """

    def __init__(self, row: npt.NDArray[np.int64], rules: Rules, seat: Seat, log: Log) -> None:
        """`row`: the words of a state censored for `seat`, which this object keeps."""
        self._row = row
        self._log = log
        self.rules = rules
        self.seat = seat

    @property
    def turn(self) -> int:
        """Moves made before this one."""
        return self._row.item(TURN)

    @property
    def tokens(self) -> int:
        """Hint tokens left."""
        return self._row.item(TOKENS)

    @property
    def lives(self) -> int:
        return self._row.item(LIVES)

    @property
    def deck_left(self) -> int:
        """Cards still in the deck."""
        return self.rules.deck_size - self._row.item(DRAWN)

    @property
    def turns_left(self) -> int | None:
        """Moves until the end once the deck is empty; None before."""
        return None if self.deck_left else self._row.item(TURNS_LEFT)

    @property
    def points(self) -> int:
        """Cards on the fireworks."""
        return self._row.item(PLAYED).bit_count()

    @cached_property
    def fireworks(self) -> tuple[int, ...]:
        """For each color how many cards are played, which is also the next rank needed."""
        return tuple(self._row[FIREWORKS : FIREWORKS + self.rules.colors].tolist())

    @cached_property
    def discards(self) -> dict[Card, int]:
        """How often each card lies in the discards."""
        return _copies(self._row.item(LOW), self._row.item(HIGH))

    @cached_property
    def unseen(self) -> dict[Card, int]:
        """How many copies of each card this seat cannot see: in the deck or in its own hand."""
        return _copies(*unseen_planes(self.states, LANE, self.seat, self.seat))

    @cached_property
    def legal_moves(self) -> tuple[Move, ...]:
        """What this seat may do now; what it could do, were it on the move, at other times."""
        mask = legal_moves(self.states, LANE)
        return tuple(move for move in MOVES if mask >> move & 1)

    @cached_property
    def history(self) -> tuple[Event, ...]:
        """Every move so far, oldest first, with the cards it turned up or the slots it touched."""
        return self._log.events(0, self.turn)

    @property
    def since_my_last_turn(self) -> tuple[Event, ...]:
        """The moves of the others since this seat's last one."""
        return self._log.events(self.turn - self.rules.players + 1, self.turn)

    @cached_property
    def mine(self) -> HandView:
        """The own hand: its cards are hidden, what is known of them is not."""
        return HandView(self, 0)

    @cached_property
    def others(self) -> tuple[HandView, ...]:
        """The other hands in turn order, the next player's first."""
        return tuple(HandView(self, offset) for offset in range(1, self.rules.players))

    def is_playable(self, card: Card) -> bool:
        """Whether the card would fit its firework now."""
        return bool(self._row.item(PLAYABLE) >> card & 1)

    def is_useless(self, card: Card) -> bool:
        """Whether the card can never score: already played, or cut off by a lost lower card."""
        return bool(self._row.item(USELESS) >> card & 1)

    def is_critical(self, card: Card) -> bool:
        """Whether the card is still needed and its last copy."""
        return bool(critical_kinds(self.states, LANE) >> card & 1)

    @cached_property
    def states(self) -> States:
        """The censored state record, alone in an array, for kernels and searches. Copy it before changing it."""
        return self._row.view(STATE)

    def word(self, place: int) -> int:
        """One word of the record, by its place in the flat layout."""
        return self._row.item(place)


class HandView:
    """One hand and what its owner can know about it, as far as the observing seat can tell."""

    def __init__(self, observation: Observation, offset: int) -> None:
        self.observation = observation
        self.offset = offset
        self.seat = Seat((observation.seat + offset) % observation.rules.players)
        self._first = self.seat * MAX_HAND

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The cards by slot: HIDDEN_CARD in the own hand, NO_CARD where a slot is empty."""
        first = HANDS + self._first
        row = self.observation._row[first : first + self.observation.rules.hand_size]
        return tuple(row.tolist())

    @property
    def slots(self) -> list[Slot]:
        """The slots that hold a card."""
        return [Slot(slot) for slot, card in enumerate(self.cards) if card != NO_CARD]

    @property
    def oldest_slot(self) -> Slot:
        """The slot of the card held longest."""
        return min(self.slots, key=lambda slot: self.observation.word(ORDER + self._first + slot))

    def is_color_told(self, slot: int) -> bool:
        """Whether a hint has named this card's color."""
        return bool(self.observation.word(TOLD + self._first + slot) & TOLD_COLOR)

    def is_rank_told(self, slot: int) -> bool:
        """Whether a hint has named this card's rank."""
        return bool(self.observation.word(TOLD + self._first + slot) & TOLD_RANK)

    def possible_cards(self, slot: int) -> tuple[Card, ...]:
        """What the card can be: hints, also those that passed it by, and the cards seen elsewhere."""
        return tuple(mask_cards(self._possible_mask(slot)))

    def known_color(self, slot: int) -> Color | None:
        """The card's color if its owner can be sure of it."""
        colors = {card // 5 for card in self.possible_cards(slot)}
        return Color(colors.pop()) if len(colors) == 1 else None

    def known_rank(self, slot: int) -> Rank | None:
        """The card's rank if its owner can be sure of it."""
        ranks = {card % 5 for card in self.possible_cards(slot)}
        return Rank(ranks.pop()) if len(ranks) == 1 else None

    def playable_chance(self, slot: int) -> float:
        """The owner's exact chance that the card fits now."""
        return self._chances[0][slot]

    def useless_chance(self, slot: int) -> float:
        """The owner's exact chance that the card can never score."""
        return self._chances[1][slot]

    def critical_chance(self, slot: int) -> float:
        """The owner's exact chance that the card is the last copy of one still needed."""
        return self._chances[2][slot]

    @cached_property
    def _chances(self) -> list[list[float]]:
        chances = np.zeros((3, MAX_HAND))
        table = np.zeros(DEAL_TABLE, np.int64)
        hand_chances(self.observation.states, LANE, self.observation.seat, self.seat, table, chances)
        listed: list[list[float]] = chances.tolist()
        return listed

    def _possible_mask(self, slot: int) -> int:
        viewer: Any = self.observation.seat
        return int(possible_kinds(self.observation.states, LANE, viewer, self.seat, slot))


def _copies(low: int, high: int) -> dict[Card, int]:
    return {card: (low >> card & 1) + 2 * (high >> card & 1) for card in mask_cards(low | high)}
