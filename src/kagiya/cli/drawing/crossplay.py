"""Teams of an experiment: a matrix of guests and hosts, or a line for each team."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rich.table import Table

from kagiya.cli.drawing.results import number, percent
from kagiya.lab.contests.crossplay import Cell, Crossplay
from kagiya.lab.store.tally import Tally
from kagiya.rules import parse_rules


def draw_crossplay(crossplay: Crossplay) -> Table:
    """The means, guests down, hosts across."""
    title = f"One of the row with {crossplay.players - 1} of the column, mean ± s.e. ({caption(crossplay)})"
    table = Table(title=title, title_justify="left", title_style="bold", header_style="dim", box=None)
    table.add_column("", style="bold")
    for host in crossplay.agents:
        table.add_column(host, justify="right")
    for guest in crossplay.agents:
        cells = [crossplay.cells.get((guest, host)) for host in crossplay.agents]
        table.add_row(guest, *("-" if cell is None else mean_text(cell) for cell in cells))
    return table


def draw_teams(cells: dict[Cell, Tally]) -> Table:
    """A line for each team."""
    table = Table(box=None, header_style="dim")
    for name in ("team", "rules"):
        table.add_column(name)
    for name in ("players", "games", "mean", "perfect", "bombs", "regret"):
        table.add_column(name, justify="right", no_wrap=True)
    for (rules, players, cell), tally in cells.items():
        rates = [percent(count / tally.games) for count in (tally.perfect, tally.bombs)]
        regret = f"{sum(tally.regrets) / tally.games:.2f}"
        table.add_row(team_text(cell), rules, str(players), f"{tally.games:,}", mean_text(tally), *rates, regret)
    return table


def caption(crossplay: Crossplay) -> str:
    """The rules, without which no score is shown."""
    return f"{crossplay.rules}: {parse_rules(crossplay.rules, crossplay.players).caption()}"


def mean_text(tally: Tally) -> str:
    """A mean with its standard error."""
    return f"{tally.mean:.2f} [dim]± {number(tally.se, 2)}[/]"


def team_text(names: Sequence[str]) -> str:
    """A team in the order of its seats, neighbours that are alike counted."""
    counted = [(name, len(list(alike))) for name, alike in groupby(names)]
    return " + ".join(name if count == 1 else f"{count} {name}" for name, count in counted)
