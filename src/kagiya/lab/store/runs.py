"""The runs of the store: what was played when, by which command, versions and commit."""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from kagiya.lab.store.catalog import Catalog, Row

RUNNING = "running"
VERSIONS = ("kagiya", "python", "numba", "numpy", "machine")


@dataclass(frozen=True)
class StoredRun:
    """One run. `state` is how it ended, "running", or "killed" if its process is gone and never said."""

    run: int
    command: str
    started: str
    ended: str | None
    state: str
    games: int  # that it asked for, played by it or before
    computed: int  # that it played itself
    versions: dict[str, str]
    commit: str
    process: int | None

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return dict(vars(self))


def stored_runs(catalog: Catalog, first: int = 0, most: int | None = None) -> list[StoredRun]:
    """Runs, the last one first; `first` says how many of them to pass over."""
    numbers = sorted(catalog.runs, reverse=True)[first : None if most is None else first + most]
    games: dict[int, int] = defaultdict(int)
    for run, _, _, asked in catalog.parts:
        games[run] += asked
    return [_run(catalog.runs[number], games[number]) for number in numbers]


def _run(row: Row, games: int) -> StoredRun:
    state = row["outcome"]
    if state == RUNNING and not is_alive(row.get("pid")):
        state = "killed"
    return StoredRun(
        row["run"],
        row["command"],
        row["started"],
        row["ended"],
        state,
        games,
        row["computed"],
        {name: row.get(name) or "" for name in VERSIONS},
        row.get("git_commit") or "",
        row.get("pid"),
    )


def is_alive(process: int | None) -> bool:
    """Whether a process of this number runs here. One of another machine or a later one may have its number."""
    if not process or process < 1:
        return False
    if os.name != "posix":
        return True  # elsewhere signal 0 is no question
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True  # it is somebody else's
    return True
