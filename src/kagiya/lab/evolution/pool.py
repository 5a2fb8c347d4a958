"""Plays the games of many lists on all cores: threads, each with an arena of its own."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from kagiya.lab.evolution.fitness import Arena, Tally
from kagiya.lab.evolution.racing import Job
from kagiya.lab.match.threads import DaemonThreads
from kagiya.lab.match.workers import GRACE, cores
from kagiya.rules import Rules

MOST_GAMES = 2_000  # in one call of a kernel, which nothing interrupts


class Pool:
    """Threads that play lists by some rules."""

    def __init__(self, rules: Rules, longest: int, workers: int | None = None) -> None:
        self.rules, self.longest = rules, longest
        self.threads = DaemonThreads(workers or cores())
        self.own = threading.local()

    def play(self, jobs: Sequence[Job]) -> list[Tally]:
        """What each job's games add up to, in the order of the jobs."""
        pieces = [[self.threads.submit(self._play, piece) for piece in cut(job)] for job in jobs]
        return [sum((future.result() for future in futures), Tally()) for futures in pieces]

    def _play(self, job: Job) -> Tally:
        if not hasattr(self.own, "arena"):
            self.own.arena = Arena(self.rules, self.longest)
        tally: Tally = self.own.arena.play(job.uses, job.seed, job.games)
        return tally

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.threads.stop(GRACE) if error is not None else self.threads.close()


def cut(job: Job) -> list[Job]:
    """A job in calls that are short enough to be waited for."""
    ends = range(0, job.games, MOST_GAMES)
    return [Job(job.uses, job.seed + done, min(MOST_GAMES, job.games - done)) for done in ends]
