"""Data sets: rows that are the games, resumed after an interruption, read back equal."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import numpy as np
import pytest

from kagiya import Game, GameRecord, Match, Rules, Table, find_agent
from kagiya.interop import dataset
from kagiya.interop.dataset import Dataset, DatasetError, FileGames, FreshGames, Played, StoredGames, write_dataset
from kagiya.interop.files import write_games
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.store import Store
from kagiya.rl import Encoding
from kagiya.rl.vectors import uid_to_move
from tests.cli.command import complaint, run

pytest.importorskip("pyarrow")

RULES = Rules(players=3)


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "SHARD_GAMES", 4)


def fresh(games: int = 10) -> FreshGames:
    return FreshGames(RULES, [find_agent("smartbot")], games, seed=5)


def test_rows_are_the_games(tmp_path: Path) -> None:
    write_dataset(tmp_path, fresh(), own_hand=True)
    data = Dataset(tmp_path)
    assert len(data.shards) == 3
    table = Table(RULES, [find_agent("smartbot")])
    for shard in data:
        for number in np.unique(shard["game"]):
            rows = shard["game"] == number
            table.play_game(5 + int(number))
            played, game = table.game(), Game(RULES, seed=5 + int(number))
            assert rows.sum() == played.turn
            for row in np.flatnonzero(rows):
                np.testing.assert_array_equal(shard["vector"][row], Encoding().encode(game))
                action = int(shard["action"][row])
                assert shard["mask"][row, action]
                assert shard["own_hand"][row].tolist() == list(game.hands[game.seat])
                assert shard["return"][row] == played.score - game.score
                assert (shard["turn"][row], shard["seat"][row]) == (game.turn, game.seat)
                score = game.score
                game.make(uid_to_move(action, RULES))
                assert shard["reward"][row] == game.score - score


def test_every_reader_of_parquet_takes_the_folder(tmp_path: Path) -> None:
    pandas, parquet = pytest.importorskip("pandas"), pytest.importorskip("pyarrow.parquet")
    write_dataset(tmp_path, fresh())
    shards = list(Dataset(tmp_path))
    frame, table = pandas.read_parquet(tmp_path), parquet.read_table(tmp_path)
    for name in ("vector", "mask", "action", "return"):
        rows = np.concatenate([shard[name] for shard in shards])
        np.testing.assert_array_equal(np.stack(frame[name]), rows)
        assert table[name].to_pylist() == rows.tolist()
    assert [str(shards[0][name].dtype) for name in ("action", "vector", "mask")] == ["int64", "int8", "bool"]
    with duckdb.connect() as connection:
        asked = f"SELECT sum(list_sum(vector)), sum(mask[action + 1]::INT) FROM '{tmp_path}/*.parquet'"
        assert connection.execute(asked).fetchone() == (sum(shard["vector"].sum() for shard in shards), len(frame))


@pytest.mark.parametrize("numbers", ["int8", "packed"])
def test_arrays_can_be_written_to(numbers: str, tmp_path: Path) -> None:
    write_dataset(tmp_path, fresh(), Encoding(numbers=numbers), own_hand=True)
    for array in Dataset(tmp_path).read(Dataset(tmp_path).shards[0]).values():
        array[:] = 0  # which torch wants to be possible


def test_packed_vectors_are_the_same_and_the_card_says_how(tmp_path: Path) -> None:
    assert run("dataset", str(tmp_path / "packed"), "iggi", "--games", "6", "--packed").exit_code == 0
    assert run("dataset", str(tmp_path / "plain"), "iggi", "--games", "6").exit_code == 0
    packed, plain = Dataset(tmp_path / "packed"), Dataset(tmp_path / "plain")
    for one, other in zip(packed, plain, strict=True):
        np.testing.assert_array_equal(one["vector"], other["vector"], strict=True)
    assert packed.card["encoding"] == {"kind": "card-knowledge", "numbers": "packed", "bit order": "little"}


def test_what_is_there_is_left_and_the_rest_is_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, torn = tmp_path / "whole", tmp_path / "torn"
    write_dataset(whole, fresh())
    asked = FreshGames.played

    def interrupted(self: FreshGames, first: int, after: int) -> object:
        if first >= 8:
            raise KeyboardInterrupt
        return asked(self, first, after)

    monkeypatch.setattr(FreshGames, "played", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_dataset(torn, fresh())
    assert len(Dataset(torn).shards) == 2
    assert not list(torn.glob("*.part"))
    monkeypatch.setattr(FreshGames, "played", asked)
    write_dataset(torn, fresh())
    assert [path.read_bytes() for path in Dataset(torn).shards] == [path.read_bytes() for path in Dataset(whole).shards]


def test_another_data_set_is_not_mixed_in(tmp_path: Path) -> None:
    write_dataset(tmp_path, fresh())
    with pytest.raises(DatasetError, match=r"holds another data set \(other games\)"):
        write_dataset(tmp_path, fresh(12))
    (tmp_path / "_dataset.json").unlink()
    with pytest.raises(DatasetError, match="has Parquet files"):
        write_dataset(tmp_path, fresh())


def test_a_data_set_that_never_began_is_replaced(tmp_path: Path) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pyarrow.parquet.write_table", fail)
        with pytest.raises(OSError, match="No space left"):
            write_dataset(tmp_path, fresh(5))
    write_dataset(tmp_path, fresh(8))
    assert Dataset(tmp_path).card["games"] == 8


@pytest.mark.parametrize("text", ["{", "[]", "[" * 100_000, "\x00"])
def test_a_damaged_card_is_refused(text: str, tmp_path: Path) -> None:
    write_dataset(tmp_path, fresh(2))
    (tmp_path / "_dataset.json").write_text(text)
    for read in (lambda: Dataset(tmp_path), lambda: write_dataset(tmp_path, fresh(2))):
        with pytest.raises(DatasetError, match=r"_dataset\.json is damaged"):
            read()
    with pytest.raises(DatasetError, match=r"is not a data set: it has no _dataset\.json"):
        Dataset(tmp_path / "elsewhere")


def test_beliefs_are_written_and_sources_are_not_mixed(tmp_path: Path) -> None:
    folder = str(tmp_path / "beliefs")
    assert run("dataset", folder, "iggi", "--games", "2", "--kind", "belief").exit_code == 0
    (shard,) = Dataset(folder)
    assert shard["vector"].dtype == np.float32
    assert 0 < shard["vector"][0, -40:].max() < 1
    assert "give one of them" in complaint(run("dataset", str(tmp_path / "x"), "iggi", "--seating", "3"))


def test_stored_and_imported_games(tmp_path: Path) -> None:
    with Store.in_memory() as store:
        run_matches([Match.of(RULES, [find_agent("iggi")], 6, 1)], store)
        stored = StoredGames(store, 1)
        write_dataset(tmp_path / "stored", stored)
        records = [store.record(1, seed) for seed in range(1, 7)]
    write_games(records, str(tmp_path / "games.jsonl"))
    write_dataset(tmp_path / "read", FileGames(tmp_path / "games.jsonl"))
    for one, other in zip(Dataset(tmp_path / "stored"), Dataset(tmp_path / "read"), strict=True):
        assert all(np.array_equal(one[name], other[name]) for name in one)
    card = json.loads((tmp_path / "stored/_dataset.json").read_text())
    assert (card["origin"], card["players"], card["entries"]) == ("stored", 3, 956)


def test_games_of_other_rules_are_refused(tmp_path: Path) -> None:
    records = [GameRecord.of(Game(Rules(players=players), 1), ["a"] * players, 1) for players in (2, 3)]
    write_games(records, str(tmp_path / "games.jsonl"))
    with pytest.raises(ValueError, match="game 2: other rules than the first"):
        FileGames(tmp_path / "games.jsonl")


def test_games_are_skipped_and_the_card_counts_them(tmp_path: Path) -> None:
    records = [GameRecord.of(Game(Rules(players=players), 1), ["a"] * players, 1) for players in (3, 2, 3)]
    write_games(records, tmp_path / "games.jsonl")
    with (tmp_path / "games.jsonl").open("a") as file:
        file.write("{}\n")
    result = run("dataset", str(tmp_path / "data"), "--from", str(tmp_path / "games.jsonl"), "--skip-bad")
    assert result.exit_code == 0, result.output
    assert "games left out: 2" in result.stderr
    card = Dataset(tmp_path / "data").card
    assert (card["games"], sorted(card["left out"].values())) == (2, [1, 1])


def test_a_game_that_leads_elsewhere_is_refused() -> None:
    writer = dataset._Writer(RULES, Encoding(numbers="packed"), False)
    game = Game(RULES, seed=1)
    with pytest.raises(DatasetError, match="game 0: its moves lead to 0 points, not to 9"):
        writer.columns(0, [Played(game.deck or (), [1], 9)])


def test_answers_of_the_store_as_frames() -> None:
    pytest.importorskip("polars")
    pytest.importorskip("pandas")
    with Store.in_memory() as store:
        run_matches([Match.of(RULES, [find_agent("iggi")], 6, 1)], store)
        query = "SELECT seed, score FROM games ORDER BY seed"
        rows = store.rows(query)
        assert store.arrow(query).to_pydict() == {"seed": [row[0] for row in rows], "score": [row[1] for row in rows]}
        assert store.polars(query).rows() == rows
        assert store.pandas(query)["score"].tolist() == [row[1] for row in rows]


def test_moves_of_the_store_unpacked() -> None:
    """Some games are longer than the words that moves are packed in."""
    rules, talkative = Rules(hint_tokens=20, colors=6, hand_size=1), "rules(tell-anything, discard-oldest)"
    with Store.in_memory() as store:
        run_matches(
            [Match.of(rules, [find_agent(talkative)], 5, 1), Match.of(RULES, [find_agent("iggi")], 5, 1)], store
        )
        assert store.rows("SELECT max(turns) > 120, min(turns) < 120 FROM games") == [(True, True)]
        found = store.arrow("SELECT seating, seed, turn, move FROM moves ORDER BY ALL").to_pylist()
        for seating, seed in store.rows("SELECT seating, seed FROM games"):
            made = [row for row in found if (row["seating"], row["seed"]) == (seating, seed)]
            assert [row["turn"] for row in made] == list(range(1, len(made) + 1))
            assert bytes(row["move"] for row in made) == store.moves(seating, seed)


def test_a_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_dataset(tmp_path, fresh(2))
    monkeypatch.setattr(dataset, "find_spec", lambda name: None)
    with pytest.raises(DatasetError, match=r"this needs pyarrow: pip install 'kagiya\[data\]'"):
        list(Dataset(tmp_path))
    with pytest.raises(DatasetError, match=r"this needs torch: pip install 'kagiya\[train\]'"):
        Dataset(tmp_path).tensors()
    with pytest.raises(DatasetError, match="this needs pyarrow"):
        write_dataset(tmp_path / "more", fresh(2))
