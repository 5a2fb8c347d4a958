"""Ctrl-C for a user's kernel that never returns: where the main thread is stuck in one, the process is ended.

Python raises KeyboardInterrupt only between its own instructions, so a loop without an end in machine code would never
hear of it; another thread reads the byte that the signal leaves at the wake-up descriptor.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from kagiya.cli.signals import INTERRUPTED

GRACE, AGAIN = 1.5, 0.5  # seconds until the main thread is looked at, and looked at again
TABLES = str(Path("kagiya", "lab", "table"))  # whose modules call kernels


def listen_for_interrupts(names: Sequence[str], before_end: Callable[[], None]) -> None:
    """From now on Ctrl-C ends the process if the main thread is in a kernel and stays there."""
    here, there = socket.socketpair()
    there.setblocking(False)
    signal.set_wakeup_fd(there.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(here, there, names, before_end), daemon=True).start()


def _watch(here: socket.socket, there: socket.socket, names: Sequence[str], before_end: Callable[[], None]) -> None:
    while word := here.recv(1):
        if word[0] not in (signal.SIGINT, signal.SIGTERM):
            continue
        time.sleep(GRACE)
        place = _place_at_a_table()
        time.sleep(AGAIN)
        if place is not None and place == _place_at_a_table():
            _end(names, before_end)
    there.close()


def _place_at_a_table() -> tuple[int, int] | None:
    """Where the main thread is, if it is at the table: the frame, and the instruction in it."""
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    if frame is None or TABLES not in frame.f_code.co_filename:
        return None
    return id(frame), frame.f_lasti


def _end(names: Sequence[str], before_end: Callable[[], None]) -> NoReturn:
    sys.stderr.write(f"kagiya: interrupted; a kernel does not return, perhaps of {' or '.join(names)}\n")
    sys.stderr.flush()
    before_end()
    os._exit(INTERRUPTED)
