"""The one way to play matches: cuts them into chunks, has workers play these, hands what is finished to a sink."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from kagiya.lab.match.chunk import Chunk, PlayedChunk
from kagiya.lab.match.match import Interval, Match, Progress
from kagiya.lab.table.table import AgentError
from kagiya.runtime.child import ChildEndedError
from kagiya.runtime.interrupts import uninterrupted
from kagiya.runtime.workers import LocalWorkers, WorkerPool

MAX_CHUNK = 20_000
COMMIT_SECONDS = 5.0  # so much play at most is lost with the machine, besides the chunks in hand
COMMIT_GAMES = 2 * 122_880  # two of Parquet's row groups
LISTEN_SECONDS = 0.5  # how long to wait for a chunk before looking around


class OnError(Enum):
    """What an agent's error does, after the games before it were handed over."""

    STOP = "the run ends"
    GO_ON = "its match ends, the other matches go on"
    RAISE = "the run ends, and the error is raised"


class Sink(Protocol):
    """Where finished games go."""

    in_order: bool  # chunks come in the order of their seeds and none after an error; else as soon as they are played
    wants_moves: bool
    chunk_seconds: float  # what a chunk should take, where its size is free

    def missing(self, matches: Sequence[Match]) -> list[list[Interval]]:
        """The seeds that are still to be played of each match of a run."""
        ...

    def add(self, number: int, played: PlayedChunk) -> None:
        """Take over some games of a match, which is known by its place in the run."""
        ...

    def commit(self) -> None:
        """Make safe what was added."""
        ...


def explained(error: BaseException) -> BaseException:
    """An error of a worker in plain words."""
    if isinstance(error, BrokenExecutor):
        return ChildEndedError(
            "a worker process was killed, perhaps for want of memory; --workers 1 plays without them"
        )
    return error


@dataclass
class RunOutcome:
    """How a run ended."""

    seconds: float = 0.0
    interrupted: bool = False
    errors: list[AgentError] = field(default_factory=list)

    @property
    def error(self) -> AgentError | None:
        return self.errors[0] if self.errors else None


def run(
    matches: Sequence[Match],
    workers: WorkerPool,
    sink: Sink,
    on_error: OnError = OnError.STOP,
    progress: Progress = lambda games: None,
) -> RunOutcome:
    """Play what the sink is missing of these matches. Ctrl-C keeps the finished games and returns."""
    work = _Run(workers, sink, on_error, progress)
    started = time.perf_counter()
    try:
        work.go(matches)
    except KeyboardInterrupt:
        work.outcome.interrupted = True
        work.keep_the_finished()
    except BaseException:
        workers.stop()
        raise
    work.outcome.seconds = time.perf_counter() - started
    if work.failure is not None:
        raise work.failure
    if on_error is OnError.RAISE and work.outcome.error is not None:
        raise work.outcome.error
    return work.outcome


class Runner:
    """Plays lists of matches one after the other, all in the same way."""

    def __init__(self, workers: WorkerPool, progress: Progress = lambda games: None) -> None:
        self.workers, self.progress = workers, progress

    def play(self, matches: Sequence[Match], sink: Sink, on_error: OnError = OnError.STOP) -> RunOutcome:
        """Play what is missing of these matches into a sink."""
        return run(matches, self.workers, sink, on_error, self.progress)


@contextmanager
def local_runner(workers: int | None = None, progress: Progress = lambda games: None) -> Iterator[Runner]:
    """A runner on the threads of this process."""
    with LocalWorkers(workers) as pool:
        yield Runner(pool, progress)


class _Cutter:
    """Cuts the missing seeds of one match into chunks of a size that fits its speed."""

    def __init__(self, number: int, match: Match, gaps: Sequence[Interval], sink: Sink, seconds: float) -> None:
        self.number, self.match, self.seconds = number, match, seconds
        self.gaps, self.with_moves = deque(gaps), sink.wants_moves
        self.size = match.first_chunk
        self.failed = False

    def next(self) -> Chunk | None:
        if not self.gaps or self.failed:
            return None
        first, end = self.gaps.popleft()
        start, after = self._bounds(first, end)
        if after < end:
            self.gaps.appendleft((after, end))
        return Chunk(self.match, first, after - first, first - start, with_moves=self.with_moves)

    def _bounds(self, first: int, end: int) -> Interval:
        """Where play begins, and where the chunk ends: with memory, at the bounds of the memory."""
        horizon = self.match.horizon
        if not horizon:
            return first, min(end, first + self.size)
        start = first - (first - self.match.seed) % horizon
        return start, min(end, start + horizon)

    def learn(self, played: PlayedChunk) -> None:
        """Take the size from the speed."""
        rate = played.games / max(played.seconds, 1e-6)
        self.size = int(min(max(rate * self.seconds, 1), 4 * self.size, MAX_CHUNK))


@dataclass
class _InHand:
    """A chunk that was submitted and not yet handed over."""

    cutter: _Cutter
    future: Future[PlayedChunk]
    played: PlayedChunk | None = None


class _Run:
    """One run in progress."""

    def __init__(self, workers: WorkerPool, sink: Sink, on_error: OnError, progress: Progress) -> None:
        self.workers, self.sink, self.on_error, self.progress = workers, sink, on_error, progress
        self.outcome = RunOutcome()
        self.in_hand: deque[_InHand] = deque()  # in the order of the seeds
        self.stopped = False
        self.failure: BaseException | None = None  # of a worker, not of an agent
        self.games, self.last_commit = 0, time.monotonic()

    def go(self, matches: Sequence[Match]) -> None:
        chunks = self._chunks(matches)
        self._fill(chunks)
        while playing := [each.future for each in self.in_hand if each.played is None]:
            wait(playing, timeout=LISTEN_SECONDS, return_when=FIRST_COMPLETED)
            with uninterrupted():
                games = self._take_finished()
                self._hand_over()
                self._commit_if_due()
            if games:
                self.progress(games)
            if self.stopped:
                self.keep_the_finished()
                return
            self._fill(chunks)
        with uninterrupted():
            self.sink.commit()

    def _chunks(self, matches: Sequence[Match]) -> Iterator[tuple[_Cutter, Chunk]]:
        """All chunks, match after match; cut late, when the speed is known."""
        seconds = max(self.sink.chunk_seconds, self.workers.min_item_seconds)
        for number, (match, gaps) in enumerate(zip(matches, self.sink.missing(matches), strict=True)):
            cutter = _Cutter(number, match, gaps, self.sink, seconds)
            while chunk := cutter.next():
                yield cutter, chunk

    def _fill(self, chunks: Iterator[tuple[_Cutter, Chunk]]) -> None:
        playing = sum(each.played is None for each in self.in_hand)
        while playing < 2 * self.workers.capacity:
            found = next(chunks, None)
            if found is None:
                return
            self.in_hand.append(_InHand(found[0], self.workers.submit(found[1])))
            playing += 1

    def _take_finished(self) -> int:
        """Note what was played since the last time; returns the number of games."""
        games = 0
        for each in [each for each in self.in_hand if each.played is None and each.future.done()]:
            try:
                each.played = each.future.result()
            except (Exception, CancelledError) as error:
                self.in_hand.remove(each)
                self.failure, self.stopped = self.failure or explained(error), True
                continue
            each.cutter.learn(each.played)
            games += each.played.games
        return games

    def _hand_over(self, in_order: bool | None = None) -> None:
        """Give the sink what it may have by now."""
        ordered = self.sink.in_order if in_order is None else in_order
        for each in list(self.in_hand):
            if each.played is not None:
                self.in_hand.remove(each)
                self._hand_over_one(each.cutter, each.played)
            elif ordered:
                return

    def _hand_over_one(self, cutter: _Cutter, played: PlayedChunk) -> None:
        if self.sink.in_order and (cutter.failed or self.stopped):
            return
        if played.games:
            self.sink.add(cutter.number, played)
            self.games += played.games
        if played.error is not None:
            self.outcome.errors.append(played.error)
            cutter.failed = True
            self.stopped |= self.on_error is not OnError.GO_ON

    def _commit_if_due(self) -> None:
        if self.games >= COMMIT_GAMES or time.monotonic() - self.last_commit > COMMIT_SECONDS:
            self.sink.commit()
            self.games, self.last_commit = 0, time.monotonic()

    def keep_the_finished(self) -> None:
        """After an interruption or an error: what was done in the meantime counts too."""
        self.workers.stop()
        with uninterrupted():
            for each in list(self.in_hand):
                future = each.future
                if each.played is None and (not future.done() or future.cancelled() or future.exception()):
                    self.in_hand.remove(each)
            self._take_finished()
            self._hand_over(in_order=False)
            self.sink.commit()
