"""The store's journal: numbered entries of changes, written whole and never edited.

Whoever creates the next number has committed, so several processes may write at once. Now and then a checkpoint says
what all entries up to it come to, and much older entries are deleted.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from kagiya.lab.store.durable import write_first, write_whole
from kagiya.lab.store.errors import DamagedStoreError

Change = list[Any]  # a kind and its data, see `catalog.py`
ENTRY, CHECKPOINT = ".json", ".checkpoint"
CHECKPOINT_EVERY = 64  # entries
GRACE = 3600.0  # seconds that something replaced stays for those who are still reading it


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
        write_whole(self.path(self.number, CHECKPOINT), encode(changes))
        old = [self.path(number) for number in self.numbers() if number <= before]
        old += [self.path(number, CHECKPOINT) for number in self.numbers(CHECKPOINT) if number < before]
        for path in old:
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > GRACE:
                    path.unlink()

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
            changes += decode(self.path(self.number + 1))
            self.number += 1
        return changes
