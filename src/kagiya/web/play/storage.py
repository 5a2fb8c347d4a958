"""Tables on disk: a move is written before it is shown, so a server that dies loses none."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from kagiya.lab.store.store import user_folder
from kagiya.web.pages import RefusedError

FORMAT = 1
DAY = 86_400.0
SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, touched REAL NOT NULL, turn INTEGER NOT NULL DEFAULT 0,
    score INTEGER, data TEXT NOT NULL  -- a score once it is over
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS guests (
    visitor TEXT NOT NULL, id TEXT NOT NULL, seat INTEGER NOT NULL, PRIMARY KEY (visitor, id, seat)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS moves (
    id TEXT NOT NULL, turn INTEGER NOT NULL, move INTEGER NOT NULL, PRIMARY KEY (id, turn)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS notes (
    id TEXT NOT NULL, seat INTEGER NOT NULL, card INTEGER NOT NULL, note TEXT NOT NULL, PRIMARY KEY (id, seat, card)
) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Setup:
    """All of a table that is settled before its first move, and what was taken back since."""

    rules: dict[str, Any]
    seats: tuple[str, ...]  # agents as written; "human" for a person
    names: tuple[str, ...]  # of the players, as the page calls them
    secrets: tuple[str, ...]  # of each seat: the last part of its link
    seed: int  # of the deck, if none is given, and of the agents' dice
    deck: str = ""  # "R1 G1 ...", if it is not the seed's
    pause: float = 1.0  # seconds between two moves of agents
    invitations: tuple[str, ...] = ()  # of each seat: a word that opens it once; empty if the seat is taken
    code: str = ""  # of the agents that play here; "mixed" if it was another one in the meantime
    remarks: tuple[str, ...] = ()  # moves taken back, agents that left: for the record
    made: float = field(default_factory=time.time)

    @classmethod
    def from_text(cls, text: str) -> Setup:
        """The inverse of `text`."""
        data = json.loads(text)
        lists = {name: tuple(data[name]) for name in ("seats", "names", "secrets", "invitations", "remarks")}
        return cls(**{**data, **lists})

    def text(self) -> str:
        """As it is stored."""
        return json.dumps(asdict(self))

    def remarked(self, remark: str) -> Setup:
        """The same with one more remark."""
        return replace(self, remarks=(*self.remarks, remark))


@dataclass(frozen=True)
class TableEntry:
    """A table in a visitor's list."""

    id: str
    seat: int  # theirs
    setup: Setup
    touched: float
    turn: int
    score: int | None  # once the game is over


def tables_file() -> Path:
    """Where tables are kept: beside the saved games of `kagiya play`."""
    return user_folder() / "tables.sqlite"


class Storage:
    """The file of all tables. Every method is one transaction, done when it returns."""

    def __init__(self, file: Path | None = None) -> None:
        """`None` keeps tables in memory, for tests."""
        self._lock = threading.Lock()
        try:
            if file is not None:
                file.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(file or ":memory:", isolation_level=None, check_same_thread=False, timeout=5)
            self._prepare(file)
        except sqlite3.DatabaseError as error:
            reason = "cannot be opened" if isinstance(error, sqlite3.OperationalError) else "is not a file of tables"
            raise ValueError(f"{file} {reason} ({error}); move it elsewhere, or set XDG_DATA_HOME") from None
        except OSError as error:
            raise ValueError(f"{file} cannot be opened ({error.strerror}); set XDG_DATA_HOME") from None

    def _prepare(self, file: Path | None) -> None:
        # A write-ahead log that the system flushes: nothing is lost or damaged when the server is killed, at 0.01 ms a
        # move. To wait for the disk itself (FULL) takes 1 to 4 ms, one time in 20 7 to 18 ms, in which no other table
        # can move; where others write to the same disk, 30 tables waited 0.8 to 1.5 s for their answers (95th
        # percentile, traffic of `kagiya dev bench web`) instead of 0.04 s. So only a power cut can lose the moves of
        # its last moments, and even then the file stays whole.
        found = self._file.execute("PRAGMA user_version").fetchone()[0]
        if found not in (0, FORMAT):
            raise ValueError(f"{file} has format {found}, this version of Kagiya reads {FORMAT}; move it elsewhere")
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.execute("PRAGMA synchronous = NORMAL")
        self._file.executescript(SCHEMA)
        self._file.execute(f"PRAGMA user_version = {FORMAT}")

    def close(self) -> None:
        """Give the file back."""
        with self._lock:
            self._file.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._lock, self._file:
                self._begin()
                yield self._file
        except sqlite3.IntegrityError:
            raise
        except sqlite3.Error as error:
            raise RefusedError(f"This could not be written to disk ({error}), so nothing was changed.") from error

    def _begin(self) -> None:
        self._file.execute("BEGIN IMMEDIATE")

    def _asked(self, question: str, *values: object) -> list[Any]:
        with self._lock:
            return self._file.execute(question, values).fetchall()

    def add(self, table: str, owner: str, seat: int, setup: Setup) -> None:
        """A new table, with its owner in a seat."""
        with self._writing() as file:
            file.execute("INSERT INTO guests VALUES (?, ?, ?)", (owner, table, seat))
            row = (table, owner, setup.made, setup.text())
            file.execute("INSERT INTO tables (id, owner, touched, data) VALUES (?, ?, ?, ?)", row)

    def change(self, table: str, setup: Setup) -> None:
        """Replace the setup of a table."""
        with self._writing() as file:
            file.execute("UPDATE tables SET data = ? WHERE id = ?", (setup.text(), table))

    def join(self, table: str, visitor: str, seat: int, setup: Setup) -> None:
        """A visitor takes a seat; the invitation is used up."""
        with self._writing() as file:
            file.execute("INSERT OR REPLACE INTO guests VALUES (?, ?, ?)", (visitor, table, seat))
            file.execute("UPDATE tables SET data = ? WHERE id = ?", (setup.text(), table))

    def append(self, table: str, turn: int, move: int, score: int | None) -> None:
        """Add the move of a turn, and the score if it was the last."""
        with self._writing() as file:
            row = (time.time(), turn + 1, score, table)
            found = file.execute("UPDATE tables SET touched = ?, turn = ?, score = ? WHERE id = ?", row)
            if not found.rowcount:
                raise RefusedError("This table has been thrown away.")
            file.execute("INSERT INTO moves VALUES (?, ?, ?)", (table, turn, move))

    def take_back(self, table: str, turn: int, setup: Setup) -> None:
        """Forget all moves from this turn on."""
        with self._writing() as file:
            file.execute("DELETE FROM moves WHERE id = ? AND turn >= ?", (table, turn))
            file.execute("UPDATE tables SET data = ?, turn = ?, score = NULL WHERE id = ?", (setup.text(), turn, table))

    def remove(self, table: str) -> None:
        """Forget a table and all of its moves."""
        with self._writing() as file:
            for name in ("tables", "guests", "moves", "notes"):
                file.execute(f"DELETE FROM {name} WHERE id = ?", (table,))

    def note(self, table: str, seat: int, card: int, note: str) -> None:
        """Keep a seat's note on a card; an empty one deletes it."""
        with self._writing() as file:
            if note:
                file.execute("INSERT OR REPLACE INTO notes VALUES (?, ?, ?, ?)", (table, seat, card, note))
            else:
                file.execute("DELETE FROM notes WHERE id = ? AND seat = ? AND card = ?", (table, seat, card))

    def setup(self, table: str) -> Setup | None:
        """The setup of a table, if there is one of this name."""
        found = self._asked("SELECT data FROM tables WHERE id = ?", table)
        return Setup.from_text(found[0][0]) if found else None

    def moves(self, table: str) -> list[int]:
        """All moves of a table."""
        return [move for (move,) in self._asked("SELECT move FROM moves WHERE id = ? ORDER BY turn", table)]

    def notes(self, table: str, seat: int) -> dict[int, str]:
        """By card (its place in the deck) what this seat wrote on it."""
        return dict(self._asked("SELECT card, note FROM notes WHERE id = ? AND seat = ?", table, seat))

    def tables_of(self, visitor: str, most: int = 50) -> list[TableEntry]:
        """The tables at which a visitor sits, the last played first."""
        question = (
            "SELECT id, seat, data, touched, turn, score FROM guests JOIN tables USING (id) "
            "WHERE visitor = ? ORDER BY touched DESC LIMIT ?"
        )
        rows = self._asked(question, visitor, most)
        return [TableEntry(name, seat, Setup.from_text(data), *rest) for name, seat, data, *rest in rows]

    def owner_of(self, table: str) -> str:
        """Who set up a table."""
        found = self._asked("SELECT owner FROM tables WHERE id = ?", table)
        return str(found[0][0]) if found else ""

    def running(self) -> int:
        """How many games are being played: unfinished, and touched within a day."""
        question = "SELECT count(*) FROM tables WHERE score IS NULL AND touched > ?"
        return int(self._asked(question, time.time() - DAY)[0][0])
