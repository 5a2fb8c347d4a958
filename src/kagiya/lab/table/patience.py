"""Waiting for an answer no longer than some seconds, whatever the one asked is doing.

In the main thread a timer's signal ends the call, also one that sleeps or waits. Elsewhere the call runs in a thread of
its own, which is told to end and left behind if it does not.
"""

from __future__ import annotations

import ctypes
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")

AGAIN = 0.1  # seconds after which one who caught the interruption and goes on is interrupted again


class NoAnswerError(Exception):
    """The time was up before there was an answer."""


class TimeIsUp(BaseException):
    """Raised inside the call; not an Exception, so that an agent that catches those does not catch this."""


def answer_within(seconds: float, call: Callable[[], T]) -> T:
    """What the call returns, or NoAnswerError if that takes longer."""
    if threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer"):
        return _by_signal(seconds, call)
    return _by_thread(seconds, call)


def _by_signal(seconds: float, call: Callable[[], T]) -> T:
    is_waiting = True

    def ring(*_: object) -> None:
        if is_waiting:
            raise TimeIsUp

    before = signal.signal(signal.SIGALRM, ring)
    timer = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        try:
            return call()
        finally:
            is_waiting = False
    except TimeIsUp:
        raise NoAnswerError from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, *timer)  # whoever else had set one


def _by_thread(seconds: float, call: Callable[[], T]) -> T:
    answer: Future[T] = Future()

    def ask() -> None:
        try:
            answer.set_result(call())
        except BaseException as error:
            answer.set_exception(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    try:
        return answer.result(seconds)
    except TimeoutError:
        if answer.done():  # the call's own
            raise
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(TimeIsUp))
        raise NoAnswerError from None
