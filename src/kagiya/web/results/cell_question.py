"""What the page of a cell shows: its games summarized, listed by event, and set beside another cell's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from kagiya.lab.statistics.summary import Summary, summarize_totals, without_nan
from kagiya.lab.store.cells import (
    Members,
    PairedCells,
    StoredOutcome,
    added,
    cells_of,
    compare_on_common_decks,
    count_events,
    list_games,
    regret_by_agent,
    teams_of,
    totals_of,
)
from kagiya.lab.store.queries import GameFilter, StoredTeam, chosen_teams, settled
from kagiya.lab.store.store import Store
from kagiya.web.results.addresses import members_name
from kagiya.web.results.reading import Question
from kagiya.web.views import NotHereError

EXTREMES = 3  # worst, median and best games
GAMES_SHOWN = 20


@dataclass(frozen=True)
class CellAddress:
    """A cell: whose games, and which of them."""

    choice: GameFilter
    members: Members


@dataclass(frozen=True)
class Beside:
    """Another cell with its mean, and both on common decks."""

    cell: CellAddress
    name: str
    summary: Summary
    paired: PairedCells


@dataclass(frozen=True)
class CellAnswer:
    """All that the page shows."""

    teams: tuple[StoredTeam, ...]
    perfect: int
    summary: Summary
    by_agent: dict[str, dict[str, float]]
    events: dict[str, int]
    extremes: dict[str, tuple[StoredOutcome, ...]]
    games: tuple[StoredOutcome, ...]
    listed: int  # games with the event that was asked for
    page: int
    others: tuple[Members, ...]  # cells by the same rules that it may be set beside
    beside: Beside | None

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        seatings = [
            {"seating": team.seating, "seats": team.seats, "code": team.code, "terms": team.terms, "games": team.games}
            for team in self.teams
        ]
        data: dict[str, Any] = {
            "seatings": seatings,
            "perfect_score": self.perfect,
            "summary": self.summary.to_json(),
            "regret_by_agent": self.by_agent,
            "events": self.events,
            "extremes": {order: [game.to_json() for game in games] for order, games in self.extremes.items()},
            "page": self.page,
            "games": [game.to_json() for game in self.games],
        }
        if self.beside is not None:
            data["beside"] = {
                "members": self.beside.cell.members,
                "choice": asdict(self.beside.cell.choice),
                "summary": self.beside.summary.to_json(),
                "on_common_decks": self.beside.paired.to_json(),
            }
        plain: dict[str, Any] = without_nan(data)
        return plain


@dataclass(frozen=True)
class CellQuestion(Question[CellAnswer]):
    """Asked by the page of a cell."""

    cell: CellAddress
    event: str | None = None
    order: str = "seed"
    page: int = 1
    beside: CellAddress | None = None

    def answer(self, store: Store) -> CellAnswer:
        """Read it; a cell without games is refused by a sentence."""
        teams = games_of(store, self.cell)
        totals = totals_of(store, teams)
        events = count_events(store, teams)
        perfect, players = teams[0].rules.perfect_score, teams[0].players
        listed = sum(team.games for team in teams) if self.event is None else events[self.event]
        page = min(self.page, max(1, -(-listed // GAMES_SHOWN)))
        start = (page - 1) * GAMES_SHOWN
        return CellAnswer(
            tuple(teams),
            perfect,
            summarize_totals(added(totals), perfect, players),
            regret_by_agent(totals, teams),
            events,
            {
                order: tuple(list_games(store, teams, order, page=(0, EXTREMES)))
                for order in ("worst", "median", "best")
            },
            tuple(list_games(store, teams, self.order, self.event, (start, GAMES_SHOWN))),
            listed,
            page,
            tuple(self._others(store, teams[0])),
            None if self.beside is None else self._set_beside(store, teams, self.beside),
        )

    def _others(self, store: Store, like: StoredTeam) -> list[Members]:
        choice = GameFilter(like.preset, like.players)
        found = [
            pair for team in chosen_teams(store.catalog, choice) for pair in cells_of(team.seats) if len(pair) == 2
        ]
        return sorted(set(found))

    def _set_beside(self, store: Store, teams: Sequence[StoredTeam], other: CellAddress) -> Beside:
        others = games_of(store, other)
        names = cell_name(self.cell), cell_name(other)
        if names[0] == names[1]:
            names = f"{names[0]} (first)", f"{names[1]} (second)"
        summary = summarize_totals(added(totals_of(store, others)), others[0].rules.perfect_score, others[0].players)
        return Beside(other, names[1], summary, compare_on_common_decks(store, names, teams, others))


def games_of(store: Store, cell: CellAddress) -> list[StoredTeam]:
    """The teams of a cell; refused if there is none."""
    teams = teams_of(chosen_teams(store.catalog, cell.choice), cell.members)
    choice = settled(cell.choice, teams)  # games by different rules are never put together
    teams = [team for team in teams if (team.preset, team.players) == (choice.rules, choice.players)]
    if not teams:
        raise NotHereError(f"The store has no games of {cell_name(cell):.200} that you chose.")
    return teams


def cell_name(cell: CellAddress) -> str:
    """How a cell is called, with its run and code if they were chosen."""
    run = f", run {cell.choice.run}" if cell.choice.run is not None else ""
    code = f", code {cell.choice.code:.7}" if cell.choice.code is not None else ""
    return f"{members_name(cell.members)}{run}{code}"
