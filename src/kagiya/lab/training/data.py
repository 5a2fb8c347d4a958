"""Training data by many workers: games that are missing in a folder are played and added, one file each."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from kagiya.agents._base import Agent
from kagiya.lab.provenance.code_version import code_version
from kagiya.lab.training.data_folder import DataFolder
from kagiya.lab.training.harvest import GameRows, Harvester, HarvestTerms
from kagiya.learn.feature_kernels import FEATURE_VERSION
from kagiya.learn.rich_feature_kernels import RICH_VERSION
from kagiya.rules import Rules

FIRST_SEED = 50_000_001  # far from those of reported games, which begin at 1


@dataclass(frozen=True)
class DataOrder:
    """Which games a folder shall hold."""

    rules: Rules
    agent: Agent
    games: int
    seed: int = FIRST_SEED
    terms: HarvestTerms = field(default_factory=HarvestTerms)

    def __post_init__(self) -> None:
        if self.games < 1:
            raise ValueError(f"the number of games must be an integer of at least 1, not {self.games}")

    def about(self) -> dict[str, Any]:
        """What must stay the same while a folder grows."""
        return {
            "rules": self.rules.text(),
            "players": self.rules.players,
            "agent": self.agent.text,
            "code": code_version([self.agent]),
            "feature_version": FEATURE_VERSION,
            "rich_version": RICH_VERSION,
            **asdict(self.terms),
        }


@dataclass(frozen=True)
class DataReport:
    """What a run of `make_data` did."""

    played: int
    there_before: int
    rows: int
    score: float  # mean of the games played now


def make_data(
    order: DataOrder, folder: Path, workers: int | None = None, advance: Callable[[int], None] = lambda games: None
) -> DataReport:
    """Play the games that the folder lacks. Interrupted, it keeps those that are finished."""
    data = DataFolder(folder)
    there = data.seeds()
    missing = [seed for seed in range(order.seed, order.seed + order.games) if seed not in there]
    data.claim(order.about(), is_complete=not missing)
    rows = scores = 0

    def keep(game: GameRows) -> None:
        nonlocal rows, scores
        data.write(game)
        rows, scores = rows + len(game.turns), scores + game.score
        advance(1)

    play_all(order, missing, workers or os.cpu_count() or 1, keep)
    played = len(missing)
    return DataReport(played, order.games - played, rows, scores / played if played else float("nan"))


def play_all(order: DataOrder, seeds: Sequence[int], workers: int, keep: Callable[[GameRows], None]) -> None:
    """Play games in threads, each at a table of its own, and hand them over as they are finished."""
    # Seated here, one after the other: two threads must not compile the same kernel.
    tables = [Harvester(order.rules, order.agent, order.terms) for _ in range(min(workers, len(seeds)))]
    free: SimpleQueue[Harvester] = SimpleQueue()
    for table in tables:
        free.put(table)

    def play(seed: int) -> GameRows:
        table = free.get()
        try:
            return table.play(seed)
        finally:
            free.put(table)

    waiting: set[Future[GameRows]] = set()
    left = iter(seeds)
    with ThreadPoolExecutor(workers) as pool:
        try:
            while True:
                waiting |= {pool.submit(play, seed) for seed in islice(left, 2 * workers - len(waiting))}
                if not waiting:
                    return
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    keep(future.result())
        except BaseException:
            for future in waiting:
                future.cancel()
            for table in tables:
                table.table.stop()
            raise
