"""Where a result comes from: date, command, versions. Written beside every figure that a document shows."""

from __future__ import annotations

import json
import platform
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from kagiya import __version__
from kagiya.lab.code_version import commit_here

try:
    import fcntl
except ImportError:  # Windows, where two processes that write at the same moment may still lose a cell
    fcntl = None  # type: ignore[assignment]

LOCK = ".lock"
VERSION = __version__


def provenance(command: str) -> dict[str, Any]:
    """What somebody would need to make a result again."""
    return {
        "command": command,
        "date": datetime.now(UTC).date().isoformat(),
        "kagiya": VERSION,
        "commit": commit_here(),
        "python": platform.python_version(),
        "numba": version("numba"),
        "numpy": version("numpy"),
        "machine": f"{platform.system()} {platform.machine()}",
    }


def write_result(path: Path, data: dict[str, Any]) -> None:
    """Write a result file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".part")
    beside.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    beside.replace(path)


@contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """While the block runs, no other process that asks for the same is in it: for files that are read, then written."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("a") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)  # until the file is closed, however that comes about
        yield


def read_result(path: Path) -> dict[str, Any]:
    """Read a result file; says which and why if it cannot."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise ValueError(f"{path} is not JSON: {error}") from None
    if not isinstance(data, dict):
        raise ValueError(f"{path} holds no result")
    return data


def command_line() -> str:
    """The command as it can be typed again; of absolute paths the last name, for results are shown to others."""
    return shlex.join(["kagiya", *map(_without_place, sys.argv[1:])])


def _without_place(word: str) -> str:
    option, sign, value = word.rpartition("=")
    return f"{option}{sign}{Path(value).name}" if Path(value).is_absolute() else word
