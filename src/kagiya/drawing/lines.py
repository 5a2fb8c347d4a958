"""A small line chart: a few quantities over the turns of a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kagiya.drawing.axes import LINES, Scale, bottom_axis, extent, key, left_axis, round_ticks, rule
from kagiya.drawing.canvas import number, sheet
from kagiya.drawing.markup import Markup, Value, element
from kagiya.drawing.palette import paint

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 420, 170, 40, 26, 36


@dataclass(frozen=True, slots=True)
class Line:
    """One quantity by turn; None where there is nothing to show."""

    name: str
    values: tuple[float | None, ...]


def line_chart(
    lines: Sequence[Line], title: str, cursor: int | None = None, across_title: str = "turn", label: str | None = None
) -> Markup:
    """At most four lines, told apart by color and dashes, 420 by 170. `title` says what the values are; the turns below
    are counted from 1, and `cursor` (from 0) marks one of them."""
    low, high = extent([value for line in lines for value in line.values], 0.0)
    turns = max([len(line.values) for line in lines], default=1)
    up = Scale(low, high if high > low else low + 1, HEIGHT - BOTTOM, TOP)
    across = Scale(1, max(turns, 2), LEFT, WIDTH - 10)
    drawn = list(zip(lines, LINES, strict=False))
    at = None if cursor is None else across(cursor + 1)
    parts = [
        left_axis(up, LEFT, WIDTH - 10, round_ticks(low, up.high, 5)),
        None if at is None else rule(at, TOP, at, HEIGHT - BOTTOM, "accent", stroke_width=1.5),
        [_path(line, across, up, *style) for line, style in drawn],
        bottom_axis(across, HEIGHT - BOTTOM, [1, *round_ticks(5, max(turns, 5), 8)], across_title),
        key(
            LEFT,
            14,
            [
                (rule(0, 0, 16, 0, color, stroke_width=2, stroke_dasharray=dash), line.name)
                for line, (color, dash) in drawn
            ],
        ),
    ]
    names = ", ".join(line.name for line in lines)
    return sheet(WIDTH, HEIGHT, f"{title} by {across_title}: {names}" if label is None else label, parts)


def _path(line: Line, across: Scale, up: Scale, color: str, dash: str | None) -> Markup:
    path, is_drawn = [], False
    for place, value in enumerate(line.values):
        if value is not None:
            path.append(f"{'L' if is_drawn else 'M'}{number(across(place + 1))} {number(up(value))}")
        is_drawn = value is not None
    curve: dict[str, Value] = {
        "d": "".join(path),
        "fill": "none",
        "stroke": paint(color),
        "stroke_width": 2,
        "stroke_dasharray": dash,
    }
    return element("path", **curve, stroke_linejoin="round")
