"""The sequential test keeps its promise however often one looks, and stops soon enough to be worth it."""

import math

import numpy as np
import numpy.typing as npt
import pytest

from kagiya.lab.paired_and_sequential_tests import (
    SHARES,
    count_differences,
    interval_of,
    log_wealth,
    mean_of,
    p_value,
    weigh_teams,
)
from tests.lab.scores import PERFECT, difference_chances, score_chances

Counts = npt.NDArray[np.int64]

DIFFERENCES = np.arange(-PERFECT, PERFECT + 1)


def looks(last: int) -> list[int]:
    """How many decks have been played at each look: a quarter more each time."""
    counts = [20]
    while counts[-1] < last:
        counts.append(counts[-1] + max(20, counts[-1] // 4))
    return counts


def played(chances: npt.NDArray[np.float64], simulations: int, last: int, seed: int) -> list[Counts]:
    """For each look, the differences counted so far in every simulation."""
    dice = np.random.default_rng(seed)
    total = np.zeros((simulations, len(chances)), np.int64)
    found, before = [], 0
    for decks in looks(last):
        total = total + dice.multinomial(decks - before, chances, size=simulations)
        found.append(total)
        before = decks
    return found


def wealths(counts: Counts) -> npt.NDArray[np.float64]:
    """`log_wealth` of many simulations at once."""
    logs = np.log1p(np.outer(SHARES, DIFFERENCES / PERFECT)) @ counts.T
    total: npt.NDArray[np.float64] = np.logaddexp.reduce(logs, axis=0) - math.log(len(SHARES))
    return total


def is_sure(counts: Counts) -> npt.NDArray[np.bool_]:
    """Where the two-sided test at 95 % has decided."""
    return np.maximum(wealths(counts), wealths(counts[:, ::-1])) > math.log(2 / 0.05)


EQUAL = score_chances()
SKEWED = score_chances(20.0, 1.0, bombs=0.25)
SAME_MEAN = (SKEWED, score_chances(float(SKEWED @ np.arange(26)), 0.4, bombs=0.0))


def test_the_error_rate_holds_under_repeated_looks_where_the_plain_test_fails() -> None:
    simulations = 4000
    seen = played(difference_chances(EQUAL, EQUAL), simulations, 20_000, seed=1)
    assert len(seen) > 25
    alarms = np.any([is_sure(counts) for counts in seen], axis=0)
    assert alarms.mean() <= 0.05
    plain = np.any([np.abs(z_of(counts)) > 1.96 for counts in seen], axis=0)
    assert plain.mean() > 0.15


def z_of(counts: Counts) -> npt.NDArray[np.float64]:
    decks = counts.sum(axis=1)
    mean = counts @ DIFFERENCES / decks
    z: npt.NDArray[np.float64] = mean / np.sqrt((counts @ DIFFERENCES**2 / decks - mean**2) / decks)
    return z


def test_the_error_rate_holds_for_a_team_that_bombs_often_and_one_that_never_does() -> None:
    chances = difference_chances(*SAME_MEAN)
    lead = float(chances @ DIFFERENCES)
    assert abs(lead) < 0.02  # rounding to whole scores leaves a little
    seen = played(chances, 4000, 2000, seed=2)
    assert np.any([is_sure(counts) for counts in seen], axis=0).mean() <= 0.05


def test_it_stops_when_there_is_something_to_find() -> None:
    chances = difference_chances(score_chances(18.6), EQUAL)
    lead, sd = chances @ DIFFERENCES, math.sqrt(chances @ DIFFERENCES**2 - (chances @ DIFFERENCES) ** 2)
    fixed = (2.8 * sd / lead) ** 2  # decks that a plain test of 80 % power would need, if one knew the lead before
    seen = played(chances, 500, 30_000, seed=3)
    sure = np.array([is_sure(counts) for counts in seen])
    assert sure[-1].all()
    first = np.array(looks(30_000))[sure.argmax(axis=0)]
    assert np.median(first) < 2 * fixed


def test_the_interval_covers_the_truth_when_one_stops_as_soon_as_it_is_sure() -> None:
    chances = difference_chances(score_chances(18.5), EQUAL)
    lead = float(chances @ DIFFERENCES)
    seen = played(chances, 300, 20_000, seed=4)
    sure = np.array([is_sure(counts) for counts in seen])
    stopped = [seen[look][simulation] for simulation, look in enumerate(sure.argmax(axis=0))]
    intervals = [interval_of(counts) for counts in stopped]
    assert np.mean([low <= lead <= high for low, high in intervals]) >= 0.95
    assert all(low > 0 or high < 0 for low, high in intervals)  # the interval and the test agree


def test_the_interval_leaves_zero_out_when_the_p_value_is_below_the_level() -> None:
    decisions = set()
    for decks in range(1, 60):
        counts = count_differences(np.full(decks, 4), np.zeros(decks, np.int64), 25)
        is_sure = p_value(counts) < 0.05
        assert (interval_of(counts)[0] > 0, -interval_of(counts[::-1])[1] > 0) == (is_sure, is_sure), decks
        decisions.add(is_sure)
    assert decisions == {False, True}


def test_wealth_by_hand_and_in_bulk_agree() -> None:
    counts = played(difference_chances(EQUAL, EQUAL), 3, 100, seed=5)[-1]
    for row, known in zip(counts, wealths(counts), strict=True):
        assert log_wealth(row) == pytest.approx(known)


def test_nothing_played_says_nothing() -> None:
    none = np.zeros(51, np.int64)
    assert log_wealth(none) == pytest.approx(0)
    assert p_value(none) == 1
    assert mean_of(none) == 0
    assert interval_of(none) == (-25, 25)


def test_one_that_always_wins_is_soon_known_to_be_better() -> None:
    best, worst = np.full(200, 25), np.zeros(200, np.int64)
    counts = count_differences(best, worst, PERFECT)
    low, high = interval_of(counts)
    assert p_value(counts) < 1e-9
    assert 20 < low < 25
    assert high == 25


def test_evidence_is_a_sentence() -> None:
    dice = np.random.default_rng(6)
    teams = {
        name: dice.choice(26, 3000, p=score_chances(center)) for name, center in zip("abc", (17, 18, 18), strict=True)
    }
    found = weigh_teams(teams, PERFECT)
    assert [(pair.first, pair.second) for pair in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert found[0].is_sure
    assert found[0].verdict().startswith("b is better than a by ")
    assert "95 % confidence, valid at any stopping time, 3,000 common decks" in found[0].verdict()
    assert "not told apart yet" in found[2].verdict()
    assert found[0].to_json()["is_sure"]
