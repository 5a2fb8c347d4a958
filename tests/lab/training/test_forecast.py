"""Forecasts fitted to careless games: the same seed gives the same network, and it has learned something."""

from __future__ import annotations

import numpy as np
import pytest

from kagiya import Rules, find_agent
from kagiya._jit import JIT_OFF
from kagiya.lab.training.small_networks import ForecastRows, count_games, fit_forecast
from kagiya.learn.values import FORECAST_FEATURES, POINTS

pytestmark = pytest.mark.skipif(JIT_OFF, reason="hundreds of games take minutes without the compiler")


@pytest.fixture(scope="module")
def counted() -> ForecastRows:
    return count_games(Rules(players=3), find_agent("smartbot(safe=yes)"), 600, 51_000_001)


def test_the_same_seed_counts_the_same_games(counted: ForecastRows) -> None:
    again = count_games(Rules(players=3), find_agent("smartbot(safe=yes)"), 600, 51_000_001)
    assert (again.inputs == counted.inputs).all()
    assert (again.targets == counted.targets).all()


def test_all_rows_of_a_game_lead_to_the_same_score(counted: ForecastRows) -> None:
    finals = counted.targets + counted.inputs[:, POINTS]
    assert 0 <= finals.min() <= finals.max() <= 25
    for game in np.unique(counted.games):
        assert len(set(finals[counted.games == game])) == 1


def test_the_forecast_knows_more_than_the_mean(counted: ForecastRows) -> None:
    network = fit_forecast(counted)
    assert network.widths == [FORECAST_FEATURES, 1]
    assert network.provenance["held_out_error"] < 0.9 * network.provenance["held_out_spread"]


def test_a_count_that_decides_is_found() -> None:
    rng = np.random.default_rng(7)
    inputs = rng.normal(size=(2000, FORECAST_FEATURES))
    network = fit_forecast(ForecastRows(inputs, 3 * inputs[:, 5] - inputs[:, 8] + 2, np.arange(2000)))
    assert network.answer(inputs[:5])[:, 0] == pytest.approx(3 * inputs[:5, 5] - inputs[:5, 8] + 2, abs=0.01)
