"""The one way to play matches: chunks are played by workers, the finished ones go to a sink, and what they come to.

The sinks here keep the games or only count them; the store has one of its own.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from kagiya.cards import SEAT_NAMES
from kagiya.lab.match.chunk import NUMBERS, Chunk, ChunkCutter, PlayedChunk, add_to, unpack_results
from kagiya.lab.match.match import Interval, Match, Progress
from kagiya.lab.summary import Summary, Totals, frame, summarize_totals
from kagiya.lab.table.table import AgentError, GameResults
from kagiya.runtime.interrupts import uninterrupted
from kagiya.runtime.workers import LocalWorkers, WorkerPool

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

    def add(self, number: int, played: PlayedChunk) -> None:
        """Take over some games of a match, which is known by its place in the run."""

    def commit(self) -> None:
        """Make safe what was added."""


@dataclass
class RunOutcome:
    """How a run ended."""

    seconds: float = 0.0
    interrupted: bool = False
    errors: list[AgentError] = field(default_factory=list)

    @property
    def error(self) -> AgentError | None:
        return self.errors[0] if self.errors else None


class Runner:
    """Plays lists of matches one after the other, all in the same way."""

    def __init__(self, workers: WorkerPool, progress: Progress = lambda games: None) -> None:
        self.workers, self.progress = workers, progress

    def play(self, matches: Sequence[Match], sink: Sink, on_error: OnError = OnError.STOP) -> RunOutcome:
        """Play what the sink is missing of these matches. Ctrl-C keeps the finished games and returns."""
        work = _Run(self.workers, sink, on_error, self.progress)
        started = time.perf_counter()
        try:
            work.go(matches)
        except KeyboardInterrupt:
            work.outcome.interrupted = True
            work.keep_the_finished()
        except BaseException:
            self.workers.stop()
            raise
        work.outcome.seconds = time.perf_counter() - started
        if work.failure is not None:
            raise work.failure
        if on_error is OnError.RAISE and work.outcome.error is not None:
            raise work.outcome.error
        return work.outcome


@contextmanager
def local_runner(workers: int | None = None, progress: Progress = lambda games: None) -> Iterator[Runner]:
    """A runner on the threads of this process."""
    with LocalWorkers(workers) as pool:
        yield Runner(pool, progress)


@dataclass
class _InHand:
    """A chunk that was submitted and not yet handed over."""

    cutter: ChunkCutter
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

    def _chunks(self, matches: Sequence[Match]) -> Iterator[tuple[ChunkCutter, Chunk]]:
        """All chunks, match after match; cut late, when the speed is known."""
        seconds = max(self.sink.chunk_seconds, self.workers.min_item_seconds)
        for number, (match, gaps) in enumerate(zip(matches, self.sink.missing(matches), strict=True)):
            cutter = ChunkCutter(number, match, gaps, self.sink.wants_moves, seconds)
            while chunk := cutter.next():
                yield cutter, chunk

    def _fill(self, chunks: Iterator[tuple[ChunkCutter, Chunk]]) -> None:
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
                self.failure, self.stopped = self.failure or error, True
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

    def _hand_over_one(self, cutter: ChunkCutter, played: PlayedChunk) -> None:
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


WORST_GAMES = 3  # are remembered of each match
CHUNK_SECONDS = 0.05  # short enough for a lively progress bar and a prompt Ctrl-C
GAME_COLUMNS = ("seed", "score", "points", "reachable", "lives", "turns")


class ScoredGame(NamedTuple):
    """A game of a match worth looking at."""

    score: int
    seed: int


def worst_of(first: int, numbers: npt.NDArray[np.uint8]) -> list[ScoredGame]:
    """The games of a chunk with the lowest scores; ties go to the lower seed."""
    scores = numbers[NUMBERS.index("score")]
    lowest = np.argsort(scores, kind="stable")[:WORST_GAMES]
    return [ScoredGame(int(scores[place]), first + int(place)) for place in lowest]


class InMemory:
    """What both sinks have in common: all seeds are to be played, and nothing is there to commit."""

    in_order = True
    wants_moves = False
    chunk_seconds = CHUNK_SECONDS

    def missing(self, matches: Sequence[Match]) -> list[list[Interval]]:
        """All seeds."""
        return [[match.seeds] for match in matches]

    def commit(self) -> None:
        """Nothing is lost but with the process."""


class CountGames(InMemory):
    """Totals of each match and its worst games, in memory that does not grow with the number of games."""

    def __init__(self) -> None:
        self.totals: dict[int, Totals] = {}
        self.worst: dict[int, list[ScoredGame]] = {}

    def add(self, number: int, played: PlayedChunk) -> None:
        """Count some games."""
        add_to(self.totals.setdefault(number, Totals()), played.packed.numbers)
        found = worst_of(played.first, played.packed.numbers)
        self.worst[number] = sorted([*self.worst.get(number, []), *found])[:WORST_GAMES]


class KeptGames:
    """Games of one match, 25 bytes each."""

    def __init__(self) -> None:
        self.chunks: dict[int, npt.NDArray[np.uint8]] = {}  # by their first seed
        self.timed_games, self.cpu_seconds = 0, 0.0

    def add(self, played: PlayedChunk) -> None:
        """Keep some games."""
        self.chunks[played.first] = played.packed.numbers
        if played.cpu_seconds is not None:
            self.timed_games += played.games
            self.cpu_seconds += played.cpu_seconds

    def totals(self) -> Totals:
        """What they add up to."""
        totals = Totals()
        for numbers in self.chunks.values():
            add_to(totals, numbers)
        return totals

    def worst(self) -> tuple[ScoredGame, ...]:
        """Those with the lowest scores."""
        found = [game for first, numbers in self.chunks.items() for game in worst_of(first, numbers)]
        return tuple(sorted(found)[:WORST_GAMES])

    def results(self) -> GameResults:
        """Rows of RESULT in the order of the seeds, 208 bytes each."""
        firsts = sorted(self.chunks)
        none = np.zeros((len(NUMBERS), 0), np.uint8)
        numbers = np.concatenate([none, *(self.chunks[first] for first in firsts)], axis=1)
        seeds = [np.arange(first, first + self.chunks[first].shape[1]) for first in firsts]
        return unpack_results(np.concatenate([np.zeros(0, np.int64), *seeds]), numbers)


class KeepGames(InMemory):
    """Every game of each match."""

    def __init__(self) -> None:
        self.games: dict[int, KeptGames] = {}

    def add(self, number: int, played: PlayedChunk) -> None:
        """Keep some games."""
        self.games.setdefault(number, KeptGames()).add(played)

    def of(self, number: int) -> KeptGames:
        """The games of one match; none if none were played."""
        return self.games.get(number, KeptGames())


@dataclass(frozen=True, repr=False)
class MatchResult:
    """What was played: all games asked for, or those finished before an interruption or an error."""

    match: Match
    totals: Totals
    seconds: float
    interrupted: bool = False
    error: AgentError | None = None
    worst: tuple[ScoredGame, ...] = ()  # the games with the lowest scores, worst first

    def __repr__(self) -> str:
        match = self.match
        agents = [agent.text for agent in match.agents]
        team = agents[0] if len(set(agents)) == 1 else " + ".join(agents)
        error = f"; {self.error}" if self.error is not None else ""
        return f"<{team}, {match.rules.players} players, {match.rules.text()}: {self._standing()}{error}>"

    def _repr_html_(self) -> str:
        return self.summary.to_html(repr(self).strip("<>"))

    def _standing(self) -> str:
        wanted = "" if self.games == self.match.games else f" of {self.match.games:,}"
        if not self.games:
            return f"no{wanted} games"
        found = self.summary
        error = f" ± {found.se:.2f}" if self.games > 1 else ""
        return f"{found.mean:.2f}{error} points, {self.games:,}{wanted} games from seed {self.match.seed}"

    @property
    def games(self) -> int:
        return self.totals.games

    @property
    def summary(self) -> Summary:
        return summarize_totals(self.totals, self.match.rules.perfect_score, self.match.rules.players)

    def to_json(self) -> dict[str, Any]:
        """One object with everything that a machine may want of a match."""
        agents = [agent.text for agent in self.match.agents]
        return {
            "agents": agents,
            "players": self.match.rules.players,
            "rules": self.match.rules.text(),
            "bomb_score": str(self.match.rules.bomb_score),
            "empty_hints": self.match.rules.empty_hints,
            "seed": self.match.seed,
            "deals": self.match.deals,
            **self.summary.to_json(),
            "worst": [game._asdict() for game in self.worst],
            "seconds": self.seconds,
            "interrupted": self.interrupted,
            "error": None if self.error is None else str(self.error),
        }


@dataclass(frozen=True, repr=False)
class PlayedMatch(MatchResult):
    """The same with every game."""

    kept: KeptGames = field(default_factory=KeptGames)

    @classmethod
    def of(cls, match: Match, kept: KeptGames, outcome: RunOutcome) -> PlayedMatch:
        """What a run came to that was this match."""
        played = outcome.seconds, outcome.interrupted, outcome.error
        return cls(match, kept.totals(), *played, kept.worst(), kept)

    @cached_property
    def results(self) -> GameResults:
        """Rows of RESULT in the order of the seeds."""
        return self.kept.results()

    def to_pandas(self) -> Any:
        """A pandas DataFrame with a row for each game: seed, score, points, lives, turns, and what each seat lost."""
        return frame(self.columns())

    def columns(self) -> dict[str, Any]:
        """The same as arrays by name."""
        found = {name: self.results[name].copy() for name in GAME_COLUMNS}
        for seat in range(self.match.rules.players):
            lost = self.results["regret"][:, seat].sum(axis=1)
            found |= {
                f"direct_{SEAT_NAMES[seat]}": lost,
                f"indirect_{SEAT_NAMES[seat]}": self.results["indirect"][:, seat].copy(),
            }
        return found


def play_match(match: Match, workers: int | None = None, progress: Progress = lambda games: None) -> PlayedMatch:
    """Play a match on `workers` threads, all processors by default; Ctrl-C keeps the games already played.

    Python seats hold the interpreter's lock, so a match with one of them runs on a single thread.
    """
    sink = KeepGames()
    with local_runner(workers, progress) as runner:
        outcome = runner.play([match], sink)
    return PlayedMatch.of(match, sink.of(0), outcome)
