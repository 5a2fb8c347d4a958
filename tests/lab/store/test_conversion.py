"""A store of format 1, one DuckDB file, becomes one of today's with the same games."""

from pathlib import Path

import duckdb
import pytest

from kagiya import Match, Rules, find_agent
from kagiya.lab.match.packing import MOVE_COLUMNS, OUTCOMES, REGRETS
from kagiya.lab.store import conversion
from kagiya.lab.store.errors import StoreError
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.store import Store
from kagiya.lab.table.clock import Clock
from tests.cli.command import complaint, run

# The tables as version 0.1 wrote them.
OLD_TABLES = (
    "CREATE TABLE about (mark VARCHAR, format INTEGER)",
    "INSERT INTO about VALUES ('kagiya results', 1)",
    """CREATE TABLE run (
        run INTEGER PRIMARY KEY, command VARCHAR, started TIMESTAMP, ended TIMESTAMP, outcome VARCHAR,
        computed BIGINT, kagiya VARCHAR, python VARCHAR, numba VARCHAR, numpy VARCHAR, machine VARCHAR,
        git_commit VARCHAR, pid INTEGER)""",
    """CREATE TABLE seating (
        seating INTEGER PRIMARY KEY, rules VARCHAR, preset VARCHAR, players UTINYINT, seats VARCHAR[],
        team VARCHAR, code VARCHAR, terms VARCHAR, UNIQUE (rules, team, code, terms))""",
    "CREATE TABLE part (run INTEGER, seating INTEGER, first BIGINT, games BIGINT)",
    """CREATE TABLE chunk (
        seating INTEGER, first BIGINT, games INTEGER, run INTEGER, seconds DOUBLE, PRIMARY KEY (seating, first))""",
    f"""CREATE TABLE game (seating INTEGER, seed BIGINT, {", ".join(f"{name} UTINYINT" for name in OUTCOMES)},
        {", ".join(f"{name} TINYINT DEFAULT 0" for name in REGRETS)},
        {", ".join(f"{name} UBIGINT DEFAULT 0" for name in MOVE_COLUMNS)}, more_moves BLOB)""",
    f"""CREATE TABLE late (seating INTEGER, seed BIGINT,
        {", ".join(f"overtime_{seat} UTINYINT" for seat in range(1, 6))}, forfeited_by UTINYINT)""",
)


def old_store(file: Path, games: Store) -> None:
    """What version 0.1 would have made of these games."""
    with duckdb.connect(str(file)) as old:
        for statement in OLD_TABLES:
            old.execute(statement)
        for table in ("run", "seating", "part", "chunk", "game", "late"):
            rows = games.rows(f"FROM {table}")
            if rows:
                old.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)


def test_all_tables_are_taken_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversion, "GAMES_PER_FILE", 30)
    old, new = tmp_path / "old.duckdb", tmp_path / "new"
    matches = [Match.of(Rules(players=players), [find_agent("random")], 25) for players in (2, 3)]
    matches += [Match.of(Rules(), [find_agent("careful-python")], 2, 0, Clock(1e-9))]
    with Store.in_memory() as games:
        run_matches(matches, games, "an old command")
        old_store(old, games)
        before = {
            table: games.rows(f"FROM {table} ORDER BY ALL") for table in ("run", "seating", "part", "game", "late")
        }
    assert before["late"]
    content = old.read_bytes()
    assert run("store", "convert", str(old), str(new)).exit_code == 0
    assert old.read_bytes() == content
    with Store.read(new) as store:
        assert {table: store.rows(f"FROM {table} ORDER BY ALL") for table in before} == before
        assert len(store.catalog.files) == 2
        assert store.record(1, 7).seed == 7
    assert "has games already" in complaint(run("store", "convert", str(old), str(new)))


def test_an_old_store_is_refused_with_what_to_do(tmp_path: Path) -> None:
    old = tmp_path / "old.duckdb"
    with Store.in_memory() as games:
        old_store(old, games)
    for opened in (Store.open, Store.read):
        with pytest.raises(StoreError, match="may be a store of an earlier version; `kagiya store convert"):
            opened(old)


def test_what_is_not_an_old_store_is_not_converted(tmp_path: Path) -> None:
    other, notes = tmp_path / "other.duckdb", tmp_path / "notes.txt"
    with duckdb.connect(str(other)) as database:
        database.execute("CREATE TABLE mine AS SELECT 42 AS answer")
    notes.write_text("mine")
    assert "not a store of Kagiya's" in complaint(run("store", "convert", str(other), str(tmp_path / "a")))
    assert "those are DuckDB files" in complaint(run("store", "convert", str(notes), str(tmp_path / "b")))
