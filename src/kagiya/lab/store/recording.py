"""Runs the matches of an experiment into the store: only what is missing, chunk by chunk, safe at any moment."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass, field

from kagiya.lab.match.chunk import Chunk, PlayedChunk
from kagiya.lab.match.match import LARGEST_CHUNK, Match
from kagiya.lab.match.uninterrupted import uninterrupted
from kagiya.lab.match.workers import LocalWorkers, Workers
from kagiya.lab.store.intervals import Interval
from kagiya.lab.store.store import Store, StoredSeating
from kagiya.lab.table.table import AgentError

CHUNK_SECONDS = 0.25  # what a chunk should take, where its size is free
COMMIT_SECONDS = 5.0  # so much play at most is lost with the machine, besides the chunks in hand
COMMIT_GAMES = 2 * 122_880  # two of Parquet's row groups

Progress = Callable[[int], None]


@dataclass
class RunReport:
    """What a run did."""

    run: int
    matches: list[Match]
    seatings: list[StoredSeating]  # of the matches, in their order
    stored_before: int = 0
    computed: int = 0
    seconds: float = 0.0
    interrupted: bool = False
    errors: list[AgentError] = field(default_factory=list)

    @property
    def outcome(self) -> str:
        return "interrupted" if self.interrupted else "failed" if self.errors else "complete"


class _Cutter:
    """Cuts the missing seeds of one match into chunks of a size that fits its speed."""

    def __init__(self, match: Match, seating: StoredSeating, gaps: Sequence[tuple[int, int]]) -> None:
        self.match, self.seating = match, seating
        self.gaps = deque(gaps)
        self.size = match.first_chunk
        self.error: AgentError | None = None

    def next(self) -> Chunk | None:
        if not self.gaps or self.error is not None:
            return None
        first, end = self.gaps.popleft()
        start, after = self._bounds(first, end)
        if after < end:
            self.gaps.appendleft((after, end))
        return Chunk(self.match, first, after - first, first - start, self.seating.code)

    def _bounds(self, first: int, end: int) -> tuple[int, int]:
        """Where play begins, and where the chunk ends: with memory, at the bounds of the memory."""
        horizon = self.match.horizon
        if not horizon:
            return first, min(end, first + self.size)
        start = first - (first - self.match.seed) % horizon
        return start, min(end, start + horizon)

    def learn(self, played: PlayedChunk) -> None:
        """Take the size from the speed."""
        if played.error is not None:
            self.error = played.error
        rate = played.games / max(played.seconds, 1e-6)
        self.size = int(min(max(rate * CHUNK_SECONDS, 1), 4 * self.size, LARGEST_CHUNK))


class _Run:
    """One run in progress."""

    def __init__(self, store: Store, report: RunReport, workers: Workers, progress: Progress) -> None:
        self.store, self.report, self.workers, self.progress = store, report, workers, progress
        self.in_hand: dict[Future[PlayedChunk], _Cutter] = {}
        self.finished: list[tuple[int, PlayedChunk]] = []
        self.last_commit = time.monotonic()

    def go(self, cutters: Sequence[_Cutter]) -> None:
        chunks = _in_turn(cutters)
        self._fill(chunks)
        while self.in_hand:
            done, _ = wait(self.in_hand, timeout=COMMIT_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                self._take(future)
            self._fill(chunks)
            self._commit_if_due()
        self.commit()

    def _fill(self, chunks: Iterator[tuple[_Cutter, Chunk]]) -> None:
        while len(self.in_hand) < 2 * self.workers.capacity:
            found = next(chunks, None)
            if found is None:
                return
            self.in_hand[self.workers.submit(found[1])] = found[0]

    def _take(self, future: Future[PlayedChunk]) -> None:
        cutter = self.in_hand.pop(future)
        try:
            played = future.result()
        except CancelledError:
            return
        cutter.learn(played)
        if played.error is not None:
            self.report.errors.append(played.error)
        if played.games:
            self.finished.append((cutter.seating.id, played))
            self.progress(played.games)

    def _commit_if_due(self) -> None:
        games = sum(played.games for _, played in self.finished)
        if games >= COMMIT_GAMES or time.monotonic() - self.last_commit > COMMIT_SECONDS:
            self.commit()

    def commit(self) -> None:
        """Store what is finished, in one transaction."""
        if self.finished:
            with uninterrupted():
                self.store.add(self.report.run, self.finished)
                self.report.computed += sum(played.games for _, played in self.finished)
                self.finished = []
        self.last_commit = time.monotonic()

    def keep_the_finished(self) -> None:
        """After an interruption: what is done in the meantime is stored too."""
        self.workers.close(hurry=True)
        for future in [future for future in self.in_hand if future.done() and not future.cancelled()]:
            if future.exception() is None:
                self._take(future)
        self.commit()


def _in_turn(cutters: Sequence[_Cutter]) -> Iterator[tuple[_Cutter, Chunk]]:
    """All chunks, match after match; cut late, when the speed is known."""
    for cutter in cutters:
        while chunk := cutter.next():
            yield cutter, chunk


def run_matches(
    matches: Sequence[Match],
    store: Store,
    command: str = "",
    workers: Workers | None = None,
    progress: Progress = lambda games: None,
) -> RunReport:
    """Play what the store does not have yet of these matches. Ctrl-C stores what is finished and returns.

    An agent's error ends its match, and the others go on.
    """
    started = time.perf_counter()
    run, seatings = store.begin(command, matches)
    report = RunReport(run, list(matches), seatings)
    cutters = _cutters(store, report)
    report.stored_before = sum(match.games for match in matches) - _open_games(cutters)
    progress(report.stored_before)
    staff = workers or LocalWorkers(matches)
    work = _Run(store, report, staff, progress)
    try:
        work.go(cutters)
        staff.close(hurry=False)
    except KeyboardInterrupt:
        report.interrupted = True
        work.keep_the_finished()
    except BaseException:
        staff.close(hurry=True)
        raise
    report.seconds = time.perf_counter() - started
    store.end_run(report.run, report.outcome, report.computed)
    return report


def _cutters(store: Store, report: RunReport) -> list[_Cutter]:
    cutters: list[_Cutter] = []
    for match, seating in zip(report.matches, report.seatings, strict=True):
        gaps = store.missing(seating.id, match)
        for other in cutters:  # the same team may be asked for twice
            if other.seating.id == seating.id:
                gaps = [rest for gap in gaps for rest in _without(gap, other.gaps)]
        cutters.append(_Cutter(match, seating, gaps))
    return cutters


def _without(gap: Interval, others: Iterable[Interval]) -> list[Interval]:
    """What is left of an interval without some others, which are in order."""
    first, end = gap
    rest = []
    for start, after in others:
        if start < end and after > first:
            rest.append((first, start))
            first = after
    return [(begin, stop) for begin, stop in [*rest, (first, end)] if begin < stop]


def _open_games(cutters: Sequence[_Cutter]) -> int:
    return sum(end - first for cutter in cutters for first, end in cutter.gaps)
