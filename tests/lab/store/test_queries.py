"""What can be asked of the store, and that nothing else can be done with a question."""

import re
from pathlib import Path

import pytest

from kagiya import Match, Rules, find_agent
from kagiya.lab.store.journal import StoreError
from kagiya.lab.store.queries import GameFilter, ask, count_older, export_query, list_seatings
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.store import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Store.open(tmp_path / "it's a store") as store:
        run_matches([Match.of(Rules(players=2), [find_agent("random")], 20, seed=0)], store)
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


def play(path: Path, code: str, games: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match as an agent of this code would play it."""
    monkeypatch.setattr("kagiya.lab.store.store.code_version", lambda agents: code)
    with Store.open(path) as store:
        run_matches([Match.of(Rules(players=2), [find_agent("careful")], games)], store)


def test_the_games_that_are_shown_are_those_of_the_newest_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mean over two versions of an agent says nothing about either."""
    home = tmp_path / "store"
    for code, games in (("first", 20), ("second", 5)):
        play(home, code, games, monkeypatch)
    with Store.read(home) as store:
        assert store.rows("SELECT code, count(*) FROM games GROUP BY 1") == [("second", 5)]
        both = store.rows("SELECT code, newest, count(*) FROM games_all GROUP BY 1, 2 ORDER BY 1")
        assert both == [("first", False, 20), ("second", True, 5)]
        assert store.rows("SELECT code, games FROM seatings") == [("second", 5)]
        shown = list_seatings(store, GameFilter()).to_json()["rows"]
        assert [(row["code"], row["newest"]) for row in shown] == [("second", True)]
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", shown[0]["date"])
        assert count_older(store.catalog, GameFilter()) == 1
        assert [row["code"] for row in list_seatings(store, GameFilter(older=True)).to_json()["rows"]] == [
            "first",
            "second",
        ]
        assert [row["code"] for row in list_seatings(store, GameFilter(run=1)).to_json()["rows"]] == ["first"]
    play(home, "first", 20, monkeypatch)  # who goes back to the first code asks about the first code
    with Store.read(home) as store:
        assert store.rows("SELECT code, count(*) FROM games GROUP BY 1") == [("first", 20)]


def test_regret_has_the_same_names_in_the_store_as_elsewhere(path: Path) -> None:
    with Store.read(path) as store:
        sums = "discard_regret + play_regret + bomb_regret = direct_regret"
        total = "direct_regret + indirect_regret = total_regret"
        by_seat = "bomb_1 + bomb_2 + bomb_3 + bomb_4 + bomb_5 = bomb_regret"
        query = f"SELECT bool_and({sums}), bool_and({total}), bool_and({by_seat}), sum(bomb_regret) > 0 FROM games"
        assert store.rows(query) == [(True, True, True, True)]
