"""One number as a bar with its error, to stand in a row of a table beside others on the same scale."""

from __future__ import annotations

from kagiya.drawing.axes import Scale, rule
from kagiya.drawing.canvas import rectangle, sheet
from kagiya.drawing.markup import Markup

WIDTH, HEIGHT = 120, 14


def value_bar(
    value: float, low: float, high: float, error: float | None = None, is_marked: bool = False, label: str = ""
) -> Markup:
    """A bar from `low` to `value` on a scale that ends at `high`, 120 by 14; a whisker is one standard error either
    way. A marked one (the move chosen) is darker. Decoration unless it has a label: the number stands beside it."""
    across = Scale(low, high, 1, WIDTH - 1)
    bar = rectangle(1, 2, across(value) - 1, 10, "moved", rx=1.5, fill_opacity=0.75 if is_marked else 0.35)
    middle = HEIGHT / 2
    whisker = (
        rule(across(value - error), middle, across(value + error), middle, "text", stroke_width=1.5) if error else None
    )
    return sheet(WIDTH, HEIGHT, label, rectangle(0.5, 1.5, WIDTH - 1, 11, "line", fill_opacity=0.4, rx=2), bar, whisker)
