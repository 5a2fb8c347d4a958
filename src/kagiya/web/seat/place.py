"""A seat as its page knows it: what this seat may see and do. Whoever keeps the table implements it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from kagiya.cards import Seat
from kagiya.moves import Move
from kagiya.view.observation import Observation
from kagiya.web.notifier import Notifier

if TYPE_CHECKING:
    from kagiya.web.seat.advice import Coaching
    from kagiya.web.seat.tells import Telling


@dataclass(frozen=True)
class Player:
    """Who sits somewhere."""

    name: str
    agent: str  # as written; empty for a person
    convention: str = ""  # what its hints mean beyond their words
    invitation: str = ""  # the address that a person is sent who has not come yet


class Place(Protocol):
    """One seat of a running game."""

    seat: Seat
    changes: Notifier

    @property
    def players(self) -> tuple[Player, ...]:
        """Who sits at the table."""
        ...

    @property
    def turn(self) -> int:
        """Moves made so far."""
        ...

    @property
    def branch(self) -> int:
        """Grows whenever moves are taken back."""
        ...

    @property
    def trouble(self) -> str:
        """Why the agent to move does not."""
        ...

    @property
    def waiting(self) -> str:
        """What the agent to move waits for, such as the compiler."""
        ...

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was taken back, and who left: noted in the record."""
        ...

    @property
    def is_alone(self) -> bool:
        """Whether all others are agents, so that moves can be taken back."""
        ...

    def view(self, turn: int | None = None) -> Observation:
        """What the seat knows now, or knew after `turn` moves."""
        ...

    def move(self, move: Move, turn: int, branch: int | None) -> None:
        """Make a move."""
        ...

    def go_back(self, turn: int, branch: int | None) -> None:
        """Take back all moves from this turn on."""
        ...

    def replace(self, agent: str) -> None:
        """Let another agent take the seat of the one that does not move."""
        ...

    def coaching(self, turn: int) -> Coaching:
        """What the coach was asked about a turn of this seat, and what it answered."""
        ...

    def ask_coach(self, turn: int, judge: str) -> None:
        """Ask what every move of a turn is worth."""
        ...

    def stop_coach(self, turn: int) -> None:
        """Ask no more."""
        ...

    def tellings(self, first: int, end: int) -> tuple[Telling, ...]:
        """What was asked about the moves of these turns."""
        ...

    def ask_meaning(self, turn: int) -> None:
        """Ask what another's move told this seat."""
        ...

    def notes(self) -> dict[int, str]:
        """By card (its place in the deck) what this person wrote on it."""
        ...

    def note(self, card: int, text: str) -> None:
        """Write on a card."""
        ...
