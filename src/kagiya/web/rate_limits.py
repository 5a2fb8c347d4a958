"""Rate limits: how many pages a visitor may have open, and how fast the messages of one may follow each other."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from kagiya.web.pages import RefusedError

MAX_PAGES_PER_VISITOR = 40  # open ones
MAX_PAGES = 1_000
MAX_BURST = 200  # messages of one page; a slider that is moved sends 60 a second
MESSAGES_PER_SECOND = 100.0


class ConnectionLimit:
    """How many pages every visitor has open."""

    def __init__(self) -> None:
        self._pages: Counter[str] = Counter()

    @contextmanager
    def one_page(self, visitor: str) -> Iterator[None]:
        """While the block runs, the visitor has one more page open; too many are refused."""
        if self._pages[visitor] >= MAX_PAGES_PER_VISITOR:
            raise RefusedError(f"You have {MAX_PAGES_PER_VISITOR} pages open here already; close one of them first.")
        if self._pages.total() >= MAX_PAGES:
            raise RefusedError("Too many pages are open on this server; try again in a while.")
        self._pages[visitor] += 1
        try:
            yield
        finally:
            self._pages[visitor] -= 1
            if not self._pages[visitor]:
                del self._pages[visitor]

    @property
    def pages(self) -> int:
        """How many are open."""
        return self._pages.total()


class RateLimit:
    """How fast messages of one page may follow each other: MAX_BURST, then MESSAGES_PER_SECOND."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._left, self._since = float(MAX_BURST), now()

    def delay(self) -> float:
        """Take one message; the seconds to wait before it is carried out."""
        now = self._now()
        self._left = min(MAX_BURST, self._left + (now - self._since) * MESSAGES_PER_SECOND) - 1
        self._since = now
        return max(0.0, -self._left / MESSAGES_PER_SECOND)
