"""The public history of one game: every move, and what it showed to the whole table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kagiya.cards import Card, Seat, Slot
from kagiya.engine.layout import MAX_TURNS
from kagiya.moves import MOVES, Move


@dataclass(frozen=True, slots=True)
class Event:
    """One move as all saw it."""

    turn: int
    seat: Seat
    move: Move
    touched: tuple[Slot, ...]  # slots of the receiver that a hint pointed at
    card: Card | None  # the card that a play or discard turned up
    receiver: Seat | None = None  # of a hint


class Log:
    """Moves and what they showed, by turn number; kernels write it, `Observation.history` reads it.

    `shown` holds the mask of touched slots for a hint, the card for a play or discard.
    """

    __slots__ = ("first", "moves", "players", "shown")

    def __init__(self, players: int, first: int = 0) -> None:
        self.players = players
        self.first = first  # the turn at which the history begins: later than 0 for a game set up from a position
        self.moves: npt.NDArray[np.uint8] = np.zeros(MAX_TURNS, np.uint8)
        self.shown: npt.NDArray[np.int64] = np.zeros(MAX_TURNS, np.int64)

    def copy(self) -> Log:
        other = Log(self.players, self.first)
        other.moves[:], other.shown[:] = self.moves, self.shown
        return other

    def event(self, turn: int) -> Event:
        move, shown = MOVES[self.moves[turn]], int(self.shown[turn])
        seat = Seat(turn % self.players)
        if move.is_hint:
            touched = tuple(Slot(s) for s in range(5) if shown >> s & 1)
            return Event(turn, seat, move, touched, None, Seat((seat + (move.offset or 0)) % self.players))
        return Event(turn, seat, move, (), Card(shown))

    def events(self, first: int, end: int) -> tuple[Event, ...]:
        """The events of turns first, ..., end - 1, as far as the history goes back."""
        return tuple(self.event(turn) for turn in range(max(first, self.first), end))
