"""Published tables as data: reproductions/*.toml become rows, columns and cells, which `runs` measures."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from kagiya.agents.register import agent_types, find_agent
from kagiya.lab.statistics.quantities import Quantity
from kagiya.rules import parse_rules
from kagiya.spec import SpecError, near, parse_spec

FOLDER = "reproductions"
PRINTED = re.compile(r"(-?\d*\.?\d+)\s*(?:(?:±\s*|\()(\d*\.?\d+)\)?)?")
SPREADS = ("standard error", "deviation")


class TableError(ValueError):
    """A table file that does not say what it must."""


@dataclass(frozen=True)
class Figure:
    """What the paper prints in one cell, with what is known of its error."""

    text: str
    value: float
    decimals: int
    error: float | None = None  # standard error
    deviation: float | None = None  # of a single game
    games: int | None = None


@dataclass(frozen=True)
class Run:
    """The match behind one or several cells."""

    agents: tuple[str, ...]  # one for every seat, as on the command line
    rules: str
    players: int
    rotated: bool = False  # everybody moves round the table, equally many games in each place


@dataclass(frozen=True)
class Column:
    """What is printed under one heading; it may set the rules, the players and words of the agents."""

    name: str
    quantity: Quantity
    rules: str | None = None
    players: int | None = None
    words: Mapping[str, str] = field(default_factory=dict)  # {time} in a row's agent becomes words["time"]
    measure: int | None = None  # games that we play for its cells, if not as many as for the table


@dataclass(frozen=True)
class Row:
    """One line of a table: who plays, and what was printed."""

    label: str
    agent: str  # in the first seat
    printed: tuple[str, ...] = ()
    partners: str | None = None  # in all other seats, if somebody else sits there
    rules: str | None = None
    players: int | None = None
    games: int | None = None
    measure: int | None = None  # as of the table
    error: float | None = None  # the standard error of figures that are printed without
    budgets: tuple[str, ...] = ()  # for each column: what {budget} in the agent becomes
    note: str = ""


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper about two rows: for each column, whether the first is lower, higher or not different."""

    text: str
    row: str
    against: str
    expected: Mapping[str, str]
    note: str = ""


@dataclass(frozen=True)
class Cell:
    """One printed figure, None in a table of our own, and the match that measures it."""

    row: Row
    column: Column
    figure: Figure | None
    run: Run


@dataclass(frozen=True)
class PaperTable:
    """A table of a document."""

    name: str
    title: str
    document: str
    table: str
    rules: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    players: int | None = None
    games: int | None = None  # behind each printed figure
    measure: int = 20_000  # games that we play, unless told otherwise
    rotated: bool = False  # whether mixed teams move round the table; the seats of a quantity are those at the start
    spread: str = SPREADS[0]  # what stands in brackets or after ±
    planned: tuple[str, ...] = ()  # agents that may not be built yet
    own: bool = False  # a question of ours: every cell is measured, nothing was printed
    claims: tuple[Claim, ...] = ()
    note: str = ""

    @property
    def where(self) -> str:
        return f"{self.document}, {self.table}"

    def cells(self) -> list[Cell]:
        """Every printed figure, row by row."""
        return [cell for row in self.rows for cell in self._row_cells(row)]

    def _row_cells(self, row: Row) -> Iterator[Cell]:
        if self.own:
            yield from (Cell(row, column, None, self._run(row, column)) for column in self.columns)
            return
        for column, text in zip(self.columns, row.printed, strict=True):
            if text:
                yield Cell(row, column, self._figure(row, text), self._run(row, column))

    def _figure(self, row: Row, text: str) -> Figure:
        match = PRINTED.fullmatch(text)
        if not match:
            raise TableError(
                f"{self.name}, {row.label}: {text!r} is not a figure like 17.12, 17.12 (.13) or 17.1 ± 0.2"
            )
        value, spread = match.groups()
        errors = self.spread == SPREADS[0]
        return Figure(
            text=text,
            value=float(value),
            decimals=len(value.partition(".")[2]),
            error=float(spread) if spread and errors else row.error,
            deviation=float(spread) if spread and not errors else None,
            games=row.games or self.games,
        )

    def _run(self, row: Row, column: Column) -> Run:
        players = column.players or row.players or self.players
        if players is None:
            raise TableError(f"{self.name}, {row.label}, {column.name}: how many players?")
        words = dict(column.words)
        if row.budgets:
            words["budget"] = row.budgets[self.columns.index(column)]
        first, others = (_filled(text, words) for text in (row.agent, row.partners or row.agent))
        rules = column.rules or row.rules or self.rules
        return Run((first, *[others] * (players - 1)), rules, players, self.rotated and first != others)


def _filled(text: str, words: Mapping[str, str]) -> str:
    for name, word in words.items():
        text = text.replace(f"{{{name}}}", word)
    return text


def table_folder(project: Path) -> Traversable:
    """Where the tables are: in the project, if it has some of its own, else those that come with Kagiya."""
    own = project / FOLDER
    return own if own.is_dir() else files("kagiya") / FOLDER


def read_tables(project: Path) -> dict[str, PaperTable]:
    """All tables, by name: the names of their files."""
    paths = sorted(table_folder(project).iterdir(), key=lambda path: path.name)
    return {path.name.removesuffix(".toml"): read_table(path) for path in paths if path.name.endswith(".toml")}


def read_table(path: Traversable) -> PaperTable:
    """One table, checked: its figures are numbers, its rules and agents exist or are planned."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise TableError(f"{path} is not TOML: {error}") from None
    data["columns"] = tuple(_column(entry, path) for entry in data.get("columns", ()))
    data["rows"] = tuple(_record(Row, entry, path) for entry in data.get("rows", ()))
    data["claims"] = tuple(_record(Claim, entry, path) for entry in data.get("claims", ()))
    table: PaperTable = _record(PaperTable, {**data, "name": path.name.removesuffix(".toml")}, path)
    check_table(table)
    return table


def _column(entry: dict[str, Any], path: Traversable) -> Column:
    own = {"rules", "players", "words", "name", "measure"}
    quantity = {key: value for key, value in entry.items() if key not in own}
    quantity["kind"] = quantity.pop("quantity", "score")
    rest = {key: value for key, value in entry.items() if key in own}
    column: Column = _record(Column, {**rest, "quantity": _record(Quantity, quantity, path)}, path)
    return column


def _record(kind: Any, entry: dict[str, Any], path: Traversable) -> Any:
    known = [each.name for each in fields(kind)]
    for key in entry:
        if key not in known:
            raise TableError(f"{path}: no key {key!r} in a {kind.__name__.lower()}; {near(key, known)}")
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
    try:
        return kind(**values)
    except TypeError as error:
        raise TableError(f"{path}: {str(error).replace('__init__()', '').strip()}") from None


def check_table(table: PaperTable) -> None:
    """Refuse what could not be measured or shown, planned agents excepted."""
    if table.spread not in SPREADS:
        raise TableError(f"{table.name}: spread is one of {', '.join(SPREADS)}, not {table.spread!r}")
    for row in table.rows:
        if len(row.printed) != (0 if table.own else len(table.columns)):
            raise TableError(f"{table.name}, {row.label}: {len(row.printed)} figures, {len(table.columns)} columns")
        if row.budgets and len(row.budgets) != len(table.columns):
            raise TableError(f"{table.name}, {row.label}: {len(row.budgets)} budgets, {len(table.columns)} columns")
    for cell in table.cells():
        parse_rules(cell.run.rules, cell.run.players)
        why_waiting(cell.run, table.planned)
    labels, names = {row.label for row in table.rows}, {column.name for column in table.columns}
    for claim in table.claims:
        if unknown := ({claim.row, claim.against} - labels) | (set(claim.expected) - names):
            raise TableError(f"{table.name}: a claim about {min(unknown)!r}, which is no row or column")


def why_waiting(run: Run, planned: Sequence[str]) -> str:
    """Why a run cannot be played yet; empty if it can. An agent neither built nor planned is an error."""
    for text in dict.fromkeys(run.agents):
        name = parse_spec(text).name
        if name not in planned:
            agent = find_agent(text)
        elif name not in agent_types():
            return f"{name} is not built yet"
        else:
            try:
                agent = find_agent(text)
            except SpecError as error:
                return str(error)
        if reason := agent.why_not(parse_rules(run.rules, run.players)):
            return reason
    return ""
