"""How evenly each way of dealing hidden cards deals them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from kagiya.cli.drawing.cards import QUIET
from kagiya.cli.drawing.page import Part
from kagiya.cli.drawing.table import Cell, Column, Kind, Table, mean_cell
from kagiya.dev.bench_deals import DealReport

NOTES = """\
hands     total variation: half of the sum of the errors of all hands' chances;
          where it is not exact, at most half of the next column
a hand    error of one hand's chance, relative to it, root mean square, where
          at most 100,000 hands are possible
a slot    total variation of the kind of one slot, the worst of the hand
playable  error of the chance that a slot is playable, the worst of the hand;
          then the worst of all positions (the assignment's with sampling noise)\
"""


def draw_deals(reports: Sequence[DealReport]) -> list[Part]:
    """A table for each seating, and what the columns mean."""
    parts: list[Part] = []
    for report in reports:
        parts += [_title(report), _table(report), Text("")]
    return [*parts, Text(NOTES, QUIET)]


def _title(report: DealReport) -> Text:
    title = f"{report.agent}, {report.players} players, {report.rules}, convention {report.convention}: "
    title += f"{report.positions} positions, half of them with at most {report.median_hands:,.0f} hands"
    if report.impossible:
        title += f"; in {report.impossible} more no hand agrees with the convention"
    return Text(title, "bold")


def _table(report: DealReport) -> Table:
    numbers = ("hands", "a hand", "a slot", "playable", "worst", "ns a hand")
    table = Table([Column("%", Kind.LABEL), *(Column(name) for name in numbers)])
    for row in report.figures:
        root, error = row.relative_error
        exact = row.variation.mean == row.variation.mean
        table.add(
            row.deal,
            percent(row.variation.mean, row.variation.se) if exact else Cell(f"<= {50 * root:.2f}"),
            percent(root, error, 1),
            percent(row.slot_variation.mean, row.slot_variation.se),
            percent(row.playable_error.mean, row.playable_error.se),
            percent(row.playable_error.worst),
            mean_cell(row.nanoseconds.mean, row.nanoseconds.se, 0),
        )
    return table


def percent(value: float, se: float | None = None, places: int = 2) -> Cell:
    """A share in percent, with its standard error if given; 0 for what is only the computer's rounding."""
    return Cell("0", value=0) if abs(value) < 1e-9 else mean_cell(100 * value, None if se is None else 100 * se, places)
