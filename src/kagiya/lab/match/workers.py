"""Who plays the chunks: threads for compiled seats, one thread and then processes for Python seats.

All have the interface of `concurrent.futures`, as a Dask cluster has (`cluster.py`).
"""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import time
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from typing import Protocol

from kagiya.lab.match.chunk import Chunk, PlayedChunk, play_chunk
from kagiya.lab.match.match import Match, cores
from kagiya.lab.table.stopping import Stop

PATIENCE = 4.0  # seconds of Python play before more processes are worth their start


class Workers(Protocol):
    """Plays chunks; `capacity` is how many at a time."""

    capacity: int

    def submit(self, chunk: Chunk) -> Future[PlayedChunk]:
        """Play a chunk some time soon."""
        ...

    def close(self, hurry: bool) -> None:
        """Stop: after the chunks in hand, or at once."""
        ...


class LocalWorkers:
    """This machine: kernels release the interpreter's lock, so threads do; Python seats hold it."""

    def __init__(self, matches: Sequence[Match], workers: int | None = None) -> None:
        self.capacity = workers or cores()
        self.stop = Stop()
        self.threads = ThreadPoolExecutor(self.capacity)
        self.single = ThreadPoolExecutor(1)
        self.processes: ProcessPoolExecutor | None = None
        self.started: float | None = None
        self.may_spread = self.capacity > 1 and all(is_portable(match) for match in matches)

    def submit(self, chunk: Chunk) -> Future[PlayedChunk]:
        here = replace(chunk, code="")  # this process cut the chunk: its code is the same
        if all(agent.is_compiled for agent in chunk.match.agents):
            return self.threads.submit(play_chunk, here, self.stop)
        self.started = self.started or time.monotonic()
        if self.may_spread and time.monotonic() - self.started > PATIENCE:
            return self._pool().submit(play_chunk, chunk)
        return self.single.submit(play_chunk, here, self.stop)

    def _pool(self) -> ProcessPoolExecutor:
        if self.processes is None:
            method = multiprocessing.get_context("spawn")  # a fork would inherit threads' locks
            self.processes = ProcessPoolExecutor(self.capacity, method, initializer=_leave_interrupts_to_the_parent)
        return self.processes

    def close(self, hurry: bool) -> None:
        if hurry:
            self.stop.set()
            if self.processes is not None:
                for child in multiprocessing.active_children():
                    child.terminate()
        for pool in (self.threads, self.single, self.processes):
            if pool is not None:
                pool.shutdown(cancel_futures=True)


def is_portable(match: Match) -> bool:
    """Whether another process can find the agents by their texts."""
    try:
        pickle.loads(pickle.dumps(match.agents))
    except Exception:  # whatever a user's module may raise
        return False
    return True


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
