"""How often an agent, sitting in each seat of recorded games, makes the move that was made there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from kagiya.agents.api import Agent
from kagiya.engine.record import GameRecord
from kagiya.lab.review.opinions import ask_throughout
from kagiya.moves import Move

KINDS = ("play", "discard", "hint")


@dataclass
class Tally:
    """Moves that were asked about, and those that the agent would have made."""

    asked: int = 0
    same: int = 0

    @property
    def share(self) -> float:
        return self.same / self.asked if self.asked else float("nan")

    def add(self, is_same: bool) -> None:
        """Count one move."""
        self.asked += 1
        self.same += is_same


@dataclass
class Agreement:
    """The counts by seat and by kind of the move that was made."""

    agent: str
    games: int = 0
    cells: dict[tuple[int, str], Tally] = field(default_factory=dict)

    def tally(self, seat: int | None = None, kind: str | None = None) -> Tally:
        """The sum over a seat, over a kind, or over all."""
        chosen = [tally for (sits, of), tally in self.cells.items() if seat in (None, sits) and kind in (None, of)]
        return Tally(sum(tally.asked for tally in chosen), sum(tally.same for tally in chosen))

    @property
    def seats(self) -> int:
        return max((seat for seat, _ in self.cells), default=-1) + 1

    def to_json(self) -> dict[str, Any]:
        """Plain data: by seat, and by kind of move within it."""

        def row(seat: int | None) -> dict[str, Any]:
            kinds = {kind: vars(self.tally(seat, kind)) for kind in KINDS}
            return vars(self.tally(seat)) | {"kinds": kinds}

        return {"agent": self.agent, "games": self.games, **row(None), "seats": [row(k) for k in range(self.seats)]}


def agreement(
    records: Iterable[GameRecord], agent: Agent, advance: Callable[[int], None] = lambda games: None
) -> Agreement:
    """Ask the agent at every turn of every game, each seat having heard the moves before."""
    found = Agreement(agent.text)
    for record in records:
        for turn, (made, choice) in enumerate(zip(record.moves, ask_throughout(record, agent), strict=True)):
            cell = found.cells.setdefault((turn % record.rules.players, kind_of(made)), Tally())
            cell.add(choice == made)
        found.games += 1
        advance(1)
    return found


def kind_of(move: Move) -> str:
    """``play``, ``discard`` or ``hint``."""
    return KINDS[2] if move.is_hint else KINDS[move.is_discard]
