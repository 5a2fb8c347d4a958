"""What the page of results shows: runs, and for one kind of game self-play, cross-play and other teams."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from kagiya.lab.statistics.summary import without_nan
from kagiya.lab.store.cells import MEASURES, Measure, Members, Sums, cells_of, measured_cells
from kagiya.lab.store.queries import (
    RUNNING,
    GameFilter,
    Offers,
    StoredRun,
    StoredTeam,
    chosen_teams,
    count_older,
    offers,
    settled,
    stored_runs,
)
from kagiya.lab.store.store import Store
from kagiya.web.results.reading import Question

RUNS_SHOWN = 10
AGENTS_SHOWN = 12  # of the heat map, each way
TEAMS_SHOWN = 20  # of a list
AS_GUEST, AS_HOST = "as a guest", "as the host"


@dataclass(frozen=True)
class Pages:
    """Which page of each list is looked at, from 1."""

    runs: int = 1
    selves: int = 1
    guests: int = 1
    hosts: int = 1
    teams: int = 1


@dataclass(frozen=True)
class Part:
    """Some of a list: which page, of how many, and what is on it."""

    page: int
    pages: int
    all: int
    items: tuple[Any, ...]


def part_of(items: Sequence[Any], page: int, size: int) -> Part:
    """One page of a list; behind the last page is the last page."""
    pages = max(1, -(-len(items) // size))
    page = min(page, pages)
    return Part(page, pages, len(items), tuple(items[(page - 1) * size : page * size]))


@dataclass(frozen=True)
class HeatMap:
    """Rows by columns; `cells` says whose cell stands where, and what was measured in it."""

    rows: Part
    columns: Part
    cells: dict[tuple[str, str], tuple[Members, Sums]]


@dataclass(frozen=True)
class Overview:
    """All that the page shows."""

    choice: GameFilter  # with the rules and the number of players that are shown
    measure: str
    offers: Offers
    games: int  # of the whole store
    runs: Part
    running: tuple[StoredRun, ...]
    selves: Part  # of (agent, Sums)
    heat_map: HeatMap
    teams: Part  # of (Members, Sums)
    older: int  # teams that older code played as well

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        data: dict[str, Any] = {
            "choice": vars(self.choice),
            "measure": self.measure,
            "offers": vars(self.offers),
            "games": self.games,
            "older_teams": self.older,
            "runs": _listed(self.runs, [run.to_json() for run in self.runs.items]),
            "self_play": _listed(self.selves, [self._number((one, one), sums) for one, sums in self.selves.items]),
            "cross_play": [self._number(*cell) for cell in self.heat_map.cells.values()],
            "other_teams": _listed(self.teams, [self._number(*each) for each in self.teams.items]),
        }
        plain: dict[str, Any] = without_nan(data)
        return plain

    def _number(self, members: Members, sums: Sums) -> dict[str, Any]:
        error = sums.error(MEASURES[self.measure])
        return {"members": list(members), "games": sums.games, "value": sums.mean, "error": error}


def _listed(part: Part, items: list[Any]) -> dict[str, Any]:
    return {"page": part.page, "pages": part.pages, "all": part.all, "items": items}


@dataclass(frozen=True)
class OverviewQuestion(Question[Overview]):
    """Asked by the page of results."""

    choice: GameFilter
    measure: str
    pages: Pages

    def answer(self, store: Store) -> Overview:
        """Only what is shown is measured, and self-play, which the lists are ordered by."""
        catalog = store.catalog
        everything = chosen_teams(catalog, GameFilter(older=True))
        choice = settled(self.choice, chosen_teams(catalog, self.choice))
        teams = chosen_teams(catalog, choice)
        measure = MEASURES[self.measure]
        selves = ranked(store, [team for team in teams if len(set(team.seats)) == 1], measure)
        return Overview(
            choice,
            self.measure,
            offers(everything),
            sum(team.games for team in everything),
            self._runs(store),
            tuple(run for run in stored_runs(catalog, most=RUNS_SHOWN) if run.state == RUNNING),
            part_of(selves, self.pages.selves, TEAMS_SHOWN),
            self._heat_map(store, teams, [agent for agent, _ in selves]),
            self._others(store, teams),
            count_older(catalog, choice),
        )

    def _runs(self, store: Store) -> Part:
        part = part_of(sorted(store.catalog.runs, reverse=True), self.pages.runs, RUNS_SHOWN)
        return replace(part, items=tuple(stored_runs(store.catalog, (part.page - 1) * RUNS_SHOWN, RUNS_SHOWN)))

    def _heat_map(self, store: Store, teams: Sequence[StoredTeam], order: Sequence[str]) -> HeatMap:
        """Guests by hosts; of one agent its partners by the role that it has."""
        mine = self.choice.agent
        pairs = list(dict.fromkeys(pair for team in teams for pair in cells_of(team.seats) if len(pair) == 2))
        if mine is not None:
            places = {_partner(pair, mine): pair for pair in pairs if mine in pair and len(set(pair)) == 2}
            rows = _ordered({partner for partner, _ in places}, order)
            columns = [AS_GUEST, AS_HOST] if rows else []
        else:
            places = {(guest, host): (guest, host) for guest, host in pairs}
            crossed = {pair for pair in pairs if len(set(pair)) == 2}
            agents = _ordered({agent for pair in crossed for agent in pair}, order)
            rows, columns = agents, agents
        across, down = (
            part_of(columns, self.pages.hosts, AGENTS_SHOWN),
            part_of(rows, self.pages.guests, AGENTS_SHOWN),
        )
        shown = {place: pair for place, pair in places.items() if place[0] in down.items and place[1] in across.items}
        wanted = set(shown.values())
        measured = measured_cells(
            store, [team for team in teams if wanted & set(cells_of(team.seats))], MEASURES[self.measure]
        )
        return HeatMap(down, across, {place: (pair, measured[pair]) for place, pair in shown.items()})

    def _others(self, store: Store, teams: Sequence[StoredTeam]) -> Part:
        """Teams that are neither one agent alone nor a guest and its hosts."""
        others = [team for team in teams if len(cells_of(team.seats)[0]) != 2]
        names = list(dict.fromkeys(team.seats for team in others))
        part = part_of(names, self.pages.teams, TEAMS_SHOWN)
        measured = measured_cells(store, [team for team in others if team.seats in part.items], MEASURES[self.measure])
        return replace(part, items=tuple((members, measured[members]) for members in part.items))


def ranked(store: Store, teams: Sequence[StoredTeam], measure: Measure) -> list[tuple[str, Sums]]:
    """Agents in self-play, the best first."""
    measured = measured_cells(store, teams, measure)
    sign = -1 if measure.more_is_better else 1
    return sorted(((members[0], sums) for members, sums in measured.items()), key=lambda row: (sign * row[1].mean, row))


def _partner(pair: Members, mine: str) -> tuple[str, str]:
    return (pair[1], AS_GUEST) if pair[0] == mine else (pair[0], AS_HOST)


def _ordered(agents: set[str], order: Sequence[str]) -> list[str]:
    """As they rank in self-play, then by name."""
    place = {agent: number for number, agent in enumerate(order)}
    return sorted(agents, key=lambda agent: (place.get(agent, len(place)), agent))
