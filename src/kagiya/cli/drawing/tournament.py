"""The ranking of one track of a tournament."""

from __future__ import annotations

from collections.abc import Sequence

from kagiya.cli.drawing.table import Cell, Column, Kind, Table, mean_cell, number_cell
from kagiya.lab.contests.tournament import Placing
from kagiya.rules import parse_rules


def draw_ranking(track: str, placings: Sequence[Placing], rules: str) -> Table:
    """A line for each entrant, best first. Where it is too wide, late moves and forfeits leave first."""
    caption = parse_rules(rules, 2).caption().split("; ", 1)[1]
    counts = sorted({players for placing in placings for players in placing.by_players})
    table = Table(
        [
            Column("", style="dim"),
            Column("agent", Kind.NAME),
            *(Column(f"{count} players", leaves=4) for count in counts),
            Column("mean"),
            Column("95 % interval", leaves=3),
            Column("late", leaves=2),
            Column("forfeits", leaves=1),
        ],
        title=f"{track.capitalize()} track, mean score",
        caption=f"{rules}: {caption}",
    )
    for place, placing in enumerate(placings, 1):
        table.add(place, placing.agent, *numbers(placing, counts))
    return table


def numbers(placing: Placing, counts: Sequence[int]) -> list[Cell | int]:
    """The numbers of one line."""
    cells = [placing.by_players.get(count) for count in counts]
    low, high = placing.interval
    interval = "-" if low != low else f"{low:.2f} to {high:.2f}"
    means = [number_cell(None if cell is None else cell.mean, 2) for cell in cells]
    mean = Cell(f"{placing.mean:.2f}", value=placing.mean, error_value=mean_cell(0, placing.se).error_value)
    return [*means, mean, Cell(interval), placing.overtime, placing.forfeits]
