"""Files that are written whole or not at all, and are on the disk before anybody is told so."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

PART = ".part"  # how the name of an unfinished file ends


def part_of(path: Path) -> Path:
    """A name beside `path` that nobody else uses, hidden from patterns such as ``*.parquet``."""
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}{PART}")


def sync(path: Path) -> None:
    """Wait until a file or a folder's list of names is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_whole(path: Path, text: str) -> None:
    """Write a file, in place of the old one if there is one."""
    part = part_of(path)
    try:
        _write(part, text)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    sync(path.parent)


def write_first(path: Path, text: str) -> bool:
    """Write a file unless it exists; of several processes that try, one succeeds."""
    part = part_of(path)
    try:
        _write(part, text)
        os.link(part, path)
    except FileExistsError:
        return False
    finally:
        part.unlink(missing_ok=True)
    sync(path.parent)
    return True


def _write(path: Path, text: str) -> None:
    with path.open("x", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
