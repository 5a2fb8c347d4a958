"""Cells of the store: who passes a choice, what the games of a cell come to, and two cells on common decks."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from kagiya.lab.regret import team_regret
from kagiya.lab.store import cells, queries
from kagiya.lab.store.cells import compare_on_common_decks, find_stored_game
from kagiya.lab.store.journal import StoreError
from kagiya.lab.store.queries import GameFilter, chosen_teams, is_alive, list_seatings, stored_runs
from kagiya.lab.store.store import Store
from kagiya.lab.summary import summarize, summarize_totals
from kagiya.lab.tournament import team_of
from tests.stores import AGENTS, CELL_GAMES, make_store

THREE = GameFilter(rules="standard", players=3)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_store(tmp_path_factory.mktemp("cells") / "store")


@pytest.fixture(scope="module")
def store(path: Path) -> Iterator[Store]:
    with Store.read(path) as store:
        yield store


def cell(store: Store, guest: str, host: str, choice: GameFilter = THREE) -> list[queries.StoredTeam]:
    return cells.teams_of(chosen_teams(store.catalog, choice), (guest, host))


@pytest.mark.parametrize(
    ("seats", "members"),
    [
        ("a a a", ["a a"]),
        ("a b b", ["a b"]),
        ("b a b", ["a b"]),
        ("a b", ["a b", "b a"]),
        ("a a", ["a a"]),
        ("a a b b", ["a a b b"]),
        ("a b c", ["a b c"]),
        ("b b b a b", ["a b"]),
    ],
)
def test_the_cells_of_a_team(seats: str, members: list[str]) -> None:
    assert cells.cells_of(seats.split()) == [tuple(each.split()) for each in members]
    for each in members:
        assert Counter(team_of(each.split(), len(seats.split()))) == Counter(seats.split())


def test_a_filter_finds_in_the_catalog_what_it_finds_in_the_games(store: Store) -> None:
    for chosen in [
        GameFilter(),
        GameFilter(players=2),
        GameFilter(agent="vdb", players=3),
        GameFilter(run=3),
        GameFilter(run=2, agent="random"),
        GameFilter(rules="hle"),
    ]:
        listed = {row[0]: row[4] for row in list_seatings(store, chosen).rows}
        assert {team.seating: team.games for team in chosen_teams(store.catalog, chosen)} == listed


def test_a_code_is_chosen_by_its_first_characters(store: Store) -> None:
    (team,) = cell(store, "vdb", "vdb")
    found = chosen_teams(store.catalog, GameFilter(code=team.code[:6]))
    assert team.seating in {each.seating for each in found}
    assert {each.code for each in found} == {team.code}
    assert chosen_teams(store.catalog, GameFilter(code="%")) == []


def test_older_code_is_looked_at_only_on_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_store(tmp_path / "store")
    monkeypatch.setattr("kagiya.lab.store.store.code_version", lambda agents: "edited")
    make_store(tmp_path / "store")
    with Store.read(tmp_path / "store") as store:
        assert {team.code for team in chosen_teams(store.catalog, THREE)} == {"edited"}
        everything = chosen_teams(store.catalog, GameFilter("standard", 3, older=True))
        assert len(everything) == 2 * len(chosen_teams(store.catalog, THREE))
        assert queries.count_older(store.catalog, THREE) == len(everything) // 2
        assert queries.count_older(store.catalog, GameFilter(older=True)) == 0
        older = chosen_teams(store.catalog, GameFilter(run=1))
        assert {(team.code == "edited", team.is_newest) for team in older} == {(False, False)}
        expected = {row[0]: row[10] for row in list_seatings(store, GameFilter(older=True)).rows}
        assert {
            team.seating: team.is_newest for team in chosen_teams(store.catalog, GameFilter(older=True))
        } == expected


def test_what_can_be_chosen(store: Store) -> None:
    assert queries.offers(chosen_teams(store.catalog, GameFilter())) == queries.Offers(
        ("standard",), (2, 3), tuple(sorted(AGENTS))
    )


@pytest.mark.parametrize("players", [2, 3])
def test_cells_are_measured_as_their_games_are_summarized(store: Store, players: int) -> None:
    chosen = chosen_teams(store.catalog, GameFilter(players=players))
    measured = {name: cells.measured_cells(store, chosen, measure) for name, measure in cells.MEASURES.items()}
    for members in [(guest, host) for guest in AGENTS for host in AGENTS]:
        rows = np.concatenate(
            [
                store.results(team.seating, first, after - first)
                for team in cells.teams_of(chosen, members)
                for first, after in team.seeds
            ]
        )
        summary = summarize(rows, 25, players)
        assert summary.regret is not None
        found = {name: table[members] for name, table in measured.items()}
        assert found["score"].games == summary.games >= CELL_GAMES
        assert found["score"].mean == summary.mean
        assert found["score"].se == pytest.approx(summary.se)
        assert found["bombs"].mean == summary.bomb_rate
        assert found["perfect"].mean == summary.perfect_rate
        assert found["direct"].mean == pytest.approx(team_regret(rows).mean())
        assert found["indirect"].mean == pytest.approx(summary.regret.indirect)
        assert found["indirect"].se == pytest.approx(summary.regret.indirect_se)
        assert found["regret"].mean == pytest.approx(summary.regret.total)
        together = cells.added(cells.totals_of(store, cells.teams_of(chosen, members)))
        assert summarize_totals(together, 25, players) == summary


def test_a_share_that_was_never_seen_has_an_error_all_the_same() -> None:
    none = cells.Sums(100, 0, 0)
    assert none.se == 0
    assert 0.003 < none.error(cells.MEASURES["perfect"]) < 0.01
    assert np.isnan(cells.Sums().mean)


def test_only_the_games_of_a_run_are_measured(store: Store) -> None:
    whole, part = cell(store, "careful", "careful"), cell(store, "careful", "careful", GameFilter(players=3, run=1))
    assert [sum(team.games for team in found) for found in (whole, part)] == [60, CELL_GAMES]
    measured = cells.measured_cells(store, part, cells.MEASURES["score"])
    assert measured["careful", "careful"].games == CELL_GAMES


def test_the_regret_of_an_agent_is_that_of_the_seats_it_took(store: Store) -> None:
    guests = cell(store, "random", "vdb")
    assert len(guests) == 3  # the guest takes every seat
    totals = cells.totals_of(store, guests)
    lost = cells.regret_by_agent(totals, guests)
    regret = summarize_totals(cells.added(totals), 25, 3).regret
    assert regret is not None
    assert sum(lost["random"].values()) + 2 * sum(lost["vdb"].values()) == pytest.approx(regret.total)
    assert sum(lost["random"].values()) > 4 * sum(lost["vdb"].values())


@pytest.mark.parametrize("guest", ["random", "careful"])
def test_games_by_order(store: Store, guest: str) -> None:
    guests = cell(store, guest, "vdb")
    games = cells.list_games(store, guests, page=(0, 1000))
    assert len(games) == CELL_GAMES
    assert [game.seed for game in games] == sorted(game.seed for game in games)
    scores = sorted(game.score for game in games)
    for order, expected in (("worst", scores[:3]), ("best", scores[-1:-4:-1])):
        assert [game.score for game in cells.list_games(store, guests, order, page=(0, 3))] == expected
    (median,) = cells.list_games(store, guests, "median", page=(0, 1))
    assert median.score == scores[(len(scores) - 1) // 2]
    second = cells.list_games(store, guests, page=(10, 10))
    assert second == games[10:20]


def test_games_by_event(store: Store) -> None:
    guests = cell(store, "random", "vdb")
    games = cells.list_games(store, guests, page=(0, 1000))
    counts = cells.count_events(store, guests)
    for event, count in counts.items():
        listed = cells.list_games(store, guests, "worst", event, (0, 1000))
        assert len(listed) == count
        if event == "bomb":
            assert {game.lives for game in listed} == {0}
            assert {(game.seating, game.seed) for game in games if game.lives == 0} == {
                (game.seating, game.seed) for game in listed
            }
        if event == "slow":
            assert all(game.indirect > 0 for game in listed)
    assert 0 < counts["bomb"] < CELL_GAMES
    assert counts["critical"] >= max(counts["discarded"], counts["misplayed"])


def test_two_cells_on_common_decks(store: Store) -> None:
    names = ("vdb", "careful")
    found = compare_on_common_decks(store, names, cell(store, "vdb", "vdb"), cell(store, "careful", "careful"))
    scores = [store.results(cell(store, name, name)[0].seating, 100, CELL_GAMES)["score"] for name in names]
    differences = scores[0] - scores[1]
    assert found.difference.decks == CELL_GAMES  # of the 60 that `careful` played
    assert found.difference.mean == pytest.approx(differences.mean())
    assert found.difference.se == pytest.approx(differences.std(ddof=1) / np.sqrt(CELL_GAMES))
    assert (found.ahead, found.level, found.behind) == tuple(
        (np.sign(differences) == sign).sum() for sign in (1, 0, -1)
    )
    assert found.best_for_first[0].first - found.best_for_first[0].second == differences.max()
    assert all(pair.first < pair.second for pair in found.best_for_second)


def test_a_deck_that_a_cell_played_twice_counts_once(store: Store) -> None:
    two = GameFilter(players=2)
    guests, hosts = cell(store, "random", "vdb", two), cell(store, "vdb", "vdb", two)
    assert sum(team.games for team in guests) == 2 * CELL_GAMES  # on each deck both ways round
    found = compare_on_common_decks(store, ("mixed", "vdb"), guests, hosts)
    assert found.difference.decks == CELL_GAMES


def test_cells_without_common_decks(store: Store) -> None:
    first = cell(store, "vdb", "vdb")
    found = compare_on_common_decks(store, ("a", "b"), first, [])
    assert (found.difference.decks, found.best_for_first) == (0, ())
    assert "cannot be compared" in found.difference.verdict()


def test_runs_come_last_first_and_page_by_page(store: Store) -> None:
    runs = stored_runs(store.catalog)
    assert [run.run for run in runs] == [3, 2, 1]
    assert (runs[0].command, runs[0].games, runs[0].computed, runs[0].state) == (
        "kagiya match careful -n 60",
        60,
        30,
        "complete",
    )
    assert runs[0].versions["numba"]
    assert [run.run for run in stored_runs(store.catalog, 1, 1)] == [2]


def test_a_run_that_never_ended_was_killed_or_is_running(tmp_path: Path) -> None:
    with Store.open(tmp_path / "store") as store:
        run, _ = store.begin("kagiya match", [])
        assert [each.state for each in stored_runs(store.catalog)] == ["running"]
        store.catalog.runs[run]["pid"] = 2**22 + 1  # more than Linux gives
        assert [each.state for each in stored_runs(store.catalog)] == ["killed"]
    assert not is_alive(None)
    assert not is_alive(-1)


def test_a_stored_game_with_where_it_comes_from(path: Path, store: Store) -> None:
    (team,) = cell(store, "careful", "careful")
    game = find_stored_game(store, team.seating, 159)
    assert (game.record.seed, game.record.seats, game.run) == (159, ("careful",) * 3, 3)
    assert game.code == team.code
    assert find_stored_game(store, team.seating, 100).run == 1
    with pytest.raises(StoreError, match="has no game with seed 160"):
        find_stored_game(store, team.seating, 160)
    with pytest.raises(StoreError, match="has no seating 999"):
        find_stored_game(store, 999, 1)
    with pytest.raises(StoreError, match="there is no store at"):
        Store.read(path / "nothing")
