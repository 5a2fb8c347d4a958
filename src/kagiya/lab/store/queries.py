"""Queries of the store: the teams and games that pass a filter, runs, sums of the games of a run, and any SQL.

Which teams pass is decided by the catalog and by comparing texts: no agent is looked up, so that no module is imported
because of a text that came from elsewhere.
"""

from __future__ import annotations

import json
import math
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from kagiya.engine.record import is_device, write_whole
from kagiya.lab.match.chunk import MOVE_COLUMNS, SEATS, SOURCE_NAMES
from kagiya.lab.match.match import Interval
from kagiya.lab.regret import INDIRECT, REGRETS, SOURCES
from kagiya.lab.store.game_files import VERSIONS, export_part, literal, source
from kagiya.lab.store.journal import Catalog, Intervals, Row, StoreError, reason
from kagiya.lab.store.store import Store
from kagiya.lab.summary import deviation, without_nan
from kagiya.rules import Rules

MOVES = ", ".join((*MOVE_COLUMNS, "more_moves"))  # `Store.record` reads them; in a file they would only be wide
FORMATS = {".csv": "FORMAT csv, HEADER", ".parquet": "FORMAT parquet", ".json": "FORMAT json"}
T = TypeVar("T")
# The matches of a run, numbered in their order.
PARTS = "SELECT row_number() OVER (ORDER BY rowid) - 1 AS number, seating, first, games FROM part WHERE run = ?"
COLUMNS = (*SOURCE_NAMES, INDIRECT)  # of a stored game, each with the number of a seat behind it
RUNNING = "running"


@dataclass(frozen=True)
class QueryResult:
    """Columns and rows."""

    columns: list[str]
    rows: list[tuple[Any, ...]]

    def without(self, columns: Sequence[str]) -> QueryResult:
        """The same without some columns."""
        places = [place for place, name in enumerate(self.columns) if name not in columns]
        return QueryResult(
            [self.columns[place] for place in places], [tuple(row[p] for p in places) for row in self.rows]
        )

    def to_json(self) -> dict[str, Any]:
        """A list of objects; what JSON has no word for (NaN, infinity) becomes null."""
        return {"rows": [dict(zip(self.columns, map(plain, row), strict=True)) for row in self.rows]}


def plain(value: Any) -> Any:
    """A value as JSON knows it."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def list_seatings(store: Store, chosen: GameFilter) -> QueryResult:
    """A line for each team, with what its games come to, the code that played them, and when it last did."""
    query = f"""SELECT seating, team, preset AS rules, players, count(*) AS games, min(seed) AS first_seed,
            avg(score) AS mean, stddev_samp(score) / sqrt(count(*)) AS se, avg((lives = 0)::INTEGER) AS bombs,
            code, newest, date::DATE AS date, terms
        FROM {_with_teams(store, chosen)} GROUP BY ALL ORDER BY seating"""
    return ask(store, query)


def list_runs(store: Store) -> QueryResult:
    """When, what, by which versions; a run that was killed never ended."""
    query = """SELECT run, started, ended, outcome, computed, (SELECT sum(games) FROM part WHERE part.run = run.run)
            AS games, kagiya, git_commit, command FROM run ORDER BY run"""
    return ask(store, query)


def games_query(store: Store, chosen: GameFilter) -> str:
    """The query for all games that pass the filter, their moves left out."""
    return f"""SELECT team, preset AS rules, players, code, newest, terms, game.* EXCLUDE ({MOVES}, best)
        FROM {_with_teams(store, chosen)} ORDER BY seating, seed"""


def _with_teams(store: Store, chosen: GameFilter) -> str:
    games = chosen_games(store, chosen_teams(store.catalog, chosen))
    return f"({games}) game JOIN seating USING (seating) JOIN age USING (seating)"


def ask(store: Store, query: str) -> QueryResult:
    """The answer to any query; to one only, and to nothing that would write."""
    try:
        store.fill_tables()
        return interruptible(store, lambda: _answer(store, confined(query)))
    except duckdb.Error as error:
        raise StoreError(f"the query cannot be answered: {_why(error)}") from None


def interruptible(store: Store, work: Callable[[], T]) -> T:
    """Does what DuckDB takes long for in another thread: it hears no Ctrl-C while it works."""
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        try:
            return future.result()
        except KeyboardInterrupt:
            while not future.done():
                store.connection.interrupt()
                wait([future], timeout=0.05)
            raise


def _answer(store: Store, query: str) -> QueryResult:
    answered = store.connection.execute(query)
    columns = [column[0] for column in answered.description or ()]
    return QueryResult(columns, answered.fetchall())


def confined(query: str) -> str:
    """A query that runs the given one as a part: DuckDB lets no part write files or tables."""
    return f"FROM query({literal(query.strip().rstrip(';'))})"


def export_query(store: Store, query: str, path: Path) -> int:
    """Write the answer to a file, CSV, Parquet or JSON by its ending; returns the number of rows."""
    if path.suffix.lower() not in FORMATS:
        raise ValueError(f"{path}: the ending says the format, one of {', '.join(FORMATS)}")
    part = export_part(path)
    copy = f"COPY ({confined(query)}) TO {literal(part)} ({FORMATS[path.suffix.lower()]}, USE_TMP_FILE false)"
    try:
        store.fill_tables()
        count = interruptible(store, lambda: _answer(store, copy)).rows[0][0]
        if is_device(path):
            write_whole(path, part.read_bytes())
        else:
            part.replace(os.path.realpath(path))
        return int(count)
    except duckdb.Error as error:
        raise StoreError(f"{path} cannot be written: {_why(error)}") from None
    finally:
        part.unlink(missing_ok=True)


def _why(error: duckdb.Error) -> str:
    said = reason(error)
    if "Expected a single SELECT statement" in said:
        return "it must be one SELECT (or FROM, DESCRIBE, SUMMARIZE); the store is read-only here"
    return said


@dataclass(frozen=True)
class GameTally:
    """What some games come to; tallies of different games can be added."""

    games: int = 0
    score: int = 0
    squares: int = 0
    perfect: int = 0
    bombs: int = 0
    points: int = 0
    turns: int = 0
    regrets: tuple[int, ...] = (0,) * len(COLUMNS)

    def __add__(self, other: GameTally) -> GameTally:
        pairs = zip(self._numbers(), other._numbers(), strict=True)
        return GameTally.of([first + second for first, second in pairs])

    @classmethod
    def of(cls, numbers: Sequence[int]) -> GameTally:
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
        return deviation(self.games, self.score, self.squares)

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
        found: dict[str, Any] = without_nan({"games": self.games, **numbers, "regret": regrets})
        return found

    def _per_game(self, total: int) -> float:
        return total / self.games if self.games else math.nan


def regret_of(*sources: str) -> str:
    """What all seats lost in a game from some sources, in SQL."""
    return "(" + " + ".join(f"{source}_{seat}::INTEGER" for source in sources for seat in SEATS) + ")"


# Of games with `best`, the perfect score: the numbers of `GameTally.of`.
LOST = ", ".join(f"sum({regret_of(source)})" for source in COLUMNS)
TALLY = f"""count(*), sum(score), sum(score::INTEGER * score), sum((score = best)::INTEGER), sum((lives = 0)::INTEGER),
    sum(points), sum(turns), {LOST}"""


def tally_run(store: Store, run: int, perfect: Sequence[int]) -> list[GameTally]:
    """A tally for each part of a run, in the order of its matches; `perfect` are their perfect scores."""
    query = f"""WITH best AS (SELECT unnest(?::INTEGER[]) AS best, generate_subscripts(?::INTEGER[], 1) - 1 AS number)
        SELECT number, {TALLY} FROM ({PARTS}) part JOIN best USING (number)
            JOIN game ON game.seating = part.seating AND seed >= first AND seed < first + games
        GROUP BY number"""
    tallies = [GameTally()] * len(perfect)
    for number, *sums in store.rows(query, [list(perfect), list(perfect), run]):
        tallies[number] = GameTally.of(sums)
    return tallies


@dataclass(frozen=True)
class StoredRun:
    """One run. `state` is how it ended, "running", or "killed" if its process is gone and never said."""

    run: int
    command: str
    started: str
    ended: str | None
    state: str
    games: int  # that it asked for, played by it or before
    computed: int  # that it played itself
    versions: dict[str, str]
    commit: str
    process: int | None

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return dict(vars(self))


def stored_runs(catalog: Catalog, first: int = 0, most: int | None = None) -> list[StoredRun]:
    """Runs, the last one first; `first` says how many of them to pass over."""
    numbers = sorted(catalog.runs, reverse=True)[first : None if most is None else first + most]
    games: dict[int, int] = defaultdict(int)
    for run, _, _, asked in catalog.parts:
        games[run] += asked
    return [_run(catalog.runs[number], games[number]) for number in numbers]


def _run(row: Row, games: int) -> StoredRun:
    state = row["outcome"]
    if state == RUNNING and not is_alive(row.get("pid")):
        state = "killed"
    return StoredRun(
        row["run"],
        row["command"],
        row["started"],
        row["ended"],
        state,
        games,
        row["computed"],
        {name: row.get(name) or "" for name in VERSIONS},
        row.get("git_commit") or "",
        row.get("pid"),
    )


def is_alive(process: int | None) -> bool:
    """Whether a process of this number runs here. One of another machine or a later one may have its number."""
    if not process or process < 1:
        return False
    if os.name != "posix":
        return True  # elsewhere signal 0 is no question
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True  # it is another user's
    return True


@dataclass(frozen=True)
class GameFilter:
    """Which games are wanted; None for all."""

    rules: str | None = None  # as texts name them: "standard"
    players: int | None = None
    agent: str | None = None  # in any seat
    run: int | None = None  # only the games of this run, whatever the code
    code: str | None = None  # the first characters of its hash
    older: bool = False  # teams of older code too, where neither a run nor a code is chosen


@dataclass(frozen=True)
class StoredTeam:
    """A team in its seats under one code, and those of its stored games that are wanted."""

    seating: int
    preset: str
    rules: Rules
    seats: tuple[str, ...]
    code: str
    terms: str
    is_newest: bool
    seeds: tuple[Interval, ...]

    @property
    def players(self) -> int:
        return len(self.seats)

    @property
    def games(self) -> int:
        return sum(after - first for first, after in self.seeds)


def chosen_teams(catalog: Catalog, chosen: GameFilter) -> list[StoredTeam]:
    """The teams that pass, in the order in which they first played."""
    wanted = None if chosen.run is None else seeds_of_run(catalog, chosen.run)
    newest = newest_seatings(catalog)
    found = []
    for number, row in sorted(catalog.seatings.items()):
        if not _passes(row, chosen, number in newest):
            continue
        stored = catalog.intervals(number)
        seeds = tuple(stored if wanted is None else _common(stored, wanted.get(number, Intervals())))
        if seeds:
            found.append(_team(number, row, number in newest, seeds))
    return found


def chosen_games(store: Store, teams: Sequence[StoredTeam]) -> str:
    """The games of these teams in SQL; only files that have some of them are opened."""
    wanted = [(team.seating, *seeds, team.rules.perfect_score) for team in teams for seeds in team.seeds]
    seatings = {seating for seating, *_ in wanted}
    files = [file for file in store.catalog.files.values() if any(chunk.seating in seatings for chunk in file.chunks)]
    columns = ("seating", "first", "after", "best")
    lists = zip(columns, zip(*wanted, strict=True) if wanted else ((),) * len(columns), strict=True)
    listed = ", ".join(f"unnest({list(numbers)}::BIGINT[]) AS {name}" for name, numbers in lists)
    return f"""SELECT game.*, best FROM {source(store.folder.games, files)} game
        JOIN (SELECT {listed}) wanted ON game.seating = wanted.seating AND seed >= first AND seed < after"""


def newest_seatings(catalog: Catalog) -> set[int]:
    """Of each team, rules and terms: the seating whose code played last. The view `age` says the same in SQL."""
    last_run: dict[int, int] = defaultdict(int)
    for run, seating, _, _ in catalog.parts:
        last_run[seating] = max(last_run[seating], run)
    newest: dict[tuple[str, str, str], tuple[int, int]] = {}
    for number, row in catalog.seatings.items():
        if any(catalog.intervals(number)):
            key = row["rules"], row["team"], row["terms"]
            newest[key] = max(newest.get(key, (0, 0)), (last_run[number], number))
    return {number for _, number in newest.values()}


def seeds_of_run(catalog: Catalog, run: int) -> dict[int, Intervals]:
    """The seeds that a run asked for, by seating; no seed twice."""
    found: dict[int, Intervals] = defaultdict(Intervals)
    for number, seating, first, games in catalog.parts:
        if number == run:
            for start, after in found[seating].gaps(first, first + games):
                found[seating].add(start, after)
    return dict(found)


@dataclass(frozen=True)
class Offers:
    """What a store can be asked for: the values of a choice that find something."""

    rules: tuple[str, ...]
    players: tuple[int, ...]
    agents: tuple[str, ...]


def offers(teams: Iterable[StoredTeam]) -> Offers:
    """Of these teams; the rules that played last come first."""
    listed = sorted(teams, key=lambda team: -team.seating)
    return Offers(
        tuple(dict.fromkeys(team.preset for team in listed)),
        tuple(sorted({team.players for team in listed})),
        tuple(sorted({seat for team in listed for seat in team.seats})),
    )


def settled(chosen: GameFilter, teams: Sequence[StoredTeam]) -> GameFilter:
    """With rules and players: those of the team that came last, where none are chosen."""
    if not teams:
        return chosen
    last = max(teams, key=lambda team: team.seating)
    rules = chosen.rules or last.preset
    same = max((team for team in teams if team.preset == rules), key=lambda team: team.seating)
    return replace(chosen, rules=rules, players=chosen.players or same.players)


def count_older(catalog: Catalog, chosen: GameFilter) -> int:
    """How many teams pass but for their code, and so are not shown."""
    if chosen.older or chosen.run is not None or chosen.code is not None:
        return 0
    newest = newest_seatings(catalog)
    return sum(
        number not in newest and any(catalog.intervals(number)) and _passes(row, chosen, True)
        for number, row in catalog.seatings.items()
    )


def _passes(row: Row, chosen: GameFilter, is_newest: bool) -> bool:
    whatever_code = chosen.older or chosen.run is not None or chosen.code is not None
    return (
        (chosen.rules is None or row["preset"] == chosen.rules)
        and (chosen.players is None or row["players"] == chosen.players)
        and (chosen.agent is None or chosen.agent in row["seats"])
        and (chosen.code is None or row["code"].startswith(chosen.code))
        and (whatever_code or is_newest)
    )


def _team(number: int, row: Row, is_newest: bool, seeds: Sequence[Interval]) -> StoredTeam:
    rules = _read_rules(row["rules"])
    return StoredTeam(
        number, row["preset"], rules, tuple(row["seats"]), row["code"], row["terms"], is_newest, tuple(seeds)
    )


@lru_cache(maxsize=256)
def _read_rules(text: str) -> Rules:
    return Rules.from_json(json.loads(text))


def _common(some: Intervals, others: Intervals) -> list[Interval]:
    """The seeds that are in both."""
    return [
        (max(first, start), min(after, end))
        for first, after in some
        for start, end in others
        if max(first, start) < min(after, end)
    ]
