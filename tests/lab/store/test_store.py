from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import pytest

from kagiya import Match, Rules, Table, find_agent, play_match
from kagiya.engine.batch import RESULT
from kagiya.lab.match.chunk import PACKED_MOVES, Chunk, join, pack_games, play_chunk, unpack_moves, unpack_results
from kagiya.lab.store.journal import StoreError
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.store import MARK_FILE, Store, default_store
from kagiya.lab.table.timed_table import Clock
from tests.children import run_python

Games = Callable[[int], int]


def careful(games: int, seed: int = 1, players: int = 3) -> Match:
    return Match.of(Rules(players=players), [find_agent("careful")], games, seed)


def test_stored_games_are_the_games_of_the_match(tmp_path: Path, games: Games) -> None:
    match = careful(games(3000))
    with Store.open(tmp_path / "new" / "store") as store:
        report = run_matches([match], store, "test")
        assert (report.computed, report.stored_before, report.outcome) == (match.games, 0, "complete")
        stored = store.results(report.seatings[0].id, match.seed, match.games)
    assert np.array_equal(stored, play_match(match).results)


def test_any_stored_game_can_be_replayed(games: Games) -> None:
    seats = [find_agent(text) for text in ("careful", "random", "careful", "random")]
    match = Match.of(Rules(players=4), seats, 30, seed=0)
    table = Table(match.rules, match.agents)
    with Store.in_memory() as store:
        run_matches([match], store)
        for seed in (0, 7, 29):
            table.play_game(seed)
            assert store.record(1, seed) == table.record()
        with pytest.raises(StoreError, match="seating 1 has no game with seed 30"):
            store.record(1, 30)
        with pytest.raises(StoreError, match="has no seating 2"):
            store.record(2, 0)


def test_the_same_again_computes_only_what_is_missing(tmp_path: Path) -> None:
    computed = []
    for match in (careful(50, seed=101), careful(50, seed=201), careful(50, seed=101), careful(300, seed=1)):
        with Store.open(tmp_path / "store") as store:
            computed.append(run_matches([match], store).computed)
    assert computed == [50, 50, 0, 200]
    with Store.read(tmp_path / "store") as store:
        assert store.rows("SELECT count(*), count(DISTINCT seed), min(seed), max(seed) FROM game") == [
            (300, 300, 1, 300)
        ]
        assert store.rows("SELECT computed, outcome FROM run ORDER BY run") == [(n, "complete") for n in computed]
        assert np.array_equal(store.results(1, 1, 300), play_match(careful(300)).results)


def test_resuming_many_finished_matches_asks_nothing_of_the_games(tmp_path: Path) -> None:
    agents = [find_agent(text) for text in ("careful", "random", "vdb", "iggi", "outer")]
    matches = [Match.of(Rules(players=2), [one, other], 2) for one in agents for other in agents]
    with Store.open(tmp_path / "store") as store:
        run_matches(matches, store)
    with Store.open(tmp_path / "store") as store:
        entries = store.journal.number
        store.connection.close()  # a query would fail
        assert run_matches(matches, store).stored_before == 50
        assert store.journal.number == entries + 2  # the run begins, the run ends


def test_a_game_is_told_apart_by_rules_seats_code_and_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    teams = [["careful"], ["careful", "random"], ["random", "careful"]]
    with Store.in_memory() as store:
        matches = [Match.of(Rules(), [find_agent(text) for text in team], 10) for team in teams]
        matches += [careful(10, players=2), Match.of(Rules(lives=2), [find_agent("careful")], 10)]
        assert [store.seating(match).id for match in matches] == [1, 2, 3, 1, 4]
        python = find_agent("careful-python")
        clocks = [None, Clock(1.0), Clock(2.0)]
        timed = [store.seating(Match.of(Rules(), [python], 10, 0, clock)).id for clock in clocks]
        assert timed == [5, 6, 7]
        assert store.seating(Match.of(Rules(), [find_agent("careful")], 10, 0, clocks[1])).id == 1
        assert store.seating(Match.of(Rules(), [python], 10, 1)).id == 8  # its memory begins elsewhere
        monkeypatch.setattr("kagiya.lab.store.store.code_version", lambda agents: "other")
        assert store.seating(matches[0]).id == 9


def test_a_chunk_that_overlaps_is_refused_whole(games: Games) -> None:
    with Store.in_memory() as store:
        match = careful(20)
        run_matches([match], store)
        new, old = (play_chunk(Chunk(match, first, 10)) for first in (21, 15))
        with pytest.raises(StoreError, match="games from seed 15 of seating 1 are stored already"):
            store.add(1, [(1, new), (1, old)])
        assert store.rows("SELECT count(*) FROM game") == store.rows("SELECT sum(games) FROM chunk") == [(20,)]


def test_packing_loses_nothing() -> None:
    rng = np.random.default_rng(5)
    results = np.zeros(40, RESULT)
    results["turns"] = rng.integers(1, 200, 40)
    results["score"], results["regret"] = rng.integers(0, 26, 40), rng.integers(0, 26, (40, 5, 3))
    results["indirect"] = rng.integers(-20, 20, (40, 5))
    moves = rng.integers(0, 54, (40, 256)).astype(np.uint8)
    packed = join([pack_games(results[:11], moves[:11]), pack_games(results[11:], moves[11:])])
    assert np.array_equal(unpack_results(results["seed"], packed.numbers), results)
    assert max(results["turns"]) > PACKED_MOVES
    for game, turns in enumerate(results["turns"]):
        words = tuple(int(word) for word in packed.moves[:, game])
        assert unpack_moves(words, packed.more_moves.get(game), turns) == moves[game, :turns].tobytes()


def test_long_games_keep_all_their_moves() -> None:
    # Every token is spent before a card is discarded, and nothing is played: the longest games there are.
    rules, agent = Rules(hint_tokens=20, colors=6, hand_size=1), find_agent("rules(tell-anything, discard-oldest)")
    match = Match.of(rules, [agent], 20, seed=0)
    with Store.in_memory() as store:
        run_matches([match], store)
        results, moves = match.new_table().play_with_moves(match.seed, match.games)
        assert min(results["turns"]) > PACKED_MOVES
        for seed, made in enumerate(moves):
            assert store.record(1, seed).moves == tuple(made[: results["turns"][seed]])


def test_python_agents_play_in_chunks_and_longer_matches_extend_shorter_ones() -> None:
    with Store.in_memory() as store:
        python = find_agent("careful-python")
        for games, computed in ((5, 5), (27, 22)):
            report = run_matches([Match.of(Rules(), [python], games, 3)], store)
            assert (report.seatings[0].id, report.computed) == (1, computed)
        whole = play_match(Match.of(Rules(), [python], 27, 3)).results
        assert np.array_equal(store.results(1, 3, 27), whole)


def test_an_agents_error_keeps_the_games_before_it_and_the_other_matches() -> None:
    late = Match.of(Rules(), [find_agent("tests.cli.players:Late")], 9, 1)
    with Store.in_memory() as store:
        report = run_matches([late, careful(10)], store)
        assert "turn 1 of game 4" in str(report.errors[0])
        assert report.outcome == "failed"
        assert store.rows("SELECT seating, count(*) FROM game GROUP BY 1 ORDER BY 1") == [(1, 3), (2, 10)]


def test_the_default_store_is_in_the_users_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KAGIYA_STORE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert default_store() == Path("/data/kagiya/results")
    monkeypatch.setenv("KAGIYA_STORE", "/elsewhere/mine")
    assert default_store() == Path("/elsewhere/mine")


@pytest.mark.parametrize("content", [b"these are my notes, and no data\n" * 200, b""], ids=["notes", "empty"])
def test_a_foreign_file_is_left_alone(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "notes.txt"
    file.write_bytes(content)
    for opened in (Store.open, Store.read):
        with pytest.raises(StoreError, match="is not a store: a store is a folder, and this is a file"):
            opened(file)
        assert file.read_bytes() == content


@pytest.mark.parametrize("ending", ["csv", "json", "parquet"])
def test_data_that_duckdb_could_read_are_not_a_store(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"d.{ending}"
    duckdb.execute(f"COPY (SELECT 42 AS answer) TO '{file}'")
    before = file.read_bytes()
    for opened in (Store.open, Store.read):
        with pytest.raises(StoreError, match="is not a store"):
            opened(file)
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_a_foreign_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    for opened in (Store.open, Store.read):
        with pytest.raises(StoreError, match="is not a store, but a folder of something else"):
            opened(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_an_empty_folder_becomes_a_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no store at"):
        Store.read(tmp_path)
    with Store.open(tmp_path) as store:
        assert run_matches([careful(5)], store).computed == 5


def test_a_store_of_a_later_format_is_refused(tmp_path: Path) -> None:
    Store.open(tmp_path / "store").close()
    mark = tmp_path / "store" / MARK_FILE
    mark.write_text('{"mark": "kagiya results", "format": 99}')
    with pytest.raises(StoreError, match="has format 99; this version of Kagiya reads format 2"):
        Store.open(tmp_path / "store")


@pytest.mark.parametrize("text", ["{", "[]", "[" * 100_000, '{"mark": ' + "9" * 5000 + "}"])
def test_a_mark_that_no_program_wrote_is_named(text: str, tmp_path: Path) -> None:
    Store.open(tmp_path / "store").close()
    (tmp_path / "store" / MARK_FILE).write_text(text)
    with pytest.raises(StoreError, match=f"{MARK_FILE} is damaged"):
        Store.open(tmp_path / "store")


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    for path in ("/proc/store", "/proc/folder/store"):
        with pytest.raises(StoreError, match=path):
            Store.open(path)
    with pytest.raises(StoreError, match="there is no store at"):
        Store.read(tmp_path / "nothing")


IN_JUPYTER = """
import sys, types
sys.modules["IPython"] = types.ModuleType("IPython")
sys.modules["IPython"].get_ipython = lambda: types.SimpleNamespace(config={"IPKernelApp": {}})
from kagiya.lab.store.store import Store
with Store.in_memory() as store:
    print(store.rows("SELECT count(*) FROM game")[0][0])
"""


def test_a_store_opens_in_jupyter_without_widgets() -> None:
    assert run_python(IN_JUPYTER).strip() == "0"
