"""Who plays the games of training data: threads of this process, or a Dask cluster."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from dataclasses import dataclass
from queue import SimpleQueue
from types import TracebackType
from typing import Protocol, Self

from kagiya.lab.match.chunk import ChunkError
from kagiya.lab.match.cluster import ClusterWorkers
from kagiya.lab.match.threads import DaemonThreads
from kagiya.lab.match.workers import GRACE, cores
from kagiya.lab.provenance.code_version import code_version
from kagiya.lab.training.data_order import DataOrder
from kagiya.lab.training.harvest import GameRows, Harvester


class DataWorkers(Protocol):
    """Plays games of an order, `capacity` of them at a time; left in an error, it breaks off what is in hand."""

    @property
    def capacity(self) -> int: ...

    def submit(self, seed: int) -> Future[GameRows]:
        """Play a game some time soon."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class DataThreads:
    """Threads of this process, each at a table of its own."""

    def __init__(self, order: DataOrder, workers: int | None) -> None:
        self.capacity = min(workers or cores(), order.games)
        # Seated here, one after the other: two threads must not compile the same kernel.
        self.tables = [Harvester(order.rules, order.agent, order.terms) for _ in range(self.capacity)]
        self.free: SimpleQueue[Harvester] = SimpleQueue()
        for table in self.tables:
            self.free.put(table)
        self.threads = DaemonThreads(self.capacity)

    def submit(self, seed: int) -> Future[GameRows]:
        """Play a game some time soon."""
        return self.threads.submit(self._play, seed)

    def _play(self, seed: int) -> GameRows:
        table = self.free.get()
        try:
            return table.play(seed)
        finally:
            self.free.put(table)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.threads.close()
            return
        for table in self.tables:
            table.table.stop()
        self.threads.stop(GRACE)


@dataclass(frozen=True)
class OrderedGame:
    """One game of an order, for a worker anywhere; other code must not play it."""

    order: DataOrder
    seed: int
    code: str


class _Last(threading.local):
    """Each thread keeps the table of the order that it played last."""

    order: DataOrder | None = None
    harvester: Harvester | None = None


_LAST = _Last()
_SEATING = threading.Lock()  # two threads must not compile the same agent


def play_ordered(game: OrderedGame) -> GameRows:
    """Play one game of an order."""
    order = game.order
    if code_version([order.agent]) != game.code:
        raise ChunkError(f"the code of {order.agent.text} or of the table differs here from where the data is made")
    if _LAST.harvester is None or order != _LAST.order:
        with _SEATING:
            _LAST.harvester, _LAST.order = Harvester(order.rules, order.agent, order.terms), order
    return _LAST.harvester.play(game.seed)


class DataCluster:
    """A Dask cluster, whose workers have the same code."""

    def __init__(self, order: DataOrder, cluster: ClusterWorkers) -> None:
        self.order, self.cluster, self.code = order, cluster, code_version([order.agent])

    @property
    def capacity(self) -> int:
        return self.cluster.capacity

    def submit(self, seed: int) -> Future[GameRows]:
        """Play a game some time soon."""
        return self.cluster.submit_work(play_ordered, OrderedGame(self.order, seed, self.code))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self.cluster.stop()
