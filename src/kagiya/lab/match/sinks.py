"""Where the games of a run go if not to the store: kept, or only counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kagiya.lab.match.chunk import PlayedChunk
from kagiya.lab.match.match import Interval, Match
from kagiya.lab.match.packing import NUMBERS, add_to, unpack_results
from kagiya.lab.statistics.totals import Totals
from kagiya.lab.table.table import Results

WORST_GAMES = 3  # are remembered of each match
CHUNK_SECONDS = 0.05  # short enough for a lively progress bar and a prompt Ctrl-C


class ScoredGame(NamedTuple):
    """A game of a match that somebody may want to see."""

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


class Counted(InMemory):
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

    def results(self) -> Results:
        """Rows of RESULT in the order of the seeds, 208 bytes each."""
        firsts = sorted(self.chunks)
        none = np.zeros((len(NUMBERS), 0), np.uint8)
        numbers = np.concatenate([none, *(self.chunks[first] for first in firsts)], axis=1)
        seeds = [np.arange(first, first + self.chunks[first].shape[1]) for first in firsts]
        return unpack_results(np.concatenate([np.zeros(0, np.int64), *seeds]), numbers)


class Kept(InMemory):
    """Every game of each match."""

    def __init__(self) -> None:
        self.games: dict[int, KeptGames] = {}

    def add(self, number: int, played: PlayedChunk) -> None:
        """Keep some games."""
        self.games.setdefault(number, KeptGames()).add(played)

    def of(self, number: int) -> KeptGames:
        """The games of one match; none if none were played."""
        return self.games.get(number, KeptGames())
