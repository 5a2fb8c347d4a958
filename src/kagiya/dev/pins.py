"""The exact versions of the tools that check Kagiya, so that a finding of a newer tool is not taken for a defect."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import NamedTuple

FILE = Path("constraints.txt")
HEAD = """\
# The tools of the extra "dev", pinned for `pip install --constraint`: `make` and CI install these and no others.
# `make pins` takes the newest and writes this file; what they find then is put right in the same commit.
"""
PIN = re.compile(r"^([\w.-]+)==(\S+)$", re.MULTILINE)
OF_DEV = re.compile(r"""^([\w.-]+).*;\s*extra\s*==\s*['"]dev['"]""")


class StalePin(NamedTuple):
    """A tool that is installed in another version than the pinned one; None if it is missing."""

    tool: str
    pinned: str
    installed: str | None

    def __str__(self) -> str:
        return f"{self.tool} {self.installed or '(not installed)'} instead of {self.pinned}"


def stale_pins(file: Path = FILE) -> list[StalePin]:
    """The tools whose installed version is not the pinned one."""
    pins = PIN.findall(file.read_text(encoding="utf-8"))
    return [StalePin(tool, pinned, found) for tool, pinned in pins if (found := installed(tool)) != pinned]


def installed(tool: str) -> str | None:
    """The version that is installed here."""
    try:
        return version(tool)
    except PackageNotFoundError:
        return None


def write_pins(file: Path = FILE) -> None:
    """Pin the tools of the extra "dev" to the versions that are installed."""
    tools = sorted(found[1] for line in requires("kagiya") or () if (found := OF_DEV.match(line)))
    missing = [tool for tool in tools if installed(tool) is None]
    if missing:
        raise ValueError(f"not installed, so there is nothing to pin: {', '.join(missing)}; `make test` installs them")
    file.write_text(HEAD + "".join(f"{tool}=={installed(tool)}\n" for tool in tools), encoding="utf-8")
