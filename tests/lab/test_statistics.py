import math

import numpy as np
import pytest

from kagiya.engine.batch_kernels import RESULT
from kagiya.lab.statistics import summarize


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
    assert none.games == 0
    assert none.to_json()["mean"] is None


def test_the_standard_error_is_that_of_the_mean() -> None:
    dice = np.random.default_rng(3)
    means, errors = [], []
    for _ in range(400):
        scores = dice.integers(0, 26, 50).tolist()
        summary = summarize(rows(scores, [1] * 50), 25)
        means.append(summary.mean)
        errors.append(summary.se)
    assert np.std(means) == pytest.approx(np.mean(errors), rel=0.12)
