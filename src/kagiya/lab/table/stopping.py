"""Breaking off games of searches: a move may take a minute, and Ctrl-C should not."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kagiya.lab.table.table import Table


class Abandoned(BaseException):
    """Raised inside a player that does not answer, in its own thread, once nobody wants its answer any more."""


class Stop:
    """A word to all tables in play, from any thread: no game in progress counts any more."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tables: list[Table] = []
        self._given = False

    def is_set(self) -> bool:
        return self._given

    def set(self) -> None:
        """Stop every table that listens, and those that begin to."""
        with self._lock:
            self._given = True
            for table in self._tables:
                table.stop()

    @contextmanager
    def heard_at(self, table: Table) -> Iterator[None]:
        """While the block runs, the table listens."""
        with self._lock:
            self._tables.append(table)
            if self._given:
                table.stop()
        try:
            yield
        finally:
            with self._lock:
                self._tables.remove(table)


@contextmanager
def at_interrupt(call: Callable[[], None]) -> Iterator[None]:
    """Call this as soon as Ctrl-C or SIGTERM comes in the block, even while the main thread is busy in a kernel.

    Python raises KeyboardInterrupt only between its own instructions; the byte that it writes at once to the wake-up
    descriptor is read by another thread. Only the main thread is ever interrupted; in others this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    here, there = socket.socketpair()
    there.setblocking(False)
    before = signal.set_wakeup_fd(there.fileno(), warn_on_full_buffer=False)
    watcher = threading.Thread(target=_watch, args=(here, call), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        there.close()  # which the watcher reads as the end
        watcher.join()
        here.close()


def _watch(words: socket.socket, call: Callable[[], None]) -> None:
    while word := words.recv(1):
        if word[0] in (signal.SIGINT, signal.SIGTERM):
            call()
