"""Threads that never keep a process alive: one that is stuck in a player's code is abandoned.

`concurrent.futures` waits for its threads when the process ends, however long they take.
"""

from __future__ import annotations

import ctypes
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import suppress
from typing import Any

from kagiya.lab.table.stopping import Abandoned

Job = tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]

AGAIN = 0.1  # seconds after which a call that goes on although it was told to end is told again
_FINISHING: set[int] = set()  # threads whose calls were told, and return what they have


class DaemonThreads:
    """A few threads and a queue of calls, with as much of the interface of `concurrent.futures` as is needed."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self.threads: list[threading.Thread] = []
        self.busy: dict[int, Future[Any]] = {}  # by thread

    def submit(self, call: Callable[..., Any], *words: Any) -> Future[Any]:
        """Make a call some time soon."""
        future: Future[Any] = Future()
        self.jobs.put((future, call, words))
        if len(self.threads) < self.count:
            thread = threading.Thread(target=self._work, daemon=True)
            self.threads.append(thread)
            thread.start()
        return future

    def _work(self) -> None:
        with suppress(Abandoned):  # which comes too late for a call that has just ended
            while job := self.jobs.get():
                self._make(*job)

    def _make(self, future: Future[Any], call: Callable[..., Any], words: tuple[Any, ...]) -> None:
        if not future.set_running_or_notify_cancel():
            return
        _FINISHING.discard(threading.get_ident())
        self.busy[threading.get_ident()] = future
        try:
            future.set_result(call(*words))
        except BaseException as error:
            if not future.done():
                future.set_exception(error)
        self.busy.pop(threading.get_ident(), None)

    def stop(self, patience: float) -> None:
        """Make no more calls; wait so long for those being made, then abandon them."""
        while not self.jobs.empty():
            if job := self.jobs.get():
                job[0].cancel()
        self.close()
        wait(list(self.busy.values()), timeout=patience)
        self.abandon(patience)

    def abandon(self, patience: float) -> None:
        """Interrupt the calls being made, again and again for so long: a finalizer or a player may swallow an error."""
        end = time.monotonic() + patience
        while calls := {thread: future for thread, future in list(self.busy.items()) if not future.done()}:
            for thread in set(calls) - _FINISHING:
                raise_in(thread, Abandoned)
            wait(calls.values(), timeout=min(AGAIN, patience))
            if time.monotonic() >= end:
                return

    def close(self) -> None:
        """Let the threads end when they have made all calls."""
        for _ in self.threads:
            self.jobs.put(None)


class CallingThread:
    """The same interface without threads: a call is made at once, by whoever asks for it."""

    def submit(self, call: Callable[..., Any], *words: Any) -> Future[Any]:
        """Make a call now."""
        future: Future[Any] = Future()
        try:
            future.set_result(call(*words))
        except Exception as error:
            future.set_exception(error)
        return future

    def stop(self, patience: float) -> None:
        """No call is ever being made."""

    def close(self) -> None:
        """There is nothing to end."""


def let_me_finish() -> None:
    """Said by a call that has caught Abandoned and is about to return what it has: it is not interrupted again."""
    _FINISHING.add(threading.get_ident())


def raise_in(thread: int, error: type[BaseException]) -> None:
    """Raise an error in another thread as soon as it runs Python code."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))
