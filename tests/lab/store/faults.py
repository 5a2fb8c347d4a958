"""Faults in the files of a store, one at a time: each is noticed or does no harm, and a repair brings all rows back.

    python -m tests.lab.store.faults [COUNT]

A fault is a flipped bit, a cut, or a sync that fails. A command that meets it plays on or names what is wrong; its
answer is never another one. After `kagiya store repair` and the same command again the rows are those of a store
without faults.
"""

from __future__ import annotations

import errno
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from kagiya import Match
from kagiya.lab.store import game_files, journal
from kagiya.lab.store.journal import StoreError
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.repair import check_store, repair_store
from kagiya.lab.store.store import Store
from tests.lab.store.test_repair import MATCH, many_files

FAULTS = ("flipped bit", "cut", "failed sync")
LONGER = Match.of(MATCH.rules, list(MATCH.agents), MATCH.games + 15, MATCH.seed)
MOST_SYNCS = 16  # that a trial's command makes
Rows = list[tuple[Any, ...]]
# Without the number of the seating, which a repair may give again.
QUERY = "SELECT team, preset, terms, game.* EXCLUDE (seating) FROM game JOIN seating USING (seating) ORDER BY seed"


@contextmanager
def small_store() -> Iterator[None]:
    """Merge and make checkpoints all the time."""
    with patch.object(journal, "CHECKPOINT_EVERY", 5), patch.object(game_files, "MAX_SMALL_FILES", 4):
        yield


def make_whole(path: Path, is_tidy: bool = False) -> Path:
    """A store without faults: entries, checkpoints, files of games, merged ones; unless tidy, what these replaced."""
    with small_store(), patch.object(journal, "GRACE", -1.0 if is_tidy else journal.GRACE):
        many_files(path)
    return path


def play(path: Path) -> Rows:
    """The command that meets the faults: it plays the games that are missing, and shows all."""
    with small_store(), Store.open(path) as store:
        run_matches([LONGER], store)
    with Store.read(path) as store:
        return store.rows(QUERY)


class Trial:
    """Faults in copies of a store."""

    def __init__(self, whole: Path, home: Path) -> None:
        self.whole, self.home = whole, home
        self.right = play(Path(shutil.copytree(whole, home / f"right {whole.name}")))
        self.files = sorted(file.relative_to(whole) for file in whole.rglob("*") if file.is_file())

    def check(self, fault: str, number: int) -> str:
        """What became of a fault: "noticed" or "harmless"; the files take turns."""
        path, rng = self.home / "faulty", random.Random(f"{fault} {number}")
        shutil.copytree(self.whole, path)
        file = path / self.files[number % len(self.files)]
        if fault == "failed sync":
            what = f"sync {number % MOST_SYNCS} fails"
            noticed = self.meet(path, what, number % MOST_SYNCS)
        else:
            what = f"{file.relative_to(path)}: {fault} at {damage(file, fault, rng)}"
            noticed = self.meet(path, what)
        is_good = is_whole(path)
        repair_store(path)
        assert play(path) == self.right, what
        assert is_whole(path), what
        shutil.rmtree(path)
        return "harmless" if is_good and not noticed else "noticed"

    def meet(self, path: Path, what: str, failing: int | None = None) -> bool:
        """Whether the command says that something is wrong; else its rows are right."""
        try:
            with failing_sync(failing):
                rows = play(path)
        except StoreError:
            return True
        assert rows == self.right, what
        return False


def damage(file: Path, fault: str, rng: random.Random) -> str:
    """Flip one bit of a file, or cut it somewhere; returns where."""
    content = bytearray(file.read_bytes())
    place, bit = rng.randrange(len(content)), rng.randrange(8)
    if fault == "cut":
        del content[place:]
    else:
        content[place] ^= 1 << bit
    file.write_bytes(content)
    return f"{place}.{bit}"


@contextmanager
def failing_sync(number: int | None) -> Iterator[None]:
    """In the block, one call to synchronize fails."""
    sync, left = os.fsync, [number]

    def fsync(descriptor: int) -> None:
        if left[0] is not None:
            left[0] -= 1
        if left[0] == -1:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        sync(descriptor)

    with patch.object(os, "fsync", fsync):
        yield


def is_whole(path: Path) -> bool:
    """Whether `kagiya store check` finds nothing."""
    try:
        return check_store(path).is_good
    except StoreError:
        return False


def main(count: int) -> None:
    """All trials; an AssertionError names the first that fails."""
    found: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        trials = [Trial(make_whole(home / name, name == "tidy"), home) for name in ("tidy", "untidy")]
        for number in range(count):
            fault = FAULTS[number % len(FAULTS)]
            found[fault, trials[number % 2].check(fault, number // 6)] += 1
    for (fault, outcome), times in sorted(found.items()):
        sys.stdout.write(f"{fault}: {times} {outcome}\n")
    files = sum(len(trial.files) for trial in trials)
    sys.stdout.write(f"{files} files of two stores, {found.total()} faults: afterwards the rows are the same\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
