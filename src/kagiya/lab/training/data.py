"""Training data: games that are missing in a folder are played and added, one file each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from kagiya.lab.match.cluster import ClusterWorkers
from kagiya.lab.match.uninterrupted import uninterrupted
from kagiya.lab.training.data_folder import DataFolder
from kagiya.lab.training.data_order import DataOrder
from kagiya.lab.training.data_workers import DataCluster, DataThreads, DataWorkers
from kagiya.lab.training.harvest import GameRows


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
        with DataThreads(order, workers) if cluster is None else DataCluster(order, cluster) as pool:
            play_all(missing, pool, keep)
    played = len(missing)
    return DataReport(played, order.games - played, rows, scores / played if played else float("nan"))


def play_all(seeds: Sequence[int], pool: DataWorkers, keep: Callable[[GameRows], None]) -> None:
    """Have games played, and hand them over as they are finished."""
    waiting: set[Future[GameRows]] = set()
    left = iter(seeds)
    while True:
        waiting |= {pool.submit(seed) for seed in islice(left, max(2 * pool.capacity - len(waiting), 0))}
        if not waiting:
            return
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            keep(future.result())
