"""The fit: it learns, the same seed learns the same, it stops in time, and what it writes plays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kagiya.lab.training.data import DataError
from kagiya.lab.training.fit import Examples, FitSettings, Learned, LearningCurve, fit, learn, write_learned
from kagiya.lab.training.goodman import ROUNDS, GoodmanPlan, run_goodman, scaled
from kagiya.learn.features import FEATURES
from kagiya.learn.networks import network_row, read_network, write_network
from tests.lab.training.test_bad_data import folder_with
from tests.learn.networks import random_network

torch = pytest.importorskip("torch", reason="training needs PyTorch, the extra 'train'")

QUICK = FitSettings(hidden=(8,), batch=64, learning_rate=1e-2, epochs=15, l1=0)


def examples(rows: int = 2000) -> Examples:
    dice = np.random.default_rng(3)
    inputs = dice.uniform(0, 1, (rows, FEATURES))
    targets = 0.2 + 0.3 * inputs[:, :1] - 0.1 * inputs[:, 1:2]
    return Examples(inputs, targets, np.repeat(np.arange(rows // 20), 20))


def test_it_learns_a_line() -> None:
    network, curve = fit(examples(), "value", QUICK)
    assert curve.held_out[curve.best_epoch - 1] < 0.02 < curve.held_out[0]
    found = network.answer(examples().inputs)
    assert np.sqrt(((found - examples().targets) ** 2).mean()) < 0.02


def test_the_same_seed_learns_the_same() -> None:
    one, two = (fit(examples(400), "value", QUICK)[0] for _ in range(2))
    for mine, other in zip(one.weights, two.weights, strict=True):
        assert np.array_equal(mine, other)


def mostly_nothing(rows: int = 1000) -> Examples:
    """Half of the targets are 0, as those of positions where no point is to come."""
    inputs = np.random.default_rng(3).uniform(0, 1, (rows, FEATURES))
    return Examples(inputs, 0.3 * np.maximum(inputs[:, :1] - 0.5, 0), np.repeat(np.arange(rows // 20), 20))


def test_an_output_that_falls_below_0_for_all_rows_comes_back() -> None:
    settings = FitSettings(hidden=(8,), batch=64, learning_rate=3e-2, epochs=15, l1=0, seed=3)
    network, curve = fit(mostly_nothing(), "value", settings)
    assert curve.lowest < curve.by_mean / 2
    assert (network.answer(mostly_nothing().inputs) > 0).mean() > 0.3


def test_a_network_that_knows_no_more_than_the_mean_is_refused(tmp_path: Path) -> None:
    settings = FitSettings(hidden=(8,), batch=4, learning_rate=3, epochs=3, l1=0)
    with pytest.raises(DataError, match=r"has learned nothing: .* make more games, or choose another learning rate"):
        learn([folder_with(tmp_path, 10)], "value", settings)


@pytest.mark.parametrize("loss", ["absolute", "huber"])
def test_other_losses_learn_too(loss: str) -> None:
    _, curve = fit(examples(), "value", FitSettings(hidden=(8,), loss=loss, batch=64, learning_rate=1e-2, epochs=8))
    assert curve.held_out[-1] < curve.held_out[0]


def test_it_stops_when_the_held_out_games_say_so() -> None:
    dice = np.random.default_rng(1)
    inputs, targets = dice.uniform(0, 1, (300, FEATURES)), dice.uniform(0, 1, (300, 1))
    noise = Examples(inputs, targets, np.repeat(np.arange(30), 10))
    settings = FitSettings(hidden=(64,), batch=16, learning_rate=3e-2, epochs=100, patience=2)
    _, curve = fit(noise, "value", settings)
    assert len(curve.held_out) == curve.best_epoch + 2 < 100


def test_a_rate_that_falls_settles_on_the_last_epoch() -> None:
    dice = np.random.default_rng(1)
    noise = dice.normal(0, 0.1, (2000, 1))
    noisy = Examples(examples().inputs, examples().targets + noise, examples().games)
    usual = FitSettings(hidden=(8,), batch=64, learning_rate=3e-2, epochs=15, patience=15, l1=0)
    _, curve = fit(noisy, "value", replace(usual, schedule="cosine"))
    assert curve.best_epoch == len(curve.held_out) == 15
    assert max(np.abs(np.diff(curve.held_out[-4:]))) < 0.002
    _, jumping = fit(noisy, "value", usual)
    assert max(np.abs(np.diff(jumping.held_out[-4:]))) > 0.002


def test_an_interruption_keeps_the_best_so_far() -> None:
    def stop(epoch: int, training: float, held_out: float) -> None:
        if epoch == 3:
            raise KeyboardInterrupt

    network, curve = fit(examples(), "value", QUICK, stop)
    assert curve.interrupted
    assert curve.best_epoch >= 1
    assert network.widths == [FEATURES, 8, 1]


def test_a_classifier_points_at_the_right_rule() -> None:
    dice = np.random.default_rng(4)
    inputs = dice.uniform(0, 1, (2000, 31))
    targets = np.zeros((2000, 10))
    targets[np.arange(2000), (inputs[:, 0] > 0.5).astype(int)] = 1
    network, _ = fit(Examples(inputs, targets, np.repeat(np.arange(100), 20)), "rules", QUICK)
    assert (network.answer(inputs).argmax(axis=1) == targets.argmax(axis=1)).mean() > 0.95


def test_the_file_says_where_the_network_is_from(tmp_path: Path) -> None:
    learned = Learned(random_network(1), LearningCurve([0.1, 0.05], [0.1, 0.06], best_epoch=2), 40, 4)
    write_learned(tmp_path / "n.safetensors", learned, [folder_with(tmp_path / "data", 2)], "kagiya train fit ...")
    origin = read_network(tmp_path / "n.safetensors", "value").provenance
    assert origin["data"][0]["code"] == "x"
    assert origin["made"]["command"] == "kagiya train fit ..."
    assert origin["metrics"]["held_out_error"] == pytest.approx(1.5)
    assert (tmp_path / "n.png").stat().st_size > 1000


def test_the_three_iterations_in_small_and_once_more_without_doing_anything(tmp_path: Path) -> None:
    rounds = scaled([3, 3, 3], [600, 400, 400], [5, 5, 5], [0.1, 0.1, 3])
    settings = FitSettings(batch=64, learning_rate=1e-2, epochs=30, patience=30)
    plan = GoodmanPlan(tmp_path, rounds, settings, workers=2)
    assert all(run_goodman(plan, "test", lambda text: None, lambda games: None))
    for number in (1, 2, 3):
        origin = read_network(plan.model(number), "value").provenance
        assert ("evalfn" in origin["data"][0]["agent"]) == (number > 1)
        assert ("c=3" in origin["data"][0]["agent"]) == (number == 3)
    assert run_goodman(plan, "test", lambda text: None, lambda games: None) == [None] * 3
    more = scaled([4, 3, 3], [600, 400, 400], [5, 5, 5], [0.1, 0.1, 3])
    for other in (replace(plan, rounds=more), replace(plan, settings=QUICK)):
        with pytest.raises(DataError, match=r"evalfn-1\.safetensors was made with (seeds|fit) .*; choose"):
            run_goodman(other, "test", lambda text: None, lambda games: None)
    plan.model(1).unlink()
    write_network(plan.model(1), random_network(1))
    with pytest.raises(DataError, match="does not say how it was made"):
        run_goodman(plan, "test", lambda text: None, lambda games: None)


def test_interrupted_in_its_second_iteration_it_goes_on_to_the_same_networks(tmp_path: Path) -> None:
    rounds = scaled([2, 3, 2], [600, 400, 400], [5, 5, 5], [0.1, 0.1, 3], [1, 1, 2])
    settings = FitSettings(batch=64, learning_rate=1e-2, epochs=30, patience=30)
    whole, cut = (GoodmanPlan(tmp_path / name, rounds, settings, workers=1) for name in ("whole", "cut"))
    run_goodman(whole, "test", lambda text: None, lambda games: None)
    played: list[int] = []

    def stop_in_the_second(games: int) -> None:
        played.append(games)
        if len(played) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_goodman(cut, "test", lambda text: None, stop_in_the_second)
    assert cut.model(1).exists()
    assert not cut.model(2).exists()
    told: list[str] = []
    run_goodman(cut, "test", told.append, lambda games: None)
    assert f"iteration 1: {cut.model(1)} is there" in told
    assert any(text.startswith("iteration 2: 2 games played") for text in told)
    for number in (1, 2, 3):
        one, two = (network_row(read_network(plan.model(number), "value")) for plan in (whole, cut))
        assert one == two
    assert len(read_network(whole.model(3), "value").provenance["data"]) == 2


def test_the_rounds_of_the_paper() -> None:
    assert [each.games for each in ROUNDS] == [300, 500, 200]
    assert [each.c for each in ROUNDS] == [0.1, 0.1, 3.0]
    with pytest.raises(ValueError, match="give 3 numbers of games"):
        scaled([1, 2], [1, 2, 3], [1, 2, 3], [0.1, 0.1, 3])
    with pytest.raises(ValueError, match="only from its own games and those of the iterations before"):
        scaled([1, 2, 3], [1, 2, 3], [1, 2, 3], [0.1, 0.1, 3], [1, 3, 1])
