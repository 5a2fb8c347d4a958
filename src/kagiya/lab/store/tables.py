"""The tables that queries see: in memory, filled from the catalog, with the files of games behind a view."""

from __future__ import annotations

import secrets
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from kagiya.lab.store import game_files
from kagiya.lab.store.catalog import Catalog
from kagiya.lab.store.durable import part_of
from kagiya.lab.store.game_files import literal
from kagiya.lab.store.schema import TABLES, VIEWS

MEMORY_LIMIT = "256MB"  # for writing; DuckDB would fill the machine with blocks that nobody needs again
THREADS = 1  # the games need the processors more
LIST_MARK = "\x1f"  # between the elements of a list on its way into a table


def connect_to_write() -> duckdb.DuckDBPyConnection:
    """A connection for an experiment: sparing."""
    connection = _connect(Path(tempfile.gettempdir()) / f"kagiya-{secrets.token_hex(6)}")
    connection.execute(f"SET threads = {THREADS}; SET memory_limit = '{MEMORY_LIMIT}'")
    return connection


def connect_to_ask(games: Path, export: Path | None) -> duckdb.DuckDBPyConnection:
    """A connection that reaches no files but the games, and one to write to; whatever is asked."""
    beside = Path(tempfile.gettempdir()) / "kagiya" if export is None else export
    connection = _connect(part_of(beside))
    writable = [] if export is None else [literal(export_part(export))]
    connection.execute(f"SET allowed_directories = [{literal(games)}]; SET allowed_paths = [{', '.join(writable)}]")
    connection.execute("SET enable_external_access = false; SET lock_configuration = true")
    return connection


def export_part(export: Path) -> Path:
    """Where an export is written until it is whole."""
    return export.with_name(f"{export.name}.part")


def disconnect(connection: duckdb.DuckDBPyConnection) -> None:
    """Close a connection and delete what it put aside."""
    with suppress(duckdb.Error):
        found = connection.execute("SELECT current_setting('temp_directory')").fetchone()
        connection.close()
        if found and found[0]:
            shutil.rmtree(found[0], ignore_errors=True)


def fill(connection: duckdb.DuckDBPyConnection, catalog: Catalog, games: Path) -> None:
    """Make the tables and views again."""
    chunks = [chunk for file in catalog.files.values() for chunk in file.chunks]
    late = [row for file in catalog.files.values() for row in file.late]
    _fill_table(connection, "run", [tuple(row.get(name) for name in TABLES["run"]) for row in catalog.runs.values()])
    seatings = [tuple(row[name] for name in TABLES["seating"]) for row in catalog.seatings.values()]
    _fill_table(connection, "seating", seatings)
    _fill_table(connection, "part", catalog.parts)
    _fill_table(connection, "chunk", chunks)
    _fill_table(connection, "late", late)
    source = game_files.source(games, catalog.files.values())
    connection.execute(f"CREATE OR REPLACE VIEW game AS FROM {source}")
    for view in VIEWS:
        connection.execute(view)


def _connect(temporary: Path) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(f"SET temp_directory = {literal(temporary)}")
    connection.execute("SET enable_progress_bar = false")  # it would go to stdout, into our answers
    return connection


def _fill_table(connection: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Iterable[Any]]) -> None:
    kinds = TABLES[table]
    columns = zip(*rows, strict=True) if rows else ((),) * len(kinds)
    new = {name: _column(values) for name, values in zip(kinds, columns, strict=True)}
    listed = ", ".join(f"{_as_kind(name, kind)} AS {name}" for name, kind in kinds.items())
    connection.register("new", new)
    connection.execute(f"CREATE OR REPLACE TABLE {table} AS SELECT {listed} FROM new")
    connection.unregister("new")


def _column(values: Iterable[Any]) -> np.ndarray[Any, Any]:
    listed = [LIST_MARK.join(value) if isinstance(value, list) else value for value in values]
    numeric = bool(listed) and all(isinstance(value, int | float) for value in listed)
    return np.array(listed) if numeric else np.array(listed, object)


def _as_kind(name: str, kind: str) -> str:
    if kind.endswith("[]"):
        return f"string_split({name}::VARCHAR, chr({ord(LIST_MARK)}))"
    return f"{name}::{kind}"
