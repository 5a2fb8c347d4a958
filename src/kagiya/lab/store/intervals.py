"""Which seeds are stored: a set of integers as intervals in order."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from kagiya.lab.match.match import Interval


class Intervals:
    """Intervals in order that neither touch nor overlap."""

    def __init__(self) -> None:
        self._firsts: list[int] = []
        self._afters: list[int] = []

    def __iter__(self) -> Iterator[Interval]:
        return zip(self._firsts, self._afters, strict=True)

    def copy(self) -> Intervals:
        """One that can change by itself."""
        other = Intervals()
        other._firsts, other._afters = list(self._firsts), list(self._afters)
        return other

    def add(self, first: int, after: int) -> None:
        """Take in an interval, none of which is here yet."""
        low, high = bisect_left(self._afters, first), bisect_right(self._firsts, after)
        first, after = min([first, *self._firsts[low:high]]), max([after, *self._afters[low:high]])
        self._firsts[low:high], self._afters[low:high] = [first], [after]

    def remove(self, first: int, after: int) -> None:
        """Take out an interval, whether all of it is here or not."""
        low, high = bisect_right(self._afters, first), bisect_left(self._firsts, after)
        cut = list(zip(self._firsts[low:high], self._afters[low:high], strict=True))
        left = [(start, min(end, first)) for start, end in cut if start < first]
        left += [(max(start, after), end) for start, end in cut if end > after]
        self._firsts[low:high], self._afters[low:high] = [start for start, _ in left], [end for _, end in left]

    def first_in(self, first: int, after: int) -> int | None:
        """The first integer of an interval that is here already."""
        place = bisect_right(self._afters, first)
        if place == len(self._firsts) or self._firsts[place] >= after:
            return None
        return max(first, self._firsts[place])

    def gaps(self, first: int, after: int) -> list[Interval]:
        """What is missing of an interval."""
        missing = []
        for place in range(bisect_right(self._afters, first), len(self._firsts)):
            if self._firsts[place] >= after:
                break
            if first < self._firsts[place]:
                missing.append((first, self._firsts[place]))
            first = self._afters[place]
        return [*missing, (first, after)] if first < after else missing
