"""Data that is missing, empty, damaged or of another version; a full disk; no PyTorch: a sentence, nothing lost."""

from __future__ import annotations

import builtins
import json
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from kagiya.lab.training.data import DataError, DataFolder, GameRows
from kagiya.lab.training.fit import FitSettings, import_torch, learn, normalisation, split_games, value_examples
from kagiya.learn.features import FEATURE_VERSION, FEATURES, SCORE, STATE_FEATURES
from kagiya.learn.networks import VALUE_KINDS

ABOUT = {"feature_version": FEATURE_VERSION, "code": "x"}


def game_rows(seed: int, rows: int = 4) -> GameRows:
    dice = np.random.default_rng(seed)
    return GameRows(
        seed,
        17,
        np.arange(rows, dtype=np.int16),
        dice.uniform(0, 1, (rows, FEATURES)).astype(np.float32),
        dice.uniform(0, 1, (rows, 5)).astype(np.float32),
        dice.uniform(0, 1, (rows, STATE_FEATURES)).astype(np.float32),
        np.ones(rows, np.int32),
    )


def folder_with(path: Path, games: int, rows: int = 4) -> DataFolder:
    folder = DataFolder(path)
    folder.claim(ABOUT)
    for seed in range(games):
        folder.write(game_rows(seed, rows))
    return folder


def test_what_is_written_is_read(tmp_path: Path) -> None:
    examples = value_examples(folder_with(tmp_path, 3))
    assert examples.inputs.shape == (12, FEATURES)
    assert np.array_equal(examples.inputs[4:8], game_rows(1).features)
    assert examples.games.tolist() == [0] * 4 + [1] * 4 + [2] * 4


def test_what_a_score_learns_is_what_a_value_learns_and_the_points_on_the_table(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, 3)
    to_come, at_the_end = (value_examples(folder, kind).targets[:, 0] for kind in VALUE_KINDS)
    on_the_table = np.concatenate([game_rows(seed).features[:, SCORE] for seed in range(3)])
    assert np.allclose(at_the_end - to_come, on_the_table, atol=1e-6)


def test_no_folder_no_games_no_rows_and_too_few_games(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds no training data; `kagiya train data` makes some"):
        value_examples(DataFolder(tmp_path / "nowhere"))
    with pytest.raises(DataError, match="holds no games"):
        value_examples(folder_with(tmp_path / "empty", 0))
    with pytest.raises(DataError, match="no rows to learn from"):
        value_examples(folder_with(tmp_path / "bare", 2, rows=0))
    with pytest.raises(DataError, match="1 games are too few"):
        split_games(np.zeros(5), 0.1, 1)


def test_data_of_another_feature_version(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, 1)
    (tmp_path / "about.json").write_text(json.dumps(ABOUT | {"feature_version": 999}))
    with pytest.raises(DataError, match="has version 999 of the features"):
        value_examples(folder)


def test_damaged_files(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, 2)
    (tmp_path / "moves-1.parquet").write_bytes(b"PAR1 not really")
    with pytest.raises(DataError, match="holds a damaged file"):
        value_examples(folder)
    for text in ("{", "[]", "[" * 100_000, f'{{"seed": {"9" * 5000}}}', "\xff"):
        (tmp_path / "about.json").write_text(text, encoding="latin-1")
        with pytest.raises(DataError, match="is not a JSON object"):
            value_examples(folder)


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").write_bytes(b"")
    with pytest.raises(DataError, match="is not empty and holds no training data"):
        DataFolder(tmp_path).claim(ABOUT)
    assert [file.name for file in tmp_path.iterdir()] == ["photo.jpg"]


def test_a_full_disk_leaves_no_half_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_with(tmp_path, 1)

    def full(*arguments: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("kagiya.lab.store.journal.sync", full)
    with pytest.raises(DataError, match=r"positions-1\.parquet cannot be written: No space left on device"):
        folder.write(game_rows(1))
    assert folder.seeds() == {0}
    assert not list(tmp_path.glob(".*.part"))
    with duckdb.connect() as connection:
        assert connection.execute(f"SELECT count(*) FROM '{tmp_path}/moves-*.parquet'").fetchone() == (4,)
    monkeypatch.setattr("kagiya.lab.training.data.write_durably", full)
    with pytest.raises(DataError, match=r"new/about\.json cannot be written: No space left on device"):
        DataFolder(tmp_path / "new").claim(ABOUT)


def test_without_pytorch_a_sentence_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = builtins.__import__

    def no_torch(name: str, *arguments: Any, **named: Any) -> Any:
        if name == "torch":
            raise ImportError(name)
        return usual(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", no_torch)
    with pytest.raises(DataError, match=r"pip install 'kagiya\[train\]'"):
        import_torch()
    with pytest.raises(DataError, match="needs PyTorch"):
        learn([folder_with(tmp_path, 3)], "value", FitSettings())


def test_whole_games_are_held_out_by_the_seed() -> None:
    games = np.repeat(np.arange(40), 5)
    apart = split_games(games, 0.1, 7)
    assert len(np.unique(games[apart])) == 4
    assert not set(games[apart]) & set(games[~apart])
    assert np.array_equal(apart, split_games(games, 0.1, 7))
    assert not np.array_equal(apart, split_games(games, 0.1, 8))
    assert 0 < split_games(np.array([1, 2]), 0.99, 1).sum() < 2


def test_a_feature_that_never_changes_does_not_blow_up() -> None:
    mean, spread = normalisation(np.ones((4, 3)))
    assert mean.tolist() == [1, 1, 1]
    assert (spread > 0).all()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"hidden": (300,)}, "1 to 256 units"),
        ({"hidden": (3, 3, 3, 3)}, "at most 3 hidden layers"),
        ({"loss": "cubic"}, "squared, absolute, huber"),
        ({"schedule": "slow"}, "constant, cosine"),
        ({"batch": 0}, "above 0"),
        ({"l1": -1}, "above 0"),
        ({"held_out": 1.0}, "between 0 and 1"),
    ],
)
def test_settings_that_make_no_sense(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        FitSettings(**wrong)


def test_a_folder_may_have_any_name(tmp_path: Path) -> None:
    for name, games in (("alice's [1]*?", 2), ("alice's 1", 3)):
        assert set(folder_with(tmp_path / name, games).read("moves", ("seed",))["seed"]) == set(range(games))
