"""Ranking lists with few games for the bad and many for the good: all on the same decks, half dropped at each stage.

The games are played on all cores, by threads with an arena each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kagiya.lab.evolution.fitness import Arena, Tally
from kagiya.lab.evolution.rule_sets import Uses, list_text
from kagiya.rules import Rules
from kagiya.runtime.interrupts import Stop
from kagiya.runtime.workers import LocalWorkers, ThreadCache, WorkItem

STAGES = 5  # the first of which all lists play
FEWEST = 4  # lists that play to the end
MAX_GAMES = 2_000  # in one call of a kernel, which nothing interrupts


@dataclass(frozen=True)
class Job:
    """Games of a list to be played."""

    uses: Uses
    seed: int
    games: int


@dataclass(frozen=True)
class Entry:
    """A list and what its games of this generation came to."""

    uses: Uses
    tally: Tally


Play = Callable[[Sequence[Job]], list[Tally]]
ARENAS: ThreadCache[Arena] = ThreadCache()


@dataclass(frozen=True)
class ListGames(WorkItem[Tally]):
    """A job in some rules, short enough to be waited for."""

    rules: Rules
    longest: int  # list that the arena must hold
    job: Job

    def run(self, stop: Stop) -> Tally:
        arena = ARENAS.get((self.rules, self.longest), lambda: Arena(self.rules, self.longest))
        return arena.play(self.job.uses, self.job.seed, self.job.games)


class ListWorkers(LocalWorkers):
    """Threads that play lists by some rules."""

    def __init__(self, rules: Rules, longest: int, workers: int | None = None) -> None:
        super().__init__(workers)
        self.rules, self.longest = rules, longest

    def play(self, jobs: Sequence[Job]) -> list[Tally]:
        """What each job's games add up to, in the order of the jobs."""
        pieces = [[self.submit(ListGames(self.rules, self.longest, piece)) for piece in cut(job)] for job in jobs]
        return [sum((future.result() for future in futures), Tally()) for futures in pieces]


def cut(job: Job) -> list[Job]:
    """A job in calls that are short enough to be waited for."""
    ends = range(0, job.games, MAX_GAMES)
    return [Job(job.uses, job.seed + done, min(MAX_GAMES, job.games - done)) for done in ends]


def stage_games(games: int) -> list[int]:
    """After how many games each stage ends, for `games` in all: each has twice as many as the one before."""
    return sorted({max(2, games >> stage) for stage in range(STAGES)})


def race(groups: Sequence[Sequence[Uses]], games: int, seed: int, play: Play) -> list[list[Entry]]:
    """Rank each group of lists, best first, on decks from `seed` on; who was dropped earlier stands further back."""
    alive = [[Entry(uses, Tally()) for uses in group] for group in groups]
    dropped: list[list[Entry]] = [[] for _ in groups]
    done = 0
    stages = stage_games(games)
    for end in stages:
        tallies = iter(play([Job(entry.uses, seed + done, end - done) for group in alive for entry in group]))
        alive = [ranked([Entry(entry.uses, entry.tally + next(tallies)) for entry in group]) for group in alive]
        done = end
        if end < stages[-1]:
            for place, group in enumerate(alive):
                kept = max(FEWEST, (len(group) + 1) // 2)
                dropped[place] = group[kept:] + dropped[place]
                alive[place] = group[:kept]
    return [first + rest for first, rest in zip(alive, dropped, strict=True)]


def ranked(entries: Sequence[Entry]) -> list[Entry]:
    """Best first; ties go to the shorter list, then to the alphabet, so that the order never depends on chance."""
    return sorted(entries, key=lambda entry: (-entry.tally.mean, len(entry.uses), list_text(entry.uses)))
