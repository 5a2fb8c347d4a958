"""Published figures beside ours: those of agents, those of a table, and how all tables stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from kagiya.cli.drawing.cards import QUIET
from kagiya.lab.papers.code_age import CodeAge, ages_text, code_age, count_ages
from kagiya.lab.papers.distance import Distance
from kagiya.lab.papers.figures import MeasuredFigure
from kagiya.lab.papers.page import rules_line
from kagiya.lab.papers.results import TableResults
from kagiya.lab.papers.standing import OFF, distances, row_tests, tally
from kagiya.lab.papers.strength import cpu_text
from kagiya.lab.papers.tables import PaperTable
from kagiya.lab.statistics.quantities import CPU, Estimate, Quantity

HEADINGS = ("measured\n/ cells", "waiting", "within\n/ differ", "rows\noff", "older\ncode", "no\ncode", "last")
CODES = {CodeAge.CURRENT: "", CodeAge.OLDER: "older", CodeAge.UNRECORDED: "unknown"}
FAR = "bold yellow"


def draw_figures(figures: Sequence[MeasuredFigure]) -> Table:
    """The figures of agents, paper and measurement side by side."""
    table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 1, 0, 0))
    for name in ("agent", "rules", "table"):
        table.add_column(name, no_wrap=name == "table", overflow="fold", min_width=7)
    for name in ("players", "published", "measured", "distance"):
        table.add_column(name, justify="right", no_wrap=True)
    for each in figures:
        printed, distance = each.published, each.distance
        who = (Text(printed.agent, "bold"), printed.run.rules, printed.table, str(printed.run.players))
        table.add_row(*who, *_numbers(distance), style="" if distance.is_close else FAR)
    return table


def _numbers(distance: Distance) -> tuple[str, str, str]:
    measured = f"{distance.measured.mean:.3f} [dim]± {distance.measured.error:.3f}[/]"
    return distance.figure.text, measured, f"{distance.in_errors:+.1f} s.e."


def draw_paper(paper: PaperTable, results: TableResults) -> RenderableType:
    """The measured cells of one table, the rows as wholes, and a count of the other cells."""
    if paper.own:
        return draw_study(paper, results)
    counts = tally(paper, results)
    title = Text.assemble((paper.name, "bold"), f"  {paper.title} ({paper.where})")
    count = f"{counts.close} within 3 s.e., {counts.outside} differ, {counts.waiting} waiting"
    rows = f"{counts.rows_off} of {counts.rows} rows are off as a whole (chi-square, p < {OFF:g})"
    cells: list[RenderableType] = []
    if counts.measured:
        cells = [_cells(paper, results), *_rows(paper, results), Text(rows)]
    return Group(title, Text(rules_line(paper), QUIET), *cells, Text(count), Text(_age(paper, results), QUIET))


def _cells(paper: PaperTable, results: TableResults) -> Table:
    table = Table(box=None, header_style="dim")
    for name in ("row", "figure"):
        table.add_column(name)
    for name in ("paper", "measured", "distance"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("code")
    for cell, distance in distances(paper, results):
        style = "" if distance.is_close else FAR
        code = Text(CODES[code_age(results.runs[cell.run])], QUIET)
        table.add_row(cell.row.label, cell.column.name, *_numbers(distance), code, style=style)
    return table


def _rows(paper: PaperTable, results: TableResults) -> list[Table]:
    table = Table(box=None, header_style="dim")
    for name in ("row as a whole", "chi-square / matches"):
        table.add_column(name)
    for test in row_tests(paper, results):
        if test.matches > 1:
            table.add_row(test.label, test.text, style=FAR if test.is_off else "")
    return [table] if table.row_count else []


def _age(paper: PaperTable, results: TableResults) -> str:
    text = ages_text(count_ages(paper, results))
    return f"{text}; --outdated measures them again\n" if text else ""


def draw_study(paper: PaperTable, results: TableResults) -> RenderableType:
    """What was measured for a question of our own."""
    table = Table(box=None, header_style="dim")
    table.add_column("")
    for column in paper.columns:
        table.add_column(column.name, justify="right", no_wrap=True)
    for row in paper.rows:
        found = [(cell.column.quantity, results.estimate(cell)) for cell in paper.cells() if cell.row is row]
        label = f"{row.label}, {row.players} players" if row.players else row.label
        table.add_row(label, *(_figure(quantity, each) for quantity, each in found))
    return Group(Text.assemble((paper.name, "bold"), f"  {paper.title}"), table)


def _figure(quantity: Quantity, found: Estimate | None) -> str:
    if found is None:
        return "-"
    return cpu_text(found) if quantity.kind == CPU else f"{found.mean:.3f} [dim]± {found.error:.3f}[/]"


def draw_standings(rows: Sequence[dict[str, Any]]) -> Table:
    """How many cells of each table are measured, how they stand, and by which code and when they were measured."""
    table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("table", style="bold", no_wrap=True)
    for name in HEADINGS:
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        measured, standing = f"{row['measured']} / {row['cells']}", f"{row['within']} / {row['differ']}"
        counts = [str(row[name]) for name in ("rows_off", "older_code", "code_unknown")]
        table.add_row(row["name"], measured, str(row["waiting"]), standing, *counts, row["last"] or "never")
    return table
