"""How many pages may be open, and how much may be done on one of them, so that all others stay quick."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from kagiya.web.views import RefusedError

MOST_OF_A_VISITOR = 40  # open pages
MOST_OF_ALL = 1_000
AT_ONCE = 200  # messages of one page; a slider that is moved sends 60 a second
PER_SECOND = 100.0


class Crowd:
    """Who has how many pages open."""

    def __init__(self) -> None:
        self._pages: Counter[str] = Counter()

    @contextmanager
    def one_more(self, visitor: str) -> Iterator[None]:
        """While the block runs, the visitor has one more page open; too many are refused."""
        if self._pages[visitor] >= MOST_OF_A_VISITOR:
            raise RefusedError(f"You have {MOST_OF_A_VISITOR} pages open here already; close one of them first.")
        if self._pages.total() >= MOST_OF_ALL:
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


class Pace:
    """How fast messages of one page may follow each other: AT_ONCE, then PER_SECOND."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._left, self._since = float(AT_ONCE), now()

    def pause(self) -> float:
        """Take one message; the seconds to wait before it is carried out."""
        now = self._now()
        self._left = min(AT_ONCE, self._left + (now - self._since) * PER_SECOND) - 1
        self._since = now
        return max(0.0, -self._left / PER_SECOND)
