"""What the journal's entries come to: runs, seatings, the files of games and the seeds that they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, NamedTuple

from kagiya.lab.store.errors import StoreError
from kagiya.lab.store.intervals import Intervals
from kagiya.lab.store.journal import Change

Row = dict[str, Any]
Key = tuple[str, str, str, str]  # what makes a seating: rules, team, code, terms


class StoredChunk(NamedTuple):
    """Consecutive games of a seating, in one file."""

    seating: int
    first: int
    games: int
    run: int
    seconds: float

    @property
    def after(self) -> int:
        """The seed after its last."""
        return self.first + self.games


@dataclass(frozen=True)
class GameFile:
    """A file of games, and what it must be to be undamaged."""

    name: str
    size: int  # bytes
    checksum: int
    chunks: tuple[StoredChunk, ...]
    late: tuple[tuple[int, ...], ...]  # rows of the table of that name

    @property
    def games(self) -> int:
        return sum(chunk.games for chunk in self.chunks)

    @classmethod
    def of(cls, data: Row) -> GameFile:
        """From JSON."""
        chunks = tuple(StoredChunk(*chunk) for chunk in data["chunks"])
        late = tuple(tuple(row) for row in data["late"])
        return cls(data["name"], data["size"], data["checksum"], chunks, late)

    def to_json(self) -> Row:
        """The inverse of `of`."""
        return dict(vars(self))

    def has(self, seating: int, first: int, after: int) -> bool:
        """Whether some of these games may be here."""
        return any(chunk.seating == seating and chunk.first < after and chunk.after > first for chunk in self.chunks)


def joined(chunks: Iterable[StoredChunk]) -> list[StoredChunk]:
    """The same games in as few chunks as there can be."""
    found: list[StoredChunk] = []
    for chunk in sorted(chunks, key=attrgetter("seating", "first")):
        last = found[-1] if found else None
        if last and (last.seating, last.after, last.run) == (chunk.seating, chunk.first, chunk.run):
            found[-1] = last._replace(games=last.games + chunk.games, seconds=last.seconds + chunk.seconds)
        else:
            found.append(chunk)
    return found


class Catalog:
    """Everything in a store but the games."""

    def __init__(self, changes: Iterable[Change] = ()) -> None:
        self.runs: dict[int, Row] = {}
        self.seatings: dict[int, Row] = {}
        self.seating_ids: dict[Key, int] = {}
        self.parts: list[list[int]] = []  # run, seating, first seed, games
        self.files: dict[str, GameFile] = {}
        self.stored: dict[int, Intervals] = {}  # by seating
        self.version = 0  # counts the changes
        self._appliers: dict[str, Callable[[Any], None]] = {
            "run": self._add_run,
            "end": self._end_run,
            "seating": self._add_seating,
            "part": self.parts.append,
            "file": self._add_file,
            "drop": self._drop_file,
        }
        self.apply(changes)

    def apply(self, changes: Iterable[Change]) -> None:
        """Take in changes, in their order."""
        for kind, data in changes:
            self._appliers[kind](data)
            self.version += 1

    def changes(self) -> list[Change]:
        """What leads to this catalog from an empty one."""
        found: list[Change] = [["run", run] for run in self.runs.values()]
        found += [["seating", seating] for seating in self.seatings.values()]
        found += [["part", part] for part in self.parts]
        return found + [["file", file.to_json()] for file in self.files.values()]

    def next_run(self) -> int:
        """The number of a new run."""
        return 1 + max(self.runs, default=0)

    def next_seating(self) -> int:
        """The number of a new seating."""
        return 1 + max(self.seatings, default=0)

    def seating_of(self, key: Key) -> int | None:
        """The number of a seating."""
        return self.seating_ids.get(key)

    def intervals(self, seating: int) -> Intervals:
        """The stored seeds of a seating."""
        return self.stored.setdefault(seating, Intervals())

    def refuse_doubles(self, chunks: Sequence[StoredChunk]) -> None:
        """Raises if one of these games is stored, or comes twice."""
        seen = {chunk.seating: self.intervals(chunk.seating).copy() for chunk in chunks}
        for chunk in chunks:
            double = seen[chunk.seating].first_in(chunk.first, chunk.after)
            if double is not None:
                raise StoreError(f"games from seed {double} of seating {chunk.seating} are stored already")
            seen[chunk.seating].add(chunk.first, chunk.after)

    def _add_run(self, row: Row) -> None:
        self.runs[row["run"]] = dict(row)

    def _end_run(self, row: Row) -> None:
        self.runs[row["run"]].update(row)

    def _add_seating(self, row: Row) -> None:
        self.seatings[row["seating"]] = row
        self.seating_ids[row["rules"], row["team"], row["code"], row["terms"]] = row["seating"]

    def _add_file(self, data: Row) -> None:
        file = GameFile.of(data)
        self.files[file.name] = file
        for chunk in file.chunks:
            self.intervals(chunk.seating).add(chunk.first, chunk.after)

    def _drop_file(self, name: str) -> None:
        for chunk in self.files.pop(name).chunks:
            self.intervals(chunk.seating).remove(chunk.first, chunk.after)
