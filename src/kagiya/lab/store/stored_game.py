"""One game of the store with where it comes from, for whoever wants to look at it again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kagiya.engine.record import GameRecord
from kagiya.lab.store.store import Store


@dataclass(frozen=True)
class StoredGame:
    """A game as it was played, and the code and terms that played it."""

    record: GameRecord
    seating: int
    seed: int
    code: str  # compare with `code_version` of the agents: another one may move otherwise today
    terms: str
    run: int | None  # that played it


def read_stored_game(path: Path | None, seating: int, seed: int) -> StoredGame:
    """Open the store, read one game, close the store.

    Raises StoreError, whose text is for people: there is no such store or game, or the moves lead elsewhere now.
    """
    with Store.read(path) as store:
        return find_stored_game(store, seating, seed)


def find_stored_game(store: Store, seating: int, seed: int) -> StoredGame:
    """A game of an open store; all its moves are made again, and what comes of them is compared."""
    record = store.record(seating, seed)
    row = store.catalog.seatings[seating]
    chunks = [chunk for file in store.catalog.files.values() for chunk in file.chunks]
    played = (chunk.run for chunk in chunks if chunk.seating == seating and chunk.first <= seed < chunk.after)
    return StoredGame(record, seating, seed, row["code"], row["terms"], next(played, None))
