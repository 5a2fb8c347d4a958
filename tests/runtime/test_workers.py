"""Threads whose calls do not end are cancelled until they do; no worker process outlives its parent."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from kagiya.runtime import workers
from kagiya.runtime.interrupts import Cancelled, StoppedError, cancel_thread
from kagiya.runtime.workers import WorkerThreads, WorkItem, finish_call
from tests.children import LONGEST, PROJECT, start_python

LONG = 60.0  # seconds that nothing here takes, unless it fails


class Endless:
    """A call that ends only when it was interrupted so often."""

    def __init__(self, swallows: int) -> None:
        self.swallows, self.interruptions, self.begun = swallows, 0, threading.Event()

    def __call__(self) -> int:
        while self.interruptions <= self.swallows:
            try:
                self.begun.set()
                while True:
                    pass
            except Cancelled:
                self.interruptions += 1
        return self.interruptions


@pytest.mark.parametrize("swallows", [0, 2])
def test_a_call_that_swallows_an_interruption_is_interrupted_again(swallows: int) -> None:
    pool, call = WorkerThreads(1), Endless(swallows)
    future = pool.submit(call)
    assert call.begun.wait(LONG)
    pool.cancel(LONG)
    assert future.result(0) == swallows + 1
    pool.close()
    pool.threads[0].join(LONG)
    assert not pool.threads[0].is_alive()


def test_a_call_that_is_about_to_return_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    monkeypatch.setattr(workers, "cancel_thread", told.append)
    said, end = threading.Event(), threading.Event()

    def call(is_finishing: bool) -> bool:
        if is_finishing:
            finish_call()
        said.set()
        return end.wait(LONG)

    pool = WorkerThreads(1)
    for is_finishing in (True, False):  # the next call of the same thread is not spared for it
        future = pool.submit(call, is_finishing)
        assert said.wait(LONG)
        pool.cancel(0.01)
        assert bool(told) != is_finishing
        end.set()
        assert future.result(LONG)
        said.clear()
        end.clear()
    pool.close()


def test_an_interruption_that_comes_after_the_call_ends_the_thread_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    noise: list[object] = []
    monkeypatch.setattr(threading, "excepthook", noise.append)
    pool = WorkerThreads(1)
    pool.submit(int).result(LONG)
    ident = pool.threads[0].ident
    assert ident is not None
    cancel_thread(ident)
    pool.close()
    pool.threads[0].join(LONG)
    assert not pool.threads[0].is_alive()
    assert not noise


def test_without_threads_a_call_is_made_at_once_and_ctrl_c_goes_through() -> None:
    pool = WorkerThreads(0)
    assert pool.submit(int, "5").result(0) == 5
    assert isinstance(pool.submit(int, "five").exception(0), ValueError)
    with pytest.raises(KeyboardInterrupt):
        pool.submit(interrupt)
    pool.stop(LONG)


def interrupt() -> None:
    raise KeyboardInterrupt


def test_workers_that_were_stopped_refuse_work_instead_of_leaving_it_undone() -> None:
    pool = workers.LocalWorkers(1)
    pool.stop()
    with pytest.raises(StoppedError, match="these workers were stopped"):
        pool.submit(WorkItem())


# A match of Python seats in worker processes, which the parent names as soon as they have played something.
IN_PROCESSES = """
if __name__ == "__main__":
    import kagiya.runtime.workers as workers
    from kagiya import Match, Rules, find_agent
    from kagiya.lab.match.runner import Runner
    from kagiya.lab.match.runner import CountGames
    workers.ONE_PROCESS_SECONDS = -1.0
    def name_them(games):
        children = [each._child._process.pid for each in pool.processes.children.values()]
        if len(children) == 2:
            print("playing", *children, file=sys.stderr, flush=True)
    pool = workers.LocalWorkers(2, processes=True)
    Runner(pool, name_them).play([Match.of(Rules(), [find_agent("careful-python")], 10**9)], CountGames())
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks Linux how processes are")
def test_worker_processes_do_not_outlive_a_parent_that_was_killed() -> None:
    process = start_python(IN_PROCESSES, folder=PROJECT)
    assert process.stderr is not None
    line = process.stderr.readline()
    assert line.startswith("playing "), line + process.stderr.read()
    children = [int(word) for word in line.split()[1:]]
    assert len(children) == 2
    assert all(is_alive(child) for child in children)
    process.kill()
    deadline = time.monotonic() + LONGEST
    while any(is_alive(child) for child in children):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def is_alive(process: int) -> bool:
    """Whether there is such a process, and not only its exit code that nobody has asked for."""
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
