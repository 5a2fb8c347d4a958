"""Sentences of papers about significance, checked: Welch's test on their numbers and ours, a paired one on ours.

scipy.stats is imported when first needed: it takes longer than most commands.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy.typing as npt

from kagiya.lab.statistics.differences import compare_pair

LEVEL = 0.01  # the one the papers use


@dataclass(frozen=True)
class PairedTest:
    """Two teams on the same decks: how much more the first scored."""

    games: int
    seed: int
    difference: float
    error: float
    p_value: float
    first: int = -1  # places among the runs of the result file
    second: int = -1

    def to_json(self, first: int, second: int) -> dict[str, Any]:
        """Plain data for the result file."""
        return {**asdict(self), "first": first, "second": second}


@dataclass(frozen=True)
class WelchTest:
    """The same question asked of means and deviations alone."""

    difference: float
    p_value: float


def paired_test(first: npt.NDArray[Any], second: npt.NDArray[Any], seed: int) -> PairedTest:
    """Compare the scores of two matches over the same seeds."""
    found = compare_pair("first", "second", first, second)
    return PairedTest(found.decks, seed, found.mean, found.se, found.p)


def welch_test(first: tuple[float, float, int], second: tuple[float, float, int]) -> WelchTest:
    """Compare two teams by (mean, deviation, games)."""
    from scipy import stats

    p_value = float(stats.ttest_ind_from_stats(*first, *second, equal_var=False).pvalue)
    return WelchTest(first[0] - second[0], p_value)


def finding(difference: float, p_value: float) -> str:
    """What a test says, in the words of a claim."""
    if p_value >= LEVEL:
        return "no difference"
    return "higher" if difference > 0 else "lower"
