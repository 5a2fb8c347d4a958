"""`kagiya train`: small runs from end to end, and what it says when it cannot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kagiya._jit import JIT_OFF
from kagiya.lab.training.data import DataFolder
from kagiya.learn.networks import read_network
from tests.cli.command import complaint, run

SEARCH = "ris-mcts(rollout=random, convention=playable-now, iterations=200)"


@pytest.mark.skipif(JIT_OFF, reason="whole games of a search take minutes without the compiler")
def test_data_then_a_fit_then_a_match(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="training needs PyTorch, the extra 'train'")
    rows, model = str(tmp_path / "rows"), tmp_path / "mine.safetensors"
    words = ["train", "data", rows, SEARCH, "--games", "3", "--players", "3", "--min-visits", "20"]
    assert "3 games played, 0 were there" in run(*words).output
    assert "0 games played, 3 were there" in run(*words).output
    quick = ["--epochs", "30", "--batch", "64", "--learning-rate", "0.01", "--patience", "30"]
    fitted = run("train", "fit", rows, "--out", str(model), *quick, "--json")
    metrics = json.loads(fitted.stdout)
    assert metrics["games"] == 3
    assert model.exists()
    assert model.with_suffix(".png").exists()
    assert run("match", f"evalfn(model={model})", "--games", "5").exit_code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["data", "rows", "vdb"], "vdb has no tree to learn from"),
        (["data", "rows", SEARCH, "--games", "0"], "the number of games must be an integer of at least 1"),
        (["fit", "rows", "--out", "x.npz"], "the file of a network ends in .safetensors"),
        (["fit", "rows", "--out", "x.safetensors", "--kind", "odd"], "--kind must be value or score or rules"),
        (
            ["fit", "rows", "--out", "x.safetensors", "--hidden", "many"],
            "--hidden must be integers separated by commas",
        ),
        (["fit", "rows", "--out", "x.safetensors", "--hidden", "9999"], "1 to 256 units"),
        (["goodman", "there", "--c", "wide"], "--c must be numbers separated by commas, not 'wide'"),
        (["goodman", "there", "--games", "1,2"], "give 3 numbers of games"),
    ],
)
def test_what_cannot_be_done(words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("dev" if words[0] == "goodman" else "train", *words)
    assert result.exit_code == 1
    assert said in " ".join(result.output.split())


def test_ctrl_c_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("kagiya.lab.training.goodman.run_goodman", interrupted)
    result = run("dev", "goodman", "there")
    assert result.exit_code == 130
    assert "what is finished is in there, and the same command goes on from there" in " ".join(result.output.split())


def test_an_empty_folder_of_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="training needs PyTorch, the extra 'train'")
    monkeypatch.chdir(tmp_path)
    result = run("train", "fit", "nowhere", "--out", "x.safetensors")
    assert "nowhere holds no training data; `kagiya train data` makes some" in " ".join(result.output.split())
    assert result.exit_code == 1
    assert DataFolder(tmp_path).seeds() == set()


@pytest.mark.skipif(JIT_OFF, reason="twenty games of ten policies take minutes without the compiler")
def test_who_made_a_move_is_learned_from_one_command(tmp_path: Path) -> None:
    model = tmp_path / "policies.safetensors"
    result = run("train", "policies", "--games", "20", "--passes", "1", "--out", str(model))
    assert result.exit_code == 0, result.output
    assert "of the moves held out it guesses" in result.output
    assert read_network(model, "policies").widths == [38, 30, 10]
    refused = run("train", "policies", "--games", "3", "--out", str(model))
    assert "20 games or more" in complaint(refused)


def test_a_forecast_is_fitted_and_says_how_well(tmp_path: Path) -> None:
    model = tmp_path / "forecast.safetensors"
    result = run("train", "forecast", "vdb", "--games", "20", "--out", str(model))
    assert result.exit_code == 0, result.output
    assert "games held out" in result.output
    assert read_network(model, "forecast").provenance["agent"] == "vdb"
    for words, reason in ((["ris-mcts"], "searches or is written in Python"), (["vdb", "--games", "3"], "10 games")):
        refused = run("train", "forecast", *words, "--out", str(model))
        assert refused.exit_code != 0
        assert reason in complaint(refused)
