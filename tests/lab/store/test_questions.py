"""What can be asked of the store, and that nothing else can be done with a question."""

from pathlib import Path

import pytest

from kagiya import Match, Rules, find_agent
from kagiya.lab.store.errors import StoreError
from kagiya.lab.store.questions import ask, export_query
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.store import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Store.open(tmp_path / "it's a store") as store:
        run_matches([Match.of(Rules(players=2), [find_agent("random")], 20)], store)
    return tmp_path / "it's a store"


HARM = [
    "COPY (SELECT 1) TO '{file}'",
    "COPY (SELECT 1) TO '{new}'",
    "WITH a AS (COPY (SELECT 1) TO '{file}') FROM a",
    "WITH a AS (COPY (SELECT 1) TO '{new}') FROM a",
    "FROM (WITH a AS (COPY (SELECT 1) TO '{file}') FROM a)",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '{file}'",
    "SELECT 1; COPY (SELECT 1) TO '{file}'",
    "SELECT 1) TO '{file}'; SELECT (1",
    "SELECT 1'); COPY (SELECT 1) TO '{file}'; --",
    "COPY game FROM '{file}'",
    "EXPORT DATABASE '{new}'",
    "ATTACH '{new}' AS other",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "RESET allowed_directories",
    "PRAGMA enable_external_access",
    "PRAGMA database_size",
    "CREATE TABLE t AS SELECT 1",
    "DELETE FROM run",
    "WITH a AS (DELETE FROM run RETURNING *) FROM a",
    "DROP VIEW game",
    "CALL checkpoint()",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_blob('{games}/../../../../../etc/passwd')",
    "FROM '/etc/passwd'",
    "FROM glob('/etc/*')",
    "FROM read_text('{mark}')",
]


@pytest.mark.parametrize("query", HARM)
def test_a_question_can_neither_write_nor_read_other_files(path: Path, tmp_path: Path, query: str) -> None:
    (file,) = (path / "games").iterdir()
    names = {"file": file, "new": path / "games" / "new", "games": path / "games", "mark": path / "kagiya-store.json"}
    asked = query.format(**{name: str(value).replace("'", "''") for name, value in names.items()})
    before = {place: place.read_bytes() for place in tmp_path.rglob("*") if place.is_file()}
    with Store.read(path) as store, pytest.raises(StoreError, match="the query cannot be answered"):
        ask(store, asked)
    with Store.read(path, tmp_path / "out.csv") as store, pytest.raises(StoreError, match="cannot be written"):
        export_query(store, asked, tmp_path / "out.csv")
    assert {place: place.read_bytes() for place in tmp_path.rglob("*") if place.is_file()} == before


def test_questions_are_answered(path: Path) -> None:
    with Store.read(path) as store:
        assert ask(store, "SELECT count(*) AS n FROM games -- all of them").rows == [(20,)]
        assert ask(store, "WITH g AS (FROM game) SELECT min(seed), max(seed) FROM g;").rows == [(0, 19)]
        assert ask(store, "SELECT seed FROM game ORDER BY seed DESC LIMIT 2").rows == [(19,), (18,)]
        assert ask(store, "SELECT 'it''s' AS text, '\\' AS slash").rows == [("it's", "\\")]
        assert [row[0] for row in ask(store, "DESCRIBE seatings").rows][:2] == ["seating", "rules"]
        assert len(ask(store, "SUMMARIZE game").rows) > 20
        assert ("run",) in ask(store, "SHOW TABLES").rows


def test_an_export_leaves_only_itself(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "o'ut.csv"
    with Store.read(path, out) as store:
        assert export_query(store, "SELECT score FROM game ORDER BY seed;", out) == 20
    assert len(out.read_text().splitlines()) == 21
    assert sorted(place.name for place in tmp_path.iterdir()) == ["it's a store", "o'ut.csv"]
