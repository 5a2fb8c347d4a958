"""Keeps the number of files small: many small files of games become one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from kagiya.lab.store import game_files
from kagiya.lab.store.catalog import Catalog, GameFile, Row, StoredChunk, joined
from kagiya.lab.store.journal import Change

if TYPE_CHECKING:
    from kagiya.lab.store.store import Store

SMALL = 2 * 122_880  # games, two of Parquet's row groups
MOST_SMALL_FILES = 32


def about(catalog: Catalog, chunks: Sequence[StoredChunk], late: Iterable[Sequence[int]]) -> Row:
    """What a file of games says about itself, so that it can be read without the journal."""
    seatings = [catalog.seatings[number] for number in sorted({chunk.seating for chunk in chunks})]
    return {"chunks": list(chunks), "late": list(late), "seatings": seatings}


def merge_small_files(store: Store) -> None:
    """Write the games of all small files into one, if there are too many."""
    small = [file for file in store.catalog.files.values() if file.games < SMALL]
    if len(small) <= MOST_SMALL_FILES:
        return
    merged = _write(store, small)

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
    game_files.delete_leftovers(store.folder.games, store.catalog.files)


def _write(store: Store, files: Sequence[GameFile]) -> GameFile:
    folder = store.folder.games
    chunks = joined(chunk for file in files for chunk in file.chunks)
    late = [row for file in files for row in file.late]
    query = f"FROM {game_files.source(folder, files)}"
    return game_files.write_query(store.connection, folder, query, about(store.catalog, chunks, late))
