"""The ranking of one track of a tournament."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from kagiya.lab.contests.tournament import Placing
from kagiya.rules import parse_rules


def draw_ranking(track: str, placings: Sequence[Placing], rules: str) -> Table:
    """A line for each entrant, best first."""
    caption = parse_rules(rules, 2).caption().split("; ", 1)[1]
    title = f"{track.capitalize()} track, mean score ({rules}: {caption})"
    table = Table(title=title, title_justify="left", title_style="bold", header_style="dim", box=None)
    table.add_column("", justify="right", style="dim")
    table.add_column("agent", style="bold")
    counts = sorted({players for placing in placings for players in placing.by_players})
    for name in (*(f"{count} players" for count in counts), "mean", "95 % interval", "late", "forfeits"):
        table.add_column(name, justify="right", no_wrap=True)
    for place, placing in enumerate(placings, 1):
        table.add_row(str(place), placing.agent, *numbers(placing, counts))
    return table


def numbers(placing: Placing, counts: Sequence[int]) -> list[str]:
    """The numbers of one line."""
    cells = [placing.by_players.get(count) for count in counts]
    low, high = placing.interval
    means = ["-" if cell is None else f"{cell.mean:.2f}" for cell in cells]
    interval = "-" if low != low else f"{low:.2f} to {high:.2f}"
    return [*means, f"{placing.mean:.2f}", interval, str(placing.overtime), str(placing.forfeits)]
