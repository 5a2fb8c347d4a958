"""A table of numbers as a picture: the darker a cell, the higher its value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kagiya.drawing.axes import LETTER, Scale, extent
from kagiya.drawing.canvas import moved, rectangle, sheet, words
from kagiya.drawing.markup import Markup, element
from kagiya.drawing.palette import paint

WIDE, HIGH = 46, 30
STRONGEST = 0.36  # the opacity of the highest value: words must stay readable on it, on both grounds


@dataclass(frozen=True, slots=True)
class Cell:
    """One value with its standard error, if it has one."""

    value: float
    error: float | None = None


@dataclass(frozen=True, slots=True)
class HeatMapOptions:
    """How the numbers are written and what the colors span."""

    digits: int = 1
    low: float | None = None  # the value of the faintest color; by default the least value
    high: float | None = None
    selected: tuple[int, int] | None = None  # a cell that is boxed: row, column
    what: str = "mean score"


DEFAULT = HeatMapOptions()


def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Sequence[Sequence[Cell | None]],
    options: HeatMapOptions = DEFAULT,
    label: str | None = None,
) -> Markup:
    """Rows by columns, `cells[row][column]`; None is a cell without games. Each cell has `data-row`, `data-column` and
    a title with names, value and error."""
    left = 14 + LETTER * max(map(len, rows), default=0)
    top = 12 + 0.72 * LETTER * max(map(len, columns), default=0)
    low, high = extent([cell.value for row in cells for cell in row if cell])
    shade = Scale(
        low if options.low is None else options.low, high if options.high is None else options.high, 0.02, STRONGEST
    )
    heads = [_head(left + WIDE * (place + 0.5), top - 6, name) for place, name in enumerate(columns)]
    names = [
        words(left - 6, top + HIGH * (place + 0.5) + 4, name, size=11, text_anchor="end")
        for place, name in enumerate(rows)
    ]
    body = [
        moved(
            left + WIDE * column,
            top + HIGH * row,
            _cell(cell, shade, options, (row, column), f"{rows[row]}, {columns[column]}"),
        )
        for row, line in enumerate(cells)
        for column, cell in enumerate(line)
    ]
    overhang = 0.72 * LETTER * max(map(len, columns[-1:]), default=0)
    size = left + WIDE * len(columns) + overhang, top + HIGH * len(rows) + 4
    name = f"heat map of {options.what}, {len(rows)} by {len(columns)}" if label is None else label
    return sheet(*size, name, heads, names, body)


def _head(x: float, y: float, name: str) -> Markup:
    """A column's name, slanted, so that long ones fit."""
    return moved(x, y, element("g", words(0, 0, name, size=11), transform="rotate(-45)"))


def _cell(cell: Cell | None, shade: Scale, options: HeatMapOptions, place: tuple[int, int], name: str) -> Markup:
    is_selected = options.selected == place
    edge = {"stroke": paint("accent" if is_selected else "line"), "stroke_width": 2.5 if is_selected else 1}
    where = {"data_row": place[0], "data_column": place[1]}
    if cell is None:
        empty = rectangle(1, 1, WIDE - 2, HIGH - 2, None, rx=2, **edge)
        return element("g", element("title", f"{name}: no games"), empty, **where)
    value = f"{cell.value:.{options.digits}f}"
    error = None if cell.error is None else f"± {cell.error:.{max(options.digits, 1) + (cell.error < 0.05)}f}"
    written = words(WIDE / 2, HIGH / 2 + (4 if error is None else -1), value, size=11, text_anchor="middle")
    beside = words(WIDE / 2, HIGH - 5, error, size=9, text_anchor="middle") if error else None
    paper = rectangle(1, 1, WIDE - 2, HIGH - 2, "moved", rx=2, fill_opacity=round(shade(cell.value), 2), **edge)
    title = element("title", f"{name}: {value}" + (f" {error}" if error else ""))
    return element("g", title, paper, written, beside, **where)
