"""Repair of a store: `kagiya store check` and `repair`.

A check finds what is missing, damaged or left over; a repair keeps what is damaged aside and goes on with what is
complete.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb

from kagiya.lab.match.match import Interval
from kagiya.lab.store import game_files, journal
from kagiya.lab.store.store import StoreFolder


@dataclass
class Condition:
    """What a store is in."""

    folder: StoreFolder
    catalog: journal.Catalog  # as far as the journal can be read
    last: int  # number of the journal's last entry
    mark_is_good: bool = True
    damaged_entries: list[Path] = field(default_factory=list)
    missing_entries: list[int] = field(default_factory=list)
    damaged_files: list[journal.GameFile] = field(default_factory=list)
    missing_files: list[journal.GameFile] = field(default_factory=list)
    unlisted: list[Path] = field(default_factory=list)  # files of games that the journal does not name

    @property
    def is_good(self) -> bool:
        """Whether the store can be used as it is. Unlisted files do no harm: they are what a killed process leaves."""
        faults = (self.damaged_entries, self.missing_entries, self.damaged_files, self.missing_files)
        return self.mark_is_good and not any(faults)

    @property
    def games(self) -> int:
        """In files that are whole."""
        bad = {file.name for file in (*self.damaged_files, *self.missing_files)}
        return sum(file.games for file in self.catalog.files.values() if file.name not in bad)

    def sentences(self) -> Iterator[str]:
        """Each fault, for people."""
        if not self.mark_is_good:
            yield f"{self.folder.mark} is missing or damaged"
        for path in self.damaged_entries:
            yield f"{path} is damaged"
        for number in self.missing_entries:
            yield f"entry {number} of the journal is missing"
        for file in self.damaged_files:
            yield f"{self.folder.games / file.name} is damaged: {file.games:,} games"
        for file in self.missing_files:
            yield f"{self.folder.games / file.name} is missing: {file.games:,} games"


def check_store(path: Path) -> Condition:
    """Read all there is in a store."""
    folder = StoreFolder(path)
    if not (folder.journal.is_dir() and folder.games.is_dir()):
        raise journal.StoreError(f"there is no store at {path}")
    found = read_journal(folder)
    try:
        folder.check()
    except (journal.DamagedStoreError, FileNotFoundError):
        found.mark_is_good = False
    for file in found.catalog.files.values():
        place = folder.games / file.name
        if not place.exists():
            found.missing_files.append(file)
        elif game_files.fingerprint(place) != (file.size, file.checksum):
            found.damaged_files.append(file)
    found.unlisted = [
        place for place in sorted(folder.games.glob(f"*{game_files.ENDING}")) if place.name not in found.catalog.files
    ]
    return found


def read_journal(folder: StoreFolder) -> Condition:
    """What the journal says, without the entries that cannot be read."""
    written = journal.Journal(folder.journal)
    found = Condition(folder, journal.Catalog(), written.last())
    start, changes = _best_checkpoint(written, found)
    found.catalog.apply(changes)
    for number in range(start + 1, found.last + 1):
        path = written.path(number)
        if not path.exists():
            found.missing_entries.append(number)
            continue
        try:
            changes = journal.decode(path)
        except journal.DamagedStoreError:
            found.damaged_entries.append(path)
            continue
        _apply(found.catalog, changes)
    return found


def _best_checkpoint(written: journal.Journal, found: Condition) -> tuple[int, list[journal.Change]]:
    for number in reversed(written.numbers(journal.CHECKPOINT)):
        try:
            return number, journal.decode(written.path(number, journal.CHECKPOINT))
        except journal.DamagedStoreError:
            found.damaged_entries.append(written.path(number, journal.CHECKPOINT))
    entries = written.numbers(journal.ENTRY)
    return (entries[0] - 1 if entries and found.damaged_entries else 0), []


def _apply(catalog: journal.Catalog, changes: list[journal.Change]) -> None:
    """What follows a lost entry may speak of what was in it: then it is left out."""
    for change in changes:
        kind, data = change
        unknown_run = kind == "end" and data["run"] not in catalog.runs
        unknown_file = kind == "drop" and data not in catalog.files
        if not (unknown_run or unknown_file):
            catalog.apply([change])


def note_in(path: Path) -> journal.Row | None:
    """What a file of games says about itself; None if it cannot be read to its end."""
    try:
        with duckdb.connect() as connection:
            file = game_files.literal(path)
            query = f"SELECT decode(value) FROM parquet_kv_metadata({file}) WHERE decode(key) = 'kagiya'"
            found = connection.execute(query).fetchone()
            note: dict[str, Any] = json.loads(found[0]) if found else {}
            counted = connection.execute(f"SELECT count(*), sum(hash(columns(*))) FROM {file}").fetchone()
    except (duckdb.Error, ValueError):
        return None
    games = sum(chunk[2] for chunk in note.get("chunks", ()))
    return note if counted and note and counted[0] == games else None


@dataclass
class Recovery:
    """What a repair did."""

    games: int = 0  # in the store now
    recovered: int = 0  # of them, those that the journal had lost
    lost: int = 0  # games that were stored and must be played again
    aside: list[Path] = field(default_factory=list)  # where damaged files are now


def repair_store(path: Path) -> Recovery:
    """Make a damaged store one that can be used. No experiment may be writing to it."""
    found = check_store(path)
    recovery = Recovery()
    if found.is_good:
        recovery.games = found.games
        return recovery
    catalog = found.catalog
    dropped = [*found.damaged_files, *found.missing_files]
    catalog.apply(["drop", file.name] for file in dropped)
    for unlisted in found.unlisted:
        recovery.recovered += adopt(catalog, unlisted)
    _complete(found)
    _rewrite_journal(found)
    recovery.aside = _put_aside(found)
    recovery.games = sum(file.games for file in catalog.files.values())
    gaps = [gap for file in dropped for chunk in file.chunks for gap in _gaps(catalog, chunk)]
    recovery.lost = sum(after - first for first, after in gaps)
    return recovery


def _gaps(catalog: journal.Catalog, chunk: journal.StoredChunk) -> list[Interval]:
    return catalog.intervals(chunk.seating).gaps(chunk.first, chunk.after)


def adopt(catalog: journal.Catalog, path: Path) -> int:
    """Take in a file of games that the journal does not name, unless its games are there; returns how many."""
    note = None if journal.FORBIDDEN & set(path.name) else note_in(path)
    if note is None:
        return 0
    chunks = tuple(journal.StoredChunk(*chunk) for chunk in note["chunks"])
    try:
        catalog.refuse_doubles(chunks)
    except journal.StoreError:
        return 0
    for row in note["seatings"]:
        known = catalog.seatings.get(row["seating"])
        if known is not None and known != row:
            return 0  # the number was given again; whose games these are cannot be said in this catalog
    catalog.apply(["seating", row] for row in note["seatings"] if row["seating"] not in catalog.seatings)
    size, checksum = game_files.fingerprint(path)
    file = journal.GameFile(path.name, size, checksum, chunks, tuple(map(tuple, note["late"])))
    catalog.apply([["file", file.to_json()]])
    return file.games


def _complete(found: Condition) -> None:
    """Seatings that a lost entry had named are in the files of their games; runs are only known by number."""
    catalog, folder = found.catalog, found.folder.games
    for file in list(catalog.files.values()):
        if any(chunk.seating not in catalog.seatings for chunk in file.chunks):
            rows = (note_in(folder / file.name) or {"seatings": []})["seatings"]
            catalog.apply(["seating", row] for row in rows if row["seating"] not in catalog.seatings)
    catalog.parts[:] = [part for part in catalog.parts if part[1] in catalog.seatings]
    chunks = [chunk for file in catalog.files.values() for chunk in file.chunks]
    known = {chunk.run for chunk in chunks} | {part[0] for part in catalog.parts}
    lost = {"command": "", "started": None, "ended": None, "outcome": "unknown", "computed": 0}
    catalog.apply(["run", {"run": run, **lost}] for run in sorted(known - set(catalog.runs)))


def _rewrite_journal(found: Condition) -> None:
    """A new entry and, at its number, a checkpoint that makes all entries before it unnecessary."""
    written = journal.Journal(found.folder.journal)
    written.number = found.last
    if not written.append([]):
        raise journal.StoreError(f"{found.folder.path} is in use by an experiment; repair it when that is done")
    written.write_checkpoint(found.catalog.changes())
    if not found.mark_is_good:
        found.folder.make()


def _put_aside(found: Condition) -> list[Path]:
    home = found.folder.damaged
    home.mkdir(exist_ok=True)
    aside = []
    for path in [*found.damaged_entries, *(found.folder.games / file.name for file in found.damaged_files)]:
        os.replace(path, home / path.name)
        aside.append(home / path.name)
    journal.sync(home)
    return aside
