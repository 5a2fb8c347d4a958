"""Tables as text: cells that know how people and programs read them, drawn on a terminal or as Markdown, LaTeX or CSV.

On a terminal of any width nothing is cut. First long agent texts become letters, with a key below the tables. Then
columns leave, in the order that the table states, and a line says which. Then every name becomes a letter. What is
still too wide goes on below, under the same names. The other formats have all columns and all names in full.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from itertools import groupby
from string import ascii_uppercase
from typing import Any

from rich.cells import cell_len
from rich.console import RenderableType
from rich.table import Table as Drawn
from rich.text import Text

from kagiya.cards import SEAT_NAMES
from kagiya.cli.console import QUIET, TableFormat, encodable, out, visible
from kagiya.rules import Rules, parse_rules

BETWEEN = " + "  # the agents of a team


class ColumnKind(Enum):
    """What a column holds."""

    NAME = "name"  # the subject of a row: agents, a team, a table; never left out
    LABEL = "label"  # the same in words: it may wrap, and no letter stands for it
    TEXT = "text"
    NUMBER = "number"
    PROSE = "prose"  # sentences, which may wrap
    LINE = "line"  # a sentence that is cut to one line on a terminal
    BAR = "bar"  # drawn on a terminal, and nowhere else


@dataclass(frozen=True)
class TextColumn:
    """A heading and what stands below it.

    Where a table is too wide, columns leave in the order of `leaves`, 1 first; those with 0 stay.
    """

    heading: str
    kind: ColumnKind = ColumnKind.NUMBER
    leaves: int = 0
    least: int = 24  # characters that sentences need
    is_agent: bool = False  # the heading is an agent's text and may become a letter
    style: str = ""

    @property
    def plain_heading(self) -> str:
        """The heading in one line."""
        return " ".join(self.heading.split())


@dataclass(frozen=True)
class TextCell:
    """One place of a table."""

    text: str
    error: str = ""  # a standard error, drawn quietly behind the text
    value: object = None  # for programs; None: the text
    error_value: float | None = None
    style: str = ""


@dataclass(frozen=True)
class Name(TextCell):
    """The subject of a row: one agent or several, each of which may become a letter."""

    agents: tuple[str, ...] = ()
    mark: str = ""  # behind the name, like a star

    def shortened(self, letters: dict[str, str]) -> str:
        """The text with letters in the place of long agents."""
        return team_text([letters.get(agent, agent) for agent in self.agents]) + self.mark


@dataclass
class TextRow:
    """The cells of one line."""

    cells: list[TextCell]
    style: str = ""


@dataclass
class TextTable:
    """Columns and rows, with a title and the small print below it."""

    columns: list[TextColumn]
    rows: list[TextRow] = field(default_factory=list)
    title: str = ""
    caption: str = ""
    has_heading: bool = True
    errors_leave: int = 0  # when standard errors in cells give way, among the columns; 0: never

    def add(self, *cells: TextCell | str | int, style: str = "") -> None:
        """One more line; plain text and integers are taken as they are."""
        if len(cells) != len(self.columns):
            raise ValueError(f"{len(cells)} cells for {len(self.columns)} columns")
        pairs = zip(self.columns, cells, strict=True)
        self.rows.append(TextRow([to_cell(column, cell) for column, cell in pairs], style))


def to_cell(column: TextColumn, given: TextCell | str | int) -> TextCell:
    """A cell of a column from what was given for it."""
    if isinstance(given, TextCell):
        return given
    if isinstance(given, int):
        return count_cell(given)
    return name_cell(given) if column.kind is ColumnKind.NAME else TextCell(visible(given))


def name_cell(text: str, mark: str = "") -> Name:
    """An agent's text, or a team's as the store writes it."""
    agents = tuple(visible(text).split(BETWEEN))
    return Name(team_text(agents) + mark, value=text, agents=agents, mark=mark)


def team_text(agents: Sequence[str]) -> str:
    """A team in the order of its seats, neighbours that are alike counted."""
    counted = [(name, len(list(alike))) for name, alike in groupby(agents)]
    return BETWEEN.join(name if count == 1 else f"{count} {name}" for name, count in counted)


def count_cell(count: int) -> TextCell:
    """An integer."""
    return TextCell(f"{count:,}", value=count)


def number_cell(value: float | None, digits: int, style: str = "") -> TextCell:
    """A number, or a dash where there is none."""
    if value is None or math.isnan(value):
        return TextCell("-", value="")
    return TextCell(f"{value:.{digits}f}", value=value, style=style)


def mean_cell(mean: float | None, error: float | None, digits: int = 2) -> TextCell:
    """A mean with its standard error, as far as there is one."""
    if mean is None or math.isnan(mean):
        return TextCell("-", value="")
    if error is None or not math.isfinite(error):
        return TextCell(f"{mean:.{digits}f}", value=mean)
    return TextCell(f"{mean:.{digits}f}", f" ± {error_text(error, digits)}", mean, error)


def error_text(error: float, digits: int) -> str:
    """A standard error; one that would be rounded to nothing keeps a digit."""
    return f"{error:.1g}" if 0 < error < 0.5 * 10**-digits else f"{error:.{digits}f}"


def share_cell(rate: float) -> TextCell:
    """A share of games in percent; never rounded down to nothing or up to all."""
    return TextCell(percent(rate), value="" if math.isnan(rate) else rate)


def who(seats: Sequence[str]) -> str:
    """The agents: one name if they are all the same, otherwise by seat."""
    if len(set(seats)) == 1:
        return f"{seats[0]}, {len(seats)} players"
    return ", ".join(f"{SEAT_NAMES[seat]} {agent}" for seat, agent in enumerate(seats))


def rules_line(rules: Rules) -> Text:
    """What must stand beside every score."""
    return Text(f"{rules.text()}: {rules.caption()}", QUIET)


def rules_lines(texts: Iterable[str]) -> list[Text]:
    """What each of these rules says of bombs and empty hints, for any number of players."""
    captions = {text: parse_rules(text).caption().split("; ", 1)[1] for text in texts}
    return [Text(f"{text}: {caption}", QUIET) for text, caption in captions.items()]


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


GAP = 2  # characters between two columns
LONG, SHORT = 20, 2  # agents with longer texts become letters: at first, and if that is not enough

SENTENCES = (ColumnKind.PROSE, ColumnKind.LINE, ColumnKind.LABEL)
SUBJECTS = (ColumnKind.NAME, ColumnKind.LABEL)  # stand before every block

Letters = dict[str, str]


def draw_tables(tables: Sequence[TextTable], width: int) -> tuple[list[list[RenderableType]], Letters]:
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


def letters_of(tables: Sequence[TextTable], longest: int) -> Letters:
    """A letter for every agent whose text is longer than that, in the order in which they occur."""
    named = dict.fromkeys(agent for table in tables for agent in _agents(table) if cell_len(agent) > longest)
    return dict(zip(named, _alphabet(), strict=False))


def _agents(table: TextTable) -> Iterator[str]:
    for row in table.rows:
        yield from (agent for cell in row.cells if isinstance(cell, Name) for agent in cell.agents)
    yield from (column.heading for column in table.columns if column.is_agent)


def _alphabet() -> Iterator[str]:
    yield from ascii_uppercase
    yield from (first + second for first in ascii_uppercase for second in ascii_uppercase)


@dataclass
class Layout:
    """A table with some columns, some agents as letters."""

    table: TextTable
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

    def _cell_width(self, cell: TextCell) -> int:
        return cell_len(self.text(cell)) + cell_len(self.error(cell))

    def heading(self, column: TextColumn) -> str:
        """A heading, as a letter if it is an agent that has one."""
        return self.letters.get(column.heading, column.heading) if column.is_agent else column.heading

    def text(self, cell: TextCell) -> str:
        """A cell's text, with letters in it if it is a name."""
        return encodable(cell.shortened(self.letters) if isinstance(cell, Name) else cell.text)

    def error(self, cell: TextCell) -> str:
        """The standard error behind a cell's text, if they are shown."""
        return encodable(cell.error) if self.has_errors else ""

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
        names = [column.plain_heading for place, column in columns if place not in self.places]
        return names if self.has_errors else ["standard errors", *names]


def fitted(table: TextTable, letters: Letters, width: int) -> Layout:
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
            justify="right" if column.kind is ColumnKind.NUMBER else "left",
            width=min(layout.column_width(place) + more, width),
            style=column.style or ("bold" if column.kind in SUBJECTS else ""),
            overflow="ellipsis" if column.kind is ColumnKind.LINE else "fold",
            no_wrap=column.kind is ColumnKind.LINE,
        )
    for row in layout.table.rows:
        drawn.add_row(*(_rich(layout, row.cells[place]) for place in layout.places), style=row.style or None)
    return drawn


def _rich(layout: Layout, cell: TextCell) -> Text:
    return Text.assemble((layout.text(cell), cell.style), (layout.error(cell), "dim"))


LATEX_ESCAPES = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "≤": r"$\le$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "…": r"\dots{}",
}
BOOKTABS = r"% needs \usepackage{booktabs}"


def markdown(parts: Sequence[str | TextTable]) -> str:
    """Paragraphs and pipe tables."""
    return _joined(parts, _markdown_table, lambda text: text)


def latex(parts: Sequence[str | TextTable]) -> str:
    """A tabular for each table; what stands around it as comments."""
    body = _joined(parts, _latex_table, lambda text: re.sub("^", "% ", text, flags=re.MULTILINE))
    return f"{BOOKTABS}\n{body}"


def comma_separated(parts: Sequence[str | TextTable]) -> str:
    """The tables alone, an empty line between two of them; a standard error has a column of its own."""
    return "\n".join(_csv_table(part) for part in parts if isinstance(part, TextTable)).rstrip("\n")


def _joined(parts: Sequence[str | TextTable], draw: Callable[[TextTable], str], write: Callable[[str], str]) -> str:
    pieces = [draw(part) if isinstance(part, TextTable) else write(part.strip("\n")) for part in parts if part]
    return "\n\n".join(piece for piece in pieces if piece.strip(" %\n"))


def _kept(table: TextTable) -> list[int]:
    return [place for place, column in enumerate(table.columns) if column.kind is not ColumnKind.BAR]


def _markdown_table(table: TextTable) -> str:
    places = _kept(table)
    columns = [table.columns[place] for place in places]
    rules = ["---:" if column.kind is ColumnKind.NUMBER else "---" for column in columns]
    lines = [[column.plain_heading for column in columns], rules]
    lines += [[_full(row.cells[place]).replace("|", r"\|") for place in places] for row in table.rows]
    above = [f"**{table.title}**"] * bool(table.title) + [table.caption] * bool(table.caption)
    return "\n".join([*(f"{line}\n" for line in above), *(f"| {' | '.join(line)} |" for line in lines)])


def _latex_table(table: TextTable) -> str:
    places = _kept(table)
    columns = [table.columns[place] for place in places]
    kinds = "".join("r" if column.kind is ColumnKind.NUMBER else "l" for column in columns)
    above = [f"% {line}" for line in (table.title, table.caption) if line]
    heading = _latex_line([column.plain_heading for column in columns])
    rows = [_latex_line([_full(row.cells[place]) for place in places]) for row in table.rows]
    top = [r"\toprule", heading, r"\midrule"] if table.has_heading else [r"\toprule"]
    return "\n".join([*above, rf"\begin{{tabular}}{{{kinds}}}", *top, *rows, r"\bottomrule", r"\end{tabular}"])


def _latex_line(cells: Sequence[str]) -> str:
    return " & ".join("".join(LATEX_ESCAPES.get(sign, sign) for sign in cell) for cell in cells) + r" \\"


def _csv_table(table: TextTable) -> str:
    places = _kept(table)
    has_error = {place: any(row.cells[place].error_value is not None for row in table.rows) for place in places}
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    headings = [(table.columns[place].plain_heading, has_error[place]) for place in places]
    writer.writerow(
        [word for name, error in headings for word in ([name, f"{name} s.e.".strip()] if error else [name])]
    )
    for row in table.rows:
        writer.writerow(list(_csv_cells(row, places, has_error)))
    return written.getvalue()


def _csv_cells(row: TextRow, places: Sequence[int], has_error: dict[int, bool]) -> Iterator[object]:
    for place in places:
        cell = row.cells[place]
        yield cell.text if cell.value is None else cell.value
        if has_error[place]:
            yield "" if cell.error_value is None else cell.error_value


def _full(cell: TextCell) -> str:
    return (cell.shortened({}) if isinstance(cell, Name) else cell.text) + cell.error


Part = RenderableType | TextTable

WRITERS: dict[TableFormat, Callable[[Sequence[str | TextTable]], str]] = {
    TableFormat.MARKDOWN: markdown,
    TableFormat.LATEX: latex,
    TableFormat.CSV: comma_separated,
}


def print_page(parts: Sequence[Part], shown: TableFormat = TableFormat.TEXT) -> None:
    """On stdout. Formats other than text have sentences and tables, no drawings."""
    if shown is TableFormat.TEXT:
        for part in draw_page(parts, width := out.width if out.has_width else page_width(parts)):
            out.print_wide(part, width)
        return
    words = [part for part in parts if isinstance(part, str | Text | TextTable)]
    written = [part if isinstance(part, TextTable) else str(part) for part in words]
    out.print(Text(WRITERS[shown](written)), soft_wrap=True)


def page_width(parts: Sequence[Part]) -> int:
    """The terminal's; what goes on to a file or a program is as wide as its lines are, so that none is cut."""
    layouts = [Layout(part, {}) for part in parts if isinstance(part, TextTable)]
    uncut = [each for each in layouts if any(column.kind is ColumnKind.LINE for column in each.table.columns)]
    return max([out.width, *(sum(each.natural_width(place) + GAP for place in each.places) for each in uncut)])


def draw_page(parts: Sequence[Part], width: int) -> list[RenderableType]:
    """The page for a terminal of this width. Letters stand for the same agents everywhere, also in sentences."""
    tables = [part for part in parts if isinstance(part, TextTable)]
    drawn, letters = draw_tables(tables, width)
    after = max((place for place, part in enumerate(parts) if isinstance(part, TextTable)), default=-1)
    page: list[RenderableType] = []
    for place, part in enumerate(parts):
        if isinstance(part, TextTable) and place and isinstance(parts[place - 1], TextTable):
            page.append(Text(""))
        page += drawn.pop(0) if isinstance(part, TextTable) else [_with_letters(part, letters)]
        if place == after and letters:
            page += [Text(""), draw_key(letters)]
            page += [Text("") for following in parts[place + 1 : place + 2] if str(following)]
    return page


def _with_letters(part: RenderableType, letters: Letters) -> RenderableType:
    """A sentence about agents that the tables call by letters."""
    if not letters or not isinstance(part, Text):
        return part
    longest_first = sorted(letters, key=len, reverse=True)
    pattern = "|".join(rf"(?<![\w-]){re.escape(agent)}(?![\w(-])" for agent in longest_first)
    return Text(re.sub(pattern, lambda found: letters[found[0]], part.plain), part.style)


NAMES, PROSE = ("team", "agent"), ("command",)  # columns that hold agents' texts or sentences, wherever they occur
SMALL = 0.01  # numbers below it are shown with two digits that count, others with three decimals
NOTHING_SHORT: Mapping[str, int] = {}


def draw_answer(
    columns: Sequence[str],
    rows: Sequence[tuple[Any, ...]],
    leaving: Sequence[str] = (),
    short: Mapping[str, int] = NOTHING_SHORT,
    shares: Sequence[str] = (),
) -> TextTable:
    """All columns and rows.

    `leaving` lists the columns that give way where they do not fit, in that order; `short` says how many characters of
    a column of hashes are shown; `shares` lists the columns that people read in percent.
    """
    ranks = {name: rank for rank, name in enumerate(leaving, 1)}
    kinds = [_kind(name, [row[place] for row in rows]) for place, name in enumerate(columns)]
    if ColumnKind.NAME not in kinds and ColumnKind.TEXT in kinds:
        kinds[kinds.index(ColumnKind.TEXT)] = ColumnKind.NAME  # what the other columns are about
    pairs = zip(columns, kinds, strict=True)
    table = TextTable([TextColumn(visible(name), kind, ranks.get(name, 0)) for name, kind in pairs])
    for row in rows:
        cut = [value[: short[name]] if name in short else value for name, value in zip(columns, row, strict=True)]
        table.add(*(_cell(kind, value, name in shares) for name, kind, value in zip(columns, kinds, cut, strict=True)))
    return table


def _kind(name: str, values: Sequence[Any]) -> ColumnKind:
    if any(isinstance(value, int | float) for value in values):
        return ColumnKind.NUMBER
    return ColumnKind.NAME if name in NAMES else ColumnKind.PROSE if name in PROSE else ColumnKind.TEXT


def _cell(kind: ColumnKind, value: Any, is_share: bool) -> TextCell:
    if is_share and value is not None:
        return TextCell(f"{value:.1%}", value=value)
    if kind is ColumnKind.NAME and isinstance(value, str):
        return name_cell(value)
    return TextCell(text_of(value), value="" if value is None else value)


def text_of(value: Any) -> str:
    """A value as people read it."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.2g}" if 0 < abs(value) < SMALL else f"{value:.3f}"
    return f"{value:%Y-%m-%d %H:%M:%S}" if isinstance(value, datetime) else visible(str(value))
