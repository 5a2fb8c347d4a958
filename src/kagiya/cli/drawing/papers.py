"""Published figures beside ours: those of agents, those of a table, and how all tables stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from kagiya.cli.drawing.cards import QUIET
from kagiya.lab.papers.page import distances, rules_line, tally
from kagiya.lab.papers.published import MeasuredFigure
from kagiya.lab.papers.runs import TableResults
from kagiya.lab.papers.tables import PaperTable

COUNTS = ("cells", "runnable", "waiting", "measured", "within", "differ")
FAR = "bold yellow"


def draw_figures(found: Sequence[MeasuredFigure]) -> Table:
    """The figures of agents, paper and measurement side by side."""
    table = Table(box=None, header_style="dim")
    for name in ("agent", "rules", "where"):
        table.add_column(name)
    for name in ("players", "published", "measured", "distance"):
        table.add_column(name, justify="right", no_wrap=True)
    for measured_figure in found:
        figure, measured = measured_figure.published, measured_figure.measured
        table.add_row(
            f"[bold]{measured_figure.agent}[/]",
            figure.rules,
            figure.where,
            str(figure.players),
            f"{figure.score:.{figure.decimals}f}",
            f"{measured.mean:.3f} [dim]± {measured.se:.3f}[/]",
            f"{measured_figure.distance:+.1f} s.e.",
            style="" if measured_figure.is_close else FAR,
        )
    return table


def draw_paper(paper: PaperTable, results: TableResults) -> RenderableType:
    """The measured cells of one table, and a count of the others."""
    if paper.own:
        return draw_study(paper, results)
    counts = tally(paper, results)
    title = Text.assemble((paper.name, "bold"), f"  {paper.title} ({paper.where})")
    count = Text(f"{counts.close} within 3 s.e., {counts.outside} differ, {counts.waiting} waiting\n")
    cells = [_cells(paper, results)] if counts.measured else []
    return Group(title, Text(rules_line(paper), QUIET), *cells, count)


def _cells(paper: PaperTable, results: TableResults) -> Table:
    table = Table(box=None, header_style="dim")
    for name in ("row", "figure"):
        table.add_column(name)
    for name in ("paper", "measured", "distance"):
        table.add_column(name, justify="right", no_wrap=True)
    for cell, distance in distances(paper, results):
        measured = f"{distance.measured.mean:.3f} [dim]± {distance.measured.error:.3f}[/]"
        style = "" if distance.is_close else FAR
        far = f"{distance.in_errors:+.1f} s.e."
        table.add_row(cell.row.label, cell.column.name, distance.figure.text, measured, far, style=style)
    return table


def draw_study(paper: PaperTable, results: TableResults) -> RenderableType:
    """What was measured for a question of our own."""
    table = Table(box=None, header_style="dim")
    table.add_column("")
    for column in paper.columns:
        table.add_column(column.name, justify="right", no_wrap=True)
    for row in paper.rows:
        found = [results.estimate(cell) for cell in paper.cells() if cell.row is row]
        table.add_row(row.label, *(f"{each.mean:.3f} [dim]± {each.error:.3f}[/]" if each else "-" for each in found))
    return Group(Text.assemble((paper.name, "bold"), f"  {paper.title}"), table)


def draw_standings(rows: Sequence[dict[str, Any]]) -> Table:
    """How many cells each table has, how many can be played, and how they stand."""
    table = Table(box=None, header_style="dim", pad_edge=False)
    table.add_column("table", style="bold", no_wrap=True)
    for name in COUNTS:
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("last", no_wrap=True)
    for row in rows:
        numbers = [str(row[name]) for name in COUNTS]
        table.add_row(row["name"], *numbers, row["last"] or "never")
    return table
