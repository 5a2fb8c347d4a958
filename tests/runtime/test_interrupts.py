"""A word to stop reaches tables in the middle of a search, and no game that it touched counts; a crash is explained."""

import faulthandler
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from kagiya import Match, Rules, find_agent, play_match
from kagiya._jit import HAS_CLOCK, JIT_OFF
from kagiya.engine.layout import GAME
from kagiya.lab.match.chunk import FIRST_CHUNK, Chunk, PlayedChunk, first_size, play_chunk, table_for
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.store import Store
from kagiya.lab.table.table import Table
from kagiya.runtime.interrupts import Stop, at_interrupt
from tests.children import LONGEST as SECONDS, finish, read_until, start_python
from tests.cli.command import start
from tests.searches import quick

needs_clock = pytest.mark.skipif(not HAS_CLOCK, reason="no clock for compiled code here")


THINKING = 2 * SECONDS  # more than a test waits, and not too long should a test fail


def endless(first: str = "random") -> Match:
    """A match whose second seat thinks for too long."""
    return Match.of(Rules(players=2), [find_agent(first), find_agent(f"ris-mcts(rules=all, time={THINKING}s)")], 5)


def is_thinking(table: Table) -> bool:
    return bool(table.states[GAME]["turn"] == 1)


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@needs_clock
@pytest.mark.parametrize("first", ["random", "careful-python"])
def test_a_stopped_table_forgets_the_hasty_moves(first: str) -> None:
    table = endless(first).new_table()
    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(table.play_game, 3)
        wait_until(lambda: is_thinking(table))
        assert not table.stopped
        table.stop()
        playing.result(timeout=SECONDS)
    assert table.stopped
    assert table.game().turn == 1
    assert table.record().turns == 1


@needs_clock
def test_a_stopped_chunk_keeps_the_games_before_and_its_table_is_given_up() -> None:
    stop, tables = Stop(), []

    def play() -> PlayedChunk:
        tables.append(table_for(endless()))
        played = play_chunk(Chunk(endless(), 0, 5), stop)
        tables.append(table_for(endless()))
        return played

    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(play)
        wait_until(lambda: bool(tables) and is_thinking(tables[0]))
        stop.set()
        assert playing.result(timeout=SECONDS).games == 0
    assert tables[0] is not tables[1]
    assert not tables[1].stopped


def test_a_table_that_comes_too_late_hears_the_word_too() -> None:
    stop, table = Stop(), Table(Rules(), [quick("ris-mcts")])
    stop.set()
    with stop.heard_by(table):
        assert table.stopped


def test_a_match_of_searches_begins_game_by_game_and_an_interruption_keeps_the_finished_ones() -> None:
    match = Match.of(Rules(players=2), [quick("mo-ismcts")], 4000, seed=7)
    assert (first_size(match), first_size(Match.of(Rules(), [find_agent("vdb")], 1))) == (1, FIRST_CHUNK)
    steps: list[int] = []

    def interrupt(games: int) -> None:
        steps.append(games)
        if len(steps) == 3:
            raise KeyboardInterrupt

    broken = play_match(match, workers=1, progress=interrupt)
    assert broken.interrupted
    assert sum(steps) <= broken.games < 4000
    calm = play_match(Match.of(match.rules, match.agents, broken.games, seed=7))
    assert np.array_equal(broken.results, calm.results)


def test_an_interrupted_experiment_of_searches_resumes_game_by_game(tmp_path: Path) -> None:
    match = Match.of(Rules(players=2), [quick("ris-mcts")], 5, seed=7)
    steps: list[int] = []

    def interrupt(games: int) -> None:
        steps.append(games)
        if sum(steps) >= 2:
            raise KeyboardInterrupt

    with Store.open(tmp_path / "games.duckdb") as store:
        first = run_matches([match], store, progress=interrupt)
        assert first.interrupted
        assert 2 <= first.computed <= 5
        second = run_matches([match], store)
        assert (second.stored_before, second.computed) == (first.computed, 5 - first.computed)
        results = store.results(second.seatings[0].id, match.seed, match.games)
    assert np.array_equal(results["score"], play_match(match).results["score"])


def press(heard: threading.Event) -> None:
    with at_interrupt(heard.set):
        os.kill(os.getpid(), signal.SIGINT)
        wait_until(heard.is_set)


def test_an_interrupt_is_heard_at_once_and_the_signals_are_left_as_they_were() -> None:
    heard = threading.Event()
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            press(heard)
    finally:
        signal.signal(signal.SIGINT, before)
    wait_until(heard.is_set)
    assert signal.set_wakeup_fd(-1) == -1


needs_machine_code = pytest.mark.skipif(JIT_OFF, reason="there is no machine code")
TRESPASSERS, PEEKERS = "tests.lab.table.trespassers", "tests.lab.table.peekers"

# Seated without inspection, which would name it, and announced before the kernel is called.
UNINSPECTED = """
import kagiya.lab.table.inspection as inspection, kagiya.lab.table.table as table
inspection.needs_inspection = lambda *words: False
advance = table.advance
def announce(*words):
    print("playing", file=sys.stderr, flush=True)
    return advance(*words)
table.advance = announce
"""


@needs_machine_code
def test_a_crash_ends_with_a_sentence() -> None:
    code, _, errors = finish(start("match", f"{TRESPASSERS}:RECURSIVE", "--games", "10"))
    assert code == -signal.SIGSEGV
    said = [line for line in errors.splitlines() if line and not line.startswith("compiling")]
    assert len(said) == 1
    assert said[0].startswith("kagiya: crashed in machine code (")
    assert f"`kagiya check {TRESPASSERS}:RECURSIVE` finds out" in said[0]


@needs_machine_code
def test_an_endless_kernel_of_the_main_thread_can_be_interrupted() -> None:
    process = start("show", f"{PEEKERS}:ENDLESS", before=UNINSPECTED)
    read_until(process, "playing")
    process.send_signal(signal.SIGINT)
    code, _, errors = finish(process)
    assert code == 128 + signal.SIGINT
    assert "kagiya: interrupted" in errors


def test_a_player_in_the_process_of_the_command_that_ends_it_is_named() -> None:
    code, _, errors = finish(start("show", "tests.cli.players:Ends"))
    assert code == 3
    assert "kagiya: the process ended (no more stack, or ended from inside or outside) while tests.cli" in errors


@pytest.mark.skipif(not hasattr(faulthandler, "register"), reason="nobody writes down that a signal came")
def test_a_player_in_the_process_of_the_command_that_holds_the_lock_of_python_is_ended() -> None:
    soon = "import kagiya.runtime.interrupts as home\nhome.STUCK_SECONDS = 0.1, 0.1\n"
    process = start("show", "tests.cli.players:Holds", before=soon)
    read_until(process, "thinking")
    process.send_signal(signal.SIGTERM)
    code, _, errors = finish(process)
    assert code == -signal.SIGKILL
    assert "kagiya: interrupted; tests.cli.players:Holds holds Python's lock and does not return" in errors


def test_a_server_that_has_closed_everything_leaves_without_taking_the_interpreter_apart() -> None:
    code = "import atexit; from kagiya.runtime.interrupts import exit_at_once; atexit.register(print, 'apart')"
    assert finish(start_python(f"{code}; print('said'); exit_at_once(130)")) == (130, "said\n", "")
