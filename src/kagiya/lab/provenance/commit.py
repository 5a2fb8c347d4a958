"""Which commit the running code is of, for the store's list of runs."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

SECONDS = 5  # then we do without


@cache
def commit_here() -> str | None:
    """The commit of the code that runs, with a + if it was edited since; None if it is in no repository."""
    folder = str(Path(__file__).parent)
    words = ["git", "-C", folder, "describe", "--always", "--abbrev=12", "--match=", "--dirty=+"]
    try:
        found = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return found.stdout.strip() or None
