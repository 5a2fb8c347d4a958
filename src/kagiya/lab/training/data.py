"""Training data: a folder with one Parquet file for each game, and a note of how they were made.

Games that are missing in the folder are played and added.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, Self

import duckdb
import numpy as np
import numpy.typing as npt

from kagiya.agents.api import Agent
from kagiya.lab.code_version import code_version
from kagiya.lab.match.chunk import check_code
from kagiya.lab.match.cluster import ClusterWorkers
from kagiya.lab.store.journal import part_of, sync, write_whole
from kagiya.lab.training.rows import DEPTH, MOVE, NODE_VISITS, TARGET, VISITS, GameRows, Harvester, HarvestTerms
from kagiya.learn.features import FEATURE_NAMES, FEATURE_VERSION, STATE_FEATURES
from kagiya.rules import Rules
from kagiya.runtime.interrupts import Stop, uninterrupted
from kagiya.runtime.workers import LocalWorkers, ThreadCache, WorkerPool, WorkItem

NOTE = "about.json"
MOVES, POSITIONS = "moves", "positions"
COLUMNS = {"depth": DEPTH, "move": MOVE, "visits": VISITS, "node_visits": NODE_VISITS, "target": TARGET}
FORMAT = "FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1"


class DataError(ValueError):
    """Training data that is missing, or does not fit what is asked of it."""


class DataFolder:
    """Where rows are written game by game, and read all together."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def claim(self, about: Mapping[str, Any], is_complete: bool = False) -> None:
        """Begin the folder, or go on with it if it was made with the same settings; whole, by whatever code."""
        self.path.mkdir(parents=True, exist_ok=True)
        note = self.path / NOTE
        if not note.exists():
            if any(self.path.iterdir()):
                raise DataError(f"{self.path} is not empty and holds no training data; choose another folder")
            try:
                write_whole(note, json.dumps(dict(about), indent=1, sort_keys=True) + "\n")
            except OSError as error:
                raise DataError(f"{note} cannot be written: {error.strerror}") from None
        told = self.about()
        for key, value in about.items():
            if told.get(key) != value and not (is_complete and key == "code"):
                raise DataError(
                    f"{self.path} was made with {key} {told.get(key)!r}, not {value!r}; choose another folder"
                )

    def about(self) -> dict[str, Any]:
        """How the data was made."""
        try:
            found = json.loads((self.path / NOTE).read_text(encoding="utf-8"))
        except OSError:
            raise DataError(f"{self.path} holds no training data; `kagiya train data` makes some") from None
        except ValueError:
            raise DataError(f"{self.path / NOTE} is damaged: it is not JSON") from None
        if found.get("feature_version") != FEATURE_VERSION:
            raise DataError(
                f"{self.path} has version {found.get('feature_version')} of the features, this Kagiya has version "
                f"{FEATURE_VERSION}; make the data again"
            )
        return dict(found)

    def seeds(self) -> set[int]:
        """The games that are there."""
        names = (file.stem.partition("-") for file in self.path.glob(f"{MOVES}-*.parquet"))
        return {int(seed) for _, _, seed in names if seed.isdigit()}

    def write(self, game: GameRows) -> None:
        """Keep one game; its moves come last, so that a game with moves is whole."""
        columns: dict[str, npt.NDArray[Any]] = {
            "turn": np.arange(len(game.rules), dtype=np.int16),
            "rules": game.rules,
            "score": np.full(len(game.rules), game.score, np.int16),
        }
        columns |= {name: game.positions[:, place] for place, name in enumerate(FEATURE_NAMES[:STATE_FEATURES])}
        self._write_file(POSITIONS, game.seed, columns)
        columns = {"turn": game.turns}
        columns |= {name: game.numbers[:, place] for name, place in COLUMNS.items()}
        columns |= {name: game.features[:, place] for place, name in enumerate(FEATURE_NAMES)}
        self._write_file(MOVES, game.seed, columns)

    def _write_file(self, table: str, seed: int, columns: dict[str, npt.NDArray[Any]]) -> None:
        path = self.path / f"{table}-{seed}.parquet"
        part = part_of(path)
        order = ", ".join(columns)
        with duckdb.connect() as connection:
            connection.register("game", {name: np.ascontiguousarray(column) for name, column in columns.items()})
            try:
                connection.execute(f"COPY (SELECT {seed}::BIGINT AS seed, {order} FROM game) TO '{part}' ({FORMAT})")
                sync(part)
                os.replace(part, path)
            except duckdb.Error as error:
                raise DataError(f"{path} cannot be written: {error}") from None
            except OSError as error:
                raise DataError(f"{path} cannot be written: {error.strerror}") from None
            finally:
                part.unlink(missing_ok=True)

    def read(self, table: str, columns: tuple[str, ...], where: str = "true") -> dict[str, npt.NDArray[Any]]:
        """Columns of all games, in the order of seeds and turns."""
        self.about()
        if not self.seeds():
            raise DataError(f"{self.path} holds no games; `kagiya train data` adds some")
        source = f"read_parquet('{self.path}/{table}-*.parquet', hive_partitioning = false, file_row_number = true)"
        query = f"SELECT {', '.join(columns)} FROM {source} WHERE {where} ORDER BY seed, turn, file_row_number"
        try:
            with uninterrupted(), duckdb.connect() as connection:
                return {name: np.asarray(column) for name, column in connection.execute(query).fetchnumpy().items()}
        except duckdb.Error as error:
            raise DataError(f"{self.path} holds a damaged file: {error}") from None


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
