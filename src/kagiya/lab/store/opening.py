"""Opening the store: whose file it is, who holds it, and every way it can fail said in one sentence."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import duckdb

from kagiya.lab.store.schema import FORMAT, MARK, TABLES, VIEWS

MEMORY = ":memory:"
PAUSE = 0.2  # seconds between two tries while another process holds the file
HOLDER = re.compile(r"lock is held in (?P<program>.*?) \(PID (?P<pid>\d+)\)")
MEMORY_LIMIT = "128MB"  # for writing; DuckDB would fill the machine with blocks that nobody needs again
THREADS = 1  # the games need the processors more


class StoreError(RuntimeError):
    """The store cannot be used, or not now; says why."""


class StoreBusyError(StoreError):
    """Another process holds the store; says which."""


def default_store() -> Path:
    """``KAGIYA_STORE``, else under the user's data folder."""
    if chosen := os.environ.get("KAGIYA_STORE"):
        return Path(chosen).expanduser()
    base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(base).expanduser() / "kagiya" / "results.duckdb"


def open_to_write(path: Path | str, wait: float = 0.0) -> duckdb.DuckDBPyConnection:
    """A connection to the store, made if there is none; waits so many seconds for whoever holds it."""
    if str(path) != MEMORY:
        _make_folder(Path(path))
    connection = _connect(path, False, wait)
    connection.execute(f"SET threads = {THREADS}; SET memory_limit = '{MEMORY_LIMIT}'")
    try:
        if not connection.sql("FROM duckdb_tables()").fetchall():
            _create(connection)
        _check(connection, path)
    except duckdb.Error as error:
        connection.close()
        raise StoreError(f"{path} cannot be written: {reason(error)}") from None
    except StoreError:
        connection.close()
        raise
    return connection


def open_to_read(path: Path | str, wait: float = 0.0) -> duckdb.DuckDBPyConnection:
    """A connection that cannot change anything."""
    if not Path(path).exists():
        raise StoreError(f"there is no store at {path} yet; `kagiya match --store` and others make one")
    connection = _connect(path, True, wait)
    try:
        _check(connection, path)
    except StoreError:
        connection.close()
        raise
    return connection


def reason(error: Exception) -> str:
    """DuckDB's reason without its class and its advice."""
    first = str(error).strip().splitlines()[0]
    return re.sub(r"^\w[\w ]* Error: ", "", first).rstrip(".")


def _make_folder(path: Path) -> None:
    if path.is_dir():
        raise StoreError(f"{path} is a folder; a store is a file")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"there is no folder for the store {path}: {error.strerror}") from None


def _connect(path: Path | str, read_only: bool, wait: float) -> duckdb.DuckDBPyConnection:
    deadline = time.monotonic() + wait
    while True:
        try:
            connection = duckdb.connect(str(path), read_only=read_only)
            connection.execute("SET enable_progress_bar = false")  # it would go to stdout, into our answers
            return connection
        except duckdb.Error as error:
            failure = _failure(path, error)
        if not isinstance(failure, StoreBusyError) or time.monotonic() >= deadline:
            raise failure
        time.sleep(PAUSE)


def _failure(path: Path | str, error: Exception) -> StoreError:
    text = str(error)
    if holder := HOLDER.search(text):
        who = f"process {holder['pid']} ({Path(holder['program']).name})"
        return StoreBusyError(f"{path} is in use by {who}; wait until it is done, or take another --store")
    if "different configuration" in text:
        return StoreBusyError(f"{path} is already open in this process")
    if "not a valid DuckDB" in text:
        return StoreError(f"{path} is no store: it is not a DuckDB file; nothing was changed")
    return StoreError(f"{path} cannot be opened: {reason(error)}; nothing was changed")


def _create(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("BEGIN")
    for statement in (*TABLES, *VIEWS):
        connection.execute(statement)
    connection.execute("COMMIT")


def _check(connection: duckdb.DuckDBPyConnection, path: Path | str) -> None:
    try:
        mark, number = connection.execute("SELECT mark, format FROM about").fetchone() or ("", 0)
    except duckdb.Error:
        mark, number = "", 0
    if mark != MARK:
        raise StoreError(f"{path} is a DuckDB file, but no store of Kagiya's; nothing was changed")
    if number != FORMAT:
        raise StoreError(f"{path} has format {number}; this version of Kagiya reads format {FORMAT}")
