"""The store's journal: numbered entries of changes, written whole and never edited, and the catalog they come to.

To create the next number is to commit, so several processes may write at once. Now and then a checkpoint says
what all entries up to it come to, and much older entries are deleted. The catalog knows the runs, the seatings, the
files of games and the seeds that they hold.
"""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
import time
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from kagiya.lab.match.match import Interval

PART = ".part"  # how the name of an unfinished file ends
Change = list[Any]  # a kind and its data, see `Catalog`
ENTRY, CHECKPOINT = ".json", ".checkpoint"
CHECKPOINT_EVERY = 64  # entries
GRACE = 3600.0  # seconds that something replaced stays for those who are still reading it
# What systems say that know no hard links: FAT, some network shares, some mounts of other systems.
NO_LINKS = {errno.EPERM, errno.EACCES, errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}
WRITTEN_AT_ONCE = 0.5  # seconds after which an entry without an end is not one that is being written
FORBIDDEN = frozenset("/\\:*?[\0")  # in the name of a file of games, which is one in the folder and no pattern
Row = dict[str, Any]
Key = tuple[str, str, str, str]  # what makes a seating: rules, team, code, terms


class StoreError(RuntimeError):
    """The store cannot be used; says why."""


class MissingStoreError(StoreError):
    """There is nothing at the place of the store yet."""


class UnreadableStoreError(StoreError):
    """DuckDB could not read the games: a file is damaged, or was merged into another while the store was open."""

    def __init__(self, path: object, error: Exception) -> None:
        super().__init__(f"{path} cannot be read: {reason(error)}; `kagiya store check` says what is wrong")


class DamagedStoreError(StoreError):
    """A file of the store is missing or not as it was written; says which, and what to do."""

    def __init__(self, path: object, what: str) -> None:
        super().__init__(f"{path} {what}; `kagiya store repair` recovers what is complete")


def reason(error: Exception) -> str:
    """The reason of DuckDB or of the operating system, without its class and its advice."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    first = str(error).strip().splitlines()[0]
    return re.sub(r"^\w[\w ]* Error: ", "", first).rstrip(".")


def part_of(path: Path) -> Path:
    """A name beside `path` that no other process uses, hidden from patterns such as ``*.parquet``."""
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}{PART}")


def sync(path: Path) -> None:
    """Wait until a file or a folder's list of names is on the disk."""
    is_folder = path.is_dir()
    if is_folder and not hasattr(os, "O_DIRECTORY"):
        return  # Windows opens no folders
    descriptor = os.open(path, os.O_RDONLY if is_folder else os.O_RDWR)  # and synchronizes what it may write
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def unfinished(path: Path) -> Iterator[Path]:
    """Where a file is written in the block; whole and on the disk, it then takes the place of the old one."""
    part = part_of(path)
    try:
        yield part
        sync(part)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    sync(path.parent)


def write_durably(path: Path, text: str) -> None:
    """Write a file, in place of the old one if there is one."""
    with unfinished(path) as part:
        part.write_bytes(text.encode())


def write_first(path: Path, text: str) -> bool:
    """Write a file unless it exists; of several processes that try, one succeeds."""
    part = part_of(path)
    try:
        part.write_bytes(text.encode())
        sync(part)
        try:
            os.link(part, path)
        except OSError as error:
            if error.errno not in NO_LINKS:
                raise
            _write_in_place(path, text)
    except FileExistsError:
        return False
    finally:
        part.unlink(missing_ok=True)
    sync(path.parent)
    return True


def _write_in_place(path: Path, text: str) -> None:
    """Without hard links: no other process can begin the same file, but a power cut may leave half of it."""
    with path.open("xb") as file:
        try:
            file.write(text.encode())
            file.flush()
        except OSError:
            path.unlink()  # nobody takes half an entry for a whole one
            raise
    sync(path)


def delete_old(paths: Sequence[Path]) -> None:
    """Delete files of one folder, as far as we may, unless a process may still be reading or writing them.

    Their age is told by the clock that dates the folder's files: ours may be wrong, or the folder another machine's.
    """
    with suppress(OSError):
        now = _time_in(paths[0].parent) if paths else 0.0
        for path in paths:
            if now - path.stat().st_mtime > GRACE:
                path.unlink()


def _time_in(folder: Path) -> float:
    probe = part_of(folder / "now")
    try:
        probe.touch()
        return probe.stat().st_mtime
    finally:
        probe.unlink(missing_ok=True)


class Intervals:
    """Intervals in order that neither touch nor overlap."""

    def __init__(self) -> None:
        self._firsts: list[int] = []
        self._afters: list[int] = []

    def __iter__(self) -> Iterator[Interval]:
        return zip(self._firsts, self._afters, strict=True)

    def copy(self) -> Intervals:
        """One that can change by itself."""
        other = Intervals()
        other._firsts, other._afters = list(self._firsts), list(self._afters)
        return other

    def add(self, first: int, after: int) -> None:
        """Take in an interval, none of which is here yet."""
        low, high = bisect_left(self._afters, first), bisect_right(self._firsts, after)
        first, after = min([first, *self._firsts[low:high]]), max([after, *self._afters[low:high]])
        self._firsts[low:high], self._afters[low:high] = [first], [after]

    def remove(self, first: int, after: int) -> None:
        """Take out an interval, whether all of it is here or not."""
        low, high = bisect_right(self._afters, first), bisect_left(self._firsts, after)
        cut = list(zip(self._firsts[low:high], self._afters[low:high], strict=True))
        left = [(start, min(end, first)) for start, end in cut if start < first]
        left += [(max(start, after), end) for start, end in cut if end > after]
        self._firsts[low:high], self._afters[low:high] = [start for start, _ in left], [end for _, end in left]

    def first_in(self, first: int, after: int) -> int | None:
        """The first integer of an interval that is here already."""
        place = bisect_right(self._afters, first)
        if place == len(self._firsts) or self._firsts[place] >= after:
            return None
        return max(first, self._firsts[place])

    def gaps(self, first: int, after: int) -> list[Interval]:
        """What is missing of an interval."""
        missing = []
        for place in range(bisect_right(self._afters, first), len(self._firsts)):
            if self._firsts[place] >= after:
                break
            if first < self._firsts[place]:
                missing.append((first, self._firsts[place]))
            first = self._afters[place]
        return [*missing, (first, after)] if first < after else missing


def encode(changes: Sequence[Change]) -> str:
    """A line with its checksum."""
    text = json.dumps(changes, separators=(",", ":"))
    return f"{zlib.crc32(text.encode()):08x} {text}\n"


def decode(path: Path) -> list[Change]:
    """The changes in a file of the journal."""
    checksum, _, text = path.read_bytes().partition(b" ")
    if checksum != b"%08x" % zlib.crc32(text[:-1]) or text[-1:] != b"\n":
        raise DamagedStoreError(path, "is damaged")
    changes: list[Change] = json.loads(text)
    for kind, data in changes:
        name = data["name"] if kind == "file" else data if kind == "drop" else ""
        if FORBIDDEN & set(str(name)):
            raise DamagedStoreError(path, f"is not to be trusted: it names {name!r} as a file of games")
    return changes


class Journal:
    """The journal as far as it was read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.number = 0  # of the last entry that was read or written

    def path(self, number: int, ending: str = ENTRY) -> Path:
        """Where an entry or a checkpoint is."""
        return self.folder / f"{number:010d}{ending}"

    def numbers(self, ending: str = ENTRY) -> list[int]:
        """Of all entries or checkpoints, in order."""
        return sorted(int(path.stem) for path in self.folder.glob(f"[0-9]*{ending}"))

    def news(self) -> tuple[bool, list[Change]]:
        """The changes since the last time; True with all there ever were if entries in between are gone."""
        if self.number:
            changes = self._following()
            if self.last() <= self.number:
                return False, changes
        return True, self._from_checkpoint()

    def last(self) -> int:
        """The highest number there is."""
        return max([0, *self.numbers(), *self.numbers(CHECKPOINT)])

    def append(self, changes: Sequence[Change]) -> bool:
        """Commit changes to what was read last; False if another process was faster, or this one left behind."""
        number = self.number + 1
        if not write_first(self.path(number), encode(changes)):
            return False
        if max([0, *self.numbers(CHECKPOINT)]) >= number:  # it took the place of an entry deleted long ago
            self.path(number).unlink()
            return False
        self.number = number
        return True

    def write_checkpoint(self, changes: Sequence[Change]) -> None:
        """Note what all entries so far come to; the checkpoint before stays in case this one is damaged."""
        before = max([0, *self.numbers(CHECKPOINT)])
        write_durably(self.path(self.number, CHECKPOINT), encode(changes))
        old = [self.path(number) for number in self.numbers() if number <= before]
        old += [self.path(number, CHECKPOINT) for number in self.numbers(CHECKPOINT) if number < before]
        delete_old(old)

    def _from_checkpoint(self) -> list[Change]:
        self.number = max([0, *self.numbers(CHECKPOINT)])
        changes = decode(self.path(self.number, CHECKPOINT)) if self.number else []
        changes += self._following()
        if self.last() > self.number:
            raise DamagedStoreError(self.path(self.number + 1), "is missing")
        return changes

    def _following(self) -> list[Change]:
        changes = []
        while self.path(self.number + 1).exists():
            changes += self._whole(self.path(self.number + 1))
            self.number += 1
        return changes

    def _whole(self, path: Path) -> list[Change]:
        """What is in an entry; without hard links it may still be being written."""
        deadline = time.monotonic() + WRITTEN_AT_ONCE
        while not path.read_bytes().endswith(b"\n") and time.monotonic() < deadline:
            time.sleep(WRITTEN_AT_ONCE / 50)
        return decode(path)


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
