"""Questions of the results pages to the store, the addresses that ask them, and the answers.

A thread opens, reads and closes the store for each question; answers are kept until the store changes.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

from kagiya.cards import MAX_PLAYERS
from kagiya.lab.store import cells, queries
from kagiya.lab.store.journal import Journal, MissingStoreError, StoreError, UnreadableStoreError
from kagiya.lab.store.store import Store, StoreFolder, default_store
from kagiya.lab.summary import Summary, summarize_totals, without_nan
from kagiya.runtime.jobs import STORE, JobQueue, Remembered, Task
from kagiya.web.pages import Address, NotHereError, RefusedError, sentence

T = TypeVar("T")
log = logging.getLogger("kagiya.web")


@dataclass(frozen=True)
class StoreAnswer:
    """What was read from the store as it stood at a stamp."""

    stamp: object
    value: Any


class StoreQuestion(ABC, Generic[T]):
    """Something to find out; questions that are equal have the same answer while the store stays as it is."""

    @abstractmethod
    def answer(self, store: Store) -> T:
        """Read it from an open store."""


class StoreReader:
    """One server's way to its store. No page holds the store open, and nothing here can write to it."""

    def __init__(self, path: Path | None, jobs: JobQueue) -> None:
        self.path = default_store() if path is None else path
        self._asked: Remembered[StoreQuestion[Any], StoreAnswer] = Remembered(jobs)

    def ask(self, question: StoreQuestion[T], visitor: str) -> Answer[T]:
        """Have a question answered; one that is being answered already is not asked twice."""
        before = self._asked.get(question)
        work = partial(self._read, question, None if before is None else before.result)
        return Answer(self._asked.ask_again(question, visitor, work, STORE))

    def _read(self, question: StoreQuestion[Any], kept: StoreAnswer | None, task: Task[StoreAnswer]) -> StoreAnswer:
        stamp = newest_entry(self.path)
        if kept is not None and kept.stamp == stamp and stamp is not None:
            return kept
        try:
            return StoreAnswer(stamp, self._read_once(question, task))
        except UnreadableStoreError:  # perhaps files were merged in between, and the old ones deleted
            return StoreAnswer(stamp, self._read_once(question, task))

    def _read_once(self, question: StoreQuestion[T], task: Task[StoreAnswer]) -> T:
        with Store.read(self.path) as store:
            task.on_stop = store.connection.interrupt
            try:
                return question.answer(store)
            finally:
                task.on_stop = None


def newest_entry(path: Path) -> object:
    """What changes whenever something is stored: the newest entry of the journal. None where there is no journal."""
    journal = Journal(StoreFolder(path).journal)
    try:
        number = journal.last()
        return number, journal.path(number).stat().st_mtime_ns
    except (OSError, ValueError):
        return None


class Answer(Generic[T]):
    """An answer that may not be there yet: the value, or the sentence that says why there is none."""

    def __init__(self, task: Task[StoreAnswer]) -> None:
        self._task = task

    @property
    def is_there(self) -> bool:
        return self._task.is_over

    @property
    def problem(self) -> str | None:
        """Why there is no value, for people."""
        error = self._task.error
        if error is None:
            return "The store was not read; ask again." if self._task.has_no_result else None
        if isinstance(error, StoreError | RefusedError):
            text = str(error)  # a path at its beginning stays as it is
            return sentence(text if text.startswith(("/", "~", ".")) else text[:1].upper() + text[1:])
        log.error("a question to the store could not be answered", exc_info=error)
        return f"Something went wrong inside Kagiya ({type(error).__name__}); the store is as it was."

    @property
    def is_store_missing(self) -> bool:
        """Whether there is no answer because there is no store yet."""
        return isinstance(self._task.error, MissingStoreError)

    @property
    def value(self) -> T:
        assert self._task.result is not None
        value: T = self._task.result.value
        return value

    def when_there(self, announce: Callable[[], None]) -> None:
        """Call `announce` when the answer is there, from any thread."""
        self._task.over.add_done_callback(lambda _: announce())

    async def wait(self, patience: float) -> None:
        """Until it is there, or `patience` seconds at most."""
        await asyncio.wait([asyncio.wrap_future(self._task.over)], timeout=patience)


OVERVIEW, CELL = "/results", "/results/cell"
LONGEST = 2_000  # characters of an agent's text
BETWEEN = " + "  # between the agents of a team


def read_choice(address: Address, prefix: str = "") -> queries.GameFilter:
    """The choice in an address; what is empty is not chosen."""
    return queries.GameFilter(
        rules=read_text(address, f"{prefix}rules"),
        players=read_integer(address, f"{prefix}players", 2, MAX_PLAYERS),
        agent=read_text(address, f"{prefix}agent"),
        run=read_integer(address, f"{prefix}run", 1),
        code=read_text(address, f"{prefix}code"),
        older=read_text(address, f"{prefix}older") is not None,
    )


def choice_values(choice: queries.GameFilter) -> dict[str, str]:
    """The inverse of `read_choice`."""
    values = {**vars(choice), "older": "yes" if choice.older else None}
    return {name: str(value) for name, value in values.items() if value is not None}


def read_text(address: Address, name: str) -> str | None:
    """A text; None if there is none or only blanks."""
    text = address.query.get(name, "").strip()
    if len(text) > LONGEST:
        raise RefusedError(f"{name} in the address has {len(text):,} characters; {LONGEST:,} are read.")
    return text or None


def read_integer(address: Address, name: str, low: int, high: int = 2**31 - 1) -> int | None:
    """An integer; None if there is none."""
    text = read_text(address, name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 20 and low <= int(text) <= high):
        expected = f"from {low} to {high}" if high < 2**31 - 1 else f"of at least {low}"
        raise RefusedError(f"{name} must be an integer {expected}, not {text!r:.60}.")
    return int(text)


def read_page(address: Address, name: str) -> int:
    """Which page of a list, from 1."""
    return read_integer(address, name, 1, 1_000_000) or 1


def read_name(address: Address, name: str, known: dict[str, object] | tuple[str, ...], default: str) -> str:
    """One of some names."""
    text = read_text(address, name) or default
    if text not in known:
        raise RefusedError(f"{name} is one of {', '.join(known)}, not {text!r:.60}.")
    return text


def read_measure(address: Address) -> str:
    """What is measured."""
    return read_name(address, "measure", tuple(cells.MEASURES), "score")


def read_members(address: Address, prefix: str = "") -> cells.Members | None:
    """Whose cell it is: `guest` and `host`, or a `team` in its seats; None if neither is given."""
    team = read_text(address, f"{prefix}team")
    if team is not None:
        return tuple(team.split(BETWEEN))
    host = read_text(address, f"{prefix}host")
    guest = read_text(address, f"{prefix}guest") or host
    return None if guest is None else (guest, host or guest)


def cell_address(choice: queries.GameFilter, members: cells.Members) -> Address:
    """The page of a cell; the choice of an agent has no say there."""
    whose = {"guest": members[0], "host": members[1]} if len(members) == 2 else {"team": BETWEEN.join(members)}
    return Address(CELL, {**choice_values(replace(choice, agent=None)), **whose})


def review_address(seating: int, seed: int) -> Address:
    """Where a stored game is reviewed."""
    return Address(f"/review/store/{seating}/{seed}")


def members_name(members: cells.Members) -> str:
    """How a cell is called."""
    if len(members) != 2:
        return BETWEEN.join(members)
    return f"{members[0]} with itself" if members[0] == members[1] else f"{members[0]} as a guest of {members[1]}"


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
class GamePart:
    """Some of a list: which page, of how many, and what is on it."""

    page: int
    pages: int
    all: int
    items: tuple[Any, ...]


def part_of(items: Sequence[Any], page: int, size: int) -> GamePart:
    """One page of a list; behind the last page is the last page."""
    pages = max(1, -(-len(items) // size))
    page = min(page, pages)
    return GamePart(page, pages, len(items), tuple(items[(page - 1) * size : page * size]))


@dataclass(frozen=True)
class HeatMap:
    """Rows by columns; `measured` says whose cell stands where, and what was measured in it."""

    rows: GamePart
    columns: GamePart
    measured: dict[tuple[str, str], tuple[cells.Members, cells.Sums]]


@dataclass(frozen=True)
class Overview:
    """All that the page shows."""

    choice: queries.GameFilter  # with the rules and the number of players that are shown
    measure: str
    offers: queries.Offers
    games: int  # of the whole store
    runs: GamePart
    running: tuple[queries.StoredRun, ...]
    selves: GamePart  # of (agent, Sums)
    heat_map: HeatMap
    teams: GamePart  # of (Members, Sums)
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
            "cross_play": [self._number(*cell) for cell in self.heat_map.measured.values()],
            "other_teams": _listed(self.teams, [self._number(*each) for each in self.teams.items]),
        }
        plain: dict[str, Any] = without_nan(data)
        return plain

    def _number(self, members: cells.Members, sums: cells.Sums) -> dict[str, Any]:
        error = sums.error(cells.MEASURES[self.measure])
        return {"members": list(members), "games": sums.games, "value": sums.mean, "error": error}


def _listed(part: GamePart, items: list[Any]) -> dict[str, Any]:
    return {"page": part.page, "pages": part.pages, "all": part.all, "items": items}


@dataclass(frozen=True)
class OverviewQuestion(StoreQuestion[Overview]):
    """Asked by the page of results."""

    choice: queries.GameFilter
    measure: str
    pages: Pages

    def answer(self, store: Store) -> Overview:
        """Only what is shown is measured, and self-play, which the lists are ordered by."""
        catalog = store.catalog
        everything = queries.chosen_teams(catalog, queries.GameFilter(older=True))
        choice = queries.settled(self.choice, queries.chosen_teams(catalog, self.choice))
        teams = queries.chosen_teams(catalog, choice)
        measure = cells.MEASURES[self.measure]
        selves = ranked(store, [team for team in teams if len(set(team.seats)) == 1], measure)
        return Overview(
            choice,
            self.measure,
            queries.offers(everything),
            sum(team.games for team in everything),
            self._runs(store),
            tuple(run for run in queries.stored_runs(catalog, most=RUNS_SHOWN) if run.state == queries.RUNNING),
            part_of(selves, self.pages.selves, TEAMS_SHOWN),
            self._heat_map(store, teams, [agent for agent, _ in selves]),
            self._others(store, teams),
            queries.count_older(catalog, choice),
        )

    def _runs(self, store: Store) -> GamePart:
        part = part_of(sorted(store.catalog.runs, reverse=True), self.pages.runs, RUNS_SHOWN)
        return replace(part, items=tuple(queries.stored_runs(store.catalog, (part.page - 1) * RUNS_SHOWN, RUNS_SHOWN)))

    def _heat_map(self, store: Store, teams: Sequence[queries.StoredTeam], order: Sequence[str]) -> HeatMap:
        """Guests by hosts; of one agent its partners by the role that it has."""
        mine = self.choice.agent
        pairs = list(dict.fromkeys(pair for team in teams for pair in cells.cells_of(team.seats) if len(pair) == 2))
        if mine is not None:
            places = {_partner(pair, mine): pair for pair in pairs if mine in pair and len(set(pair)) == 2}
            rows = _ordered({partner for partner, _ in places}, order)
            columns = [AS_GUEST, AS_HOST] if rows else []
        else:
            places = {(guest, host): (guest, host) for guest, host in pairs}
            crossed = {pair for pair in pairs if len(set(pair)) == 2}
            agents = _ordered({agent for pair in crossed for agent in pair}, order)
            rows, columns = agents, agents
        across = part_of(columns, self.pages.hosts, AGENTS_SHOWN)
        down = part_of(rows, self.pages.guests, AGENTS_SHOWN)
        shown = {place: pair for place, pair in places.items() if place[0] in down.items and place[1] in across.items}
        wanted = set(shown.values())
        measured = cells.measured_cells(
            store, [team for team in teams if wanted & set(cells.cells_of(team.seats))], cells.MEASURES[self.measure]
        )
        return HeatMap(down, across, {place: (pair, measured[pair]) for place, pair in shown.items()})

    def _others(self, store: Store, teams: Sequence[queries.StoredTeam]) -> GamePart:
        """Teams that are neither one agent alone nor a guest and its hosts."""
        others = [team for team in teams if len(cells.cells_of(team.seats)[0]) != 2]
        names = list(dict.fromkeys(team.seats for team in others))
        part = part_of(names, self.pages.teams, TEAMS_SHOWN)
        measured = cells.measured_cells(
            store, [team for team in others if team.seats in part.items], cells.MEASURES[self.measure]
        )
        return replace(part, items=tuple((members, measured[members]) for members in part.items))


def ranked(store: Store, teams: Sequence[queries.StoredTeam], measure: cells.Measure) -> list[tuple[str, cells.Sums]]:
    """Agents in self-play, the best first."""
    measured = cells.measured_cells(store, teams, measure)
    sign = -1 if measure.more_is_better else 1
    return sorted(((members[0], sums) for members, sums in measured.items()), key=lambda row: (sign * row[1].mean, row))


def _partner(pair: cells.Members, mine: str) -> tuple[str, str]:
    return (pair[1], AS_GUEST) if pair[0] == mine else (pair[0], AS_HOST)


def _ordered(agents: set[str], order: Sequence[str]) -> list[str]:
    """As they rank in self-play, then by name."""
    place = {agent: number for number, agent in enumerate(order)}
    return sorted(agents, key=lambda agent: (place.get(agent, len(place)), agent))


EXTREME_ORDERS = ("worst", "median", "best")
EXTREMES = 3  # games of each
GAMES_SHOWN = 20


@dataclass(frozen=True)
class CellAddress:
    """A cell: whose games, and which of them."""

    choice: queries.GameFilter
    members: cells.Members


@dataclass(frozen=True)
class Beside:
    """Another cell with its mean, and both on common decks."""

    cell: CellAddress
    name: str
    summary: Summary
    paired: cells.PairedCells


@dataclass(frozen=True)
class CellAnswer:
    """All that the page shows."""

    teams: tuple[queries.StoredTeam, ...]
    perfect: int
    summary: Summary
    by_agent: dict[str, dict[str, float]]
    events: dict[str, int]
    extremes: dict[str, tuple[cells.StoredOutcome, ...]]
    games: tuple[cells.StoredOutcome, ...]
    listed: int  # games with the event that was asked for
    page: int
    others: tuple[cells.Members, ...]  # cells by the same rules that it may be set beside
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
class CellQuestion(StoreQuestion[CellAnswer]):
    """Asked by the page of a cell."""

    cell: CellAddress
    event: str | None = None
    order: str = "seed"
    page: int = 1
    beside: CellAddress | None = None

    def answer(self, store: Store) -> CellAnswer:
        """Read it; a cell without games is refused by a sentence."""
        teams = games_of(store, self.cell)
        totals = cells.totals_of(store, teams)
        events = cells.count_events(store, teams)
        perfect, players = teams[0].rules.perfect_score, teams[0].players
        listed = sum(team.games for team in teams) if self.event is None else events[self.event]
        page = min(self.page, max(1, -(-listed // GAMES_SHOWN)))
        start = (page - 1) * GAMES_SHOWN
        return CellAnswer(
            tuple(teams),
            perfect,
            summarize_totals(cells.added(totals), perfect, players),
            cells.regret_by_agent(totals, teams),
            events,
            {order: tuple(cells.list_games(store, teams, order, page=(0, EXTREMES))) for order in EXTREME_ORDERS},
            tuple(cells.list_games(store, teams, self.order, self.event, (start, GAMES_SHOWN))),
            listed,
            page,
            tuple(self._others(store, teams[0])),
            None if self.beside is None else self._set_beside(store, teams, self.beside),
        )

    def _others(self, store: Store, like: queries.StoredTeam) -> list[cells.Members]:
        choice = queries.GameFilter(like.preset, like.players)
        found = [
            pair
            for team in queries.chosen_teams(store.catalog, choice)
            for pair in cells.cells_of(team.seats)
            if len(pair) == 2
        ]
        return sorted(set(found))

    def _set_beside(self, store: Store, teams: Sequence[queries.StoredTeam], other: CellAddress) -> Beside:
        others = games_of(store, other)
        names = cell_name(self.cell), cell_name(other)
        if names[0] == names[1]:
            names = f"{names[0]} (first)", f"{names[1]} (second)"
        summary = summarize_totals(
            cells.added(cells.totals_of(store, others)), others[0].rules.perfect_score, others[0].players
        )
        return Beside(other, names[1], summary, cells.compare_on_common_decks(store, names, teams, others))


def games_of(store: Store, cell: CellAddress) -> list[queries.StoredTeam]:
    """The teams of a cell; refused if there is none."""
    teams = cells.teams_of(queries.chosen_teams(store.catalog, cell.choice), cell.members)
    choice = queries.settled(cell.choice, teams)  # games by different rules are never put together
    teams = [team for team in teams if (team.preset, team.players) == (choice.rules, choice.players)]
    if not teams:
        raise NotHereError(f"The store has no games of {cell_name(cell):.200} that you chose.")
    return teams


def cell_name(cell: CellAddress) -> str:
    """How a cell is called, with its run and code if they were chosen."""
    run = f", run {cell.choice.run}" if cell.choice.run is not None else ""
    code = f", code {cell.choice.code:.7}" if cell.choice.code is not None else ""
    return f"{members_name(cell.members)}{run}{code}"
