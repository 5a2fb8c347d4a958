"""Axes of charts: round numbers to label them with, scales from values to places, and the keys of lines and bars."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor, isfinite, log10

from kagiya.drawing.canvas import number, words
from kagiya.drawing.markup import Child, Markup, Value, element
from kagiya.drawing.palette import paint

# Lines are told apart by color and by dashes.
LINES = (("text", None), ("moved", "6 3"), ("accent", "2 2.5"), ("bad", "8 3 2 3"))
LETTER = 6.2  # the mean width of a letter at size 11


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from `low` to `high` laid out between two places."""

    low: float
    high: float
    first: float
    last: float

    def __call__(self, value: float) -> float:
        """The place of a value; what lies outside is moved to the end."""
        share = (value - self.low) / ((self.high - self.low) or 1.0)
        return self.first + (self.last - self.first) * min(max(share, 0.0), 1.0)


def round_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """At most `most` round numbers (steps of 1, 2 or 5) from `low` to `high`."""
    if not high > low:
        return [low]
    step = 10.0 ** floor(log10((high - low) / most))
    step *= next(factor for factor in (1, 2, 5, 10, 20) if (high - low) / (step * factor) < most)
    first = floor(low / step)
    ticks = [round(step * (first + place), 10) for place in range(most + 3)]
    return [tick for tick in ticks if low - 1e-9 <= tick <= high + 1e-9]


def extent(values: Iterable[float | None], *also: float) -> tuple[float, float]:
    """The least and the greatest of the values that are there, and of others that must be shown."""
    known = [value for value in values if value is not None and isfinite(value)] + list(also)
    return (min(known), max(known)) if known else (0.0, 1.0)


def rule(x1: float, y1: float, x2: float, y2: float, color: str = "line", **attributes: Value) -> Markup:
    """A straight line."""
    ends = {"x1": number(x1), "y1": number(y1), "x2": number(x2), "y2": number(y2)}
    return element("line", **ends, stroke=paint(color), **attributes)


def shortened(name: str, most: int) -> str:
    """A name that fits."""
    return name if len(name) <= most else f"{name[: most - 1]}…"


def left_axis(scale: Scale, left: float, right: float, ticks: Sequence[float]) -> Markup:
    """A faint line at each tick, and its number left of it."""
    lines = [rule(left, scale(tick), right, scale(tick)) for tick in ticks]
    numbers = [
        words(left - 4, scale(tick) + 4, number(tick), size=11, color="quiet", text_anchor="end") for tick in ticks
    ]
    return element("g", lines, numbers)


def bottom_axis(scale: Scale, y: float, ticks: Sequence[float], title: str = "") -> Markup:
    """Numbers below the chart, and what they are at its right end."""
    numbers = [words(scale(tick), y + 14, number(tick), size=11, color="quiet", text_anchor="middle") for tick in ticks]
    name = words(scale.last, y + 28, title, size=11, color="quiet", text_anchor="end") if title else None
    return element("g", numbers, name)


def key(x: float, y: float, entries: Sequence[tuple[Child, str]]) -> Markup:
    """The key of a chart in one row: a sample of each, 16 wide and centered on its baseline, and its name."""
    parts, place = [], x
    for sample, name in entries:
        parts.append(element("g", sample, transform=f"translate({number(place)} {number(y - 4)})"))
        parts.append(words(place + 21, y, name, size=11, color="text"))
        place += 21 + LETTER * len(name) + 14
    return element("g", parts)
