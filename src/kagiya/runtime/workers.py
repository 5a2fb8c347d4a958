"""Who does the work of matches, training and evolution: threads for kernels, one thread and then processes for Python.

A Dask cluster is another pool (`lab/match/cluster`). Threads and processes never keep the program alive: a thread that
is stuck in a player's code is left behind, which those of `concurrent.futures` are not.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, wait
from contextlib import suppress
from multiprocessing.connection import wait as wait_for_process
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from kagiya.runtime.interrupts import Cancelled, Stop, StoppedError, cancel_thread, is_importing, sigint_blocked
from kagiya.runtime.timeouts import RETRY_SECONDS, call_in_thread

T = TypeVar("T")
Call = tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]

SINGLE_THREAD_SECONDS = 4.0  # of Python play, before more processes are worth their start
STOP_TIMEOUT = 0.4  # seconds that a call has to come to an end, once it is told to, before it is cancelled
_FINISHING: set[int] = set()  # threads whose calls were cancelled, and return what they have


class WorkItem(Generic[T]):
    """Something to be done anywhere: a thread, a process, another machine. All that it depends on is in it."""

    @property
    def is_python(self) -> bool:
        """Whether it holds the interpreter's lock, so that more threads do not help."""
        return False

    @property
    def is_portable(self) -> bool:
        """Whether another process of this machine can do it."""
        return False

    def stamped(self) -> Self:
        """The same for another process or machine, which refuses it if it has other code."""
        return self

    def run(self, stop: Stop) -> T:
        """Do it; once the word to stop is given, end soon."""
        raise NotImplementedError


class WorkerPool(ABC):
    """Does items of work, `capacity` of them at a time; left in an error, it breaks off what is in hand."""

    min_item_seconds = 0.0  # that an item should take at least, for the cost of sending it not to count
    capacity: int

    @abstractmethod
    def submit(self, item: WorkItem[T]) -> Future[T]:
        """Do an item some time soon."""

    @abstractmethod
    def stop(self) -> None:
        """Break off what is in hand, at once; nothing can be done afterwards."""

    @abstractmethod
    def close(self) -> None:
        """There is nothing more to do."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self.stop()
        self.close()


class LocalWorkers(WorkerPool):
    """This machine: kernels release the interpreter's lock, so threads do; Python holds it.

    A process of its own imports the main module again, which only a program that guards it allows: `processes` says so.
    A module that plays while it is being imported does everything in its own thread.
    """

    def __init__(self, workers: int | None = None, processes: bool = False) -> None:
        self.capacity = workers or cores()
        self.stop_word = Stop()
        is_alone = is_importing()
        self.threads = WorkerThreads(0 if is_alone else self.capacity)
        self.single = WorkerThreads(0 if is_alone else 1)
        self.may_spread = processes and self.capacity > 1 and not is_alone
        self.processes: ProcessPoolExecutor | None = None
        self.started: float | None = None

    def submit(self, item: WorkItem[T]) -> Future[T]:
        if self.stop_word.is_set():
            raise StoppedError("these workers were stopped; nothing can be done by them any more")
        if not item.is_python:
            return self.threads.submit(item.run, self.stop_word)
        self.started = self.started or time.monotonic()
        if self.may_spread and time.monotonic() - self.started > SINGLE_THREAD_SECONDS and item.is_portable:
            return self._submit_to_process(item)
        return self.single.submit(item.run, self.stop_word)

    def _submit_to_process(self, item: WorkItem[T]) -> Future[T]:
        if self.processes is None:
            method = multiprocessing.get_context("spawn")  # a fork would inherit threads' locks
            self.processes = ProcessPoolExecutor(self.capacity, method, initializer=_end_with_parent)
        with sigint_blocked():
            return self.processes.submit(run_alone, item.stamped())

    def stop(self) -> None:
        self.stop_word.set()
        if self.processes is not None:
            for child in list(self.processes._processes.values()):
                child.kill()
            self.processes.shutdown(cancel_futures=True)
        for threads in (self.threads, self.single):
            threads.stop(STOP_TIMEOUT)

    def close(self) -> None:
        for threads in (self.threads, self.single):
            threads.close()
        if self.processes is not None:
            self.processes.shutdown()


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_alone(item: WorkItem[T]) -> T:
    """Do an item where there is no word to stop: to stop it, end the process."""
    return item.run(Stop())


def _end_with_parent() -> None:
    """Let this process end when its parent does, also when that is killed."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            wait_for_process([parent.sentinel])
            os._exit(1)

    call_in_thread(watch)


class ThreadCache(threading.local, Generic[T]):
    """Each thread keeps what it made last, such as a table, as long as the same is wanted."""

    key: object = None
    value: T | None = None

    def get(self, key: object, make: Callable[[], T], is_usable: Callable[[T], bool] = lambda value: True) -> T:
        """What was made for this key, or a new one."""
        if self.value is None or self.key != key or not is_usable(self.value):
            self.value, self.key = make(), key
        return self.value


class WorkerThreads:
    """A few threads and a queue of calls; without any thread, a call is made at once where it is submitted."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.calls: queue.SimpleQueue[Call | None] = queue.SimpleQueue()
        self.threads: list[threading.Thread] = []
        self.busy: dict[int, Future[Any]] = {}  # by thread

    def submit(self, call: Callable[..., T], *words: Any) -> Future[T]:
        """Make a call some time soon."""
        future: Future[T] = Future()
        if not self.count:
            self._make(future, call, words)
            return future
        self.calls.put((future, call, words))
        if len(self.threads) < self.count:
            thread = threading.Thread(target=self._work, daemon=True)
            self.threads.append(thread)
            thread.start()
        return future

    def _work(self) -> None:
        with suppress(Cancelled):  # which comes too late for a call that has just ended
            while call := self.calls.get():
                self._make(*call)

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
            if not self.count and not isinstance(error, Exception):  # Ctrl-C is for the caller
                raise
        finally:
            self.busy.pop(threading.get_ident(), None)

    def stop(self, seconds: float) -> None:
        """Make no more calls; wait that long for those being made, then cancel them."""
        while not self.calls.empty():
            if call := self.calls.get():
                call[0].cancel()
        self.close()
        wait(list(self.busy.values()), timeout=seconds)
        self.cancel(seconds)

    def cancel(self, seconds: float) -> None:
        """Interrupt the calls being made, again and again: a finalizer or a player may swallow an error."""
        end = time.monotonic() + seconds
        while calls := {thread: future for thread, future in list(self.busy.items()) if not future.done()}:
            for thread in set(calls) - _FINISHING:
                cancel_thread(thread)
            wait(calls.values(), timeout=min(RETRY_SECONDS, seconds))
            if time.monotonic() >= end:
                return

    def close(self) -> None:
        """Let the threads end when they have made all calls."""
        for _ in self.threads:
            self.calls.put(None)


def finish_call() -> None:
    """Said by a call that has caught Cancelled and is about to return what it has: it is not interrupted again."""
    _FINISHING.add(threading.get_ident())
