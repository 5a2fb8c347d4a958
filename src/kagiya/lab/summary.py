"""The statistics of a match: sums of integers, and the mean, spread, rates, regret and intervals that follow from them.

The sums are exact, however a match was cut into chunks, and need the same memory for any number of games. Student's t
is computed here, since scipy.stats takes seconds to import.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.cards import MAX_PLAYERS
from kagiya.drawing.charts import ScoreSample, games_html
from kagiya.lab.regret import INDIRECT, SOURCES

EXACT_UP_TO = 200  # degrees of freedom; beyond, an expansion around the normal quantile is exact to nine digits
Interval = tuple[float, float]
CONFIDENCE = 0.95
RESAMPLES = 10_000
MIN_GAMES = 10  # for an interval; fewer say little about others
FEW_GAMES = 50  # with fewer, what was not seen yet may matter more than what was
UNKNOWN_INTERVAL: Interval = (math.nan, math.nan)


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


@dataclass(frozen=True, slots=True)
class Summary:
    """What many games of one seating come to."""

    games: int
    mean: float
    se: float  # standard error of the mean; not a number for fewer than two games
    sd: float
    perfect_rate: float
    bomb_rate: float
    mean_points: float  # cards played, bombed games included, whatever the bomb rule
    mean_turns: float
    histogram: tuple[int, ...]  # games by score, from 0 to the perfect score
    regret: RegretSummary | None = None  # None if there are no games

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Where the true mean lies, by Student's t, within what can be scored; NaN for fewer than ten games."""
        if self.games < MIN_GAMES:
            return UNKNOWN_INTERVAL
        reach = student_quantile(confidence, self.games - 1) * self.se
        return max(0.0, self.mean - reach), min(float(len(self.histogram) - 1), self.mean + reach)

    def bootstrap_interval(self, confidence: float = CONFIDENCE, seed: int = 0) -> Interval:
        """The same from resampled games, with no shape assumed; NaN for fewer than ten games."""
        return bootstrap_interval(self.histogram, confidence, seed)

    def perfect_interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Where the true rate of perfect games lies; NaN for fewer than ten games."""
        return self._rate_interval(self.perfect_rate, confidence)

    def bomb_interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Where the true rate of bombed games lies; NaN for fewer than ten games."""
        return self._rate_interval(self.bomb_rate, confidence)

    def _rate_interval(self, rate: float, confidence: float) -> Interval:
        return UNKNOWN_INTERVAL if self.games < MIN_GAMES else wilson_interval(rate, self.games, confidence)

    def _repr_html_(self) -> str:
        return self.to_html(f"{self.games:,} games")

    def to_html(self, heading: str) -> str:
        """For a notebook, under a heading: the distribution of scores, and what stands in every report."""
        error = None if math.isnan(self.se) else self.se
        facts = [
            ("mean", f"{self.mean:.3f}" + ("" if error is None else f" ± {error:.3f}")),
            ("perfect games", f"{self.perfect_rate:.1%}"),
            ("bombed games", f"{self.bomb_rate:.1%}"),
            ("turns", f"{self.mean_turns:.1f}"),
        ]
        if self.regret is not None:
            facts.append(("points lost at once", f"{self.regret.direct:.2f}"))
            facts.append(("points lost for lack of turns", f"{self.regret.indirect:.2f}"))
        return games_html(heading, ScoreSample("score", self.histogram, self.mean, error), facts if self.games else [])

    def to_json(self) -> dict[str, Any]:
        """Plain data with 95 % intervals; what is not a number becomes null."""
        intervals = {
            "interval": self.interval(),
            "bootstrap_interval": self.bootstrap_interval(),
            "perfect_interval": self.perfect_interval(),
            "bomb_interval": self.bomb_interval(),
        }
        plain: dict[str, Any] = without_nan(asdict(self) | intervals)
        return plain

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Summary:
        """The inverse of `to_json`, which has intervals besides."""
        known = _numbers(cls, data) | {"histogram": tuple(data["histogram"])}
        if (regret := data["regret"]) is not None:
            known["regret"] = RegretSummary(**_numbers(RegretSummary, regret) | {"seats": tuple(regret["seats"])})
        return cls(**known)


def _numbers(kind: type[Any], data: dict[str, Any]) -> dict[str, Any]:
    """The fields of a dataclass, with what is not a number for null."""
    return {name: math.nan if data[name] is None else data[name] for name in kind.__slots__}


def summarize(results: npt.NDArray[Any], perfect_score: int, players: int = MAX_PLAYERS) -> Summary:
    """Statistics of rows of RESULT."""
    return summarize_totals(Totals().add_results(results), perfect_score, players)


def summarize_totals(totals: Totals, perfect_score: int, players: int = MAX_PLAYERS) -> Summary:
    """Statistics of games that were only counted."""
    games, histogram = totals.games, totals.histogram(perfect_score)
    if games == 0:
        nan = math.nan
        return Summary(0, nan, nan, nan, nan, nan, nan, nan, histogram)
    score = sum(points * count for points, count in enumerate(histogram))
    sd = deviation(games, score, sum(points**2 * count for points, count in enumerate(histogram)))
    return Summary(
        games=games,
        mean=score / games,
        se=sd / math.sqrt(games),
        sd=sd,
        perfect_rate=histogram[perfect_score] / games,
        bomb_rate=totals.bombs / games,
        mean_points=totals.points / games,
        mean_turns=totals.turns / games,
        histogram=histogram,
        regret=summarize_regret(totals, players),
    )


def without_nan(value: Any) -> Any:
    """The same plain data with null for what is not a number, as JSON wants it."""
    if isinstance(value, dict):
        return {key: without_nan(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [without_nan(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def frame(data: Any) -> Any:
    """A pandas DataFrame of columns by name, or of rows."""
    try:
        import pandas
    except ImportError:
        raise ImportError("to_pandas needs pandas: pip install pandas") from None
    return pandas.DataFrame(data)


def wilson_interval(rate: float, games: int, confidence: float = CONFIDENCE) -> Interval:
    """Where the true rate lies (Wilson 1927): honest for rare events too, even for none seen."""
    if games == 0:
        return UNKNOWN_INTERVAL
    share = normal_quantile(confidence) ** 2 / games
    center = (rate + share / 2) / (1 + share)
    reach = math.sqrt(share * (rate * (1 - rate) + share / 4)) / (1 + share)
    return max(0.0, center - reach), min(1.0, center + reach)


def bootstrap_interval(
    histogram: tuple[int, ...], confidence: float = CONFIDENCE, seed: int = 0, resamples: int = RESAMPLES
) -> Interval:
    """Quantiles of the mean of resampled games. Resampling games is drawing a new histogram: any number is quick.

    Resampled means spread too little, by the square root of (n - 1) / n, and know nothing of Student: quantiles
    farther out make up for both (Hesterberg 2015, the expanded percentile interval).
    """
    counts = np.array(histogram)
    games = int(counts.sum())
    if games < MIN_GAMES:
        return UNKNOWN_INTERVAL
    tail = NormalDist().cdf(-math.sqrt(games / (games - 1)) * student_quantile(confidence, games - 1))
    drawn = np.random.default_rng(seed).multinomial(games, counts / games, size=resamples)
    means = drawn @ np.arange(len(counts)) / games
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)


def normal_quantile(confidence: float) -> float:
    """How many standard errors an interval reaches to each side if the spread is known: 1.96 for 95 %."""
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, like 0.95; not {confidence}")
    return NormalDist().inv_cdf((1 + confidence) / 2)


@lru_cache(maxsize=1024)
def student_quantile(confidence: float, freedom: int) -> float:
    """The same if the spread was found from the games themselves: 2.78 for 95 % and 5 games, which leave 4 degrees."""
    z = normal_quantile(confidence)
    if freedom < 1:
        return math.nan
    if freedom > EXACT_UP_TO:
        return _expansion(z, freedom)
    low, high = 0.0, math.pi / 2  # the angle whose tangent is t / sqrt(freedom)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _chance_within(middle, freedom) < confidence else (low, middle)
    return math.sqrt(freedom) * math.tan(low)


def _chance_within(angle: float, freedom: int) -> float:
    """The chance that t lies within this angle to both sides (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    cosine, odd = math.cos(angle), freedom % 2
    term, total = (cosine, 0.0) if odd else (1.0, 0.0)
    for power in range(1 + odd, freedom, 2):  # for odd degrees the sum begins with the cosine
        total += term
        term *= power / (power + 1) * cosine**2
    chance = math.sin(angle) * total
    return 2 / math.pi * (angle + chance) if odd else chance


def _expansion(z: float, freedom: int) -> float:
    """Fisher and Cornish's expansion (Abramowitz and Stegun 26.7.5)."""
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3
