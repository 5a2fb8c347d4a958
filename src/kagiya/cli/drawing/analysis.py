"""What recorded games come to, and how often an agent agrees with them."""

from __future__ import annotations

from rich.text import Text

from kagiya.cards import SEAT_NAMES
from kagiya.cli.drawing.cards import QUIET
from kagiya.cli.drawing.page import Part
from kagiya.cli.drawing.results import draw_summary
from kagiya.cli.drawing.story import rules_line, who
from kagiya.cli.drawing.table import Cell, Column, Kind, Table, count_cell, number_cell, share_cell
from kagiya.lab.review.agreement import KINDS, Agreement, Tally
from kagiya.lab.review.analysis import Analysis


def draw_analysis(found: Analysis) -> list[Part]:
    """Games by one set of rules, in the tables of a match and one more."""
    ends = ", ".join(f"{count:,} {end}" for end, count in found.ends.items())
    heading: list[Part] = [Text(who(found.seats), "bold"), rules_line(found.rules), Text(f"ended: {ends}", QUIET)]
    return [*heading, Text(""), *draw_summary(found.summary, found.seats), Text(""), _figures(found), Text("")]


def _figures(found: Analysis) -> Table:
    """The means of what hanab.live shows beside the score."""
    table = Table([Column("lowest pace"), Column("efficiency"), Column("bottom-deck risks")])
    table.add(
        number_cell(found.mean("lowest_pace"), 2),
        number_cell(found.mean("efficiency"), 2),
        number_cell(found.mean("bottom_deck_risks"), 2),
    )
    return table


def draw_agreement(found: Agreement, mark: str) -> list[Part]:
    """A line for each seat: moves asked about, and the share in which the agent would have moved the same."""
    games = f"{found.games:,} game{'' if found.games == 1 else 's'}"
    title = Text.assemble((found.agent, "bold"), (f" in every seat of {games}", QUIET))
    heads = [Column("moves"), Column("the same"), *(Column(f"{kind}s") for kind in KINDS)]
    table = Table([Column("seat", Kind.LABEL, style="default"), *heads])
    for seat in range(found.seats):
        table.add(SEAT_NAMES[seat], *_cells(found, seat))
    table.add("all", *_cells(found, None), style="bold")
    marks: list[Part] = [Text(f"{found.agent} {mark}: no player may", "bold yellow")] if mark else []
    return [title, *marks, Text(""), table]


def _cells(found: Agreement, seat: int | None) -> list[Cell]:
    total = found.tally(seat)
    return [count_cell(total.asked), _share(total), *(_share(found.tally(seat, kind)) for kind in KINDS)]


def _share(tally: Tally) -> Cell:
    return share_cell(tally.share)
