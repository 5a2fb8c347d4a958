import itertools
import math
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from kagiya import Match, Rules, find_agent, play_match
from kagiya.cli.commands.contests import Protocol, plan
from kagiya.lab.experiment import (
    MAKERS,
    MAX_FILE_BYTES,
    Experiment,
    ExperimentError,
    experiment_from,
    find_maker,
    one_among,
    one_with,
    read_experiment,
)
from kagiya.lab.papers.paper_tables import TableError, read_toml
from kagiya.lab.store.queries import GameTally
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.store import Store
from kagiya.lab.table.timed_table import Clock, Late
from kagiya.lab.tournament import MIRROR, MIXED, Placing, Tournament, crossplay, late_moves, ranking, tally_cells
from kagiya.runtime import workers
from kagiya.runtime.workers import LocalWorkers

CAREFUL, RANDOM, PYTHON = (find_agent(text) for text in ("careful", "random", "careful-python"))


def test_seatings_are_those_of_their_names() -> None:
    counts = {name: 0 for name in MAKERS if name != "random"}
    for name in counts:
        counts[name] = len(list(find_maker(name)([CAREFUL, RANDOM], 3, 30, random.Random(1))))
    assert counts == {"self": 2, "one-of": 8, "round-robin": 4, "all": 8}


def test_the_guest_takes_every_seat_equally_often_and_no_deck_twice() -> None:
    seatings = list(one_with(RANDOM, CAREFUL, 4, 100))
    assert Counter(seating.team.index(RANDOM) for seating in seatings) == {0: 1, 1: 1, 2: 1, 3: 1}
    assert all(seating.team.count(CAREFUL) == 3 for seating in seatings)
    seeds = [seed for seating in seatings for seed in range(seating.offset, seating.offset + seating.games)]
    assert seeds == list(range(100))
    (alone,) = one_with(CAREFUL, CAREFUL, 4, 101)
    assert alone.games == 104


def test_random_teams_are_the_same_for_the_same_seed() -> None:
    plans = [Experiment(("careful", "random"), "random", teams=5, seed=seed).plan() for seed in (1, 1, 2)]
    teams = [[plan.match.agents for plan in planned] for planned in plans]
    assert teams[0] == teams[1] != teams[2]
    assert len(teams[0]) == 5


def test_teams_drawn_twice_are_played_once() -> None:
    planned = Experiment(("random",), "random", teams=3, games=10).plan()
    with Store.in_memory() as store:
        report = run_matches([plan.match for plan in planned], store)
        assert report.computed == 10
        assert [tally.games for tally in tally_cells(store, report, planned).values()] == [30]


def test_a_file_says_all_and_one_may_stand_for_a_list(tmp_path: Path) -> None:
    file = tmp_path / "experiment.toml"
    file.write_text(
        'agents = ["careful", "rules(play-probable({budget}))"]\nbudgets = [0.5, 0.8]\nrules = "bouzy"\n'
        'players = [2, 5]\ngames = 7\nseed = 9\ntime = 1\non_timeout = "forfeit"\n'
    )
    experiment = read_experiment(file)
    assert experiment.players == (2, 5)
    assert experiment.budgets == ("0.5", "0.8")
    assert experiment.rules == ("bouzy",)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({}, "agents: name at least one"),
        ({"agents": ["careful"], "game": 3}, "there is no 'game' in an experiment; did you mean games?"),
        ({"agents": "x", "games": "many"}, "games must be an integer of at least 1, not 'many'"),
        ({"agents": "x", "games": 0}, "games must be an integer of at least 1, not 0"),
        ({"agents": "x", "games": True}, "games must be an integer of at least 1, not True"),
        ({"agents": [3]}, r"agents must be an agent or a list of agents, .*, not \[3\]"),
        ({"agents": "x", "players": "four"}, "players must be a number or a list of numbers from 2 to 5, not 'four'"),
        ({"agents": "x", "players": [2, 6]}, r"players must be .* from 2 to 5, not \[2, 6\]"),
        ({"agents": "x", "players": []}, r"players must be a number or a list .*, not \[\]"),
        ({"agents": "x", "teams": 10_000_000}, "teams must be an integer from 1 to 100,000, not 10000000"),
        ({"agents": "x", "seatings": "everyone"}, "seatings must be one of self, one-of, .*, not 'everyone'"),
        ({"agents": "x", "on_timeout": "never"}, "on_timeout must be one of warn, random, forfeit, not 'never'"),
        ({"agents": "x", "time": 0}, "time must be a duration such as 40ms, 2s or 0.04, above 0, not 0"),
        ({"agents": "x", "name": ["y" * 1000]}, r"name must be a text, not \['y{58}\.\.\.$"),
    ],
)
def test_a_wrong_key_or_value_is_named(data: dict[str, object], reason: str) -> None:
    with pytest.raises(ExperimentError, match=reason):
        experiment_from(data)


@pytest.mark.parametrize(
    "text",
    [
        "agents = " + "[" * 9000,
        "a = " + "{a=" * 9000,
        "[" + "a." * 9000 + "a]",
        f"games = {'9' * 5000}",
        f"games = 0x{'f' * 5000}",
    ],
)
def test_what_toml_cannot_mean_is_a_sentence_that_names_the_file(text: str, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(ExperimentError, match=r"mine\.toml is not TOML"):
        read_experiment(tmp_path / "mine.toml")
    with pytest.raises(TableError, match=r"mine\.toml is not TOML"):
        read_toml(tmp_path / "mine.toml")


@pytest.mark.parametrize("endless", ["/dev/zero", "/dev/urandom"])
def test_a_file_without_end_is_refused(endless: str) -> None:
    if not Path(endless).exists():
        pytest.skip(f"no {endless} here")
    with pytest.raises(ExperimentError, match=f"{endless} is larger than {MAX_FILE_BYTES:,} bytes"):
        read_experiment(Path(endless))


def test_more_teams_than_anybody_can_play_are_refused() -> None:
    with pytest.raises(ExperimentError, match="more than 100,000 teams"):
        Experiment(("random",), "random", players=(2,), teams=10**12).plan()


def test_a_plan_is_checked_before_anything_is_played() -> None:
    for experiment in (
        Experiment(("nobody",)),
        Experiment(("careful",), "everyone"),
        Experiment(("careful",), rules=("x",)),
    ):
        with pytest.raises(ValueError, match="no "):
            experiment.plan()


def test_the_matrix_has_guests_down_and_hosts_across() -> None:
    experiment = Experiment(("careful", "random"), "one-of", games=30, players=(3,))
    planned = experiment.plan()
    with Store.in_memory() as store:
        report = run_matches([plan.match for plan in planned], store)
        (table,) = crossplay(tally_cells(store, report, planned))
    by_hand = [
        play_match(Match.of(Rules(players=3), team, 10, 1 + 10 * seat)).results["score"]
        for seat, team in enumerate(
            [[RANDOM, CAREFUL, CAREFUL], [CAREFUL, RANDOM, CAREFUL], [CAREFUL, CAREFUL, RANDOM]]
        )
    ]
    cell = table.cells["random", "careful"]
    scores = np.concatenate(by_hand)
    assert cell.games == 30
    assert cell.mean == pytest.approx(scores.mean())
    assert cell.se == pytest.approx(scores.std(ddof=1) / np.sqrt(30))
    data = table.to_json()
    assert data["agents"] == ["careful", "random"]
    assert data["mean"][1][0] == cell.mean


def test_python_seats_spread_over_processes_with_the_same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "ONE_PROCESS_SECONDS", -1.0)
    match = Match.of(Rules(), [PYTHON], 50, 1)
    with Store.in_memory() as store:
        pool = LocalWorkers(2, processes=True)
        run_matches([match], store, "", pool)
        assert pool.processes is not None
        assert np.array_equal(store.results(1, 1, 50), play_match(match).results)


def test_agents_that_only_this_process_knows_stay_here() -> None:
    from tests.lab.match.test_match import scripted

    assert Match.of(Rules(), PYTHON, 1).is_portable
    assert not Match.of(Rules(), scripted(lambda view: view.legal_moves[0]), 1).is_portable


def test_the_mixed_track_seats_an_entrant_with_each_partner() -> None:
    tournament = Tournament((CAREFUL, RANDOM), (CAREFUL, RANDOM), players=(2, 3), games=6)
    planned = tournament.plan()
    with Store.in_memory() as store:
        report = run_matches([plan.match for plan in planned], store)
        cells = tally_cells(store, report, planned)
    mirror, mixed = (ranking(track, cells, {}) for track in (MIRROR, MIXED))
    assert [placing.agent for placing in mirror] == ["careful", "random"]
    assert {players: tally.games for players, tally in mixed[0].by_players.items()} == {2: 6, 3: 6}
    low, high = mirror[0].interval
    assert low < mirror[0].mean < high


def test_the_interval_of_a_placing_stays_within_what_can_be_scored_and_needs_ten_games() -> None:
    spread = GameTally(games=12, score=290, squares=7200)
    assert Placing("a", spread.mean, spread.se, {2: spread}, 0, 0, 25).interval[1] == 25
    few = GameTally(games=9, score=200, squares=4600)
    assert math.isnan(Placing("a", few.mean, few.se, {2: few}, 0, 0, 25).interval[0])


@pytest.mark.parametrize("late", list(Late))
def test_late_moves_are_counted_and_dealt_with(late: Late) -> None:
    slow = Tournament((PYTHON,), (), (MIRROR,), (2,), "standard", 3, 1, Clock(1e-9, late))
    planned = slow.plan()
    with Store.in_memory() as store:
        report = run_matches([plan.match for plan in planned], store)
        overtime, forfeits = late_moves(store, report.run, planned)[MIRROR, PYTHON.text]
        turns, score = store.rows("SELECT sum(turns), sum(score) FROM game")[0]
        bare = play_match(Match.of(Rules(), [PYTHON], 3, 1)).results
        if late is Late.FORFEIT:
            assert (overtime, forfeits, turns, score) == (3, 3, 0, 0)
        else:
            assert (overtime, forfeits) == (turns, 0)
            assert (score == bare["score"].sum()) == (late is Late.WARN)
        store.record(1, 1)


def test_drawn_teams_are_the_same_for_every_entrant() -> None:
    pool = (CAREFUL, RANDOM, PYTHON)
    guests = [find_agent("iggi"), find_agent("vdb")]
    both = [list(one_among(guest, pool, 3, 20, 7)) for guest in guests]
    partners = [[[a for a in s.team if a != guest] for s in teams] for guest, teams in zip(guests, both, strict=True)]
    assert partners[0] == partners[1]
    assert len({tuple(a.text for a in team) for team in partners[0]}) > 3
    seeds = [seed for s in both[0] for seed in range(s.offset, s.offset + s.games)]
    assert seeds == list(range(20))
    assert {s.team.index(guests[0]) for s in both[0]} == {0, 1, 2}


def test_a_search_in_a_tournament_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that moves on by a second whenever it is read, every move of the search is late."""
    ticks = itertools.count()
    monkeypatch.setattr("time.perf_counter", lambda: float(next(ticks)))
    search = find_agent("ris-mcts(iterations=1)")
    slow = Tournament((search,), (CAREFUL,), (MIRROR, MIXED), (2,), "goodman", 2, 1, Clock(0.04, Late.WARN), 2)
    planned = slow.plan()
    with Store.in_memory() as store:
        report = run_matches([plan.match for plan in planned], store, workers=LocalWorkers(1))
        counted = late_moves(store, report.run, planned)
        mirrored = "SELECT sum(turns) FROM games WHERE team NOT LIKE '%careful%'"
        assert counted[MIRROR, search.text] == (store.rows(mirrored)[0][0], 0)
    assert counted[MIXED, search.text][0] > 0


def test_the_cig_protocol_is_one_word() -> None:
    planned = plan(["vdb", "iggi2"], [2, 3, 4, 5], 10, 1, "goodman", Protocol(cig=True))
    assert (planned.tracks, planned.players, planned.rules) == ((MIRROR, MIXED), (2, 3, 4, 5), "goodman")
    assert planned.clock is not None
    assert (planned.clock.seconds, planned.clock.late) == (0.04, Late.RANDOM)
    names = [agent.text for agent in planned.pool]
    assert names[:2] == ["random", "cautious"]
    assert names[-1] == "iggi2"
    assert len(names) == 9  # vdb is in the pool already
    other = plan(["vdb"], [2], 10, 1, "goodman", Protocol(cig=True, time=0.1, on_timeout="forfeit", teams=3)).clock
    assert other == Clock(0.1, Late.FORFEIT)
    assert len({planned_match.cell for planned_match in planned.plan()}) == 4
