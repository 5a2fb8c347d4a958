"""Cells of the store: the games of one guest with copies of one host, of one agent with itself, or of one team."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from kagiya.lab.match.packing import SEATS, SOURCE_NAMES
from kagiya.lab.statistics.summary import wilson_interval
from kagiya.lab.store import game_files
from kagiya.lab.store.errors import UnreadableStoreError
from kagiya.lab.store.store import Store
from kagiya.lab.store.teams import StoredTeam

# An agent and its host, the same twice in self-play; or everybody in their seats, where a team is neither.
Members = tuple[str, ...]
ONE_SIGMA = 0.6826894921370859


@dataclass(frozen=True)
class Measure:
    """What is measured of a game: an expression over its columns, for people a name, and whether it is a share."""

    name: str
    expression: str
    is_share: bool = False
    more_is_better: bool = True


def _regret(*sources: str) -> str:
    return " + ".join(f"{source}_{seat}::INTEGER" for source in sources for seat in SEATS)


MEASURES = {
    "score": Measure("Mean score", "score::INTEGER"),
    "perfect": Measure("Perfect games", "(score = best)::INTEGER", is_share=True),
    "bombs": Measure("Bombed games", "(lives = 0)::INTEGER", is_share=True, more_is_better=False),
    "direct": Measure("Direct regret", _regret(*SOURCE_NAMES), more_is_better=False),
    "indirect": Measure("Indirect regret", _regret("indirect"), more_is_better=False),
    "regret": Measure("Total regret", _regret(*SOURCE_NAMES, "indirect"), more_is_better=False),
}


@dataclass(frozen=True)
class Sums:
    """A number of each of some games, added up; sums of different games can be added."""

    games: int = 0
    total: int = 0
    squares: int = 0

    def __add__(self, other: Sums) -> Sums:
        return Sums(self.games + other.games, self.total + other.total, self.squares + other.squares)

    @property
    def mean(self) -> float:
        return self.total / self.games if self.games else math.nan

    @property
    def se(self) -> float:
        """The standard error of the mean; not a number for fewer than two games."""
        if self.games < 2:
            return math.nan
        variance = (self.games * self.squares - self.total**2) / (self.games * (self.games - 1))
        return math.sqrt(variance / self.games)

    def error(self, measure: Measure) -> float:
        """The standard error; of a share half of Wilson's interval of one sigma, which is not 0 if none was seen."""
        if not measure.is_share or not self.games:
            return self.se
        low, high = wilson_interval(self.mean, self.games, ONE_SIGMA)
        return (high - low) / 2


def cells_of(seats: Sequence[str]) -> list[Members]:
    """The cells that a team's games belong to. With two players each is the other's guest, so there are two."""
    counts = Counter(seats)
    if len(counts) == 1:
        return [(seats[0], seats[0])]
    if len(counts) == 2 and min(counts.values()) == 1:
        guests = [agent for agent, times in counts.items() if times == 1]
        return [(guest, next(agent for agent in counts if agent != guest)) for guest in guests]
    return [tuple(seats)]


def teams_of(teams: Iterable[StoredTeam], members: Members) -> list[StoredTeam]:
    """Those whose games belong to a cell."""
    return [team for team in teams if members in cells_of(team.seats)]


def measured_cells(store: Store, teams: Sequence[StoredTeam], measure: Measure) -> dict[Members, Sums]:
    """What is measured, by cell."""
    by_seating = measured_teams(store, teams, measure)
    cells: dict[Members, Sums] = {}
    for team in teams:
        for members in cells_of(team.seats):
            cells[members] = cells.get(members, Sums()) + by_seating.get(team.seating, Sums())
    return cells


def measured_teams(store: Store, teams: Sequence[StoredTeam], measure: Measure) -> dict[int, Sums]:
    """What is measured, by seating."""
    columns = f"seating, count(*), sum({measure.expression}), sum(({measure.expression}) ** 2)::BIGINT"
    rows = select_games(store, teams, columns, "GROUP BY seating")
    return {seating: Sums(games, int(total), int(squares)) for seating, games, total, squares in rows}


def select_games(
    store: Store, teams: Sequence[StoredTeam], columns: str, tail: str = "", values: Sequence[Any] = ()
) -> list[tuple[Any, ...]]:
    """Columns of the games of these teams; `tail` follows FROM. A game also has `best`, the perfect score."""
    query = f"WITH chosen AS ({chosen_games(store, teams)}) SELECT {columns} FROM chosen {tail}"
    try:
        return store.connection.execute(query, list(values)).fetchall()
    except duckdb.Error as error:
        raise UnreadableStoreError(store.path, error) from None


def chosen_games(store: Store, teams: Sequence[StoredTeam]) -> str:
    """The games of these teams in SQL; only files that have some of them are opened."""
    wanted = [(team.seating, *seeds, team.rules.perfect_score) for team in teams for seeds in team.seeds]
    seatings = {seating for seating, *_ in wanted}
    files = [file for file in store.catalog.files.values() if any(chunk.seating in seatings for chunk in file.chunks)]
    columns = ("seating", "first", "after", "best")
    lists = zip(columns, zip(*wanted, strict=True) if wanted else ((),) * len(columns), strict=True)
    listed = ", ".join(f"unnest({list(numbers)}::BIGINT[]) AS {name}" for name, numbers in lists)
    return f"""SELECT game.*, best FROM {game_files.source(store.folder.games, files)} game
        JOIN (SELECT {listed}) wanted ON game.seating = wanted.seating AND seed >= first AND seed < after"""
