"""Which commit the running code is of, for everything that is measured."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

SECONDS = 5  # then we do without
EDITED = "+"  # behind a commit that the files differ from


@cache
def commit_here() -> str | None:
    """The commit of the code that runs, with a + if it was edited since; None if it is in no repository."""
    return commit_of(Path(__file__).parents[2])


def commit_of(package: Path) -> str | None:
    """The commit that a package is of; None if the repository around it, if any, does not keep it.

    An installed package often lies in somebody else's repository, in a folder that is ignored there. Edits of other
    files, such as result files, do not count.
    """
    try:
        _git(package, "ls-files", "--error-unmatch", "__init__.py")
        commit = _git(package, "rev-parse", "--short=12", "HEAD")
        edited = _git(package, "status", "--porcelain", "--untracked-files=no", "--", ".")
    except (OSError, subprocess.SubprocessError):
        return None
    return f"{commit}{EDITED if edited else ''}"


def _git(folder: Path, *words: str) -> str:
    # Without its locks: git would leave one behind if the program is killed while it asks.
    command = ["git", "--no-optional-locks", "-C", str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=True).stdout.strip()
