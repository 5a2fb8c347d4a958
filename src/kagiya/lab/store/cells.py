"""Cells of the store: the games of one guest with copies of one host, of one agent with itself, or of one team.

Here are their sums, their worst, median and best games, games with a certain event, and two cells on common decks.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import duckdb
import numpy as np

from kagiya.cards import MAX_PLAYERS
from kagiya.engine.record import GameRecord
from kagiya.lab.deals import OWN
from kagiya.lab.match.chunk import SEATS, SOURCE_NAMES
from kagiya.lab.paired_and_sequential_tests import Difference, compare_pair
from kagiya.lab.regret import INDIRECT, SOURCES
from kagiya.lab.store.journal import UnreadableStoreError
from kagiya.lab.store.queries import StoredTeam, chosen_games, regret_of
from kagiya.lab.store.store import Store, deals_of
from kagiya.lab.summary import Totals, deviation, wilson_interval

# An agent and its host, the same twice in self-play; or the whole team, seat by seat, where it is neither.
Members = tuple[str, ...]
DECK_COLUMNS = ("seed", "one", "other", "one_seating", "other_seating")
ONE_SIGMA = 0.6826894921370859


@dataclass(frozen=True)
class Measure:
    """What is measured of a game: an expression over its columns, for people a name, and whether it is a share."""

    name: str
    expression: str
    is_share: bool = False
    more_is_better: bool = True


DIRECT, INDIRECT_SUM = regret_of(*SOURCE_NAMES), regret_of(INDIRECT)

MEASURES = {
    "score": Measure("Mean score", "score::INTEGER"),
    "perfect": Measure("Perfect games", "(score = best)::INTEGER", is_share=True),
    "bombs": Measure("Bombed games", "(lives = 0)::INTEGER", is_share=True, more_is_better=False),
    "direct": Measure("Direct regret", DIRECT, more_is_better=False),
    "indirect": Measure("Indirect regret", INDIRECT_SUM, more_is_better=False),
    "regret": Measure("Total regret", regret_of(*SOURCE_NAMES, INDIRECT), more_is_better=False),
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
        return deviation(self.games, self.total, self.squares) / math.sqrt(self.games) if self.games else math.nan

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


@dataclass(frozen=True)
class GameEvent:
    """Something that happened in a game: a condition on its columns, and how people say it."""

    name: str
    condition: str


EVENTS = {
    "perfect": GameEvent("perfect score", "score = best"),
    "bomb": GameEvent("bombed", "lives = 0"),
    "critical": GameEvent("critical card lost", f"{regret_of('discard', 'play')} > 0"),
    "discarded": GameEvent("critical card discarded", f"{regret_of('discard')} > 0"),
    "misplayed": GameEvent("critical card misplayed", f"{regret_of('play')} > 0"),
    "slow": GameEvent("too few turns left", f"{INDIRECT_SUM} > 0"),
}
ORDERS = {
    "seed": "seed, seating",
    "worst": f"score, {DIRECT} DESC, seed, seating",
    "best": f"score DESC, {DIRECT}, seed, seating",
    "median": "abs(score::INTEGER - (SELECT quantile_disc(score, 0.5) FROM chosen)), seed, seating",
}


@dataclass(frozen=True)
class StoredOutcome:
    """The outcome of one stored game."""

    seating: int
    seed: int
    score: int
    points: int
    lives: int
    turns: int
    direct: int
    indirect: int

    def to_json(self) -> dict[str, int]:
        """Plain data."""
        return asdict(self)


OUTCOME_COLUMNS = f"seating, seed, score, points, lives, turns, {DIRECT}, {INDIRECT_SUM}"
SUMS = (
    "count(*) FILTER (lives = 0)",
    "sum(points)",
    "sum(turns)",
    f"sum({DIRECT} ** 2)::BIGINT",
    f"sum({INDIRECT_SUM} ** 2)::BIGINT",
    *(f"sum({source}_{seat})" for seat in SEATS for source in SOURCE_NAMES),
    *(f"sum(indirect_{seat})" for seat in SEATS),
)


def list_games(
    store: Store,
    teams: Sequence[StoredTeam],
    order: str = "seed",
    event: str | None = None,
    page: tuple[int, int] = (0, 20),
) -> list[StoredOutcome]:
    """Games in one of ORDERS, all or those with one of EVENTS; `page` is how many to pass over and how many to list."""
    where = f"WHERE {EVENTS[event].condition}" if event is not None else ""
    rows = select_games(
        store, teams, OUTCOME_COLUMNS, f"{where} ORDER BY {ORDERS[order]} LIMIT ? OFFSET ?", [page[1], page[0]]
    )
    return [StoredOutcome(*map(int, row)) for row in rows]


def count_events(store: Store, teams: Sequence[StoredTeam]) -> dict[str, int]:
    """The number of games with each of EVENTS."""
    columns = ", ".join(f"count(*) FILTER ({event.condition})" for event in EVENTS.values())
    return dict(zip(EVENTS, map(int, select_games(store, teams, columns)[0]), strict=True))


def totals_of(store: Store, teams: Sequence[StoredTeam]) -> dict[int, Totals]:
    """What the games of each team add up to, by seating; teams without games are left out."""
    found = {}
    for seating, *numbers in select_games(store, teams, f"seating, {', '.join(SUMS)}", "GROUP BY seating"):
        found[seating] = _totals(numbers)
    for seating, score, games in select_games(store, teams, "seating, score, count(*)", "GROUP BY seating, score"):
        _count_score(found[seating], score, games)
    return found


def _totals(numbers: Sequence[int]) -> Totals:
    totals = Totals()
    totals.bombs, totals.points, totals.turns, totals.team_squares, totals.indirect_squares = map(int, numbers[:5])
    regrets = np.array(numbers[5:], np.int64)
    direct = MAX_PLAYERS * len(SOURCE_NAMES)
    totals.regret, totals.indirect = regrets[:direct].reshape(MAX_PLAYERS, len(SOURCE_NAMES)), regrets[direct:]
    return totals


def _count_score(totals: Totals, score: int, games: int) -> None:
    totals.scores = np.pad(totals.scores, (0, max(score + 1 - len(totals.scores), 0)))
    totals.scores[score] += games


def added(totals: Mapping[int, Totals]) -> Totals:
    """All of them together."""
    together = Totals()
    for each in totals.values():
        together.add_totals(each)
    return together


def regret_by_agent(totals: Mapping[int, Totals], teams: Sequence[StoredTeam]) -> dict[str, dict[str, float]]:
    """Points lost in a game by one seat of each agent, by source and indirectly, wherever it sat."""
    sums: dict[str, Any] = {}
    seats: dict[str, int] = {}  # games, each counted once for every seat of the agent
    for team in teams:
        found = totals.get(team.seating)
        if found is None:
            continue
        for place, agent in enumerate(team.seats):
            lost = np.append(found.regret[place], found.indirect[place])
            sums[agent] = sums.get(agent, 0) + lost
            seats[agent] = seats.get(agent, 0) + found.games
    return {
        agent: dict(zip((*SOURCES, INDIRECT), (lost / seats[agent]).tolist(), strict=True))
        for agent, lost in sums.items()
    }


def scores_by_deck(store: Store, teams: Sequence[StoredTeam]) -> str:
    """The mean score on each deck, in SQL: a cell may have played one in several seatings.

    A deck is its seed and who shuffled by it.
    """
    others = [team.seating for team in teams if deals_of(team.terms) != OWN]
    return f"""SELECT seed, list_contains({others}::BIGINT[], seating) AS is_foreign, avg(score) AS score,
        min(seating) AS seating FROM ({chosen_games(store, teams)}) GROUP BY seed, is_foreign"""


@dataclass(frozen=True)
class DeckPair:
    """One deck, and the game (its seating) and mean score of each cell on it."""

    seed: int
    first: float
    second: float
    first_seating: int
    second_seating: int


@dataclass(frozen=True)
class PairedCells:
    """How two cells did on common decks."""

    difference: Difference
    ahead: int  # decks on which the first scored more
    level: int
    behind: int
    best_for_first: tuple[DeckPair, ...]
    best_for_second: tuple[DeckPair, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {**asdict(self), "difference": self.difference.to_json()}


def compare_on_common_decks(
    store: Store, names: tuple[str, str], first: Sequence[StoredTeam], second: Sequence[StoredTeam], shown: int = 3
) -> PairedCells:
    """The first minus the second, deck by deck; both by the same rules and with as many players."""
    both = f"""WITH a AS ({scores_by_deck(store, first)}), b AS ({scores_by_deck(store, second)})
        SELECT seed, a.score AS one, b.score AS other, a.seating AS one_seating, b.seating AS other_seating
        FROM a JOIN b USING (seed, is_foreign) ORDER BY seed"""
    try:
        found = store.connection.execute(both).fetchnumpy()
    except duckdb.Error as error:
        raise UnreadableStoreError(store.path, error) from None
    one, other = np.asarray(found["one"], float), np.asarray(found["other"], float)
    order = np.argsort(one - other, kind="stable")
    pairs = [
        DeckPair(*(found[name][place].item() for name in DECK_COLUMNS)) for place in (*order[:shown], *order[-shown:])
    ]
    leads = [pair for pair in reversed(pairs) if pair.first > pair.second]
    trails = [pair for pair in pairs if pair.first < pair.second]
    return PairedCells(
        compare_pair(*names, one, other),
        int((one > other).sum()),
        int((one == other).sum()),
        int((one < other).sum()),
        tuple(dict.fromkeys(leads))[:shown],
        tuple(dict.fromkeys(trails))[:shown],
    )


@dataclass(frozen=True)
class StoredGame:
    """A game as it was played, and the code and terms that played it."""

    record: GameRecord
    seating: int
    seed: int
    code: str  # compare with `code_version` of the agents: another one may move otherwise today
    terms: str
    run: int | None  # that played it


def find_stored_game(store: Store, seating: int, seed: int) -> StoredGame:
    """A game of an open store; all its moves are made again, and what comes of them is compared.

    A StoreError, whose text is for people, if there is no such game or its moves lead elsewhere now.
    """
    record = store.record(seating, seed)
    row = store.catalog.seatings[seating]
    chunks = [chunk for file in store.catalog.files.values() for chunk in file.chunks]
    played = (chunk.run for chunk in chunks if chunk.seating == seating and chunk.first <= seed < chunk.after)
    return StoredGame(record, seating, seed, row["code"], row["terms"], next(played, None))
