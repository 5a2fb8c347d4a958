"""A comparison that may be looked at after every game, and stopped as soon as it is sure.

Testing by betting: Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting",
Journal of the Royal Statistical Society B 86 (2024). Against the claim "the mean difference is at most m" one
bets on each deck a share of one's wealth that the difference exceeds m. If the claim is true, no bet has a
positive expectation, and the chance that the wealth ever grows from 1 to 1 / alpha is at most alpha (Ville
1939): for any distribution of scores, any number of looks, any reason to stop. The wealth is spread over many
fixed shares, of which some are near the best one for any size of difference; it then depends only on how often
each difference occurred.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from kagiya.lab.statistics.differences import Scores, amount_text, holm
from kagiya.lab.statistics.summary import CONFIDENCE, Interval, without_nan

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
