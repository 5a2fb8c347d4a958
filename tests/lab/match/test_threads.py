"""Threads that make calls: those that do not come to an end are interrupted until they do."""

from __future__ import annotations

import threading

import pytest

from kagiya.lab.match import threads
from kagiya.lab.match.threads import DaemonThreads, let_me_finish
from kagiya.lab.table.stopping import Abandoned

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
            except Abandoned:
                self.interruptions += 1
        return self.interruptions


@pytest.mark.parametrize("swallows", [0, 2])
def test_a_call_that_swallows_an_interruption_is_interrupted_again(swallows: int) -> None:
    pool, call = DaemonThreads(1), Endless(swallows)
    future = pool.submit(call)
    assert call.begun.wait(LONG)
    pool.abandon(LONG)
    assert future.result(0) == swallows + 1
    pool.close()
    pool.threads[0].join(LONG)
    assert not pool.threads[0].is_alive()


def test_a_call_that_is_about_to_return_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    monkeypatch.setattr(threads, "raise_in", lambda thread, error: told.append(thread))
    said, end = threading.Event(), threading.Event()

    def call(is_finishing: bool) -> bool:
        if is_finishing:
            let_me_finish()
        said.set()
        return end.wait(LONG)

    pool = DaemonThreads(1)
    for is_finishing in (True, False):  # the next call of the same thread is not spared for it
        future = pool.submit(call, is_finishing)
        assert said.wait(LONG)
        pool.abandon(0.01)
        assert bool(told) != is_finishing
        end.set()
        assert future.result(LONG)
        said.clear()
        end.clear()
    pool.close()


def test_an_interruption_that_comes_after_the_call_ends_the_thread_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    noise: list[object] = []
    monkeypatch.setattr(threading, "excepthook", noise.append)
    pool = DaemonThreads(1)
    pool.submit(int).result(LONG)
    ident = pool.threads[0].ident
    assert ident is not None
    threads.raise_in(ident, Abandoned)
    pool.close()
    pool.threads[0].join(LONG)
    assert not pool.threads[0].is_alive()
    assert not noise
