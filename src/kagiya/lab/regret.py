"""Regret: the points that each move of a game lost, and those of whole games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.cards import MoveNumber
from kagiya.engine.game import LANE, Game
from kagiya.engine.record import GameRecord
from kagiya.engine.regret_kernels import attainable_score, reachable_score, regret_source

Results = npt.NDArray[Any]
# How points become impossible at once: a needed card is discarded or misplayed, or the last life is lost. The engine
# and the papers call the last of them "end game"; a misplay near the end is none.
SOURCES = ("discard", "play", "bomb")
DIRECT, INDIRECT, TOTAL = "direct", "indirect", "total"
REGRETS = (DIRECT, INDIRECT, TOTAL)


def team_regret(results: Results) -> npt.NDArray[np.int64]:
    """Brooks's team regret of each game."""
    total: npt.NDArray[np.int64] = results["regret"].sum(axis=(1, 2))
    return total


@dataclass(frozen=True, slots=True)
class MoveCost:
    """What one move made impossible."""

    direct: int
    source: str | None  # of the direct regret, if there is some
    indirect: int

    @property
    def is_free(self) -> bool:
        return self.direct == self.indirect == 0

    @property
    def total(self) -> int:
        return self.direct + self.indirect

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"direct": self.direct, "source": self.source, INDIRECT: self.indirect}


def move_costs(games: Iterable[Game]) -> list[MoveCost]:
    """The cost of each move, given the game before the first and after each of them."""
    return [_cost(before, after) for before, after in pairwise(games)]


def _cost(before: Game, after: Game) -> MoveCost:
    direct = int(reachable_score(before.states, LANE) - reachable_score(after.states, LANE))
    lost = int(attainable_score(before.states, LANE) - attainable_score(after.states, LANE))
    source = SOURCES[regret_source(after.states, LANE, MoveNumber(int(after.moves[-1])))] if direct else None
    return MoveCost(direct, source, lost - direct)


@dataclass(frozen=True)
class CostlyTurn:
    """A move that made points impossible: the game before it, after it, and what it cost."""

    before: Game
    after: Game
    cost: MoveCost


def costly_turns(record: GameRecord, seat: int | None = None) -> Iterator[CostlyTurn]:
    """The moves of a seat, or of all, that cost points."""
    games = [record.deal(), *record.replay()]
    for before, after, cost in zip(games, games[1:], move_costs(games), strict=False):
        if cost.total > 0 and seat in (None, before.seat):
            yield CostlyTurn(before, after, cost)
