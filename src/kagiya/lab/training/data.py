"""Training data: games that are missing in a folder are played and added, one file each."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Self

from kagiya.lab.match.chunk import check_code
from kagiya.lab.match.cluster import ClusterWorkers
from kagiya.lab.provenance.code_version import code_version
from kagiya.lab.training.data_folder import DataFolder
from kagiya.lab.training.data_order import DataOrder
from kagiya.lab.training.harvest import GameRows, Harvester
from kagiya.runtime.interrupts import Stop, uninterrupted
from kagiya.runtime.workers import LocalWorkers, ThreadCache, WorkerPool, WorkItem


@dataclass(frozen=True)
class DataReport:
    """What a run of `make_data` did."""

    played: int
    there_before: int
    rows: int
    score: float  # mean of the games played now


def make_data(
    order: DataOrder,
    folder: Path,
    workers: int | None = None,
    advance: Callable[[int], None] = lambda games: None,
    cluster: ClusterWorkers | None = None,
) -> DataReport:
    """Play the games that the folder lacks, here or on a cluster. Interrupted, it keeps those that are finished."""
    data = DataFolder(folder)
    there = data.seeds()
    missing = [seed for seed in range(order.seed, order.seed + order.games) if seed not in there]
    data.claim(order.about(), is_complete=not missing)
    rows = scores = 0

    def keep(game: GameRows) -> None:
        nonlocal rows, scores
        with uninterrupted():  # else Ctrl-C reaches DuckDB, which calls it an error
            data.write(game)
        rows, scores = rows + len(game.turns), scores + game.score
        advance(1)

    if missing:
        with LocalWorkers(workers) if cluster is None else nullcontext(cluster) as pool:
            play_all((DataGame(order, seed) for seed in missing), pool, keep)
    played = len(missing)
    return DataReport(played, order.games - played, rows, scores / played if played else float("nan"))


def play_all(games: Iterable[DataGame], pool: WorkerPool, keep: Callable[[GameRows], None]) -> None:
    """Have games played, and hand them over as they are finished."""
    waiting: set[Future[GameRows]] = set()
    left = iter(games)
    while True:
        waiting |= {pool.submit(game) for game in islice(left, max(2 * pool.capacity - len(waiting), 0))}
        if not waiting:
            return
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            keep(future.result())


HARVESTERS: ThreadCache[Harvester] = ThreadCache()
_SEATING = threading.Lock()  # two threads must not compile the same agent


@dataclass(frozen=True)
class DataGame(WorkItem[GameRows]):
    """One game of an order."""

    order: DataOrder
    seed: int
    code: str = ""  # of the agent where the data is made; other code must not play it

    def stamped(self) -> Self:
        return self if self.code else replace(self, code=code_version([self.order.agent]))

    def run(self, stop: Stop) -> GameRows:
        check_code([self.order.agent], self.code)
        harvester = HARVESTERS.get(self.order, self._seat, lambda kept: not kept.table.stopped)
        with stop.heard_by(harvester.table):
            return harvester.play(self.seed)

    def _seat(self) -> Harvester:
        with _SEATING:
            return Harvester(self.order.rules, self.order.agent, self.order.terms)
