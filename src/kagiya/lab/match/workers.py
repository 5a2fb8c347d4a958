"""Who plays the chunks: threads for compiled seats, one thread and then processes for Python seats.

A Dask cluster is the third kind (`cluster.py`).
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.connection import wait as wait_for
from types import TracebackType
from typing import Protocol, Self

from kagiya.agents.api import Agent
from kagiya.lab.match.chunk import Chunk, PlayedChunk, play_chunk
from kagiya.lab.match.match import Match
from kagiya.lab.match.threads import CallingThread, DaemonThreads
from kagiya.lab.provenance.code_version import code_version
from kagiya.lab.table.importing import is_importing
from kagiya.lab.table.stopping import Stop

PATIENCE = 4.0  # seconds of Python play before more processes are worth their start
GRACE = 0.4  # seconds that a player has to come to an end, once it is told to, before it is interrupted


class Workers(Protocol):
    """Plays chunks, `capacity` of them at a time."""

    @property
    def capacity(self) -> int: ...

    @property
    def chunk_seconds(self) -> float:
        """What a chunk should take at least, for the cost of sending it not to count."""
        ...

    def submit(self, chunk: Chunk) -> Future[PlayedChunk]:
        """Play a chunk some time soon."""
        ...

    def stop(self) -> None:
        """Break off what is in hand, at once; nothing can be played afterwards."""
        ...

    def close(self) -> None:
        """There is nothing more to play."""
        ...


class LocalWorkers:
    """This machine: kernels release the interpreter's lock, so threads do; Python seats hold it.

    A process of its own imports the main module again, which only a program that guards it allows: `processes` says so.
    A module that plays while it is being imported plays in its own thread.
    """

    chunk_seconds = 0.0

    def __init__(self, workers: int | None = None, processes: bool = False) -> None:
        self.capacity = workers or cores()
        self.stop_word = Stop()
        is_alone = is_importing()
        self.threads = CallingThread() if is_alone else DaemonThreads(self.capacity)
        self.single = CallingThread() if is_alone else DaemonThreads(1)
        self.may_spread = processes and self.capacity > 1 and not is_alone
        self.processes: ProcessPoolExecutor | None = None
        self.codes = Codes()
        self.portable: dict[tuple[Agent, ...], bool] = {}
        self.started: float | None = None

    def submit(self, chunk: Chunk) -> Future[PlayedChunk]:
        """Play a chunk some time soon."""
        if chunk.match.is_compiled:
            return self.threads.submit(play_chunk, chunk, self.stop_word)
        self.started = self.started or time.monotonic()
        if self.may_spread and time.monotonic() - self.started > PATIENCE and self._is_portable(chunk.match):
            return self._submit_elsewhere(chunk)
        return self.single.submit(play_chunk, chunk, self.stop_word)

    def _is_portable(self, match: Match) -> bool:
        if match.agents not in self.portable:
            self.portable[match.agents] = is_portable(match.agents)
        return self.portable[match.agents]

    def _submit_elsewhere(self, chunk: Chunk) -> Future[PlayedChunk]:
        if self.processes is None:
            method = multiprocessing.get_context("spawn")  # a fork would inherit threads' locks
            self.processes = ProcessPoolExecutor(self.capacity, method, initializer=end_with_parent)
        with interrupts_blocked():  # the processes that this may start inherit it: Ctrl-C is their parent's business
            return self.processes.submit(play_chunk, self.codes.stamped(chunk))

    def stop(self) -> None:
        """Break off what is in hand, at once; nothing can be played afterwards."""
        self.stop_word.set()
        if self.processes is not None:
            for child in list(self.processes._processes.values()):
                child.kill()
            self.processes.shutdown(cancel_futures=True)
        for threads in (self.threads, self.single):
            threads.stop(GRACE)

    def close(self) -> None:
        """There is nothing more to play."""
        for threads in (self.threads, self.single):
            threads.close()
        if self.processes is not None:
            self.processes.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop() if error is not None else self.close()


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Codes:
    """The code of agents in this process, worked out once."""

    def __init__(self) -> None:
        self.known: dict[tuple[Agent, ...], str] = {}

    def stamped(self, chunk: Chunk) -> Chunk:
        """A chunk for another process, with the code that must play it."""
        agents = chunk.match.agents
        if agents not in self.known:
            self.known[agents] = code_version(agents)
        return replace(chunk, code=self.known[agents])


def is_portable(agents: tuple[Agent, ...]) -> bool:
    """Whether another process can find the agents by their texts."""
    try:
        pickle.loads(pickle.dumps(agents))
    except Exception:  # whatever a user's module may raise
        return False
    return True


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Ctrl-C waits until the end of the block."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """Let this process end when its parent does, also when that is killed."""
    threading.Thread(target=_watch_parent, daemon=True).start()


def _watch_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)
