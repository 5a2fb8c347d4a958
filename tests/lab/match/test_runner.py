"""The one runner: what it hands over, in which order, what an error does, and how much memory it takes."""

import pickle
import queue
import re
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest

from kagiya import Agent, AgentInfo, CompiledAgent, Match, Rules, Table, find_agent, kernel, play_match
from kagiya._jit import popcount
from kagiya.lab.match.chunk import Chunk
from kagiya.lab.match.match import Interval
from kagiya.lab.match.runner import CountGames, KeepGames, OnError, Runner, local_runner
from kagiya.lab.summary import summarize, summarize_totals
from kagiya.lab.table.table import AgentError
from kagiya.runtime import workers
from kagiya.runtime.child import Child, ChildEndedError
from kagiya.runtime.workers import LocalWorkers, WorkerPool, WorkItem, run_alone
from tests.children import LONGEST, run_python

T = TypeVar("T")
Games = Callable[[int], int]
RANDOM = find_agent("random")


@kernel
def fails_some_day(states, i, seat, memory, params, rng):  # type: ignore[no-untyped-def]
    """Plays blindly; in a game that has three points at turn 5 it returns a number that is not a move."""
    return np.int64(1000) if states[i]["turn"] == 5 and popcount(states[i]["played"]) == 3 else np.int64(0)


def failing(games: int) -> Match:
    label = AgentInfo(id="bad", summary="x", family="tests", paper="none")
    return Match.of(Rules(lives=20), [Agent("bad", CompiledAgent(label, fails_some_day))], games, seed=0)


def good(games: int, seed: int = 0) -> Match:
    return Match.of(Rules(), [RANDOM], games, seed)


class Backwards(WorkerPool):
    """Workers that finish the last chunk first."""

    capacity = 4

    def __init__(self) -> None:
        self.waiting: list[tuple[WorkItem[Any], Future[Any]]] = []

    def submit(self, item: WorkItem[T]) -> Future[T]:
        assert isinstance(item, Chunk)
        future: Future[Any] = Future()
        self.waiting.append((item, future))
        if len(self.waiting) == 2 * self.capacity or item.first + item.games == item.match.seeds[1]:
            while self.waiting:
                late, its_future = self.waiting.pop()
                its_future.set_result(run_alone(late))
        return future

    def stop(self) -> None:
        self.waiting.clear()

    def close(self) -> None: ...


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_an_error_leaves_the_games_before_it_for_any_number_of_workers(threads: int) -> None:
    result = play_match(failing(3000), threads)
    assert result.error is not None
    assert result.results["seed"].tolist() == list(range(result.error.seed))


def test_chunks_that_finish_out_of_order_are_handed_over_in_order() -> None:
    sink = KeepGames()
    outcome = Runner(Backwards()).play([failing(3000)], sink)
    assert outcome.error is not None
    assert sink.of(0).results()["seed"].tolist() == list(range(outcome.error.seed))


def test_each_policy_does_what_it_says() -> None:
    matches = [good(50), failing(3000), good(70, seed=9)]
    played = {}
    for policy in OnError:
        sink = KeepGames()
        with local_runner() as runner:
            if policy is OnError.RAISE:
                with pytest.raises(AgentError, match="1000 is"):
                    runner.play(matches, sink, policy)
            else:
                assert len(runner.play(matches, sink, policy).errors) == 1
        played[policy] = [len(sink.of(number).results()) for number in range(3)]
    assert played[OnError.GO_ON][0] == 50
    assert played[OnError.GO_ON][2] == 70
    for policy in (OnError.STOP, OnError.RAISE):
        assert played[policy] == [*played[OnError.GO_ON][:2], 0]


class Gaps(KeepGames):
    """Wants some seeds only."""

    def __init__(self, *gaps: Interval) -> None:
        super().__init__()
        self.gaps = list(gaps)

    def missing(self, matches: Sequence[Match]) -> list[list[Interval]]:
        return [self.gaps for _ in matches]


def test_only_what_is_missing_is_played_and_memories_begin_where_the_match_says() -> None:
    match = Match.of(Rules(), [find_agent("careful-python"), RANDOM], 100, 7)
    sink = Gaps((7, 9), (40, 61), (100, 107))
    with local_runner() as runner:
        runner.play([match], sink)
    expected = [*range(7, 9), *range(40, 61), *range(100, 107)]
    results = sink.of(0).results()
    assert results["seed"].tolist() == expected
    whole = play_match(match).results
    assert np.array_equal(results, whole[np.isin(whole["seed"], expected)])


def test_counted_games_take_no_memory_and_say_the_same(games: Games) -> None:
    sizes = []
    for count in (games(200), games(20_000)):
        counted, kept = CountGames(), KeepGames()
        for sink in (counted, kept):
            with local_runner() as runner:
                runner.play([good(count)], sink)
        sizes.append(len(pickle.dumps(counted.totals)))
        summary = summarize_totals(counted.totals[0], 25, 2)
        assert summary == summarize(kept.of(0).results(), 25, 2)
        assert summary.games == count
        assert sum(numbers.nbytes for numbers in kept.of(0).chunks.values()) == 25 * count
    assert sizes[1] <= sizes[0] + 100  # larger numbers, and no more of them


def test_a_worker_that_breaks_ends_the_run_and_what_was_finished_is_handed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    play = Table.play_with_moves

    def break_down(table: Table, seed: int, games: int) -> object:
        if seed + games > 100:  # not seed >= 100: how long a chunk is depends on the speed of the one before
            raise MemoryError("no memory left")
        return play(table, seed, games)

    monkeypatch.setattr(Table, "play_with_moves", break_down)
    sink = KeepGames()
    with pytest.raises(MemoryError), LocalWorkers(1) as pool:
        Runner(pool).play([good(5000)], sink)
    assert 20 <= len(sink.of(0).results()) <= 100


@pytest.mark.parametrize(
    ("name", "how"), [("Exits", "ended with code 3"), ("Crashes", "Segmentation fault"), ("Killed", "Killed")]
)
def test_a_player_that_ends_its_process_is_named_and_the_games_before_it_count(
    name: str, how: str, capfd: pytest.CaptureFixture[str]
) -> None:
    match, sink = Match.of(Rules(), [find_agent(f"tests.cli.players:{name}")], 50), KeepGames()
    with LocalWorkers(1, processes=True) as pool:
        outcome = Runner(pool).play([match], sink)
    assert str(outcome.error).startswith(f"alice (seat 1, tests.cli.players:{name}), turn 1 of game 3: its process ")
    assert how in str(outcome.error)
    assert sink.of(0).results()["seed"].tolist() == [1, 2]
    out, err = capfd.readouterr()
    assert (out, "a move of mine" in err, "another" in err) == ("", True, True)


def test_a_player_that_does_not_answer_is_reported_until_it_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "SAY_SECONDS", 0.01)
    said: queue.SimpleQueue[str] = queue.SimpleQueue()
    with LocalWorkers(1, processes=True, say=said.put) as pool:
        playing = pool.submit(Chunk(Match.of(Rules(), [find_agent("tests.cli.players:Holds")], 9), 1, 9))
        texts = [said.get(timeout=LONGEST) for _ in range(3)]
        pool.stop()
        assert playing.result(LONGEST).games == 0
    assert re.fullmatch(r"alice \(seat 1, .*:Holds\), turn 1 of game 1: no answer for \d+ s", texts[2])


def test_a_worker_that_cannot_start_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "Child", lambda *words: Child("no.such.module", keep_errors=True))
    match = Match.of(Rules(), [find_agent("careful-python")], 9)
    with LocalWorkers(1, processes=True) as pool, pytest.raises(ChildEndedError, match="could not go on"):
        pool.submit(Chunk(match, 1, 9)).result(LONGEST)


PLAYS_AT_ITS_TOP = """
from kagiya import AgentInfo, CompiledAgent, Match, Rules, play_match
from kagiya.kernels import discard_move, is_legal, kernel, play_move

@kernel
def act(states, i, seat, memory, params, rng):
    return discard_move(0) if is_legal(states, i, discard_move(0)) else play_move(0)

AGENT = CompiledAgent(AgentInfo(id="mine", summary="discards", family="tests", paper="none"), act)

class Python:
    def act(self, observation):
        import plays_at_its_top
        return observation.legal_moves[0]

for agent in (AGENT, Python):
    result = play_match(Match.of(Rules(), agent, 3, 1), workers=2)
    print(result.games, result.error)
"""


def test_a_module_may_play_a_match_while_it_is_being_imported(tmp_path: Path) -> None:
    (tmp_path / "plays_at_its_top.py").write_text(PLAYS_AT_ITS_TOP)
    assert run_python("import plays_at_its_top", folder=tmp_path) == "3 None\n3 None\n"
