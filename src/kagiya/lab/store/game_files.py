"""Files of games, and the tables that queries see.

Files are Parquet, written under another name, then renamed, and never changed. Tables are in memory, filled from the
catalog, with the files of games behind a view; `docs/laboratory.md` describes them.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import tempfile
import zlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import numpy.typing as npt

from kagiya.engine.record import is_device
from kagiya.lab.match import chunk as packing
from kagiya.lab.store.journal import (
    PART,
    Catalog,
    Change,
    DamagedStoreError,
    GameFile,
    Row,
    StoredChunk,
    delete_old,
    joined,
    part_of,
    unfinished,
)

if TYPE_CHECKING:
    from kagiya.lab.store.store import Store

FORMAT = 2
MARK = "kagiya results"  # how a store is told from other folders

# Of a file of games, all of them in each. A game is identified by its seating and its seed.
GAME_COLUMNS = {
    "seating": "INTEGER",
    "seed": "BIGINT",
    **dict.fromkeys(packing.OUTCOMES, "UTINYINT"),
    **dict.fromkeys(packing.REGRETS, "TINYINT"),
    **dict.fromkeys(packing.MOVE_COLUMNS, "UBIGINT"),
    "more_moves": "BLOB",
}
VERSIONS = ("kagiya", "python", "numba", "numpy", "machine")
TABLES = {
    "run": {
        "run": "INTEGER",
        "command": "VARCHAR",
        "started": "TIMESTAMP",
        "ended": "TIMESTAMP",
        "outcome": "VARCHAR",
        "computed": "BIGINT",
        **dict.fromkeys((*VERSIONS, "git_commit"), "VARCHAR"),
        "pid": "INTEGER",
    },
    # What makes two games with the same seed the same game: rules, who sits where, their code, special terms.
    "seating": {
        "seating": "INTEGER",
        "rules": "VARCHAR",
        "preset": "VARCHAR",
        "players": "UTINYINT",
        "seats": "VARCHAR[]",
        **dict.fromkeys(("team", "code", "terms"), "VARCHAR"),
    },
    # Which games a run consists of, computed by it or by earlier ones.
    "part": {"run": "INTEGER", "seating": "INTEGER", "first": "BIGINT", "games": "BIGINT"},
    "chunk": {"seating": "INTEGER", "first": "BIGINT", "games": "BIGINT", "run": "INTEGER", "seconds": "DOUBLE"},
    # Games with late moves only.
    "late": {
        "seating": "INTEGER",
        "seed": "BIGINT",
        **dict.fromkeys((f"overtime_{seat}" for seat in packing.SEATS), "UTINYINT"),
        "forfeited_by": "UTINYINT",
    },
}
# As people read them: what ends the game at once is a bomb.
READ_AS = {"end": "bomb"}
ENDING = ".parquet"
# Level 1 takes half the time of the default, for 2 to 6 % more bytes.
PARQUET = "FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1"
BLOCK = 1 << 20  # bytes read at once
SMALL = 2 * 122_880  # games, two of Parquet's row groups
MAX_SMALL_FILES = 32
Columns = dict[str, npt.NDArray[Any]]
MEMORY_LIMIT = "256MB"  # for writing; DuckDB would fill the machine with blocks that are not needed again
WRITER_THREADS = 1  # the games need the processors more
LIST_MARK = "\x1f"  # between the elements of a list on its way into a table


def _total(sources: tuple[str, ...], name: str) -> str:
    """The regret of all seats from some sources."""
    added = " + ".join(f"{source}_{seat}" for source in sources for seat in packing.SEATS)
    return f"{added} AS {name}_regret"


def _regret_columns() -> str:
    totals = [_total((source,), READ_AS.get(source, source)) for source in packing.SOURCE_NAMES]
    totals += [_total(packing.SOURCE_NAMES, "direct"), _total(("indirect",), "indirect")]
    totals += [_total((*packing.SOURCE_NAMES, "indirect"), "total")]
    seats = [name.split("_") for name in packing.REGRETS]
    return ", ".join([*totals, *(f"{source}_{seat} AS {READ_AS.get(source, source)}_{seat}" for source, seat in seats)])


def _move() -> str:
    """The number of the move that was made in a turn, counted from 1, out of the words it is packed in."""
    bits, per_word = packing.MOVE_BITS, packing.MOVES_PER_WORD
    word = f"[{', '.join(packing.MOVE_COLUMNS)}][(turn - 1) // {per_word} + 1]"
    packed = f"{word} >> {bits} * ((turn - 1) % {per_word})::INTEGER & {(1 << bits) - 1}"
    late = f"('0x' || substr(hex(more_moves), 2 * (turn - {packing.PACKED_MOVES}) - 1, 2))::INTEGER"
    return f"CASE WHEN turn <= {packing.PACKED_MOVES} THEN {packed} ELSE {late} END"


# An agent that was edited plays under another code. What people ask about is the code that played last; the games of
# the others are in the views that end in _all.
VIEWS = (
    """CREATE OR REPLACE VIEW age AS
        SELECT seating, max(started) AS date, row_number() OVER (
            PARTITION BY any_value(rules), any_value(team), any_value(terms)
            ORDER BY max(coalesce(part.run, 0)) DESC, seating DESC) = 1 AS newest
        FROM seating LEFT JOIN part USING (seating) LEFT JOIN run ON run.run = part.run
        WHERE seating IN (SELECT seating FROM chunk) GROUP BY seating""",
    f"""CREATE OR REPLACE VIEW games_all AS
        SELECT seating, preset AS rules, players, team, seats, code, newest, terms, seed, score, points, reachable,
            lives, turns, {_regret_columns()}
        FROM game JOIN seating USING (seating) JOIN age USING (seating)""",
    """CREATE OR REPLACE VIEW seatings_all AS
        SELECT seating, preset AS rules, players, team, code, newest, date, terms, count(*) AS games,
            min(seed) AS first, max(seed) AS last, avg(score) AS mean, stddev_samp(score) / sqrt(count(*)) AS se,
            avg((lives = 0)::INTEGER) AS bomb_rate, avg(turns) AS turns
        FROM game JOIN seating USING (seating) JOIN age USING (seating) GROUP BY ALL""",
    f"""CREATE OR REPLACE VIEW moves_all AS
        SELECT seating, newest, seed, turn, ({_move()})::UTINYINT AS move
        FROM (SELECT *, unnest(range(1, turns::BIGINT + 1)) AS turn FROM game) JOIN age USING (seating)""",
    "CREATE OR REPLACE VIEW games AS SELECT * EXCLUDE (newest) FROM games_all WHERE newest",
    "CREATE OR REPLACE VIEW seatings AS SELECT * EXCLUDE (newest) FROM seatings_all WHERE newest",
    "CREATE OR REPLACE VIEW moves AS SELECT * EXCLUDE (newest) FROM moves_all WHERE newest",
)


def literal(text: object) -> str:
    """A text as SQL writes it."""
    return "'" + str(text).replace("'", "''") + "'"


def source(folder: Path, files: Iterable[GameFile]) -> str:
    """Where the games of these files are read from, in SQL; raises unless they are as they were written.

    DuckDB would read a flipped bit as another game.
    """
    listed = list(files)
    for file in listed:
        with suppress(FileNotFoundError):  # DuckDB says so
            if not is_whole(folder, file):
                raise DamagedStoreError(folder / file.name, "is damaged")
    names = ", ".join(literal(folder / file.name) for file in listed)
    if names:
        return f"read_parquet([{names}], hive_partitioning = false)"
    return f"(SELECT {', '.join(f'NULL::{kind} AS {name}' for name, kind in GAME_COLUMNS.items())} WHERE false)"


def columns_of(parts: Sequence[tuple[int, packing.PlayedChunk]]) -> Columns:
    """The games column by column; columns that are 0 everywhere are left out."""
    packed = packing.join([played.packed for _, played in parts])
    columns: Columns = {
        "seating": np.concatenate([np.full(played.games, seating, np.int32) for seating, played in parts]),
        "seed": np.concatenate([np.arange(played.first, played.first + played.games) for _, played in parts]),
    }
    columns |= dict(zip(packing.OUTCOMES, packed.numbers, strict=False))
    regrets = zip(packing.REGRETS, packed.numbers[len(packing.OUTCOMES) :].view(np.int8), strict=True)
    columns |= {name: row for name, row in regrets if row.any()}
    columns |= {name: row for name, row in zip(packing.MOVE_COLUMNS, packed.moves, strict=True) if row.any()}
    if packed.more_moves:
        columns["more_moves"] = np.array([packed.more_moves.get(game) for game in range(len(columns["seed"]))], object)
    return columns


def late_rows(parts: Sequence[tuple[int, packing.PlayedChunk]]) -> list[tuple[int, ...]]:
    """A row for each game with late moves."""
    return [
        (seating, played.first + int(game), *map(int, played.overtime[game]))
        for seating, played in parts
        for game in np.flatnonzero(played.overtime.any(axis=1))
    ]


def write_columns(connection: duckdb.DuckDBPyConnection, folder: Path, columns: Columns, note: Row) -> GameFile:
    """Write new games."""
    zero = {"more_moves": "NULL"}
    listed = [
        f"{name if name in columns else zero.get(name, '0')}::{kind} AS {name}" for name, kind in GAME_COLUMNS.items()
    ]
    connection.register("new", columns)
    try:
        return write_query(connection, folder, f"SELECT {', '.join(listed)} FROM new", note)
    finally:
        connection.unregister("new")


def write_query(connection: duckdb.DuckDBPyConnection, folder: Path, query: str, note: Row) -> GameFile:
    """Write the games that a query finds; `note` (chunks, late, seatings) goes into the file too, for repairs."""
    path = folder / f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(6)}{ENDING}"
    text = literal(json.dumps(note, separators=(",", ":")))
    with unfinished(path) as part:
        connection.execute(f"COPY ({query}) TO {literal(part)} ({PARQUET}, KV_METADATA {{kagiya: {text}}})")
        size, checksum = fingerprint(part)
    return GameFile.of({"name": path.name, "size": size, "checksum": checksum, **note})


def fingerprint(path: Path) -> tuple[int, int]:
    """Size and checksum of a file."""
    size = checksum = 0
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            size, checksum = size + len(block), zlib.crc32(block, checksum)
    return size, checksum


@cache
def _fingerprint(path: Path, stamp: tuple[int, ...]) -> tuple[int, int]:
    """The same, once in a process for a file that was not touched since."""
    return fingerprint(path)


def is_whole(folder: Path, file: GameFile) -> bool:
    """Whether the content of a file is what was written."""
    about = (folder / file.name).stat()
    stamp = (about.st_ino, about.st_size, about.st_mtime_ns)
    return _fingerprint(folder / file.name, stamp) == (file.size, file.checksum)


def delete_leftovers(folder: Path, files: dict[str, GameFile]) -> None:
    """Delete what no entry of the journal names, unless a process may still be reading or writing it."""
    others = [path for path in folder.iterdir() if path.name not in files]
    delete_old([path for path in others if path.name.endswith(PART) or path.suffix == ENDING])


def file_note(catalog: Catalog, chunks: Sequence[StoredChunk], late: Iterable[Sequence[int]]) -> Row:
    """What a file of games says about itself, so that it can be read without the journal."""
    seatings = [catalog.seatings[number] for number in sorted({chunk.seating for chunk in chunks})]
    return {"chunks": list(chunks), "late": list(late), "seatings": seatings}


def merge_small_files(store: Store) -> None:
    """Write the games of all small files into one, if there are too many; damaged ones stay as they are."""
    small = [file for file in store.catalog.files.values() if file.games < SMALL]
    if len(small) <= MAX_SMALL_FILES:
        return
    _fingerprint.cache_clear()  # what is merged now must be right now
    small = [file for file in small if is_whole(store.folder.games, file)]
    merged = _write_merged(store, small)

    def changes(catalog: Catalog) -> list[Change]:
        if any(file.name not in catalog.files for file in small):
            return []  # another process has merged them
        return [*(["drop", file.name] for file in small), ["file", merged.to_json()]]

    try:
        store.commit(changes)
    finally:
        unused = small if merged.name in store.catalog.files else [merged]
        for file in unused:  # deleted when those who read now are surely done
            with suppress(OSError):
                os.utime(store.folder.games / file.name)
    delete_leftovers(store.folder.games, store.catalog.files)


def _write_merged(store: Store, files: Sequence[GameFile]) -> GameFile:
    folder = store.folder.games
    chunks = joined(chunk for file in files for chunk in file.chunks)
    late = [row for file in files for row in file.late]
    note = file_note(store.catalog, chunks, late)
    return write_query(store.connection, folder, f"FROM {source(folder, files)}", note)


def connect_to_write() -> duckdb.DuckDBPyConnection:
    """A connection for an experiment: sparing."""
    connection = _connect(Path(tempfile.gettempdir()) / f"kagiya-{secrets.token_hex(6)}")
    connection.execute(f"SET threads = {WRITER_THREADS}; SET memory_limit = '{MEMORY_LIMIT}'")
    return connection


def connect_to_ask(games: Path, export: Path | None) -> duckdb.DuckDBPyConnection:
    """A connection that reaches no files but the games, and one to write to; whatever is asked."""
    beside = Path(tempfile.gettempdir()) / "kagiya" if export is None else export_part(export)
    connection = _connect(part_of(beside))
    writable = [] if export is None else [literal(export_part(export))]
    connection.execute(f"SET allowed_directories = [{literal(games)}]; SET allowed_paths = [{', '.join(writable)}]")
    connection.execute("SET enable_external_access = false; SET lock_configuration = true")
    return connection


@cache
def export_part(export: Path) -> Path:
    """Where an export is written until it is whole: beside the file, or for a device among the temporary files."""
    if is_device(export):
        return part_of(Path(tempfile.gettempdir()) / "kagiya")
    return Path(f"{os.path.realpath(export)}{PART}")


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
    connection.execute(f"CREATE OR REPLACE VIEW game AS FROM {source(games, catalog.files.values())}")
    for view in VIEWS:
        connection.execute(view)


def _connect(temporary: Path) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(f"SET temp_directory = {literal(temporary)}")
    if connection.execute("SELECT current_setting('enable_progress_bar')").fetchone() == (True,):
        # It would go to stdout, into our answers. Where it is off, Jupyter without widgets lets nobody say so again.
        connection.execute("SET enable_progress_bar = false")
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
