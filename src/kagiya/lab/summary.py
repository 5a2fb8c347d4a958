"""The statistics of a match: mean, spread, rates and their intervals.

Student's t is computed here, since scipy.stats takes seconds to import.
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
from kagiya.lab.regret import RegretSummary, Totals, deviation, summarize_regret

EXACT_UP_TO = 200  # degrees of freedom; beyond, an expansion around the normal quantile is exact to nine digits
Interval = tuple[float, float]
CONFIDENCE = 0.95
RESAMPLES = 10_000
MIN_GAMES = 10  # for an interval; fewer say little about others
FEW_GAMES = 50  # with fewer, what was not seen yet may matter more than what was
NOBODY_KNOWS: Interval = (math.nan, math.nan)


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
        """Where the true mean lies, by Student's t, within what can be scored; nobody knows for fewer than ten."""
        if self.games < MIN_GAMES:
            return NOBODY_KNOWS
        reach = student_quantile(confidence, self.games - 1) * self.se
        return max(0.0, self.mean - reach), min(float(len(self.histogram) - 1), self.mean + reach)

    def bootstrap_interval(self, confidence: float = CONFIDENCE, seed: int = 0) -> Interval:
        """The same from resampled games, with no shape assumed; nobody knows for fewer than ten."""
        return bootstrap_interval(self.histogram, confidence, seed)

    def perfect_interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Where the true rate of perfect games lies; nobody knows for fewer than ten."""
        return self._rate_interval(self.perfect_rate, confidence)

    def bomb_interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Where the true rate of bombed games lies; nobody knows for fewer than ten."""
        return self._rate_interval(self.bomb_rate, confidence)

    def _rate_interval(self, rate: float, confidence: float) -> Interval:
        return NOBODY_KNOWS if self.games < MIN_GAMES else wilson_interval(rate, self.games, confidence)

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


def without_nan(value: Any) -> Any:
    """The same plain data with null for what is not a number, as JSON wants it."""
    if isinstance(value, dict):
        return {key: without_nan(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [without_nan(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value


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


def wilson_interval(rate: float, games: int, confidence: float = CONFIDENCE) -> Interval:
    """Where the true rate lies (Wilson 1927): honest for rare events too, even for none seen."""
    if games == 0:
        return NOBODY_KNOWS
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
        return NOBODY_KNOWS
    tail = NormalDist().cdf(-math.sqrt(games / (games - 1)) * student_quantile(confidence, games - 1))
    drawn = np.random.default_rng(seed).multinomial(games, counts / games, size=resamples)
    means = drawn @ np.arange(len(counts)) / games
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)
