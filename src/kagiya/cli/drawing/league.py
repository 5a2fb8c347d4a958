"""The ranking of a league."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from kagiya.cli.drawing.cards import QUIET
from kagiya.lab.contests.league import League


def draw_league(league: League) -> RenderableType:
    """The rules, the ranking, and what its marks mean."""
    title = Text("Self-play, mean score ± standard error", "bold")
    rules = Text(f"{league.rules}: {league.caption()}", QUIET)
    return Group(title, rules, Text(""), ranking(league), *marks(league))


def ranking(league: League) -> Table:
    """A line for each agent, best first."""
    table = Table(header_style=QUIET, box=None, padding=(0, 1, 0, 0))
    table.add_column("", justify="right", style=QUIET)
    table.add_column("agent", style="bold", no_wrap=True)
    for count in league.players:
        table.add_column(f"{count} players", justify="right", no_wrap=True, min_width=12)
    table.add_column("mean", justify="right", style="bold")
    for place, row in enumerate(league.rows(), 1):
        cells = [row.cells.get(count) for count in league.players]
        shown = ["" if cell is None else f"{cell.mean:.2f} [dim]± {cell.se:.2f}[/]" for cell in cells]
        mark = (" *", "yellow") if row.agent.info.mark else ""
        table.add_row(str(place), Text.assemble(row.agent.text, mark), *shown, f"{row.mean:.2f}")
    return table


def marks(league: League) -> Iterator[Text]:
    """What the stars beside the names mean: who sees what no player may."""
    marked = {row.agent.info.mark for row in league.rows() if row.agent.info.mark}
    if marked:
        yield Text.assemble(("* ", "yellow"), (" or ".join(sorted(marked)), QUIET))
