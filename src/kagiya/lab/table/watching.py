"""Waiting for a kernel that may never return: it runs in its own thread, and whoever waits knows what was asked."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from kagiya.agents.api import Agent
from kagiya.lab.table.importing import is_importing

T = TypeVar("T")

PATIENCE = 30.0  # seconds for one call of a kernel that usually takes microseconds
LISTEN = 0.1  # seconds between two looks


@dataclass(frozen=True)
class Question:
    """One call of an agent's kernel."""

    agent: Agent
    seat: int
    turn: int
    kernel: str
    since: float


class NoReturnError(Exception):
    """A kernel has not come back; says which."""

    def __init__(self, question: Question, seconds: float) -> None:
        self.question = question
        super().__init__(f"its kernel {question.kernel} has not returned for {seconds:g} s; it may loop for ever")


class Watched:
    """What is being asked at the moment, for whoever waits for the answer."""

    question: Question | None = None

    @contextmanager
    def asking(self, agent: Agent, seat: int, turn: int, kernel: str) -> Iterator[None]:
        """While the block runs, an agent is being asked."""
        self.question = Question(agent, seat, turn, kernel, time.monotonic())
        try:
            yield
        finally:
            self.question = None


def patience() -> float:
    """Seconds for one call: KAGIYA_PATIENCE, for agents that really think so long."""
    return float(os.environ.get("KAGIYA_PATIENCE") or PATIENCE)


def wait_for(call: Callable[[Watched], T], watched: Watched) -> T:
    """What the call returns; NoReturnError if one of its questions takes too long. Ctrl-C ends the waiting.

    The thread is left behind: nothing in this process can end a kernel. During an import nobody can wait.
    """
    if is_importing():
        return call(watched)
    answer: Future[T] = Future()

    def work() -> None:
        try:
            answer.set_result(call(watched))
        except BaseException as error:
            answer.set_exception(error)

    longest = patience()
    threading.Thread(target=work, daemon=True).start()
    while True:
        try:
            return answer.result(LISTEN)
        except TimeoutError:
            if answer.done():  # the call's own
                raise
        asked = watched.question
        if asked is not None and time.monotonic() - asked.since > longest:
            raise NoReturnError(asked, longest)
