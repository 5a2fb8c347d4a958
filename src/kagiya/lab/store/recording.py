"""Plays matches into the store: only what is missing, chunk by chunk, safe at any moment."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Self

from kagiya.lab.match.chunk import NO_OVERTIME, PlayedChunk, pack_outcomes
from kagiya.lab.match.match import Interval, Match, Progress
from kagiya.lab.match.runner import OnError, Runner, RunOutcome, Sink
from kagiya.lab.store.journal import StoreError
from kagiya.lab.store.store import Store, StoredSeating
from kagiya.lab.table.table import AgentError
from kagiya.runtime.interrupts import uninterrupted
from kagiya.runtime.workers import LocalWorkers, WorkerPool

CHUNK_SECONDS = 0.25
READ_GAMES = 100_000  # stored games that are read at a time, for those who want them


@dataclass
class RunReport:
    """What a run of the store did."""

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


class Recording(Runner):
    """Whatever is played is stored, and what is stored is not played. Each list of matches is a run of the store."""

    def __init__(
        self, store: Store, workers: WorkerPool, command: str = "", progress: Progress = lambda games: None
    ) -> None:
        super().__init__(workers, progress)
        self.store, self.command = store, command
        self.reports: list[RunReport] = []
        self.started = 0.0

    def play(self, matches: Sequence[Match], sink: Sink | None = None, on_error: OnError = OnError.STOP) -> RunOutcome:
        """Play what is not stored yet; all games go to the sink, those that are stored already too."""
        report = self._begin(matches)
        outcome = super().play(matches, StoreSink(self, report, sink), on_error)
        report.interrupted |= outcome.interrupted
        report.errors += outcome.errors
        return outcome

    def _begin(self, matches: Sequence[Match]) -> RunReport:
        """The run of these matches, which goes on if they were the last ones too, as in a comparison by rounds."""
        if self.reports and self.reports[-1].matches == list(matches):
            return self.reports[-1]
        self._end()
        run, seatings = self.store.begin(self.command, matches)
        self.reports.append(RunReport(run, list(matches), seatings))
        self.started = time.perf_counter()
        return self.reports[-1]

    def _end(self, outcome: str = "") -> None:
        if self.reports:
            report = self.reports[-1]
            report.seconds = time.perf_counter() - self.started
            self.store.end_run(report.run, outcome or report.outcome, report.computed)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with nullcontext() if error is None else suppress(StoreError):
            self._end("failed" if isinstance(error, Exception) else "")


class StoreSink:
    """The store as a place for games."""

    in_order = False
    wants_moves = True
    chunk_seconds = CHUNK_SECONDS

    def __init__(self, recording: Recording, report: RunReport, then: Sink | None = None) -> None:
        self.recording, self.report, self.then = recording, report, then
        self.store, self.seatings = recording.store, [seating.id for seating in report.seatings]
        self.finished: list[tuple[int, PlayedChunk]] = []

    def missing(self, matches: Sequence[Match]) -> list[list[Interval]]:
        """What is not stored; the next sink is given what is."""
        wanted = [[match.seeds] for match in matches] if self.then is None else self.then.missing(matches)
        asked: dict[int, list[Interval]] = {}  # the same team may be asked for twice
        missing = []
        for number, (match, intervals) in enumerate(zip(matches, wanted, strict=True)):
            gaps = [gap for interval in intervals for gap in self._gaps(number, match, interval)]
            before = asked.setdefault(self.seatings[number], [])
            gaps = [rest for gap in gaps for rest in without(gap, before)]
            before += gaps
            before.sort()
            missing.append(gaps)
        return missing

    def _gaps(self, number: int, match: Match, interval: Interval) -> list[Interval]:
        first, end = interval
        gaps = self.store.missing(self.seatings[number], replace(match, seed=first, games=end - first))
        for stored in without(interval, gaps):
            self._hand_on_stored(number, stored)
        return gaps

    def _hand_on_stored(self, number: int, stored: Interval) -> None:
        self.report.stored_before += stored[1] - stored[0]
        if self.then is None:
            self.recording.progress(stored[1] - stored[0])
            return
        for first, end in slices(stored, READ_GAMES):
            results = self.store.results(self.seatings[number], first, end - first)
            with uninterrupted():
                self.then.add(number, PlayedChunk(first, pack_outcomes(results), NO_OVERTIME, 0.0))
            self.recording.progress(len(results))

    def add(self, number: int, played: PlayedChunk) -> None:
        """Take over some games, to be stored with the next commit."""
        self.finished.append((self.seatings[number], played))
        if self.then is not None:
            self.then.add(number, played)

    def commit(self) -> None:
        """Store what was added, in one transaction."""
        if self.finished:
            self.store.add(self.report.run, self.finished)
            self.report.computed += sum(played.games for _, played in self.finished)
            self.finished = []


def run_matches(
    matches: Sequence[Match],
    store: Store,
    command: str = "",
    workers: WorkerPool | None = None,
    progress: Progress = lambda games: None,
) -> RunReport:
    """Play what the store does not have yet of these matches. Ctrl-C stores what is finished and returns.

    An agent's error ends its match, and the others go on.
    """
    pool = workers or LocalWorkers()
    try:
        with Recording(store, pool, command, progress) as recording:
            recording.play(matches, on_error=OnError.GO_ON)
    finally:
        pool.close()
    return recording.reports[0]


def without(interval: Interval, others: Iterable[Interval]) -> list[Interval]:
    """What is left of an interval without some others, which are in order."""
    first, end = interval
    rest = []
    for start, after in others:
        if start < end and after > first:
            rest.append((first, start))
            first = after
    return [(begin, stop) for begin, stop in [*rest, (first, end)] if begin < stop]


def slices(interval: Interval, size: int) -> Iterator[Interval]:
    """An interval in slices of this size at most."""
    first, end = interval
    for start in range(first, end, size):
        yield start, min(start + size, end)
