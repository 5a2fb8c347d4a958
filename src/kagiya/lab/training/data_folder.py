"""A folder of training data: one Parquet file for each game, and a note of how they were made."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from kagiya.lab.store.journal import part_of, sync, write_whole
from kagiya.lab.training.harvest import GameRows
from kagiya.lab.training.tree_row_kernels import DEPTH, MOVE, NODE_VISITS, TARGET, VISITS
from kagiya.learn.feature_kernels import FEATURE_NAMES, FEATURE_VERSION, STATE_FEATURES
from kagiya.runtime.interrupts import uninterrupted

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
