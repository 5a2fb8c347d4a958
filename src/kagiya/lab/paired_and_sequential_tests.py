"""Differences between teams on common decks: tests for a fixed number of games, and one that may stop at any time.

Common decks take the luck of the deal out of a difference. p-values of the former come from scipy.stats, which takes
long to import and is imported when first needed.

The latter is testing by betting: Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting",
Journal of the Royal Statistical Society B 86 (2024). Against the claim "the mean difference is at most m" one bets on
each deck a share of one's wealth that the difference exceeds m. If the claim is true, no bet has a positive
expectation, and the chance that the wealth ever grows from 1 to 1 / alpha is at most alpha (Ville 1939): for any
distribution of scores, any number of looks, any reason to stop. The wealth is spread over many fixed shares, of which
some are near the best one for any size of difference; it then depends only on how often each difference occurred.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from kagiya.lab.summary import CONFIDENCE, MIN_GAMES, UNKNOWN_INTERVAL, Interval, without_nan

Scores = npt.NDArray[np.int64] | npt.NDArray[np.float64]  # a game each, or means of the games on a deck
MIN_SIGNED = 10  # differences other than zero below which Wilcoxon's test says nothing


@dataclass(frozen=True, slots=True)
class Difference:
    """How much more the first team scores than the second."""

    first: str
    second: str
    decks: int  # that both played
    mean: float  # of the differences
    se: float
    interval: Interval
    correlation: float  # of the scores on the same deck: what pairing is worth
    p: float  # paired t-test, two-sided
    p_welch: float  # as if the decks had not been common
    p_wilcoxon: float | None  # signed ranks; None where it is not fit
    p_holm: float  # `p`, corrected for all comparisons made together
    confidence: float = CONFIDENCE

    test: ClassVar[str] = "paired t-test on common decks"

    @property
    def is_sure(self) -> bool:
        """Whether the difference stands, all comparisons considered; never on fewer than ten decks."""
        return self.decks >= MIN_GAMES and self.p_holm < 1 - self.confidence

    def verdict(self) -> str:
        """One sentence."""
        decks = f"{self.decks:,} common deck{'' if self.decks == 1 else 's'}"
        if self.decks < 2:
            return f"{self.first} and {self.second} cannot be compared on {decks}"
        if self.mean == self.se == 0:
            return f"{self.first} and {self.second} scored the same on each of {decks}"
        ordered = self if self.mean >= 0 else self.reversed()
        return ordered._sentence(decks)

    def _sentence(self, decks: str) -> str:
        if self.decks < MIN_GAMES:
            lead = f"{self.first} leads {self.second} by {self.mean:.2f} points a game on {decks}"
            return f"{lead}: too few to judge, it takes {MIN_GAMES}"
        amount = amount_text(self.mean, self.interval)
        if self.is_sure:
            return f"{self.first} is better than {self.second} by {amount}, {p_text(self.p_holm)}, {decks}"
        p = p_text(self.p_holm)
        return f"{self.first} and {self.second} cannot be told apart: {self.first} leads by {amount}, {p}, {decks}"

    def reversed(self) -> Difference:
        """The same, seen from the second team."""
        low, high = self.interval
        return replace(self, first=self.second, second=self.first, mean=-self.mean, interval=(-high, -low))

    def to_json(self) -> dict[str, Any]:
        """Plain data, with the verdict."""
        plain: dict[str, Any] = without_nan(asdict(self) | {"is_sure": self.is_sure, "verdict": self.verdict()})
        return plain


def amount_text(mean: float, interval: Interval) -> str:
    """A lead with its interval, in words: ± would be taken for a standard error."""
    low, high = interval
    places = digits((high - low) / 2)
    return f"{mean:.{places}f} points a game ({low:.{places}f} to {high:.{places}f})"


def digits(reach: float) -> int:
    """Decimals that a number known to within `reach` deserves: two, or more where it is known better."""
    return 2 if math.isnan(reach) or reach >= 0.05 else min(5, 1 - math.floor(math.log10(max(reach, 1e-5))))


def p_text(p: float) -> str:
    """A p-value as papers print it."""
    if math.isnan(p):
        return "no p-value"
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def compare_teams(scores: Mapping[str, Scores], confidence: float = CONFIDENCE) -> list[Difference]:
    """Every pair of teams, given their scores deck by deck; the p-values are corrected for their number."""
    pairs = [compare_pair(a, b, scores[a], scores[b], confidence) for a, b in combinations(scores, 2)]
    corrected = holm([pair.p for pair in pairs])
    return [replace(pair, p_holm=p) for pair, p in zip(pairs, corrected, strict=True)]


def compare_pair(first: str, second: str, a: Scores, b: Scores, confidence: float = CONFIDENCE) -> Difference:
    """One pair of teams, deck by deck."""
    differences = np.asarray(a, float) - np.asarray(b, float)
    decks = len(differences)
    mean = float(differences.mean()) if decks else math.nan
    se = float(differences.std(ddof=1)) / math.sqrt(decks) if decks > 1 else math.nan
    p, interval = _paired(differences, confidence)
    return Difference(
        first=first,
        second=second,
        decks=decks,
        mean=mean,
        se=se,
        interval=interval,
        correlation=_correlation(a, b),
        p=p,
        p_welch=_welch(a, b),
        p_wilcoxon=_wilcoxon(differences),
        p_holm=p,
        confidence=confidence,
    )


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's correction (1979): the chance of any false alarm among all of them stays below the level.

    >>> holm([0.01, 0.04, 0.03, 0.005])
    [0.03, 0.06, 0.06, 0.02]
    """
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    corrected, highest = [math.nan] * len(p_values), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = highest
    return corrected


def _paired(differences: npt.NDArray[np.float64], confidence: float) -> tuple[float, Interval]:
    """Two-sided p-value and interval of the mean difference by Student's t."""
    from scipy import stats

    if len(differences) < 2:
        return math.nan, UNKNOWN_INTERVAL
    if np.ptp(differences) == 0:  # no spread, so no t: always the same difference
        same = float(differences[0])
        return 1.0 if same == 0 else 0.0, (same, same)
    found = stats.ttest_1samp(differences, 0.0)
    interval = found.confidence_interval(confidence)
    known = (float(interval.low), float(interval.high)) if len(differences) >= MIN_GAMES else UNKNOWN_INTERVAL
    return float(found.pvalue), known


def _welch(a: Scores, b: Scores) -> float:
    from scipy import stats

    if len(a) < 2 or len(b) < 2:
        return math.nan
    if np.ptp(a) == 0 and np.ptp(b) == 0:
        return 1.0 if a[0] == b[0] else 0.0
    # From the moments: given the scores themselves, scipy warns of a side that always scores the same.
    moments = [number for x in (a, b) for number in (np.mean(x), np.std(x, ddof=1), len(x))]
    return float(stats.ttest_ind_from_stats(*moments, equal_var=False).pvalue)


def _wilcoxon(differences: npt.NDArray[np.float64]) -> float | None:
    """Fit where enough decks make a difference; it asks about the middle of the differences, not their mean."""
    from scipy import stats

    if np.count_nonzero(differences) < MIN_SIGNED:
        return None
    return float(stats.wilcoxon(differences).pvalue)


def _correlation(a: Scores, b: Scores) -> float:
    if len(a) < 2 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return math.nan
    return float(np.corrcoef(a, b)[0, 1])


Counts = npt.NDArray[np.int64]  # of differences from -bound to bound

SHARES = np.geomspace(0.005, 0.95, 40)  # the best is lead * bound / variance: this finds 0.01 points in a million decks
EDGE = 1e-9


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known at this moment about how much more the first team scores than the second."""

    first: str
    second: str
    decks: int
    mean: float
    interval: Interval  # holds at all moments together with the confidence stated
    p: float  # valid at any moment, corrected for all comparisons made together
    confidence: float = CONFIDENCE

    test: ClassVar[str] = "test by betting on common decks, valid at any stopping time"

    @property
    def is_sure(self) -> bool:
        return self.p < 1 - self.confidence

    def verdict(self) -> str:
        """One sentence."""
        seen = self if self.mean >= 0 else self.reversed()
        amount = amount_text(seen.mean, seen.interval)
        decks = f"{self.decks:,} common deck{'' if self.decks == 1 else 's'}"
        sure = f"{100 * self.confidence:g} % confidence, valid at any stopping time"
        if self.mean == 0:
            return f"{seen.first} and {seen.second} are not told apart yet: neither leads, {decks}"
        if self.is_sure:
            return f"{seen.first} is better than {seen.second} by {amount}, {sure}, {decks}"
        return f"{seen.first} and {seen.second} are not told apart yet: {seen.first} leads by {amount}, {decks}"

    def reversed(self) -> Evidence:
        """The same, seen from the second team."""
        low, high = self.interval
        return replace(self, first=self.second, second=self.first, mean=-self.mean, interval=(-high, -low))

    def to_json(self) -> dict[str, Any]:
        """Plain data, with the verdict."""
        plain: dict[str, Any] = without_nan(asdict(self) | {"is_sure": self.is_sure, "verdict": self.verdict()})
        return plain


def weigh_teams(scores: Mapping[str, Scores], perfect_score: int, confidence: float = CONFIDENCE) -> list[Evidence]:
    """Every pair of teams, given their scores deck by deck."""
    pairs = list(combinations(scores, 2))
    counts = [count_differences(scores[a], scores[b], perfect_score) for a, b in pairs]
    p_values = holm([p_value(count) for count in counts])
    return [_evidence(pair, count, p, confidence) for pair, count, p in zip(pairs, counts, p_values, strict=True)]


def _evidence(pair: tuple[str, str], counts: Counts, p: float, confidence: float) -> Evidence:
    return Evidence(*pair, int(counts.sum()), mean_of(counts), interval_of(counts, confidence), p, confidence)


def count_differences(a: Scores, b: Scores, perfect_score: int) -> Counts:
    """How often each difference occurred, from the worst to the best possible."""
    return np.bincount(np.asarray(a) - np.asarray(b) + perfect_score, minlength=2 * perfect_score + 1)


def mean_of(counts: Counts) -> float:
    """The mean difference; 0 as long as nothing was played."""
    bound = len(counts) // 2
    return float(counts @ np.arange(-bound, bound + 1) / max(counts.sum(), 1))


def log_wealth(counts: Counts, claim: float = 0.0) -> float:
    """Of one who bet, from a wealth of 1, against the claim that the mean difference is at most this."""
    bound = len(counts) // 2
    seen = np.flatnonzero(counts)
    payoffs = (seen - bound - claim) / (bound + claim)  # never below -1, so that no bet can ruin
    wealths = np.log1p(np.outer(SHARES, payoffs)) @ counts[seen]
    return float(np.logaddexp.reduce(wealths) - math.log(len(SHARES)))


def p_value(counts: Counts) -> float:
    """Of "neither is better", valid at any stopping time: two bets, one each way, at half the level."""
    best = max(log_wealth(counts), log_wealth(counts[::-1]))
    return min(1.0, 2 * math.exp(-best)) if best > 0 else 1.0


def interval_of(counts: Counts, confidence: float = CONFIDENCE) -> Interval:
    """All mean differences against which no bet has won enough; it covers the true one at all moments together."""
    return _lowest(counts, confidence), -_lowest(counts[::-1], confidence)


def _lowest(counts: Counts, confidence: float) -> float:
    from scipy.optimize import brentq

    bound = len(counts) // 2
    enough = math.log(2 / (1 - confidence))
    bottom, top = -bound + EDGE, min(mean_of(counts), bound - EDGE)
    if log_wealth(counts, bottom) <= enough:
        return float(-bound)
    if log_wealth(counts, top) >= enough:  # only if nearly all differences are the greatest possible
        return top
    return float(brentq(lambda claim: log_wealth(counts, claim) - enough, bottom, top, xtol=1e-6))
