"""Ranking lists with few games for the bad and many for the good: all on the same decks, half dropped at each stage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kagiya.lab.evolution.fitness import Tally
from kagiya.lab.evolution.rule_sets import Uses, list_text

STAGES = 5  # the first of which all lists play
FEWEST = 4  # lists that play to the end


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
