"""Published tables as data: rows, columns and cells, each with the match and the quantity that measure it.

They are read from reproductions/*.toml; what could not be measured or shown is refused.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.agents.register import agent_types, check_file_agent, find_agent
from kagiya.cards import MAX_PLAYERS
from kagiya.engine.regret_kernels import SOURCES
from kagiya.rules import BombScore, Rules, parse_rules
from kagiya.spec import SpecError, near, parse_spec

CPU = "cpu seconds"  # of a game: not in its result, so it is measured while playing
DEPTH = "depth"  # of the deepest node of a search's tree, over its moves: the same
KINDS = ("score", "deviation", "team regret", "regret", "share", "bombs", CPU, DEPTH)


@dataclass(frozen=True)
class Estimate:
    """A measured number: its mean over games, and the deviation of a single game."""

    mean: float
    deviation: float
    games: int

    @property
    def error(self) -> float:
        return self.deviation / math.sqrt(self.games)


@dataclass(frozen=True)
class Quantity:
    """One thing to measure; regret is the mean over some seats (counted from 1), from one source or all."""

    kind: str = "score"
    seats: tuple[int, ...] = ()
    source: str = ""
    points: int | None = None  # of a share: the score that the games counted have; in percent

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"a quantity is one of {', '.join(KINDS)}, not {self.kind!r}")
        if self.source and self.source not in SOURCES:
            raise ValueError(f"regret comes from one of {', '.join(SOURCES)}, not {self.source!r}")
        if (self.kind == "share") != (self.points is not None):
            raise ValueError("a share, and nothing else, needs the points that its games have")

    @property
    def key(self) -> str:
        """The name under which result files keep it."""
        seats = f" of seats {','.join(map(str, self.seats))}" if self.seats else ""
        source = f" by {self.source}" if self.source else ""
        points = f" of {self.points} points" if self.points is not None else ""
        return f"{self.kind}{seats}{source}{points}"

    def estimate(self, results: npt.NDArray[Any], players: int) -> Estimate:
        """Measure it in rows of RESULT, which hold everything but the time and the searches' trees."""
        if self.kind in (CPU, DEPTH):
            raise ValueError("the result of a game does not say how long it took, nor how deep anybody searched")
        if self.kind == "deviation":
            return _deviation(results["score"].astype(float))
        values = self._values(results, players)
        deviation = float(values.std(ddof=1)) if len(values) > 1 else math.inf
        return Estimate(float(values.mean()), deviation, len(values))

    def least_error(self, games: int) -> float:
        """The standard error of a sample in which all games are alike but for one, which is one step off.

        A mean over games that are not all alike has no smaller one.
        """
        return 0.5 / math.sqrt(games) if self.kind == "deviation" else self._step / games

    @property
    def _step(self) -> float:
        if self.kind in ("share", "bombs"):
            return 100.0
        if self.kind == DEPTH:
            return 0.01  # a tree of a long game
        return 1.0 / (len(self.seats) or MAX_PLAYERS) if self.kind == "regret" else 1.0

    def _values(self, results: npt.NDArray[Any], players: int) -> npt.NDArray[np.float64]:
        if self.kind == "score":
            return np.asarray(results["score"], dtype=np.float64)
        if self.kind == "share":
            return np.where(results["score"] == self.points, 100.0, 0.0)
        if self.kind == "bombs":
            return np.where(results["lives"] == 0, 100.0, 0.0)
        if self.kind == "team regret":
            return np.asarray(results["regret"].sum(axis=(1, 2)), dtype=np.float64)
        seats = [seat - 1 for seat in self.seats] or list(range(players))
        regret = results["regret"][:, seats, :].mean(axis=1)
        return np.asarray(regret[:, SOURCES.index(self.source)] if self.source else regret.sum(axis=1))


def _deviation(scores: npt.NDArray[np.float64]) -> Estimate:
    # The standard error of a deviation, by the delta method, needs the fourth moment: scores are far from normal.
    games = len(scores)
    centered = scores - scores.mean()
    variance = float((centered**2).mean())
    if games < 2 or variance == 0:
        return Estimate(0.0, 0.0 if games > 1 else math.inf, games)
    spread = math.sqrt(max(float((centered**4).mean()) - variance**2, 0.0) / (4 * variance))
    return Estimate(float(scores.std(ddof=1)), spread, games)


PRINTED = re.compile(r"(-?\d*\.?\d+)\s*(?:(?:±\s*|\()(\d*\.?\d+)\)?)?")
SPREADS = ("standard error", "deviation")
FOLDER = "reproductions"


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
    rotated: bool = False  # all agents move round the table, equally many games in each place
    drawn: bool = False  # for every game the first agent's partners are drawn from the others

    def parsed_rules(self) -> Rules:
        """Its rules, read."""
        return parse_rules(self.rules, self.players)


@dataclass(frozen=True)
class PaperColumn:
    """What is printed under one heading; it may set the rules, the players and words of the agents."""

    name: str
    quantity: Quantity
    rules: str | None = None
    players: int | None = None
    words: Mapping[str, str] = field(default_factory=dict)  # {time} in a row's agent becomes words["time"]
    measure: int | None = None  # games that we play for its cells, if not as many as for the table


@dataclass(frozen=True)
class PaperRow:
    """One line of a table: who plays, and what was printed."""

    label: str
    agent: str  # in the first seat
    printed: tuple[str, ...] = ()
    partners: str | None = None  # in all other seats, if another agent sits there
    rules: str | None = None
    players: int | None = None
    games: int | None = None
    measure: int | None = None  # as of the table
    error: float | None = None  # the standard error of figures that are printed without
    budgets: tuple[str, ...] = ()  # for each column: what {budget} in the agent becomes
    group: str = ""  # in the table of record: how it plays, of which the best is shown
    quoted: bool = False  # somebody else's agent, which the paper only quotes and which is not ours to build
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
class PaperCell:
    """One printed figure, None in a table of our own, and the match that measures it."""

    row: PaperRow
    column: PaperColumn
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
    columns: tuple[PaperColumn, ...]
    rows: tuple[PaperRow, ...]
    players: int | None = None
    games: int | None = None  # behind each printed figure
    measure: int = 20_000  # games that we play, unless told otherwise
    rotated: bool = False  # whether mixed teams move round the table; the seats of a quantity are those at the start
    pool: tuple[str, ...] = ()  # if any, every row's agent plays with partners drawn from these, new ones every game
    spread: str = SPREADS[0]  # what stands in brackets or after ±
    planned: tuple[str, ...] = ()  # agents that may not be built yet
    own: bool = False  # a question of ours: every cell is measured, nothing was printed
    counted: bool = True  # whether its cells are part of the sums over tables
    claims: tuple[Claim, ...] = ()
    published: tuple[PublishedPlayer, ...] = ()  # players to set our rows beside
    note: str = ""

    @property
    def where(self) -> str:
        return f"{self.document}, {self.table}"

    def cells(self) -> list[PaperCell]:
        """Every printed figure, row by row."""
        return [cell for row in self.rows for cell in self.row_cells(row)]

    def by_place(self) -> dict[tuple[str, str], PaperCell]:
        """The cells by the labels of row and column."""
        return {(cell.row.label, cell.column.name): cell for cell in self.cells()}

    def only(self, words: Sequence[str]) -> PaperTable:
        """The rows called so, or else whose labels contain one of these words, with claims about them; all for none."""
        if not words:
            return self
        labels = {row.label for row in self.rows}
        parts = [word for word in words if word not in labels]
        rows = tuple(row for row in self.rows if row.label in words or any(part in row.label for part in parts))
        left = {row.label for row in rows}
        return replace(self, rows=rows, claims=tuple(each for each in self.claims if {each.row, each.against} <= left))

    def row_cells(self, row: PaperRow) -> list[PaperCell]:
        """The printed figures of one row; in a table of our own, all its cells."""
        if self.own:
            return [PaperCell(row, column, None, self._run(row, column)) for column in self.columns]
        pairs = zip(self.columns, row.printed, strict=True)
        return [
            PaperCell(row, column, self._figure(row, text), self._run(row, column)) for column, text in pairs if text
        ]

    def _figure(self, row: PaperRow, text: str) -> Figure:
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

    def _run(self, row: PaperRow, column: PaperColumn) -> Run:
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
    """The matches behind a table, and what to measure in each; none behind what is only quoted."""
    found: dict[Run, Order] = {}
    for cell in (cell for cell in table.cells() if not cell.row.quoted):
        order = found.setdefault(cell.run, Order(cell.row.measure or cell.column.measure or table.measure))
        if cell.column.quantity not in order.quantities:
            order.quantities.append(cell.column.quantity)
    return found


def read_tables(project: Path) -> dict[str, PaperTable]:
    """The tables of a project if it has some of its own, else those that come with Kagiya, by name."""
    own = project / FOLDER
    return read_folder(own) if own.is_dir() else shipped_tables()


def shipped_tables(agent: str = "") -> dict[str, PaperTable]:
    """The tables that come with Kagiya, or only those with a row of an agent: reading them all takes a while."""
    paths = table_files(files("kagiya") / FOLDER).items()
    row = f'\nagent = "{agent}'
    return {name: _shipped_table(name) for name, path in paths if not agent or row in path.read_text(encoding="utf-8")}


@cache
def _shipped_table(name: str) -> PaperTable:
    return parse_table(files("kagiya") / FOLDER / f"{name}.toml")  # which the tests have checked


def read_folder(folder: Traversable) -> dict[str, PaperTable]:
    """All tables in a folder, by the names of their files."""
    return {name: read_table(path) for name, path in table_files(folder).items()}


def table_files(folder: Traversable) -> dict[str, Traversable]:
    """The files of tables, by name."""
    paths = sorted(folder.iterdir(), key=lambda path: path.name)
    return {path.name.removesuffix(".toml"): path for path in paths if path.name.endswith(".toml")}


def read_table(path: Traversable) -> PaperTable:
    """One table, checked: its figures are numbers, its rules and agents exist or are planned."""
    table = parse_table(path)
    check_table(table)
    return table


def parse_table(path: Traversable) -> PaperTable:
    """One table as it is written."""
    data = read_toml(path)
    data["columns"] = tuple(_column(entry, path) for entry in data.get("columns", ()))
    data["rows"] = tuple(row for entry in data.get("rows", ()) for row in _rows(entry, path))
    data["published"] = tuple(_published(entry, path) for entry in data.get("published", ()))
    data["claims"] = tuple(read_record(Claim, entry, path) for entry in data.get("claims", ()))
    table: PaperTable = read_record(PaperTable, {**data, "name": path.name.removesuffix(".toml")}, path)
    return table


def read_toml(path: Traversable) -> dict[str, Any]:
    """The data of a file."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        repr(data)  # which numbers of thousands of digits and values deep inside each other do not have
        return data
    except (ValueError, RecursionError) as error:
        raise TableError(f"{path} is not TOML: {error}") from None


def _rows(entry: dict[str, Any], path: Traversable) -> list[PaperRow]:
    """A row, or one for each number of players if several are given."""
    players = entry.get("players")
    each = [{**entry, "players": count} for count in players] if isinstance(players, list) else [entry]
    return [read_record(PaperRow, row, path) for row in each]


def _published(entry: dict[str, Any], path: Traversable) -> PublishedPlayer:
    cells = [read_record(Reference, cell, path) for cell in entry.get("cells", ())]
    player: PublishedPlayer = read_record(PublishedPlayer, {**entry, "cells": cells}, path)
    for text in (*player.mean.values(), *player.perfect.values()):
        if not PRINTED.fullmatch(text):
            raise TableError(f"{path}, {player.label}: {text!r} is not a figure like 24.61 or 24.6 ± 0.02")
    if player.bomb not in ("", *BombScore):
        raise TableError(f"{path}, {player.label}: a bomb scores {' or '.join(BombScore)}, not {player.bomb!r}")
    return player


def _column(entry: dict[str, Any], path: Traversable) -> PaperColumn:
    own = {"rules", "players", "words", "name", "measure"}
    quantity = {key: value for key, value in entry.items() if key not in own}
    quantity["kind"] = quantity.pop("quantity", "score")
    rest = {key: value for key, value in entry.items() if key in own}
    column: PaperColumn = read_record(PaperColumn, {**rest, "quantity": read_record(Quantity, quantity, path)}, path)
    return column


def read_record(kind: Any, entry: dict[str, Any], path: Traversable) -> Any:
    """A dataclass from a table of TOML; unknown and missing keys are refused, lists become tuples."""
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
    for run in dict.fromkeys(cell.run for cell in table.cells() if not cell.row.quoted):
        run.parsed_rules()
        for text in run.agents:
            check_file_agent(text, table.name)
        why_waiting(run, table.planned)
    labels, names = {row.label for row in table.rows}, {column.name for column in table.columns}
    for claim in table.claims:
        if unknown := ({claim.row, claim.against} - labels) | (set(claim.expected) - names):
            raise TableError(f"{table.name}: a claim about {min(unknown)!r}, which is not a row or a column")


@cache
def why_waiting(run: Run, planned: tuple[str, ...]) -> str:
    """Why a run cannot be played yet; empty if it can. An agent neither built nor planned is an error."""
    for text in dict.fromkeys(run.agents):
        name = parse_spec(text).name
        if name in planned and name not in agent_types():
            return f"{name} is not built yet"
        try:
            agent = find_agent(text)
        except SpecError as error:
            if name not in planned:
                raise
            return str(error)
        if reason := agent.why_not(run.parsed_rules()):
            return reason
    return ""
