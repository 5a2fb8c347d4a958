"""`kagiya store repair`: keeps what is damaged aside and goes on with what is complete."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from kagiya.lab.match.match import Interval
from kagiya.lab.store.catalog import Catalog, GameFile, StoredChunk
from kagiya.lab.store.checking import Condition, check_store, note_in
from kagiya.lab.store.durable import sync
from kagiya.lab.store.errors import StoreError
from kagiya.lab.store.game_files import fingerprint
from kagiya.lab.store.journal import Journal


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


def _gaps(catalog: Catalog, chunk: StoredChunk) -> list[Interval]:
    return catalog.intervals(chunk.seating).gaps(chunk.first, chunk.after)


def adopt(catalog: Catalog, path: Path) -> int:
    """Take in a file of games that the journal does not name, unless its games are there; returns how many."""
    note = note_in(path)
    if note is None:
        return 0
    chunks = tuple(StoredChunk(*chunk) for chunk in note["chunks"])
    try:
        catalog.refuse_doubles(chunks)
    except StoreError:
        return 0
    for row in note["seatings"]:
        known = catalog.seatings.get(row["seating"])
        if known is not None and known != row:
            return 0  # the number was given again; whose games these are cannot be said in this catalog
    catalog.apply(["seating", row] for row in note["seatings"] if row["seating"] not in catalog.seatings)
    size, checksum = fingerprint(path)
    file = GameFile(path.name, size, checksum, chunks, tuple(tuple(row) for row in note["late"]))
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
    journal = Journal(found.folder.journal)
    journal.number = found.last
    if not journal.append([]):
        raise StoreError(f"{found.folder.path} is in use by an experiment; repair it when that is done")
    journal.write_checkpoint(found.catalog.changes())
    if not found.mark_is_good:
        found.folder.make()


def _put_aside(found: Condition) -> list[Path]:
    home = found.folder.damaged
    home.mkdir(exist_ok=True)
    aside = []
    for path in [*found.damaged_entries, *(found.folder.games / file.name for file in found.damaged_files)]:
        os.replace(path, home / path.name)
        aside.append(home / path.name)
    sync(home)
    return aside
