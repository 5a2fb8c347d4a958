"""The store: a folder with every game ever played for an experiment, a row each; where it is, opened to write or read.

Games come in whole files, which a journal names: a crash loses only what was not yet stored, no game is ever stored
twice, and others may read, or write games of their own, at the same time.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from kagiya.engine.record import GameRecord
from kagiya.lab.deals import LIVE, OWN, dealt_game, seed_text
from kagiya.lab.match.chunk import MOVE_COLUMNS, NUMBERS, PlayedChunk, unpack_moves, unpack_results
from kagiya.lab.match.match import Interval, Match
from kagiya.lab.provenance import code_version, commit_here, provenance
from kagiya.lab.store import game_files, journal
from kagiya.lab.store.game_files import FORMAT, MARK
from kagiya.lab.table.table import GameResults
from kagiya.rules import Rules

MEMORY = ":memory:"
MARK_FILE = "kagiya-store.json"


@dataclass(frozen=True)
class StoreFolder:
    """The folder of a store and what is in it."""

    path: Path

    @property
    def mark(self) -> Path:
        return self.path / MARK_FILE

    @property
    def journal(self) -> Path:
        return self.path / "journal"

    @property
    def games(self) -> Path:
        return self.path / "games"

    @property
    def damaged(self) -> Path:
        """Where a repair puts what it could not read."""
        return self.path / "damaged"

    def is_unfinished(self) -> bool:
        """Whether there is nothing here, or what a process leaves that is killed while it makes a store."""
        expected = (self.journal.name, self.games.name)
        inside = list(self.path.iterdir())
        return all(
            (path.name in expected and not any(path.iterdir())) or path.name.endswith(journal.PART) for path in inside
        )

    def make(self) -> None:
        """Make a store; again, where that was interrupted."""
        self.journal.mkdir(parents=True, exist_ok=True)
        self.games.mkdir(exist_ok=True)
        mark = {"mark": MARK, "format": FORMAT, "checksum": _mark_checksum(MARK, FORMAT)}
        journal.write_durably(self.mark, json.dumps(mark) + "\n")

    def check(self) -> None:
        """Raises unless this is a store that this version can use."""
        try:
            found = json.loads(self.mark.read_text(encoding="utf-8"))
            mark, number = found["mark"], found["format"]
            checksum = found.get("checksum")  # older marks have none
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise journal.DamagedStoreError(self.mark, "is damaged") from None
        if checksum not in (None, _mark_checksum(mark, number)):
            raise journal.DamagedStoreError(self.mark, "is damaged")
        if mark != MARK:
            raise journal.StoreError(f"{self.path} is not a store: {MARK_FILE} in it was not written by Kagiya")
        if number != FORMAT:
            raise journal.StoreError(f"{self.path} has format {number}; this version of Kagiya reads format {FORMAT}")


def _mark_checksum(mark: object, number: object) -> int:
    return zlib.crc32(f"{mark} {number}".encode())


def default_store() -> Path:
    """``KAGIYA_STORE``, else under the user's data folder."""
    if chosen := os.environ.get("KAGIYA_STORE"):
        return Path(chosen).expanduser()
    return user_folder() / "results"


def user_folder() -> Path:
    """Where Kagiya keeps what belongs to a user: the store, saved games, tables, reviews."""
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "kagiya"


def open_folder(path: Path, to_write: bool) -> StoreFolder:
    """A store's folder; to write, it is made if there is none."""
    _refuse_file(path)
    folder = StoreFolder(path)
    try:
        if not path.exists() or (not folder.mark.exists() and folder.is_unfinished()):
            if not to_write:
                raise journal.MissingStoreError(
                    f"there is no store at {path} yet; `kagiya match --store` and others make one"
                )
            folder.make()
        return _checked(folder)
    except OSError as error:
        done = "written" if to_write else "read"
        raise journal.StoreError(f"{path} cannot be {done}: {journal.reason(error)}") from None


def _checked(folder: StoreFolder) -> StoreFolder:
    if not folder.mark.exists():
        if folder.journal.is_dir() and folder.games.is_dir():
            raise journal.DamagedStoreError(folder.mark, "is missing")
        raise journal.StoreError(f"{folder.path} is not a store, but a folder of something else; nothing was changed")
    folder.check()
    return folder


def _refuse_file(path: Path) -> None:
    if path.is_file():
        raise journal.StoreError(f"{path} is not a store: a store is a folder, and this is a file; nothing was changed")


DEALS_TERM = "deals "  # in the terms of a seating whose decks others shuffled


@dataclass(frozen=True)
class StoredSeating:
    """The number of a seating, and the code that its agents have now."""

    id: int
    code: str


class Store:
    """An open store."""

    def __init__(self, folder: StoreFolder, connection: duckdb.DuckDBPyConnection, writable: bool) -> None:
        self.folder, self.connection, self.writable = folder, connection, writable
        self.path: Path | str = folder.path
        self.journal, self.catalog = journal.Journal(folder.journal), journal.Catalog()
        self.unnoted: set[int] = set()  # runs of ours that a store which cannot be written does not know of
        self._temporary: Path | None = None
        self._tables_version = -1
        self.refresh()
        self._check_files()

    @classmethod
    def open(cls, path: Path | str | None = None) -> Store:
        """For experiments; made if it is not there."""
        if str(path) == MEMORY:
            return cls.in_memory()
        folder = open_folder(default_store() if path is None else Path(path), to_write=True)
        store = cls(folder, game_files.connect_to_write(), True)
        game_files.delete_leftovers(folder.games, store.catalog.files)
        return store

    @classmethod
    def read(cls, path: Path | str | None = None, export: Path | None = None) -> Store:
        """For questions, as of now: no question can change anything, or write any file but `export`."""
        folder = open_folder(default_store() if path is None else Path(path), to_write=False)
        return cls(folder, game_files.connect_to_ask(folder.games, export), False)

    @classmethod
    def in_memory(cls) -> Store:
        """Forgotten when it is closed: in a temporary folder."""
        folder = Path(tempfile.mkdtemp(prefix="kagiya-"))
        store = cls.open(folder)
        store._temporary, store.path = folder, MEMORY
        return store

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """What was stored is safe already; only temporary files go."""
        game_files.disconnect(self.connection)
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The answer to a query."""
        self.fill_tables()
        return self.connection.execute(query, list(values)).fetchall()

    def fill_tables(self) -> None:
        """Bring the tables that queries see up to what is known of the store."""
        if self._tables_version != self.catalog.version:
            game_files.fill(self.connection, self.catalog, self.folder.games)
            self._tables_version = self.catalog.version

    # The journal

    def refresh(self) -> None:
        """Take in what this and other processes have stored."""
        try:
            afresh, changes = self.journal.news()
        except OSError as error:
            raise journal.StoreError(f"{self.path} cannot be read: {journal.reason(error)}") from None
        if afresh:
            version = self.catalog.version
            self.catalog = journal.Catalog()
            self.catalog.version = version + 1
        self.catalog.apply(changes)

    def commit(self, make_changes: Callable[[journal.Catalog], Sequence[journal.Change]]) -> None:
        """Add an entry to the journal; the changes are made again if another process adds one in between."""
        if not self.writable:
            raise journal.StoreError(f"{self.path} was opened to read only")
        try:
            while True:
                self.refresh()
                changes = make_changes(self.catalog)
                if not changes:
                    return
                if self.journal.append(changes):
                    break
            self.catalog.apply(changes)
            if self.journal.number % journal.CHECKPOINT_EVERY == 0:
                self.journal.write_checkpoint(self.catalog.changes())
        except OSError as error:
            with suppress(journal.StoreError):
                self.refresh()  # an entry that could not be synchronized may be there all the same
            raise self._unwritable(error) from None

    def _unwritable(self, error: Exception) -> journal.StoreError:
        return journal.StoreError(
            f"{self.path} cannot be written: {journal.reason(error)}; what was stored before is safe"
        )

    def _check_files(self) -> None:
        for file in self.catalog.files.values():
            path = self.folder.games / file.name
            if not path.exists():
                raise journal.DamagedStoreError(path, "is missing")
            if path.stat().st_size != file.size:
                raise journal.DamagedStoreError(path, f"is damaged: it has {path.stat().st_size} bytes of {file.size}")

    # Runs and seatings

    def begin(self, command: str, matches: Sequence[Match]) -> tuple[int, list[StoredSeating]]:
        """Note that a run of these matches begins: its number and their seatings."""
        rows = [_seating_row(match) for match in matches]
        run = 0

        def changes(catalog: journal.Catalog) -> list[journal.Change]:
            nonlocal run
            run = 1 + max(catalog.runs, default=0)
            new = _new_seatings(catalog, rows)
            ids = {_key(row): row["seating"] for _, row in new}
            for match, row in zip(matches, rows, strict=True):
                row["seating"] = ids.get(_key(row)) or catalog.seating_ids.get(_key(row))
                new.append(["part", [run, row["seating"], match.seed, match.games]])
            return [["run", _run_row(run, command)], *new]

        try:
            self.commit(changes)
        except journal.StoreError:
            pairs = zip(matches, rows, strict=True)
            if not self.writable or any(self.missing(row["seating"], match) for match, row in pairs):
                raise
            self.unnoted.add(run)  # nothing is left to play: the run can do without a note
            self.catalog.apply(changes(self.catalog))
        return run, [StoredSeating(row["seating"], row["code"]) for row in rows]

    def end_run(self, run: int, outcome: str, computed: int) -> None:
        """Note how a run ended, and how many games it computed itself."""
        if run not in self.unnoted:
            end = {"run": run, "ended": _now(), "outcome": outcome, "computed": computed}
            self.commit(lambda catalog: [["end", end]])

    def seating(self, match: Match) -> StoredSeating:
        """The seating of a match, noted if it is new."""
        row = _seating_row(match)
        self.commit(lambda catalog: _new_seatings(catalog, [row]))
        return StoredSeating(self.catalog.seating_ids[_key(row)], row["code"])

    def missing(self, seating: int, match: Match) -> list[Interval]:
        """The seeds of a match whose games are not stored yet, as intervals."""
        return self.catalog.intervals(seating).gaps(match.seed, match.seed + match.games)

    # Games

    def add(self, run: int, parts: Sequence[tuple[int, PlayedChunk]]) -> None:
        """Store chunks of seatings, all or none of them."""
        chunks = journal.joined(
            journal.StoredChunk(s, played.first, played.games, run, played.seconds) for s, played in parts
        )
        self.catalog.refuse_doubles(chunks)
        note = game_files.file_note(self.catalog, chunks, game_files.late_rows(parts))
        try:
            file = game_files.write_columns(self.connection, self.folder.games, game_files.columns_of(parts), note)
        except (duckdb.Error, OSError) as error:
            raise self._unwritable(error) from None

        def changes(catalog: journal.Catalog) -> list[journal.Change]:
            catalog.refuse_doubles(chunks)  # another process may have played the same
            if not (self.folder.games / file.name).exists():  # while we were stopped for an hour
                raise journal.StoreError(f"{file.name} was deleted before it was noted; its games are played again")
            return [["file", file.to_json()]]

        try:
            self.commit(changes)
        except journal.StoreError:
            self._delete_unless_noted(file.name)
            raise
        with suppress(journal.StoreError, duckdb.Error, OSError):  # the games are stored; the next time will do as well
            game_files.merge_small_files(self)

    def _delete_unless_noted(self, name: str) -> None:
        """Delete a file of games after an error; only where the journal can be read and does not name it."""
        with suppress(journal.StoreError, OSError):
            self.refresh()
            if name not in self.catalog.files:
                (self.folder.games / name).unlink()

    def results(self, seating: int, first: int, games: int) -> GameResults:
        """The stored games of these seeds as rows of RESULT, in the order of the seeds."""
        found: dict[str, npt.NDArray[Any]] = self._select(
            f"seed, {', '.join(NUMBERS)}", seating, first, games
        ).fetchnumpy()
        numbers = np.stack([np.asarray(found[name]).astype(np.uint8) for name in NUMBERS])
        return unpack_results(np.asarray(found["seed"]), numbers)

    def record(self, seating: int, seed: int) -> GameRecord:
        """A stored game, played again and checked."""
        rules, seats = self.seated(seating)
        moves, deals = self.moves(seating, seed), deals_of(self.catalog.seatings[seating]["terms"])
        outcome = self._select("points, lives, turns", seating, seed, 1).fetchone()
        game = dealt_game(rules, seed, deals)
        for move in moves:
            game.make(move)
        record = GameRecord.of(game, seats, seed)
        if deals == LIVE:
            record = replace(record, source={"seed": seed_text(rules, seed)})
        if (record.points, record.lives, record.turns) != outcome:
            raise journal.StoreError(
                f"game {seating}/{seed} was played by an earlier version of the table: its moves lead elsewhere now"
            )
        return record

    def moves(self, seating: int, seed: int) -> bytes:
        """The moves of a stored game, a byte each."""
        row = self._select(f"turns, more_moves, {', '.join(MOVE_COLUMNS)}", seating, seed, 1).fetchone()
        if row is None:
            raise journal.StoreError(f"{self.path}: seating {seating} has no game with seed {seed}")
        turns, more, *words = row
        return unpack_moves(tuple(words), more, turns)

    def _select(self, columns: str, seating: int, first: int, games: int) -> duckdb.DuckDBPyConnection:
        files = [file for file in self.catalog.files.values() if file.has(seating, first, first + games)]
        source = game_files.source(self.folder.games, files)
        query = f"SELECT {columns} FROM {source} WHERE seating = ? AND seed >= ? AND seed < ? ORDER BY seed"
        return self.connection.execute(query, [seating, first, first + games])

    def arrow(self, query: str, values: Sequence[Any] = ()) -> Any:
        """The answer to a query as an Arrow table; the view `moves` has the moves of games, a row for each."""
        return self._ask("arrow", query, values, "pyarrow").to_arrow_table()

    def polars(self, query: str, values: Sequence[Any] = ()) -> Any:
        """The answer to a query as a Polars frame."""
        return self._ask("polars", query, values, "pyarrow", "polars").pl()

    def pandas(self, query: str, values: Sequence[Any] = ()) -> Any:
        """The answer to a query as a pandas frame."""
        return self._ask("pandas", query, values, "pandas").df()

    def _ask(self, method: str, query: str, values: Sequence[Any], *needed: str) -> Any:
        for module in needed:
            if find_spec(module) is None:
                raise ImportError(f"Store.{method} needs {module}: pip install 'kagiya[data]'")
        self.fill_tables()
        return self.connection.sql(query, params=list(values))

    def seated(self, seating: int) -> tuple[Rules, list[str]]:
        """The rules and the agents of a seating."""
        found = self.catalog.seatings.get(seating)
        if found is None:
            raise journal.StoreError(f"{self.path} has no seating {seating}; `kagiya results` lists them")
        return Rules.from_json(json.loads(found["rules"])), found["seats"]


def deals_of(terms: str) -> str:
    """Who shuffled the decks of a seating, by its terms."""
    return next((term[len(DEALS_TERM) :] for term in terms.split("; ") if term.startswith(DEALS_TERM)), OWN)


def _new_seatings(catalog: journal.Catalog, rows: Sequence[journal.Row]) -> list[journal.Change]:
    new = {_key(row): row for row in rows if _key(row) not in catalog.seating_ids}
    first = 1 + max(catalog.seatings, default=0)
    return [["seating", {**row, "seating": number}] for number, row in enumerate(new.values(), first)]


def _key(row: journal.Row) -> tuple[str, str, str, str]:
    return row["rules"], row["team"], row["code"], row["terms"]


def _seating_row(match: Match) -> journal.Row:
    rules = match.rules
    return {
        "seating": 0,
        **_rules_columns(rules),
        "players": rules.players,
        "seats": [agent.text for agent in match.agents],
        "team": " + ".join(agent.text for agent in match.agents),
        "code": code_version(match.agents),
        "terms": _terms(match),
    }


@cache
def _rules_columns(rules: Rules) -> dict[str, str]:
    return {"rules": json.dumps(rules.to_json(), sort_keys=True), "preset": rules.text()}


def _terms(match: Match) -> str:
    """What else decides a game: the clock, and for players that remember, where their memory begins."""
    terms = [] if match.deals == OWN else [f"{DEALS_TERM}{match.deals}"]
    terms += [f"clock {match.clock.text()}"] if match.clock is not None and match.is_timed else []
    if match.horizon:
        terms.append(f"memory of {match.horizon} games from {match.seed % match.horizon}")
    return "; ".join(terms)


def _run_row(run: int, command: str) -> journal.Row:
    made = provenance(command)
    versions = {name: made[name] for name in game_files.VERSIONS}
    begun = {"run": run, "command": command, "started": _now(), "ended": None, "outcome": "running", "computed": 0}
    return {**begun, **versions, "git_commit": commit_here(), "pid": os.getpid()}


def _now() -> str:
    return datetime.now(UTC).replace(tzinfo=None).isoformat(timespec="milliseconds")
