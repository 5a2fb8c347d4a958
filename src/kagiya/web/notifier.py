"""Who wants to know that something changed: views wait for it, tables and searches announce it, from any thread."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from contextlib import contextmanager


class Notifier:
    """Something that changes. Each listener is told once for any number of changes since it last looked."""

    def __init__(self) -> None:
        self._listeners: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}
        self._numbers = itertools.count(1)
        self.number = 0  # of the last announcement; never the same again, so what was drawn under it still holds

    @contextmanager
    def listening(self) -> Iterator[asyncio.Event]:
        """An event of the running loop that is set by every announcement; the listener clears it."""
        event = asyncio.Event()
        self._listeners[event] = asyncio.get_running_loop()
        try:
            yield event
        finally:
            del self._listeners[event]

    def announce(self) -> None:
        """Tell all listeners; may be called from any thread."""
        self.number = next(self._numbers)
        for event, loop in tuple(self._listeners.items()):
            try:
                loop.call_soon_threadsafe(event.set)
            except RuntimeError:  # its loop has ended, and so has its page
                continue

    @property
    def listeners(self) -> int:
        """How many are looking."""
        return len(self._listeners)
