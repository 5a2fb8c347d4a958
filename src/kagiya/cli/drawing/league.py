"""The ranking of a league."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from kagiya.cli.drawing.cards import QUIET
from kagiya.cli.drawing.page import Part
from kagiya.cli.drawing.table import Column, Kind, Table, mean_cell, name_cell, number_cell
from kagiya.lab.contests.league import League

OWN = "bold green"  # who was played just now, among those measured before


def draw_league(league: League) -> list[Part]:
    """The rules, the ranking, and what its marks mean."""
    return [ranking(league), *marks(league)]


def ranking(league: League) -> Table:
    """A line for each agent, best first."""
    table = Table(
        [
            Column("", style=QUIET),
            Column("agent", Kind.NAME),
            *(Column(f"{count} players", leaves=2) for count in league.players),
            Column("mean", style="bold"),
        ],
        title="Self-play, mean score ± standard error",
        caption=f"{league.rules}: {league.caption()}",
        errors_leave=1,
    )
    for place, row in enumerate(league.rows(), 1):
        cells = [row.cells.get(count) for count in league.players]
        means = [mean_cell(None, None) if cell is None else mean_cell(cell.mean, cell.se) for cell in cells]
        name = name_cell(row.agent.text, " *" if row.agent.info.mark else "")
        own = bool(league.others) and not row.is_measured_before
        table.add(place, name, *means, number_cell(row.mean, 2), style=OWN if own else "")
    return table


def marks(league: League) -> Iterator[Text]:
    """What the stars beside the names mean: who sees what no player may."""
    if league.others:
        played = ", ".join(row.agent.text for row in league.rows() if not row.is_measured_before)
        yield Text(f"played now: {played}; all others were measured for the documents", QUIET)
    marked = {row.agent.info.mark for row in league.rows() if row.agent.info.mark}
    if marked:
        yield Text.assemble(("* ", "yellow"), (" or ".join(sorted(marked)), QUIET))
