"""An exception in a user's code as a sentence: what it was, and in which line of the user's file."""

from __future__ import annotations

import traceback
from pathlib import Path

PACKAGE = str(Path(__file__).resolve().parents[1])


class ReportedError(Exception):
    """What went wrong with a user's agent, put in words already; the text follows the agent's name."""


def raised(error: BaseException) -> str:
    """``raised ZeroDivisionError: division by zero (mine.py, line 7: `return 1 / 0`)``."""
    if isinstance(error, ReportedError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    own = next((frame for frame in reversed(frames) if not frame.filename.startswith(PACKAGE)), None)
    words = f"raised {type(error).__name__}: {error}"
    return words if own is None else f"{words} ({Path(own.filename).name}, line {own.lineno}: `{own.line}`)"
