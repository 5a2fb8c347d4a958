"""The games of a cell: what they add up to, the worst, median and best of them, those with a certain event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from kagiya.lab.deals.live_deals import OWN
from kagiya.lab.match.packing import SEATS, SOURCE_NAMES
from kagiya.lab.statistics.regret import INDIRECT, SOURCES
from kagiya.lab.statistics.totals import Totals
from kagiya.lab.store.cells import chosen_games, select_games
from kagiya.lab.store.store import Store, deals_of
from kagiya.lab.store.teams import StoredTeam
from kagiya.rules import MAX_PLAYERS

DIRECT_OF = {source: " + ".join(f"{source}_{seat}::INTEGER" for seat in SEATS) for source in SOURCE_NAMES}
DIRECT = " + ".join(DIRECT_OF.values())
INDIRECT_SUM = " + ".join(f"indirect_{seat}::INTEGER" for seat in SEATS)


@dataclass(frozen=True)
class Event:
    """Something that happened in a game: a condition on its columns, and how people say it."""

    name: str
    condition: str


EVENTS = {
    "perfect": Event("perfect score", "score = best"),
    "bomb": Event("bombed", "lives = 0"),
    "critical": Event("critical card lost", f"({DIRECT_OF['discard']}) + ({DIRECT_OF['play']}) > 0"),
    "discarded": Event("critical card discarded", f"({DIRECT_OF['discard']}) > 0"),
    "misplayed": Event("critical card misplayed", f"({DIRECT_OF['play']}) > 0"),
    "slow": Event("too few turns left", f"({INDIRECT_SUM}) > 0"),
}
ORDERS = {
    "seed": "seed, seating",
    "worst": f"score, {DIRECT} DESC, seed, seating",
    "best": f"score DESC, {DIRECT}, seed, seating",
    "median": "abs(score::INTEGER - (SELECT quantile_disc(score, 0.5) FROM chosen)), seed, seating",
}


@dataclass(frozen=True)
class StoredOutcome:
    """What came of one stored game."""

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


SUMS = (
    "count(*) FILTER (lives = 0)",
    "sum(points)",
    "sum(turns)",
    f"sum(({DIRECT}) ** 2)::BIGINT",
    f"sum(({INDIRECT_SUM}) ** 2)::BIGINT",
    *(f"sum({source}_{seat})" for seat in SEATS for source in SOURCE_NAMES),
    *(f"sum(indirect_{seat})" for seat in SEATS),
)


def _totals(numbers: Sequence[int]) -> Totals:
    totals = Totals()
    totals.bombs, totals.points, totals.turns, totals.team_squares, totals.indirect_squares = map(int, numbers[:5])
    regrets = np.array(numbers[5:], np.int64)
    direct = MAX_PLAYERS * len(SOURCE_NAMES)
    totals.regret, totals.indirect = regrets[:direct].reshape(MAX_PLAYERS, len(SOURCE_NAMES)), regrets[direct:]
    return totals


def _count_score(totals: Totals, score: int, games: int) -> None:
    grown = np.zeros(max(len(totals.scores), score + 1), np.int64)
    grown[: len(totals.scores)] = totals.scores
    grown[score] += games
    totals.scores = grown


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
