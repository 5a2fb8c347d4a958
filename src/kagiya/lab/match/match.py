"""A match: some rules, an agent in every seat, many seeds. Chunks of seeds run on threads.

Each game depends on its seed alone, so the result is the same for any number of workers and any size of
chunk; only agents that remember partners from game to game need chunks of a fixed size.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from kagiya.agents._base import Agent
from kagiya.engine.game import MAX_SEED, check_seed
from kagiya.lab.statistics.summary import Summary, summarize
from kagiya.lab.table.clock import Clock, TimedTable
from kagiya.lab.table.stopping import Stop, at_interrupt
from kagiya.lab.table.table import AgentError, Results, Table, seat_agents
from kagiya.rules import Rules

CHUNK_SECONDS = 0.05  # short enough for a lively progress bar and a prompt Ctrl-C
FIRST_CHUNK = 20
LARGEST_CHUNK = 20_000
KEPT_CHUNK = 500  # games after which an agent that remembers its partners starts afresh
PYTHON_CHUNK = 20  # the same for a Python agent that declares no `kept_words`; it may remember all the same

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Match:
    """What to play."""

    rules: Rules
    agents: tuple[Agent, ...]  # one for every seat
    games: int
    seed: int = 0  # of the first game; the others count up from it
    clock: Clock | None = None  # for Python seats

    @classmethod
    def of(cls, rules: Rules, agents: Sequence[Agent], games: int, seed: int = 0, clock: Clock | None = None) -> Match:
        """A match with its seats filled and its numbers checked."""
        if isinstance(games, bool) or not isinstance(games, int) or games < 1:
            raise ValueError(f"the number of games must be a whole number from 1 on, not {games!r}")
        check_seed(seed)
        check_seed(min(seed + games - 1, MAX_SEED + 1))
        return cls(rules, seat_agents(rules, agents), games, seed, clock)

    def new_table(self) -> Table:
        """A table for this match, with its clock if there is one and somebody to time."""
        if self.clock is not None and not all(agent.is_compiled for agent in self.agents):
            return TimedTable(self.rules, self.agents, self.clock)
        return Table(self.rules, self.agents)

    @property
    def horizon(self) -> int:
        """After how many games agents that may carry knowledge from game to game start afresh; 0 if none does."""
        if any(agent.info.kept_words for agent in self.agents):
            return KEPT_CHUNK
        return 0 if all(agent.is_compiled for agent in self.agents) else PYTHON_CHUNK

    @property
    def keeps_memory(self) -> bool:
        """Whether some agent may carry knowledge from one game to the next."""
        return self.horizon > 0

    @property
    def has_searches(self) -> bool:
        """Whether some agent searches, so that a game may take long."""
        return any(agent.is_search for agent in self.agents)

    @property
    def first_chunk(self) -> int:
        """How many games to play before their speed is known."""
        return 1 if self.has_searches else FIRST_CHUNK


@dataclass(frozen=True)
class MatchResult:
    """What was played: all games asked for, or those finished before an interruption or an error."""

    match: Match
    results: Results  # rows of RESULT in the order of the seeds
    seconds: float
    interrupted: bool = False
    error: AgentError | None = None

    @property
    def summary(self) -> Summary:
        return summarize(self.results, self.match.rules.perfect_score, self.match.rules.players)

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
            **self.summary.to_json(),
            "seconds": self.seconds,
            "interrupted": self.interrupted,
            "error": None if self.error is None else str(self.error),
        }


class _Work:
    """The seeds still to be played, handed out in chunks; and the chunks done."""

    def __init__(self, match: Match, progress: Progress) -> None:
        self.match, self.progress = match, progress
        self.next, self.stopped = 0, False
        self.stop = Stop()
        self.error: AgentError | None = None
        self.done: dict[int, Results] = {}
        self.lock = threading.Lock()

    def take(self, size: int) -> tuple[int, int] | None:
        with self.lock:
            first = self.next
            count = min(size, self.match.games - first)
            if self.stopped or count <= 0:
                return None
            self.next += count
            return first, count

    def put(self, first: int, results: Results) -> None:
        with self.lock:
            self.done[first] = results
            self.progress(len(results))

    def keep(self, first: int, results: Results) -> None:
        """Games of a chunk that was broken off."""
        if len(results):
            self.put(first, results)

    def fail(self, error: AgentError) -> None:
        with self.lock:
            self.stopped = True
            # Several workers may fail: the earliest game is the one that a single worker would report.
            if self.error is None or error.seed < self.error.seed:
                self.error = error

    def interrupt(self) -> None:
        """Hand out no more chunks, and break off the games of searches."""
        self.stopped = True
        self.stop.set()

    def run(self) -> None:
        """What each worker does: a table of its own, chunk after chunk."""
        table = self.match.new_table()
        size = self.match.horizon or self.match.first_chunk
        while chunk := self.take(size):
            first, count = chunk
            started = time.perf_counter()
            if self.match.keeps_memory:
                table = self.match.new_table()
            try:
                with self.stop.heard_at(table):
                    self.play(table, first, count)
            except AgentError as error:
                self.keep(first, error.finished)
                self.fail(error)
                return
            if not self.match.keeps_memory:
                rate = count / max(time.perf_counter() - started, 1e-6)
                size = int(min(max(rate * CHUNK_SECONDS, 1), 4 * size, LARGEST_CHUNK))

    def play(self, table: Table, first: int, count: int) -> None:
        if table.is_compiled and not table.has_searches:
            self.put(first, table.play_chunk(self.match.seed + first, count))
            return
        for game in range(first, first + count):  # Python seats and searches are slow: let every game count
            if self.stopped:
                return
            results = table.play_chunk(self.match.seed + game, 1)
            if not table.stopped:
                self.put(game, results)

    def collect(self) -> Results:
        parts = [self.done[first] for first in sorted(self.done)]
        empty = np.zeros(0, dtype=parts[0].dtype if parts else [("score", np.int64)])
        return np.concatenate(parts) if parts else empty


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_match(match: Match, workers: int | None = None, progress: Progress = lambda games: None) -> MatchResult:
    """Play a match on so many threads (all processors by default); Ctrl-C keeps the games already played.

    Python seats hold the interpreter's lock, so a match with one of them runs on a single thread.
    """
    work = _Work(match, progress)
    compiled = all(agent.is_compiled for agent in match.agents)
    threads = (workers or cores()) if compiled else 1
    started = time.perf_counter()
    interrupted = False
    if threads == 1:
        try:
            with at_interrupt(work.interrupt) if match.has_searches else nullcontext():
                work.run()
        except KeyboardInterrupt:
            interrupted = True
    else:
        interrupted = _run_threads(work, threads)
    return MatchResult(match, work.collect(), time.perf_counter() - started, interrupted, work.error)


def _run_threads(work: _Work, threads: int) -> bool:
    work.match.new_table()  # compile before the threads start: they would all wait for it
    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(work.run) for _ in range(threads)]
        try:
            wait(futures)
        except KeyboardInterrupt:
            work.interrupt()
            wait(futures)
            return True
        for future in futures:
            future.result()
    return False
