"""Takes over a store of format 1, which was one DuckDB file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb

from kagiya.lab.store import game_files, merging
from kagiya.lab.store.catalog import Catalog, StoredChunk, joined
from kagiya.lab.store.errors import StoreError, reason
from kagiya.lab.store.game_files import literal
from kagiya.lab.store.journal import Change
from kagiya.lab.store.opening import is_old_store
from kagiya.lab.store.schema import GAME_COLUMNS, MARK, TABLES
from kagiya.lab.store.store import Store

GAMES_PER_FILE = 2_000_000


def convert_store(old: Path, new: Path) -> int:
    """Make a new store with all that the old one has; returns the number of games. The old one stays as it is."""
    if not old.is_file() or not is_old_store(old):
        raise StoreError(f"{old} is not a store of an earlier version: those are DuckDB files")
    with Store.open(new) as store:
        if store.catalog.runs or store.catalog.files:
            raise StoreError(f"{new} has games already; convert into a folder that is not there yet")
        try:
            store.connection.execute(f"ATTACH {literal(old)} AS old (READ_ONLY)")
            _check(store, old)
            catalog = Catalog(_small_tables(store))
            for chunks in _groups(joined(StoredChunk(*row) for row in _rows(store, "chunk"))):
                catalog.apply([_write(store, catalog, chunks)])
        except (duckdb.Error, OSError) as error:
            raise StoreError(f"{old} cannot be converted: {reason(error)}; it is as it was") from None
        store.commit(lambda _: catalog.changes())
        return sum(file.games for file in catalog.files.values())


def _check(store: Store, old: Path) -> None:
    try:
        found = store.connection.execute("SELECT mark, format FROM old.about").fetchone()
    except duckdb.Error:
        found = None
    if found != (MARK, 1):
        raise StoreError(f"{old} is a DuckDB file, but not a store of Kagiya's")


def _rows(store: Store, table: str) -> list[tuple[Any, ...]]:
    return store.connection.execute(f"SELECT {', '.join(TABLES[table])} FROM old.{table}").fetchall()


def _small_tables(store: Store) -> Iterator[Change]:
    for table in ("run", "seating"):
        for row in _rows(store, table):
            plain = json.loads(json.dumps(row, default=str))
            yield [table, dict(zip(TABLES[table], plain, strict=True))]
    yield from (["part", list(row)] for row in _rows(store, "part"))


def _groups(chunks: Sequence[StoredChunk]) -> Iterator[list[StoredChunk]]:
    group: list[StoredChunk] = []
    for chunk in chunks:
        group.append(chunk)
        if sum(chunk.games for chunk in group) >= GAMES_PER_FILE:
            yield group
            group = []
    if group:
        yield group


def _write(store: Store, catalog: Catalog, chunks: list[StoredChunk]) -> Change:
    wanted = ", ".join(f"({chunk.seating}, {chunk.first}, {chunk.after})" for chunk in chunks)
    here = "JOIN (VALUES {}) AS chunk(number, first, after) ON seating = number AND seed >= first AND seed < after"
    listed = ", ".join(f"{name}::{kind} AS {name}" for name, kind in GAME_COLUMNS.items())
    late = store.connection.execute(
        f"SELECT {', '.join(TABLES['late'])} FROM old.late {here.format(wanted)}"
    ).fetchall()
    query = f"SELECT {listed} FROM old.game {here.format(wanted)}"
    about = merging.about(catalog, chunks, late)
    return ["file", game_files.write_query(store.connection, store.folder.games, query, about).to_json()]
