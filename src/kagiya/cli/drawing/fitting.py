"""Draws tables on a terminal of any width. Nothing is cut: what does not fit gives way in a stated order.

First long agent texts become letters, with a key below the tables. Then columns leave, in the order that the table
states, and a line says which. Then every name becomes a letter. What is still too wide goes on below, under the same
names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from string import ascii_uppercase

from rich.cells import cell_len
from rich.console import RenderableType
from rich.table import Table as Drawn
from rich.text import Text

from kagiya.cli.drawing.cards import QUIET
from kagiya.cli.drawing.table import Cell, Column, Kind, Name, Row, Table

GAP = 2  # characters between two columns
LONG, SHORT = 20, 2  # agents with longer texts become letters: at first, and if that is not enough

SENTENCES = (Kind.PROSE, Kind.LINE, Kind.LABEL)
SUBJECTS = (Kind.NAME, Kind.LABEL)  # stand before every block

Letters = dict[str, str]


def draw_tables(tables: Sequence[Table], width: int) -> tuple[list[list[RenderableType]], Letters]:
    """The parts of each table, and the letters that stand for agents in all of them."""
    letters: Letters = {}
    if not all(Layout(table, {}).width <= width for table in tables):
        letters = letters_of(tables, LONG)
        short = letters_of(tables, SHORT)
        if any(needs_letters(fitted(table, letters, width), fitted(table, short, width), width) for table in tables):
            letters = short
    return [list(_parts(fitted(table, letters, width), width)) for table in tables], letters


def needs_letters(named: Layout, lettered: Layout, width: int) -> bool:
    """Whether letters for all names help: the table fits with them alone, or no column fits beside the names."""
    return named.width > width and (lettered.width <= width or named.narrowest > width)


def draw_key(letters: Letters) -> Drawn:
    """Which agent each letter stands for; long texts go on below, indented."""
    grid = Drawn.grid(padding=(0, GAP, 0, 0))
    grid.add_column(no_wrap=True, style="bold")
    grid.add_column(overflow="fold")
    for agent, letter in letters.items():
        grid.add_row(letter, Text(agent))
    return grid


def letters_of(tables: Sequence[Table], longest: int) -> Letters:
    """A letter for every agent whose text is longer than that, in the order in which they occur."""
    named = dict.fromkeys(agent for table in tables for agent in _agents(table) if cell_len(agent) > longest)
    return dict(zip(named, _alphabet(), strict=False))


def _agents(table: Table) -> Iterator[str]:
    for row in table.rows:
        yield from (agent for cell in row.cells if isinstance(cell, Name) for agent in cell.agents)
    yield from (column.heading for column in table.columns if column.is_agent)


def _alphabet() -> Iterator[str]:
    yield from ascii_uppercase
    yield from (first + second for first in ascii_uppercase for second in ascii_uppercase)


@dataclass
class Layout:
    """A table with some columns, some agents as letters."""

    table: Table
    letters: Letters
    places: list[int] = field(default_factory=list)  # of the columns that stay; empty at first: all
    has_errors: bool = True
    widths: dict[int, int] = field(default_factory=dict)  # of columns, as far as they were asked for

    def __post_init__(self) -> None:
        self.places = self.places or list(range(len(self.table.columns)))

    @property
    def width(self) -> int:
        """What it needs at least."""
        return sum(self.column_width(place) for place in self.places) + GAP * (len(self.places) - 1)

    def column_width(self, place: int) -> int:
        """What one column needs at least."""
        column, natural = self.table.columns[place], self.natural_width(place)
        return min(natural, column.least) if column.kind in SENTENCES else natural

    def natural_width(self, place: int) -> int:
        """What one column would like to have."""
        if place not in self.widths:
            widest = max((self._cell_width(row.cells[place]) for row in self.table.rows), default=0)
            self.widths[place] = max(widest, self._heading_width(place))
        return self.widths[place]

    def _heading_width(self, place: int) -> int:
        if not self.table.has_heading:
            return 0
        return max(map(cell_len, self.heading(self.table.columns[place]).split("\n")))

    def _cell_width(self, cell: Cell) -> int:
        return cell_len(self.text(cell)) + cell_len(self.error(cell))

    def heading(self, column: Column) -> str:
        """A heading, as a letter if it is an agent that has one."""
        return self.letters.get(column.heading, column.heading) if column.is_agent else column.heading

    def text(self, cell: Cell) -> str:
        """A cell's text, with letters in it if it is a name."""
        return cell.shortened(self.letters) if isinstance(cell, Name) else cell.text

    def error(self, cell: Cell) -> str:
        """The standard error behind a cell's text, if they are shown."""
        return cell.error if self.has_errors else ""

    def without_next(self) -> Layout | None:
        """The same without the column that leaves next, or without errors; None if all that is left stays."""
        ranks = [(self.table.columns[place].leaves, -place) for place in self.places]
        if self.has_errors and any(cell.error for row in self.table.rows for cell in row.cells):
            ranks.append((self.table.errors_leave, -len(self.table.columns)))
        leaving = min((rank for rank in ranks if rank[0]), default=None)
        if leaving is None:
            return None
        kept = [place for place in self.places if place != -leaving[1]]
        return self.only(kept) if len(kept) < len(self.places) else Layout(self.table, self.letters, kept, False)

    def only(self, places: list[int]) -> Layout:
        """The same with these columns."""
        return Layout(self.table, self.letters, places, self.has_errors, self.widths)

    @property
    def narrowest(self) -> int:
        """The least width at which every column fits beside the names, one at a time."""
        stay, others = self.divided()
        widest = max((self.column_width(place) for place in others), default=0)
        return self.only(stay).width + GAP + widest if stay else widest

    def divided(self) -> tuple[list[int], list[int]]:
        """The columns that stand before every block, and the others."""
        names = [place for place in self.places if self.table.columns[place].kind in SUBJECTS]
        leading = [place for place in self.places if place < min(names, default=0)]
        stay = sorted({*leading, *names}) if len(leading) == 1 else names  # one, like the place in a ranking
        return stay, [place for place in self.places if place not in stay]

    @property
    def left_out(self) -> list[str]:
        """The headings of the columns that are not there."""
        columns = enumerate(self.table.columns)
        names = [" ".join(column.heading.split()) for place, column in columns if place not in self.places]
        return names if self.has_errors else ["standard errors", *names]


def fitted(table: Table, letters: Letters, width: int) -> Layout:
    """The table with as many columns as fit, at least those that always stay."""
    layout = Layout(table, letters)
    while layout.width > width and (fewer := layout.without_next()):
        layout = fewer
    return layout


def _parts(layout: Layout, width: int) -> Iterator[RenderableType]:
    table = layout.table
    if table.title:
        yield Text(table.title, "bold")
    if table.caption:
        yield Text(table.caption, QUIET)
    for number, block in enumerate(_blocks(layout, width)):
        if number:
            yield Text("")
        yield _draw(block, width)
    if layout.left_out:
        yield Text(f"left out at this width: {', '.join(layout.left_out)} (--format csv has all columns)", QUIET)


def _blocks(layout: Layout, width: int) -> Iterator[Layout]:
    """The columns that fit side by side, and then the others, under the same names."""
    stay, others = layout.divided()
    while True:
        taken = _most(others, lambda some: layout.only([*stay, *some]), width)
        yield layout.only(sorted([*stay, *others[:taken]]))
        others = others[taken:]
        if not others:
            return


def _most(others: Sequence[int], layout_of: Callable[[list[int]], Layout], width: int) -> int:
    """How many of the columns fit, at least one if there is one."""
    fits = [count for count in range(1, len(others) + 1) if layout_of(list(others[:count])).width <= width]
    return max(fits, default=min(1, len(others)))


def _draw(layout: Layout, width: int) -> Drawn:
    """The columns of a layout, each with the width it needs; sentences get what is left."""
    drawn = Drawn(
        box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style=QUIET, show_header=layout.table.has_heading
    )
    spare = max(width - layout.width, 0)
    for place in layout.places:
        column = layout.table.columns[place]
        more = min(layout.natural_width(place) - layout.column_width(place), spare)
        spare -= more
        drawn.add_column(
            Text(layout.heading(column)),
            justify="right" if column.kind is Kind.NUMBER else "left",
            width=min(layout.column_width(place) + more, width),
            style=column.style or ("bold" if column.kind in SUBJECTS else ""),
            overflow="ellipsis" if column.kind is Kind.LINE else "fold",
            no_wrap=column.kind is Kind.LINE,
        )
    for row in layout.table.rows:
        drawn.add_row(*(_rich(layout, row.cells[place]) for place in layout.places), style=_style(row))
    return drawn


def _rich(layout: Layout, cell: Cell) -> Text:
    return Text.assemble((layout.text(cell), cell.style), (layout.error(cell), "dim"))


def _style(row: Row) -> str | None:
    return row.style or None
