"""`kagiya store check`: what is missing, damaged or left over in a store; nothing is changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb

from kagiya.lab.store.catalog import Catalog, GameFile, Row
from kagiya.lab.store.errors import DamagedStoreError, StoreError
from kagiya.lab.store.game_files import ENDING, fingerprint, literal
from kagiya.lab.store.journal import CHECKPOINT, ENTRY, Change, Journal, decode
from kagiya.lab.store.opening import StoreFolder


@dataclass
class Condition:
    """What a store is in."""

    folder: StoreFolder
    catalog: Catalog  # as far as the journal can be read
    last: int  # number of the journal's last entry
    mark_is_good: bool = True
    damaged_entries: list[Path] = field(default_factory=list)
    missing_entries: list[int] = field(default_factory=list)
    damaged_files: list[GameFile] = field(default_factory=list)
    missing_files: list[GameFile] = field(default_factory=list)
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
        raise StoreError(f"there is no store at {path}")
    found = read_journal(folder)
    try:
        folder.check()
    except (DamagedStoreError, FileNotFoundError):
        found.mark_is_good = False
    for file in found.catalog.files.values():
        place = folder.games / file.name
        if not place.exists():
            found.missing_files.append(file)
        elif fingerprint(place) != (file.size, file.checksum):
            found.damaged_files.append(file)
    found.unlisted = [
        place for place in sorted(folder.games.glob(f"*{ENDING}")) if place.name not in found.catalog.files
    ]
    return found


def read_journal(folder: StoreFolder) -> Condition:
    """What the journal says, without the entries that cannot be read."""
    journal = Journal(folder.journal)
    found = Condition(folder, Catalog(), journal.last())
    start, changes = _best_checkpoint(journal, found)
    found.catalog.apply(changes)
    for number in range(start + 1, found.last + 1):
        path = journal.path(number)
        if not path.exists():
            found.missing_entries.append(number)
            continue
        try:
            changes = decode(path)
        except DamagedStoreError:
            found.damaged_entries.append(path)
            continue
        _apply(found.catalog, changes)
    return found


def _best_checkpoint(journal: Journal, found: Condition) -> tuple[int, list[Change]]:
    for number in reversed(journal.numbers(CHECKPOINT)):
        try:
            return number, decode(journal.path(number, CHECKPOINT))
        except DamagedStoreError:
            found.damaged_entries.append(journal.path(number, CHECKPOINT))
    entries = journal.numbers(ENTRY)
    return (entries[0] - 1 if entries and found.damaged_entries else 0), []


def _apply(catalog: Catalog, changes: list[Change]) -> None:
    """What follows a lost entry may speak of what was in it: then it is left out."""
    for change in changes:
        kind, data = change
        unknown_run = kind == "end" and data["run"] not in catalog.runs
        unknown_file = kind == "drop" and data not in catalog.files
        if not (unknown_run or unknown_file):
            catalog.apply([change])


def note_in(path: Path) -> Row | None:
    """What a file of games says about itself; None if it cannot be read to its end."""
    try:
        with duckdb.connect() as connection:
            query = f"SELECT decode(value) FROM parquet_kv_metadata({literal(path)}) WHERE decode(key) = 'kagiya'"
            found = connection.execute(query).fetchone()
            note: dict[str, Any] = json.loads(found[0]) if found else {}
            counted = connection.execute(f"SELECT count(*), sum(hash(columns(*))) FROM {literal(path)}").fetchone()
    except (duckdb.Error, ValueError):
        return None
    games = sum(chunk[2] for chunk in note.get("chunks", ()))
    return note if counted and note and counted[0] == games else None
