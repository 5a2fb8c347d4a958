"""SIGTERM ends a command as Ctrl-C does: finished games are kept, and the exit code says which of the two it was."""

from __future__ import annotations

import signal
from types import FrameType

INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM

_was_terminated = False


def listen() -> None:
    """From now on SIGTERM raises KeyboardInterrupt. For the main thread."""
    signal.signal(signal.SIGTERM, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    global _was_terminated
    _was_terminated = True
    raise KeyboardInterrupt


def interruption_code() -> int:
    """The exit code of a command that was interrupted."""
    return TERMINATED if _was_terminated else INTERRUPTED
