"""Pictures of stored games play nothing, and show what was stored."""

from pathlib import Path

import pytest

from kagiya import Match, Rules, find_agent
from kagiya.lab.experiment import Experiment
from kagiya.lab.papers.pictures import NothingStoredError, Wanted, guests_of, points_of, read_samples
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.store import Store
from kagiya.lab.tournament import crossplay, tally_cells


@pytest.fixture
def store(tmp_path: Path) -> Path:
    place = tmp_path / "store"
    with Store.open(place) as opened:
        for agents, players in ((("careful",), 2), (("careful", "random"), 3), (("careful",), 3)):
            planned = Experiment(agents, "one-of", players=(players,), games=12).plan()
            run_matches([plan.match for plan in planned], opened)
    return place


def test_a_picture_shows_the_games_of_a_run(store: Path) -> None:
    with Store.read(store) as opened:
        rules, samples = read_samples(opened, Wanted("scores", run=1))
        assert (rules.players, list(samples)) == (2, [("careful", "")])
        assert samples["careful", ""].results["seed"].tolist() == list(range(1, 13))
        with pytest.raises(NothingStoredError, match="has no run 9"):
            read_samples(opened, Wanted("scores", run=9))


def test_a_team_has_one_row_wherever_its_agents_sit(store: Path) -> None:
    with Store.read(store) as opened:
        _, samples = read_samples(opened, Wanted("scores", run=2))
    games = {team: len(sample.results) for (team, _), sample in samples.items()}
    assert games == {"careful": 12, "random": 12, "careful + 2 random": 12, "random + 2 careful": 12}


def test_crossplay_from_the_store_is_what_the_command_shows(store: Path) -> None:
    planned = Experiment(("careful", "random"), "one-of", players=(3,), games=12).plan()
    with Store.open(store) as opened:
        report = run_matches([plan.match for plan in planned], opened)
        (table,) = crossplay(tally_cells(opened, report, planned))
        _, samples = read_samples(opened, Wanted("crossplay", players=3))
    assert set(samples) == set(table.cells)
    for key, tally in table.cells.items():
        assert samples[key].summary.mean == tally.mean
        assert samples[key].summary.games == tally.games


def test_games_of_several_tables_are_not_mixed(store: Path) -> None:
    with Store.read(store) as opened:
        with pytest.raises(NothingStoredError, match="standard with 2 players, standard with 3 players; choose with"):
            read_samples(opened, Wanted("scores"))
        _, samples = read_samples(opened, Wanted("scores", players=3, agents=("careful",)))
        assert list(samples) == [("careful", "")]
        with pytest.raises(NothingStoredError, match="no games for this picture"):
            read_samples(opened, Wanted("scores", rules="goodman"))


def test_only_the_newest_code_is_drawn(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kagiya.lab.store.store.code_version", lambda agents: "edited")
    with Store.open(store) as opened:
        run_matches([Match.of(Rules(players=2), [find_agent("careful")], 3, 1)], opened)
        _, samples = read_samples(opened, Wanted("scores", players=2))
        assert len(samples["careful", ""].results) == 3
        _, samples = read_samples(opened, Wanted("scores", run=1))
        assert len(samples["careful", ""].results) == 12


def test_who_is_a_guest_and_who_is_a_point_of_a_curve() -> None:
    assert list(guests_of(["a", "b"])) == [("a", "b"), ("b", "a")]
    assert list(guests_of(["b", "a", "b"])) == [("a", "b")]
    assert list(guests_of(["a", "a"])) == [("a", "a")]
    assert list(guests_of(["a", "b", "c"])) == list(guests_of(["a", "a", "b", "b"])) == []
    assert list(points_of(["risky(threshold=0.5)"] * 2, "threshold")) == [("risky", "0.5")]
    assert list(points_of(["x(a=1,b=2)"] * 2, "a")) == [("x(b=2)", "1")]
    assert list(points_of(["risky", "risky"], "threshold")) == []
