"""A table before it is drawn: cells that know how people and programs read them, and columns that may give way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import groupby

from kagiya.cli.console import visible

BETWEEN = " + "  # the agents of a team


class Kind(Enum):
    """What a column holds."""

    NAME = "name"  # the subject of a row: agents, a team, a table; never left out
    LABEL = "label"  # the same in words: it may wrap, and no letter stands for it
    TEXT = "text"
    NUMBER = "number"
    PROSE = "prose"  # sentences, which may wrap
    LINE = "line"  # a sentence that is cut to one line on a terminal
    BAR = "bar"  # drawn on a terminal, and nowhere else


@dataclass(frozen=True)
class Column:
    """A heading and what stands below it.

    Where a table is too wide, columns leave in the order of `leaves`, 1 first; those with 0 stay.
    """

    heading: str
    kind: Kind = Kind.NUMBER
    leaves: int = 0
    least: int = 24  # characters that sentences need
    is_agent: bool = False  # the heading is an agent's text and may become a letter
    style: str = ""


@dataclass(frozen=True)
class Cell:
    """One place of a table."""

    text: str
    error: str = ""  # a standard error, drawn quietly behind the text
    value: object = None  # for programs; None: the text
    error_value: float | None = None
    style: str = ""


@dataclass(frozen=True)
class Name(Cell):
    """The subject of a row: one agent or several, each of which may become a letter."""

    agents: tuple[str, ...] = ()
    mark: str = ""  # behind the name, like a star

    def shortened(self, letters: dict[str, str]) -> str:
        """The text with letters in the place of long agents."""
        return team_text([letters.get(agent, agent) for agent in self.agents]) + self.mark


@dataclass
class Row:
    """The cells of one line."""

    cells: list[Cell]
    style: str = ""


@dataclass
class Table:
    """Columns and rows, with a title and the small print below it."""

    columns: list[Column]
    rows: list[Row] = field(default_factory=list)
    title: str = ""
    caption: str = ""
    has_heading: bool = True
    errors_leave: int = 0  # when standard errors in cells give way, among the columns; 0: never

    def add(self, *cells: Cell | str | int, style: str = "") -> None:
        """One more line; plain text and integers are taken as they are."""
        if len(cells) != len(self.columns):
            raise ValueError(f"{len(cells)} cells for {len(self.columns)} columns")
        pairs = zip(self.columns, cells, strict=True)
        self.rows.append(Row([to_cell(column, cell) for column, cell in pairs], style))


def to_cell(column: Column, given: Cell | str | int) -> Cell:
    """A cell of a column from what was given for it."""
    if isinstance(given, Cell):
        return given
    if isinstance(given, int):
        return count_cell(given)
    return name_cell(given) if column.kind is Kind.NAME else Cell(visible(given))


def name_cell(text: str, mark: str = "") -> Name:
    """An agent's text, or a team's as the store writes it."""
    agents = tuple(visible(text).split(BETWEEN))
    return Name(team_text(agents) + mark, value=text, agents=agents, mark=mark)


def team_text(agents: Sequence[str]) -> str:
    """A team in the order of its seats, neighbours that are alike counted."""
    counted = [(name, len(list(alike))) for name, alike in groupby(agents)]
    return BETWEEN.join(name if count == 1 else f"{count} {name}" for name, count in counted)


def count_cell(count: int) -> Cell:
    """An integer."""
    return Cell(f"{count:,}", value=count)


def number_cell(value: float | None, digits: int, style: str = "") -> Cell:
    """A number, or a dash where there is none."""
    if value is None or math.isnan(value):
        return Cell("-", value="")
    return Cell(f"{value:.{digits}f}", value=value, style=style)


def mean_cell(mean: float | None, error: float | None, digits: int = 2) -> Cell:
    """A mean with its standard error, as far as there is one."""
    if mean is None or math.isnan(mean):
        return Cell("-", value="")
    if error is None or not math.isfinite(error):
        return Cell(f"{mean:.{digits}f}", value=mean)
    return Cell(f"{mean:.{digits}f}", f" ± {error_text(error, digits)}", mean, error)


def error_text(error: float, digits: int) -> str:
    """A standard error; one that would be rounded to nothing keeps a digit."""
    return f"{error:.1g}" if 0 < error < 0.5 * 10**-digits else f"{error:.{digits}f}"


def share_cell(rate: float) -> Cell:
    """A share of games in percent; never rounded down to nothing or up to all."""
    return Cell(percent(rate), value="" if math.isnan(rate) else rate)


def percent(rate: float) -> str:
    """A share; never rounded down to nothing or up to all."""
    if math.isnan(rate):
        return "-"
    if 0 < rate < 0.001:
        return f"{100 * rate:.2g}%"
    if 0.999 < rate < 1:
        return f"{min(100 * rate, 99.9999):.6g}%"
    return f"{100 * rate:.1f}%"


def rate_text(rate: float | None) -> str:
    """Things per second: whole where they are many, three digits where they are few."""
    if rate is None or not math.isfinite(rate):
        return "-"
    return f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}"
