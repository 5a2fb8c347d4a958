"""Sums over stored games, counted by the database: as many games as there are, in no more memory than one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kagiya.lab.match.packing import SEATS, SOURCE_NAMES
from kagiya.lab.statistics.regret import INDIRECT, REGRETS, SOURCES
from kagiya.lab.store.store import Store

# The matches of a run, numbered in their order.
PARTS = "SELECT row_number() OVER (ORDER BY rowid) - 1 AS number, seating, first, games FROM part WHERE run = ?"
COLUMNS = (*SOURCE_NAMES, INDIRECT)  # of a stored game, each with the number of a seat behind it


@dataclass(frozen=True)
class Tally:
    """What some games come to; tallies of different games can be added."""

    games: int = 0
    score: int = 0
    squares: int = 0
    perfect: int = 0
    bombs: int = 0
    points: int = 0
    turns: int = 0
    regrets: tuple[int, ...] = (0,) * len(COLUMNS)

    def __add__(self, other: Tally) -> Tally:
        pairs = zip(self._numbers(), other._numbers(), strict=True)
        return Tally.of([first + second for first, second in pairs])

    @classmethod
    def of(cls, numbers: Sequence[int]) -> Tally:
        """From the numbers in the order of the fields, the regrets last."""
        games, score, squares, perfect, bombs, points, turns, *regrets = map(int, numbers)
        return cls(games, score, squares, perfect, bombs, points, turns, tuple(regrets))

    def _numbers(self) -> tuple[int, ...]:
        outcome = (self.games, self.score, self.squares, self.perfect, self.bombs, self.points, self.turns)
        return outcome + self.regrets

    @property
    def mean(self) -> float:
        return self.score / self.games if self.games else math.nan

    @property
    def sd(self) -> float:
        if self.games < 2:
            return math.nan
        return math.sqrt(max(self.squares - self.score**2 / self.games, 0) / (self.games - 1))

    @property
    def se(self) -> float:
        return self.sd / math.sqrt(self.games) if self.games else math.nan

    @property
    def direct(self) -> float:
        """Direct regret of a game."""
        return self._per_game(sum(self.regrets[:-1]))

    @property
    def indirect(self) -> float:
        """Indirect regret of a game."""
        return self._per_game(self.regrets[-1])

    def to_json(self) -> dict[str, Any]:
        """Means and rates; what is not a number becomes null."""
        numbers = {
            "mean": self.mean,
            "se": self.se,
            "sd": self.sd,
            "perfect_rate": self._per_game(self.perfect),
            "bomb_rate": self._per_game(self.bombs),
            "mean_points": self._per_game(self.points),
            "mean_turns": self._per_game(self.turns),
        }
        regrets = dict(zip(SOURCES, map(self._per_game, self.regrets), strict=False))
        regrets |= dict(zip(REGRETS, (self.direct, self.indirect, self.direct + self.indirect), strict=True))
        plain = {key: None if math.isnan(value) else value for key, value in numbers.items()}
        return {"games": self.games, **plain, "regret": {k: None if math.isnan(v) else v for k, v in regrets.items()}}

    def _per_game(self, total: int) -> float:
        return total / self.games if self.games else math.nan


def tally_run(store: Store, run: int, perfect: Sequence[int]) -> list[Tally]:
    """A tally for each part of a run, in the order of its matches; `perfect` are their perfect scores."""
    regrets = ", ".join(f"sum({' + '.join(f'{source}_{seat}' for seat in SEATS)})" for source in COLUMNS)
    query = f"""WITH best AS (SELECT unnest(?::INTEGER[]) AS best, generate_subscripts(?::INTEGER[], 1) - 1 AS number)
        SELECT number, count(*), sum(score), sum(score::INTEGER * score), sum((score = best)::INTEGER),
            sum((lives = 0)::INTEGER), sum(points), sum(turns), {regrets}
        FROM ({PARTS}) part JOIN best USING (number)
            JOIN game ON game.seating = part.seating AND seed >= first AND seed < first + games
        GROUP BY number"""
    tallies = [Tally()] * len(perfect)
    for number, *sums in store.rows(query, [list(perfect), list(perfect), run]):
        tallies[number] = Tally.of(sums)
    return tallies
