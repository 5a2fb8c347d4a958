"""Published tables as data: rows, columns and cells, each with the match that measures it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from kagiya.lab.statistics.quantities import Quantity

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

    agents: tuple[str, ...]  # one for every seat, as on the command line; if drawn, the first and the others' pool
    rules: str
    players: int
    rotated: bool = False  # everybody moves round the table, equally many games in each place
    drawn: bool = False  # for every game the first agent's partners are drawn from the others


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
    group: str = ""  # in the table of record: how it plays, of which the best is shown
    note: str = ""


@dataclass(frozen=True)
class Reference:
    """Figures that stand in a table of its own: those of a row, or the one in a column."""

    table: str
    row: str
    column: str = ""


@dataclass(frozen=True)
class PublishedPlayer:
    """A player that we do not play, and what was printed of it: texts by the number of players."""

    label: str
    group: str
    source: str = ""
    mean: Mapping[str, str] = field(default_factory=dict)
    perfect: Mapping[str, str] = field(default_factory=dict)  # percent
    games: Mapping[str, int] = field(default_factory=dict)
    bomb: str = ""  # what a bomb scores, as in the rules; empty if the source does not say
    cells: tuple[Reference, ...] = ()  # where its figures stand, if in other tables
    secondhand: bool = False  # read in another document that quotes the source


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


@dataclass
class Order:
    """How many games of a match, and what to measure in them."""

    games: int
    quantities: list[Quantity] = field(default_factory=list)


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
    pool: tuple[str, ...] = ()  # if any, every row's agent plays with partners drawn from these, new ones every game
    spread: str = SPREADS[0]  # what stands in brackets or after ±
    planned: tuple[str, ...] = ()  # agents that may not be built yet
    own: bool = False  # a question of ours: every cell is measured, nothing was printed
    claims: tuple[Claim, ...] = ()
    published: tuple[PublishedPlayer, ...] = ()  # players to set our rows beside
    note: str = ""

    @property
    def where(self) -> str:
        return f"{self.document}, {self.table}"

    def cells(self) -> list[Cell]:
        """Every printed figure, row by row."""
        return [cell for row in self.rows for cell in self._row_cells(row)]

    def only(self, words: Sequence[str]) -> PaperTable:
        """The rows called so, or else whose labels contain one of these words, with claims about them; all for none."""
        if not words:
            return self
        labels = {row.label for row in self.rows}
        parts = [word for word in words if word not in labels]
        rows = tuple(row for row in self.rows if row.label in words or any(part in row.label for part in parts))
        left = {row.label for row in rows}
        return replace(self, rows=rows, claims=tuple(each for each in self.claims if {each.row, each.against} <= left))

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
        if self.pool:
            return Run((first, *self.pool), rules, players, drawn=True)
        return Run((first, *[others] * (players - 1)), rules, players, self.rotated and first != others)


def _filled(text: str, words: Mapping[str, str]) -> str:
    for name, word in words.items():
        text = text.replace(f"{{{name}}}", word)
    return text


def wanted(table: PaperTable) -> dict[Run, Order]:
    """The matches behind a table, and what to measure in each."""
    found: dict[Run, Order] = {}
    for cell in table.cells():
        order = found.setdefault(cell.run, Order(cell.row.measure or cell.column.measure or table.measure))
        if cell.column.quantity not in order.quantities:
            order.quantities.append(cell.column.quantity)
    return found
