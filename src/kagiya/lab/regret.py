"""Regret, the points that moves lost, and the sums of integers from which all statistics of a match follow.

The sums are exact, however a match was cut into chunks, and need the same memory for any number of games.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.cards import MAX_PLAYERS, MoveNumber
from kagiya.engine.game import LANE, Game
from kagiya.engine.record import GameRecord
from kagiya.engine.regret_kernels import attainable_score, reachable_score, regret_source
from kagiya.rules import Rules

Column = npt.NDArray[Any]  # a number for each game
Sums = npt.NDArray[np.int64]
Results = npt.NDArray[Any]
# How points become impossible at once: a needed card is discarded or misplayed, or the last life is lost. The engine
# and the papers call the last of them "end game"; a misplay near the end is none.
SOURCES = ("discard", "play", "bomb")
DIRECT, INDIRECT, TOTAL = "direct", "indirect", "total"
REGRETS = (DIRECT, INDIRECT, TOTAL)


class Totals:
    """What some games add up to."""

    def __init__(self) -> None:
        self.scores: Sums = np.zeros(1, np.int64)  # games by score
        self.bombs = self.points = self.turns = 0
        self.regret: Sums = np.zeros((MAX_PLAYERS, len(SOURCES)), np.int64)  # by seat and source
        self.indirect: Sums = np.zeros(MAX_PLAYERS, np.int64)  # by seat
        self.team_squares = self.indirect_squares = 0  # sums of squares of a game's regret

    @property
    def games(self) -> int:
        return int(self.scores.sum())

    def add_outcomes(self, score: Column, points: Column, lives: Column, turns: Column) -> None:
        """Count some games' outcomes."""
        seen = np.bincount(score, minlength=len(self.scores))
        seen[: len(self.scores)] += self.scores
        self.scores = seen.astype(np.int64)
        self.bombs += int(np.count_nonzero(lives == 0))
        self.points += int(points.sum(dtype=np.int64))
        self.turns += int(turns.sum(dtype=np.int64))

    def add_regret(self, regret: Column, indirect: Column) -> None:
        """Count the same games' regret: by seat, source and game; by seat and game."""
        self.regret += regret.sum(axis=2, dtype=np.int64)
        self.indirect += indirect.sum(axis=1, dtype=np.int64)
        self.team_squares += _squares(regret.sum(axis=(0, 1), dtype=np.int64))
        self.indirect_squares += _squares(indirect.sum(axis=0, dtype=np.int64))

    def add_results(self, results: npt.NDArray[Any]) -> Totals:
        """Count rows of RESULT."""
        self.add_outcomes(*(results[name] for name in ("score", "points", "lives", "turns")))
        self.add_regret(np.moveaxis(results["regret"], 0, 2), results["indirect"].T)
        return self

    def add_totals(self, other: Totals) -> None:
        """Count the games that others were counted from."""
        scores = np.zeros(max(len(self.scores), len(other.scores)), np.int64)
        scores[: len(self.scores)] += self.scores
        scores[: len(other.scores)] += other.scores
        self.scores = scores
        self.bombs += other.bombs
        self.points += other.points
        self.turns += other.turns
        self.regret = self.regret + other.regret
        self.indirect = self.indirect + other.indirect
        self.team_squares += other.team_squares
        self.indirect_squares += other.indirect_squares

    def histogram(self, perfect: int) -> tuple[int, ...]:
        """The number of games by score from 0 to the perfect score."""
        counts = self.scores.tolist()
        return tuple(counts + [0] * (perfect + 1 - len(counts)))


def _squares(values: Sums) -> int:
    return int(values @ values)


def deviation(games: int, total: int, squares: int) -> float:
    """The standard deviation of a game, without rounding until the root; not a number for fewer than two games."""
    return math.sqrt((games * squares - total * total) / (games * (games - 1))) if games > 1 else math.nan


@dataclass(frozen=True, slots=True)
class RegretSummary:
    """Points that a team lost in a game, on average.

    `direct`: by moves that made them impossible (Brooks's team regret); `indirect`: by lack of turns; `total`: both.
    """

    direct: float
    direct_se: float
    sources: dict[str, float]  # of the direct regret
    indirect: float
    indirect_se: float
    total: float
    seats: tuple[dict[str, float], ...]  # each seat's, by source; and its indirect regret


def summarize_regret(totals: Totals, players: int = MAX_PLAYERS) -> RegretSummary:
    """Mean regret of at least one game."""
    games, direct, indirect = totals.games, int(totals.regret.sum()), int(totals.indirect.sum())
    by_seat = totals.regret / games
    rows = zip(by_seat[:players].tolist(), (totals.indirect / games).tolist(), strict=False)
    return RegretSummary(
        direct=direct / games,
        direct_se=deviation(games, direct, totals.team_squares) / math.sqrt(games),
        sources=dict(zip(SOURCES, (totals.regret.sum(axis=0) / games).tolist(), strict=True)),
        indirect=indirect / games,
        indirect_se=deviation(games, indirect, totals.indirect_squares) / math.sqrt(games),
        total=(direct + indirect) / games,
        seats=tuple(dict(zip(SOURCES, row, strict=True)) | {INDIRECT: lost} for row, lost in rows),
    )


def team_regret(results: Results) -> npt.NDArray[np.int64]:
    """Brooks's team regret of each game."""
    total: npt.NDArray[np.int64] = results["regret"].sum(axis=(1, 2))
    return total


def remaining_potential(results: Results) -> npt.NDArray[np.int64]:
    """Points of each game that no move made impossible and nobody scored; none after a bomb."""
    left: npt.NDArray[np.int64] = np.where(results["lives"] == 0, 0, results["reachable"] - results["points"])
    return left


def unexplained(results: Results, rules: Rules) -> Results:
    """The rows that break an identity; there are none.

    Brooks's: score + remaining potential = perfect score - team regret. Ours, where cards are left after the
    deal: score = what the deal allowed - direct - indirect regret.
    """
    team = team_regret(results)
    wrong = results["score"] + remaining_potential(results) != rules.perfect_score - team
    left = rules.deck_size - rules.players * rules.hand_size
    if left:
        allowed = min(rules.perfect_score, left + rules.players)
        wrong |= results["score"] != allowed - team - results["indirect"].sum(axis=1)
    broken: Results = results[wrong]
    return broken


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
