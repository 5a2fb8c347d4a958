"""Waiting for an answer, and not for ever: a call with a limit, and kernels that may never return.

In the main thread a timer's signal ends a call, also one that sleeps or waits. Elsewhere the call runs in a thread of
its own, which is told to end and left behind if it does not. Nothing in this process can end a kernel.
"""

from __future__ import annotations

import mmap
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import TypeVar

from kagiya.runtime.interrupts import Cancelled, cancel_thread, is_importing
from kagiya.spec import read_seconds

T = TypeVar("T")

RETRY_SECONDS = 0.1  # until a call that caught the interruption and goes on is interrupted again
POLL_SECONDS = 0.1  # between two looks at what a kernel does
KERNEL_TIMEOUT = 30.0  # seconds for one call of a kernel that usually takes microseconds


class NoAnswerError(Exception):
    """The time was up before there was an answer."""


def call_within(seconds: float, call: Callable[[], T]) -> T:
    """What the call returns, or NoAnswerError if that takes longer."""
    if threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer"):
        return _by_signal(seconds, call)
    thread, answer = call_in_thread(call)
    try:
        return _result(answer, seconds)
    except NoAnswerError:
        cancel_thread(thread.ident or 0)
        raise


def _by_signal(seconds: float, call: Callable[[], T]) -> T:
    is_waiting = True

    def ring(*_: object) -> None:
        if is_waiting:
            raise Cancelled

    before = signal.signal(signal.SIGALRM, ring)
    timer = signal.setitimer(signal.ITIMER_REAL, seconds, RETRY_SECONDS)
    try:
        try:
            return call()
        finally:
            is_waiting = False
    except Cancelled:
        raise NoAnswerError from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, *timer)  # if another caller had set one


def call_in_thread(call: Callable[[], T], name: str | None = None) -> tuple[threading.Thread, Future[T]]:
    """Make a call in a thread of its own, which does not keep the process alive."""
    answer: Future[T] = Future()

    def work() -> None:
        try:
            answer.set_result(call())
        except BaseException as error:
            answer.set_exception(error)

    thread = threading.Thread(target=work, name=name, daemon=True)
    thread.start()
    return thread, answer


def _result(answer: Future[T], seconds: float) -> T:
    if wait([answer], seconds).not_done:
        raise NoAnswerError
    return answer.result()


@contextmanager
def call_after(seconds: float, call: Callable[[], object]) -> Iterator[threading.Event]:
    """Call this, in another thread, unless the block ends before; the event says whether it was called."""
    called = threading.Event()

    def ring() -> None:
        called.set()
        call()

    timer = threading.Timer(seconds, ring)
    timer.daemon = True
    timer.start()
    try:
        yield called
    finally:
        timer.cancel()
        timer.join()


@contextmanager
def call_every(seconds: float, call: Callable[[], object]) -> Iterator[None]:
    """Call this again and again, in another thread, until the block ends."""
    is_over = threading.Event()

    def repeat() -> None:
        while not is_over.wait(seconds):
            call()

    thread = call_in_thread(repeat)[0]
    try:
        yield
    finally:
        is_over.set()
        thread.join()


@dataclass(frozen=True)
class KernelCall:
    """One call of an agent's kernel."""

    seat: int
    turn: int
    kernel: str
    since: float


class KernelWatch:
    """Which kernel is being called at the moment, for the thread that waits for it."""

    call: KernelCall | None = None
    late: KernelCall | None = None  # the one that was not waited for any longer

    @contextmanager
    def calling(self, seat: int, turn: int, kernel: str) -> Iterator[None]:
        """While the block runs, an agent's kernel does."""
        self.call = KernelCall(seat, turn, kernel, time.monotonic())
        try:
            yield
        finally:
            self.call = None

    def wait_for(self, call: Callable[[], T]) -> T:
        """What the call returns; NoAnswerError if one of its kernels takes too long. Ctrl-C ends the waiting.

        The thread is left behind. During an import other threads must not be waited for.
        """
        if is_importing():
            return call()
        limit, answer = kernel_timeout(), call_in_thread(call)[1]
        while True:
            try:
                return _result(answer, POLL_SECONDS)
            except NoAnswerError:
                late = self.call
            if late is not None and time.monotonic() - late.since > limit:
                self.late = late
                raise NoAnswerError(f"its kernel {late.kernel} has not returned for {limit:g} s; it may loop for ever")


class Asked:
    """Whom a process asks for a move, written where another process reads it, whatever becomes of this one."""

    WORDS = 4  # how often it asked and was answered, the game's seed, the seat, the turn

    def __init__(self, path: str) -> None:
        with open(path, "r+b") as file:
            self._words = memoryview(mmap.mmap(file.fileno(), 8 * self.WORDS)).cast("q")

    def read(self) -> tuple[int, ...]:
        return tuple(self._words)

    @contextmanager
    def asking(self, *place: int) -> Iterator[None]:
        """While the block runs, the seat thinks; an odd count says so."""
        for number, word in enumerate(place, 1):
            self._words[number] = word
        self._words[0] += 1
        try:
            yield
        finally:
            self._words[0] += 1


_watched: list[Asked] = []  # what is written of this process, if another one watches it


def be_watched(path: str) -> None:
    """From now on write into this file whom this process asks."""
    _watched.append(Asked(path))


def asking(seed: int, seat: int, turn: int) -> AbstractContextManager[None]:
    """While the block runs, this seat of the game thinks."""
    return _watched[0].asking(seed, seat, turn) if _watched else nullcontext()


def kernel_timeout() -> float:
    """Seconds for one call: KAGIYA_KERNEL_TIMEOUT, for agents that think longer."""
    given = os.environ.get("KAGIYA_KERNEL_TIMEOUT")
    try:
        return read_seconds(given) if given else KERNEL_TIMEOUT
    except ValueError as error:
        raise ValueError(f"KAGIYA_KERNEL_TIMEOUT {error}") from None
