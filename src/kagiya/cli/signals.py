"""SIGTERM ends a command as Ctrl-C does: finished games are kept, and the exit code says which of the two it was."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import NoReturn

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


def leave_at_once(code: int) -> NoReturn:
    """End the process, for a command that has closed all it opened.

    To take the interpreter apart takes one to three seconds once kernels are loaded, and nobody waits for its result.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
