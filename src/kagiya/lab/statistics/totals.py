"""Integer sums over any number of games, from which every statistic of a match follows; memory stays the same.

Sums of integers are exact, so the totals of a match do not depend on how it was cut into chunks.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.engine.regret_kernels import SOURCES
from kagiya.rules import MAX_PLAYERS

Column = npt.NDArray[Any]  # a number for each game
Sums = npt.NDArray[np.int64]


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
