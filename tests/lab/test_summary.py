import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from kagiya import Match, Rules, find_agent, play_match
from kagiya.engine.batch import RESULT
from kagiya.lab.summary import (
    Summary,
    Totals,
    bootstrap_interval,
    normal_quantile,
    student_quantile,
    summarize,
    summarize_totals,
    wilson_interval,
)
from tests.lab.scores import SCORES, score_chances

Counts = npt.NDArray[np.int64]

SIMULATIONS = 10_000  # the coverage found is then within 0.7 % of the true one, three standard errors


def rows(scores: list[int], lives: list[int]) -> np.ndarray:
    results = np.zeros(len(scores), RESULT)
    results["score"], results["lives"], results["points"], results["turns"] = scores, lives, scores, 50
    return results


def test_known_answers() -> None:
    summary = summarize(rows([25, 20, 0, 15], [3, 2, 0, 1]), 25)
    assert summary.games == 4
    assert summary.mean == 15
    assert summary.sd == pytest.approx(math.sqrt((100 + 25 + 225 + 0) / 3))
    assert summary.se == pytest.approx(summary.sd / 2)
    assert summary.perfect_rate == 0.25
    assert summary.bomb_rate == 0.25
    assert len(summary.histogram) == 26
    assert [summary.histogram[score] for score in (0, 15, 20, 25)] == [1, 1, 1, 1]
    assert sum(summary.histogram) == 4


def test_one_game_has_no_spread_and_none_has_no_mean() -> None:
    one, none = summarize(rows([7], [1]), 25), summarize(rows([], []), 25)
    assert one.mean == 7
    assert math.isnan(one.se)
    assert one.to_json()["se"] is None
    assert one.to_json()["interval"] == one.to_json()["bootstrap_interval"] == [None, None]
    assert none.games == 0
    assert none.to_json()["mean"] is None
    assert none.to_json()["perfect_interval"] == [None, None]
    assert none.regret is None


def test_the_standard_error_is_that_of_the_mean() -> None:
    dice = np.random.default_rng(3)
    means, errors = [], []
    for _ in range(400):
        scores = dice.integers(0, 26, 50).tolist()
        summary = summarize(rows(scores, [1] * 50), 25)
        means.append(summary.mean)
        errors.append(summary.se)
    assert np.std(means) == pytest.approx(np.mean(errors), rel=0.12)


def test_quantiles_and_wilsons_interval_are_those_of_scipy() -> None:
    assert normal_quantile(0.95) == pytest.approx(1.959964)
    for count, games in ((0, 10), (3, 1000), (10, 10), (500, 1000)):
        known = stats.binomtest(count, games).proportion_ci(0.95, method="wilson")
        assert wilson_interval(count / games, games) == pytest.approx((known.low, known.high), abs=1e-12)
    with pytest.raises(ValueError, match="between 0 and 1"):
        normal_quantile(95)


def test_the_bootstrap_is_that_of_scipy() -> None:
    scores = np.random.default_rng(5).choice(SCORES, 300, p=score_chances())
    known = stats.bootstrap((scores,), np.mean, method="percentile", random_state=np.random.default_rng(1))
    found = bootstrap_interval(tuple(np.bincount(scores, minlength=26).tolist()))
    assert found == pytest.approx(tuple(known.confidence_interval), abs=0.03)


# Coverage: how often an interval contains the truth.


def summaries(games: int, simulations: int, seed: int) -> list[Summary]:
    """Summaries of matches whose scores are drawn by known chances."""
    drawn: Counts = np.random.default_rng(seed).multinomial(games, score_chances(), size=simulations)
    return [summary_of(counts, games) for counts in drawn]


def summary_of(counts: Counts, games: int) -> Summary:
    mean = float(counts @ SCORES) / games
    sd = math.sqrt((counts @ (SCORES - mean) ** 2) / (games - 1))
    rates = float(counts[25]) / games, float(counts[0]) / games
    return Summary(games, mean, sd / math.sqrt(games), sd, rates[0], rates[1], mean, 60.0, tuple(counts.tolist()))


def coverage(found: list[Summary], truth: float, interval: Callable[[Summary], tuple[float, float]]) -> float:
    return float(np.mean([low <= truth <= high for low, high in map(interval, found)]))


def quick_bootstrap(summary: Summary) -> tuple[float, float]:
    # A seed of its own for each, or all would share the same luck.
    return bootstrap_interval(summary.histogram, seed=hash(summary.histogram) % 2**32, resamples=500)


def test_intervals_contain_the_truth_as_often_as_they_say() -> None:
    chances = score_chances()
    mean, bombs = float(chances @ SCORES), float(chances[0])
    found = summaries(1000, SIMULATIONS, seed=11)
    assert 0.94 <= coverage(found, mean, Summary.interval) <= 0.96
    assert 0.94 <= coverage(found, bombs, Summary.bomb_interval) <= 0.96
    few = found[:3500]  # three standard errors are then 1.1 %
    assert 0.94 <= coverage(few, mean, quick_bootstrap) <= 0.96


@pytest.mark.parametrize("games", [10, 20])
def test_intervals_of_few_games_are_as_wide_as_they_must_be(games: int) -> None:
    """Without bombs; three standard errors of 5,000 simulations are 0.9 %."""
    chances = score_chances(bombs=0.0)
    drawn: Counts = np.random.default_rng(games).multinomial(games, chances, size=5000)
    found = [summary_of(counts, games) for counts in drawn]
    truth = float(chances @ SCORES)
    assert 0.935 <= coverage(found, truth, Summary.interval) <= 0.965
    assert 0.92 <= coverage(found[:2000], truth, quick_bootstrap) <= 0.97


def test_fewer_than_ten_games_have_no_intervals() -> None:
    counts = np.zeros(26, np.int64)
    counts[17:19] = 4, 5
    found = summary_of(counts, 9)
    intervals = (found.interval(), found.bootstrap_interval(), found.perfect_interval(), found.bomb_interval())
    assert all(math.isnan(limit) for interval in intervals for limit in interval)
    assert found.to_json()["interval"] == [None, None]


def test_an_interval_stays_within_what_can_be_scored() -> None:
    high, low = np.zeros(26, np.int64), np.zeros(26, np.int64)
    high[[25, 20]] = 11, 1
    low[[0, 5]] = 11, 1
    assert summary_of(high, 12).interval()[1] == 25
    assert summary_of(low, 12).interval()[0] == 0


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
def test_the_quantiles_of_student_are_those_of_scipy(confidence: float) -> None:
    for freedom in (*range(1, 32), 100, 199, 200, 201, 1000, 10**7):
        known = stats.t.ppf((1 + confidence) / 2, freedom)
        assert student_quantile(confidence, freedom) == pytest.approx(known, rel=1e-7)
    assert math.isnan(student_quantile(confidence, 0))


# Regret of a match.


def test_the_regret_of_a_summary_adds_up(games: Callable[[int], int]) -> None:
    result = play_match(Match.of(Rules(players=3), [find_agent("random"), *[find_agent("careful")] * 2], games(300)))
    regret = result.summary.regret
    assert regret is not None
    assert regret.direct == pytest.approx(sum(regret.sources.values()))
    assert len(regret.seats) == 3
    assert regret.indirect == pytest.approx(sum(seat["indirect"] for seat in regret.seats))
    assert regret.direct == pytest.approx(
        sum(value for seat in regret.seats for source, value in seat.items() if source != "indirect")
    )
    assert result.summary.mean == pytest.approx(25 - regret.direct - regret.indirect)
    assert result.to_json()["regret"]["seats"][0]["bomb"] == pytest.approx(regret.seats[0]["bomb"])


def test_the_errors_of_regret_are_those_of_numpy() -> None:
    results = play_match(Match.of(Rules(players=3), "iggi", 60, 1)).results
    found = summarize(results, 25, 3).regret
    assert found is not None
    for error, lost in (
        (found.direct_se, results["regret"].sum(axis=(1, 2))),
        (found.indirect_se, results["indirect"].sum(axis=1)),
    ):
        assert error == pytest.approx(stats.sem(lost))


def test_totals_added_up_are_those_of_all_games() -> None:
    results = np.concatenate(
        [play_match(Match.of(Rules(players=3), name, 40, 1)).results for name in ("random", "iggi")]
    )
    together = Totals()
    for part in np.array_split(results, 3):
        together.add_totals(Totals().add_results(part))
    assert summarize_totals(together, 25, 3) == summarize_totals(Totals().add_results(results), 25, 3)
