"""What tables print about many games, score or regret or a share of games, as one number for each game."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.cards import MAX_PLAYERS
from kagiya.engine.regret_kernels import SOURCES

CPU = "cpu seconds"  # of a game: not in its result, so whoever played it must tell
KINDS = ("score", "deviation", "team regret", "regret", "share", "bombs", CPU)


@dataclass(frozen=True)
class Estimate:
    """A measured number: its mean over games, and the deviation of a single game."""

    mean: float
    deviation: float
    games: int

    @property
    def error(self) -> float:
        return self.deviation / math.sqrt(self.games)


@dataclass(frozen=True)
class Quantity:
    """One thing to measure; regret is the mean over some seats (counted from 1), from one source or all."""

    kind: str = "score"
    seats: tuple[int, ...] = ()
    source: str = ""
    points: int | None = None  # of a share: the score that the games counted have; in percent

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"a quantity is one of {', '.join(KINDS)}, not {self.kind!r}")
        if self.source and self.source not in SOURCES:
            raise ValueError(f"regret comes from one of {', '.join(SOURCES)}, not {self.source!r}")
        if (self.kind == "share") != (self.points is not None):
            raise ValueError("a share, and nothing else, needs the points that its games have")

    @property
    def key(self) -> str:
        """The name under which result files keep it."""
        seats = f" of seats {','.join(map(str, self.seats))}" if self.seats else ""
        source = f" by {self.source}" if self.source else ""
        points = f" of {self.points} points" if self.points is not None else ""
        return f"{self.kind}{seats}{source}{points}"

    def estimate(self, results: npt.NDArray[Any], players: int) -> Estimate:
        """Measure it in rows of RESULT, which hold everything but the time."""
        if self.kind == CPU:
            raise ValueError("the result of a game does not say how long it took")
        if self.kind == "deviation":
            return _deviation(results["score"].astype(float))
        values = self._values(results, players)
        deviation = float(values.std(ddof=1)) if len(values) > 1 else math.inf
        return Estimate(float(values.mean()), deviation, len(values))

    def least_error(self, games: int) -> float:
        """The standard error of a sample in which all games are alike but for one, which is one step off.

        A mean over games that are not all alike has no smaller one.
        """
        return 0.5 / math.sqrt(games) if self.kind == "deviation" else self._step / games

    @property
    def _step(self) -> float:
        if self.kind in ("share", "bombs"):
            return 100.0
        return 1.0 / (len(self.seats) or MAX_PLAYERS) if self.kind == "regret" else 1.0

    def _values(self, results: npt.NDArray[Any], players: int) -> npt.NDArray[np.float64]:
        if self.kind == "score":
            return np.asarray(results["score"], dtype=np.float64)
        if self.kind == "share":
            return np.where(results["score"] == self.points, 100.0, 0.0)
        if self.kind == "bombs":
            return np.where(results["lives"] == 0, 100.0, 0.0)
        if self.kind == "team regret":
            return np.asarray(results["regret"].sum(axis=(1, 2)), dtype=np.float64)
        seats = [seat - 1 for seat in self.seats] or list(range(players))
        regret = results["regret"][:, seats, :].mean(axis=1)
        return np.asarray(regret[:, SOURCES.index(self.source)] if self.source else regret.sum(axis=1))


def _deviation(scores: npt.NDArray[np.float64]) -> Estimate:
    # The standard error of a deviation, by the delta method, needs the fourth moment: scores are far from normal.
    games = len(scores)
    centered = scores - scores.mean()
    variance = float((centered**2).mean())
    if games < 2 or variance == 0:
        return Estimate(0.0, 0.0 if games > 1 else math.inf, games)
    spread = math.sqrt(max(float((centered**4).mean()) - variance**2, 0.0) / (4 * variance))
    return Estimate(float(scores.std(ddof=1)), spread, games)
