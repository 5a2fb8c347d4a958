"""What can be asked of the store: lists of teams and runs, the games that pass a filter, any query."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from kagiya.agents.register import find_agent
from kagiya.lab.match.packing import MOVE_COLUMNS
from kagiya.lab.store.errors import StoreError, reason
from kagiya.lab.store.game_files import literal
from kagiya.lab.store.store import Store
from kagiya.lab.store.tables import export_part

MOVES = ", ".join((*MOVE_COLUMNS, "more_moves"))  # `Store.record` reads them; in a file they would only be wide
FORMATS = {".csv": "FORMAT csv, HEADER", ".parquet": "FORMAT parquet", ".json": "FORMAT json"}
T = TypeVar("T")


@dataclass(frozen=True)
class Answer:
    """Columns and rows."""

    columns: list[str]
    rows: list[tuple[Any, ...]]

    def without(self, columns: Sequence[str]) -> Answer:
        """The same without some columns."""
        places = [place for place, name in enumerate(self.columns) if name not in columns]
        return Answer([self.columns[place] for place in places], [tuple(row[p] for p in places) for row in self.rows])

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


@dataclass(frozen=True)
class Filter:
    """Which games are wanted; None for all."""

    agent: str | None = None
    players: int | None = None
    rules: str | None = None
    run: int | None = None
    older: bool = False  # games of older code too; those of a run are wanted whatever their code

    def where(self) -> str:
        """The condition on `games` or `seatings`, values written as literals."""
        conditions = ["true"]
        if self.agent is not None:
            # The agent's text as the store has it, with the user's spaces taken out; or as it is, if unknown now.
            conditions.append(f"list_contains(seats, {literal(_agent_text(self.agent))})")
        if self.players is not None:
            conditions.append(f"players = {self.players}")
        if self.rules is not None:
            conditions.append(f"preset = {literal(self.rules)}")
        if not self.older and self.run is None:
            conditions.append("newest")
        return " AND ".join(conditions)

    def games_of_run(self) -> str:
        """The condition on single games that belong to the run."""
        if self.run is None:
            return "true"
        return f"""EXISTS (FROM part WHERE part.run = {self.run} AND part.seating = game.seating
            AND game.seed >= part.first AND game.seed < part.first + part.games)"""


def list_seatings(store: Store, chosen: Filter) -> Answer:
    """A line for each team, with what its games come to, the code that played them, and when it last did."""
    query = f"""SELECT seating, team, preset AS rules, players, count(*) AS games, min(seed) AS first_seed,
            avg(score) AS mean, stddev_samp(score) / sqrt(count(*)) AS se, avg((lives = 0)::INTEGER) AS bombs,
            code, newest, date::DATE AS date, terms
        FROM seating JOIN game USING (seating) JOIN age USING (seating)
        WHERE {chosen.where()} AND {chosen.games_of_run()} GROUP BY ALL ORDER BY seating"""
    return ask(store, query)


def count_older(store: Store, chosen: Filter) -> int:
    """Seatings that pass the filter but for their code."""
    query = f"""SELECT count(DISTINCT seating) FROM seating JOIN age USING (seating)
        WHERE {replace(chosen, older=True).where()} AND NOT newest"""
    return int(ask(store, query).rows[0][0])


def list_runs(store: Store) -> Answer:
    """When, what, by which versions; a run that was killed never ended."""
    query = """SELECT run, started, ended, outcome, computed, (SELECT sum(games) FROM part WHERE part.run = run.run)
            AS games, kagiya, git_commit, command FROM run ORDER BY run"""
    return ask(store, query)


def games_query(chosen: Filter) -> str:
    """The query for all games that pass the filter, their moves left out."""
    return f"""SELECT team, seating.preset AS rules, players, code, newest, terms, game.* EXCLUDE ({MOVES})
        FROM game JOIN seating USING (seating) JOIN age USING (seating)
        WHERE {chosen.where()} AND {chosen.games_of_run()} ORDER BY seating, seed"""


def ask(store: Store, query: str) -> Answer:
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


def _answer(store: Store, query: str) -> Answer:
    answered = store.connection.execute(query)
    columns = [column[0] for column in answered.description or ()]
    return Answer(columns, answered.fetchall())


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
        part.replace(path)
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


def _agent_text(text: str) -> str:
    try:
        return find_agent(text).text
    except (ValueError, ImportError):
        return text
