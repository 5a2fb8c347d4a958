"""Files of games: Parquet, written under another name, then renamed, and never changed."""

from __future__ import annotations

import json
import os
import secrets
import time
import zlib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from kagiya.lab.match.chunk import PlayedChunk
from kagiya.lab.match.packing import MOVE_COLUMNS, OUTCOMES, REGRETS, join
from kagiya.lab.store.catalog import GameFile, Row, StoredChunk
from kagiya.lab.store.durable import PART, part_of, sync
from kagiya.lab.store.journal import GRACE
from kagiya.lab.store.schema import GAME_COLUMNS

ENDING = ".parquet"
# Level 1 takes half the time of the default, for 2 to 6 % more bytes.
FORMAT = "FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1"
BLOCK = 1 << 20  # bytes read at once

Columns = dict[str, npt.NDArray[Any]]


def literal(text: object) -> str:
    """A text as SQL writes it."""
    return "'" + str(text).replace("'", "''") + "'"


def source(folder: Path, files: Iterable[GameFile]) -> str:
    """Where the games of these files are read from, in SQL."""
    names = ", ".join(literal(folder / file.name) for file in files)
    if names:
        return f"read_parquet([{names}], hive_partitioning = false)"
    return f"(SELECT {', '.join(f'NULL::{kind} AS {name}' for name, kind in GAME_COLUMNS.items())} WHERE false)"


def columns_of(parts: Sequence[tuple[int, PlayedChunk]]) -> Columns:
    """The games column by column; columns that are 0 everywhere are left out."""
    packed = join([played.packed for _, played in parts])
    columns: Columns = {
        "seating": np.concatenate([np.full(played.games, seating, np.int32) for seating, played in parts]),
        "seed": np.concatenate([np.arange(played.first, played.first + played.games) for _, played in parts]),
    }
    columns |= dict(zip(OUTCOMES, packed.numbers, strict=False))
    regrets = zip(REGRETS, packed.numbers[len(OUTCOMES) :].view(np.int8), strict=True)
    columns |= {name: row for name, row in regrets if row.any()}
    columns |= {name: row for name, row in zip(MOVE_COLUMNS, packed.moves, strict=True) if row.any()}
    if packed.more_moves:
        columns["more_moves"] = np.array([packed.more_moves.get(game) for game in range(len(columns["seed"]))], object)
    return columns


def late_rows(parts: Sequence[tuple[int, PlayedChunk]]) -> list[tuple[int, ...]]:
    """A row for each game with late moves."""
    return [
        (seating, played.first + int(game), *map(int, played.overtime[game]))
        for seating, played in parts
        for game in np.flatnonzero(played.overtime.any(axis=1))
    ]


def write_columns(connection: duckdb.DuckDBPyConnection, folder: Path, columns: Columns, about: Row) -> GameFile:
    """Write new games."""
    zero = {"more_moves": "NULL"}
    listed = [
        f"{name if name in columns else zero.get(name, '0')}::{kind} AS {name}" for name, kind in GAME_COLUMNS.items()
    ]
    connection.register("new", columns)
    try:
        return write_query(connection, folder, f"SELECT {', '.join(listed)} FROM new", about)
    finally:
        connection.unregister("new")


def write_query(connection: duckdb.DuckDBPyConnection, folder: Path, query: str, about: Row) -> GameFile:
    """Write the games that a query finds; `about` (chunks, late, seatings) goes into the file too, for repairs."""
    path = folder / f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(6)}{ENDING}"
    part = part_of(path)
    note = literal(json.dumps(about, separators=(",", ":")))
    try:
        connection.execute(f"COPY ({query}) TO {literal(part)} ({FORMAT}, KV_METADATA {{kagiya: {note}}})")
        sync(part)
        size, checksum = fingerprint(part)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    sync(folder)
    chunks = tuple(StoredChunk(*chunk) for chunk in about["chunks"])
    return GameFile(path.name, size, checksum, chunks, tuple(tuple(row) for row in about["late"]))


def fingerprint(path: Path) -> tuple[int, int]:
    """Size and checksum of a file."""
    size = checksum = 0
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            size, checksum = size + len(block), zlib.crc32(block, checksum)
    return size, checksum


def delete_leftovers(folder: Path, files: dict[str, GameFile]) -> None:
    """Delete what no entry of the journal names, unless somebody may still be reading or writing it."""
    for path in folder.iterdir():
        if path.name not in files and (path.name.endswith(PART) or path.suffix == ENDING):
            try:
                if time.time() - path.stat().st_mtime > GRACE:
                    path.unlink()
            except OSError:
                continue  # another process was faster, or we may only read
