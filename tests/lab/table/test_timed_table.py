"""The clock times players in Python and searches, and a forfeited game explains all its missing points."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from kagiya import AgentError, Rules, as_agent, find_agent
from kagiya.lab.match.chunk import table_for
from kagiya.lab.match.match import Match
from kagiya.lab.table import timed_table as clock_module
from kagiya.lab.table.table import GameResults, Table
from kagiya.lab.table.timed_table import FORFEITED_BY, Clock, Late, TimedTable
from kagiya.moves import Move
from kagiya.search.workspace import SearchWorkspace
from kagiya.view.observation import Observation
from tests.regret_identities import unexplained
from tests.runtime.test_timeouts import THREADS

TWO = Rules(players=2)


class Loops:
    """Thinks for ever, and is not disturbed by errors."""

    def act(self, observation: Observation) -> Move:
        while True:
            try:
                time.monotonic()
            except Exception:
                time.monotonic()


class Sleeps:
    """Waits for ever."""

    def act(self, observation: Observation) -> Move:
        while True:
            time.sleep(3600)


class Forfeits:
    """Plays as careful-python does, and lets the time pass at its tenth move."""

    now = 0.0

    def __init__(self) -> None:
        self.player = find_agent("careful-python").new_player()
        self.moves = 0

    def start(self, *arguments: Any) -> None:
        self.player.start(*arguments)  # type: ignore[attr-defined]
        self.moves = 0

    def act(self, observation: Observation) -> Move:
        self.moves += 1
        Forfeits.now += 100.0 * (self.moves == 10)
        return self.player.act(observation)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock_module, "OVERTIME_SECONDS", 0.02)
    monkeypatch.setattr(clock_module, "MIN_LATE_SECONDS", 0.02)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is stopped because the machine is slow: how long a move takes, a clock of our own says."""
    monkeypatch.setattr(clock_module, "OVERTIME_SECONDS", 3600.0)
    monkeypatch.setattr(clock_module, "MIN_LATE_SECONDS", 3600.0)


PLAYERS = pytest.mark.parametrize("player", [Loops, Sleeps])


def play(player: type, late: Late, run: Callable[..., Any]) -> tuple[TimedTable, GameResults]:
    table = TimedTable(TWO, [as_agent(player), find_agent("careful")], Clock(0.001, late))
    return table, run(lambda: table.play_chunk(1, 1))


@THREADS
@PLAYERS
@pytest.mark.usefixtures("impatient")
def test_a_game_goes_on_with_random_moves_for_one_who_never_answers(player: type, run: Callable[..., Any]) -> None:
    table, results = play(player, Late.RANDOM, run)
    assert table.overtime[0] == (results[0]["turns"] + 1) // 2
    assert table.overtime[1] == table.overtime[FORFEITED_BY] == 0


@THREADS
@PLAYERS
@pytest.mark.usefixtures("impatient")
def test_one_who_never_answers_forfeits(player: type, run: Callable[..., Any]) -> None:
    table, results = play(player, Late.FORFEIT, run)
    assert (results[0]["score"], results[0]["turns"]) == (0, 0)
    assert table.overtime[FORFEITED_BY] == 1


@THREADS
@PLAYERS
@pytest.mark.usefixtures("impatient")
def test_where_late_moves_count_it_is_an_error(player: type, run: Callable[..., Any]) -> None:
    with pytest.raises(AgentError, match=r"alice \(seat 1, .*\), turn 1 of game 1: has not answered within 0.02 s"):
        play(player, Late.WARN, run)


def test_a_forfeited_game_explains_every_point(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.perf_counter", lambda: Forfeits.now)
    rules = Rules(players=3)
    table = TimedTable(rules, [as_agent(Forfeits)], Clock(50.0, Late.FORFEIT))
    results = table.play_chunk(1, 6)
    assert (results["score"] == 0).all()
    assert results["points"].any()
    assert results["reachable"].min() < rules.perfect_score  # some lost points by discards before
    assert not len(unexplained(results, rules))


SEARCH = "ris-mcts(iterations=2)"


class Ticking:
    """A clock by which every move that is timed takes as many seconds as it is told."""

    def __init__(self, *seconds: float) -> None:
        self.seconds, self.reads, self.time = seconds, 0, 0.0

    def __call__(self) -> float:
        if self.reads % 2:
            self.time += self.seconds[self.reads // 2 % len(self.seconds)]
        self.reads += 1
        return self.time


@pytest.mark.usefixtures("impatient")
def test_a_player_that_holds_the_lock_of_python_is_stopped_all_the_same() -> None:
    table = TimedTable(TWO, [find_agent("tests.cli.players:Holds"), find_agent("careful")], Clock(0.001, Late.FORFEIT))
    assert table.play_chunk(1, 1)["score"].tolist() == [0]
    assert table.overtime[FORFEITED_BY] == 1


def timed(late: Late, *seconds: float) -> TimedTable:
    """A search and a rule agent; the search takes the seconds given, move after move, and may take 40 ms."""
    return TimedTable(TWO, [find_agent(SEARCH), find_agent("careful")], Clock(0.04, late), Ticking(*seconds))


@pytest.mark.usefixtures("patient")
def test_a_search_in_time_plays_as_it_does_without_a_clock() -> None:
    results, moves = timed(Late.FORFEIT, 0.03).play_with_moves(1, 2)
    bare_results, bare_moves = Table(TWO, [find_agent(SEARCH), find_agent("careful")]).play_with_moves(1, 2)
    assert (results == bare_results).all()
    assert (moves == bare_moves).all()


@pytest.mark.usefixtures("patient")
def test_late_moves_of_a_search_are_counted_and_count() -> None:
    table = timed(Late.WARN, 0.03, 0.05)  # every second one is late
    results, moves = table.play_with_moves(1, 1)
    asked = (int(results[0]["turns"]) + 1) // 2
    assert table.overtime.tolist() == [asked // 2, 0, 0, 0, 0, 0]
    assert (moves == Table(TWO, [find_agent(SEARCH), find_agent("careful")]).play_with_moves(1, 1)[1]).all()


@pytest.mark.usefixtures("patient")
def test_a_random_move_is_made_for_a_late_search() -> None:
    table = timed(Late.RANDOM, 0.05)
    results, moves = table.play_with_moves(1, 1)
    assert table.overtime[0] == (results[0]["turns"] + 1) // 2
    again = timed(Late.RANDOM, 0.05).play_with_moves(1, 1)[1]
    assert (moves == again).all()
    assert (moves != timed(Late.RANDOM, 0.01).play_with_moves(1, 1)[1]).any()


@pytest.mark.usefixtures("patient")
def test_a_late_search_forfeits_at_that_move() -> None:
    table = timed(Late.FORFEIT, 0.01, 0.01, 0.05)
    results = table.play_chunk(1, 1)
    assert (results[0]["score"], results[0]["turns"]) == (0, 4)
    assert table.overtime.tolist() == [1, 0, 0, 0, 0, 1]


@pytest.mark.parametrize("late", [Late.RANDOM, Late.FORFEIT])
@pytest.mark.usefixtures("impatient")
def test_a_search_that_does_not_answer_is_stopped_and_sits_on(late: Late) -> None:
    endless = find_agent("ris-mcts(iterations=10000000)")
    short = Rules(players=2, hand_size=2, colors=2, copies=(3, 2))
    table = TimedTable(short, [endless, find_agent("careful")], Clock(0.001, late))
    table.play_chunk(1, 1)
    assert table.overtime[0] >= 1
    assert table.overtime[FORFEITED_BY] == (late is Late.FORFEIT)
    workspace = table.workspaces[0]
    assert isinstance(workspace, SearchWorkspace)
    assert not workspace.work["stop"]


@pytest.mark.usefixtures("impatient")
def test_where_late_moves_count_a_search_that_was_stopped_is_an_error() -> None:
    endless = find_agent("ris-mcts(iterations=10000000)")
    table = TimedTable(TWO, [endless, find_agent("careful")], Clock(0.001, Late.WARN))
    with pytest.raises(AgentError, match=r"has not answered within 0.02 s and was stopped"):
        table.play_chunk(1, 1)


def test_only_games_with_somebody_to_time_are_stored_apart() -> None:
    clock = Clock(0.04)
    assert Match.of(TWO, [find_agent(SEARCH)], 1, 1, clock).is_timed
    assert Match.of(TWO, [find_agent("careful-python")], 1, 1, clock).is_timed
    assert not Match.of(TWO, [find_agent("careful")], 1, 1, clock).is_timed
    assert not Match.of(TWO, [find_agent(SEARCH)], 1, 1).is_timed


def test_a_table_without_a_clock_is_not_taken_for_one_with() -> None:
    agents = [find_agent(SEARCH)]
    assert not isinstance(table_for(Match.of(TWO, agents, 1, 1)), TimedTable)
    assert isinstance(table_for(Match.of(TWO, agents, 1, 1, Clock(0.04))), TimedTable)
