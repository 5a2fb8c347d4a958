"""What results look like in a notebook: small HTML tables with drawings that stand alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kagiya.drawing.bars import WIDTH, value_bar
from kagiya.drawing.canvas import standalone
from kagiya.drawing.distribution import Sample, distribution
from kagiya.drawing.markup import Child, Markup, element


@dataclass(frozen=True, slots=True)
class Estimate:
    """A move that was weighed."""

    name: str
    value: float
    error: float | None
    visits: int
    is_chosen: bool


def estimates_html(heading: str, estimates: Sequence[Estimate], sentence: str) -> Markup:
    """What was chosen, the moves that a search weighed, each with its value as a bar, and the rest in words."""
    low = min([each.value - 2 * (each.error or 0) for each in estimates], default=0)
    high = max([each.value + (each.error or 0) for each in estimates], default=1)
    rows = [
        _row(
            element("b", each.name) if each.is_chosen else each.name,
            standalone(value_bar(each.value, low, high, each.error, each.is_chosen), WIDTH),
            f"{each.value:.2f}" + ("" if each.error is None else f" ± {each.error:.2f}"),
            f"{each.visits:,}",
        )
        for each in estimates
    ]
    head = element("tr", [element("th", name) for name in ("move", "", "points", "visits")])
    weighed = element("table", head, rows) if rows else None
    return element("div", element("div", element("b", heading)), weighed, element("div", sentence))


def games_html(heading: str, sample: Sample, facts: Sequence[tuple[str, str]]) -> Markup:
    """Many games: how often each score was reached, and facts about them, each a name and a value."""
    picture = standalone(distribution(sample)) if sum(sample.counts) else None
    listed = element("table", [_row(name, value) for name, value in facts])
    return element("div", element("div", element("b", heading)), picture, listed)


def _row(*cells: Child) -> Markup:
    return element("tr", [element("td", cell) for cell in cells])
