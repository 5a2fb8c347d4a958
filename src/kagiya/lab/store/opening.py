"""Where a store is, and whether a folder is one."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from kagiya.lab.store.game_files import FORMAT, MARK
from kagiya.lab.store.journal import PART, DamagedStoreError, MissingStoreError, StoreError, reason, write_whole

MEMORY = ":memory:"
MARK_FILE = "kagiya-store.json"
DUCKDB = b"DUCK"  # what DuckDB's files have at byte 8: stores of format 1 were such files


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
        return all((path.name in expected and not any(path.iterdir())) or path.name.endswith(PART) for path in inside)

    def make(self) -> None:
        """Make a store; again, where that was interrupted."""
        self.journal.mkdir(parents=True, exist_ok=True)
        self.games.mkdir(exist_ok=True)
        write_whole(self.mark, json.dumps({"mark": MARK, "format": FORMAT}) + "\n")

    def check(self) -> None:
        """Raises unless this is a store that this version can use."""
        try:
            found = json.loads(self.mark.read_text(encoding="utf-8"))
            mark, number = found["mark"], found["format"]
        except (ValueError, KeyError, TypeError):
            raise DamagedStoreError(self.mark, "is damaged") from None
        if mark != MARK:
            raise StoreError(f"{self.path} is not a store: {MARK_FILE} in it was not written by Kagiya")
        if number != FORMAT:
            raise StoreError(f"{self.path} has format {number}; this version of Kagiya reads format {FORMAT}")


def default_store() -> Path:
    """``KAGIYA_STORE``, else under the user's data folder."""
    if chosen := os.environ.get("KAGIYA_STORE"):
        return Path(chosen).expanduser()
    return user_folder() / "results"


def user_folder() -> Path:
    """Where Kagiya keeps what belongs to a user: the store, saved games, tables, reviews."""
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "kagiya"


def open_to_write(path: Path) -> StoreFolder:
    """A store's folder, made if there is none."""
    folder = StoreFolder(path)
    _refuse_file(path)
    try:
        if not path.exists() or (not folder.mark.exists() and folder.is_unfinished()):
            folder.make()
        return _checked(folder)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {reason(error)}") from None


def open_to_read(path: Path) -> StoreFolder:
    """A store's folder."""
    _refuse_file(path)
    folder = StoreFolder(path)
    try:
        if not path.exists() or (not folder.mark.exists() and folder.is_unfinished()):
            raise MissingStoreError(f"there is no store at {path} yet; `kagiya match --store` and others make one")
        return _checked(folder)
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {reason(error)}") from None


def is_old_store(path: Path) -> bool:
    """Whether this is a DuckDB file, as stores of format 1 were."""
    with path.open("rb") as file:
        return file.read(12)[8:] == DUCKDB


def _checked(folder: StoreFolder) -> StoreFolder:
    if not folder.mark.exists():
        if folder.journal.is_dir() and folder.games.is_dir():
            raise DamagedStoreError(folder.mark, "is missing")
        raise StoreError(f"{folder.path} is not a store, but a folder of something else; nothing was changed")
    folder.check()
    return folder


def _refuse_file(path: Path) -> None:
    if not path.is_file():
        return
    if is_old_store(path):
        raise StoreError(f"{path} may be a store of an earlier version; `kagiya store convert {path} NEW` reads it")
    raise StoreError(f"{path} is not a store: a store is a folder, and this is a file; nothing was changed")
