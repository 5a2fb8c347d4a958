"""Published figures beside ours: those of agents, those of a table, and how all tables stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from kagiya.cli.card_text import QUIET
from kagiya.cli.text_table import ColumnKind, Part, TextCell, TextColumn, TextTable, mean_cell
from kagiya.lab.papers.measurement import TableResults
from kagiya.lab.papers.outdated_cells import CodeAge, ages_text, code_age, count_ages
from kagiya.lab.papers.paper_tables import CPU, Estimate, PaperTable, Quantity
from kagiya.lab.papers.verdicts import OFF, Distance, MeasuredFigure, cpu_text, distances, row_tests, rules_line, tally

HEADINGS = ("measured\n/ cells", "waiting", "within\n/ differ", "rows\noff", "older\ncode", "no\ncode", "last")
CODES = {CodeAge.CURRENT: "", CodeAge.SAME: "", CodeAge.OLDER: "older", CodeAge.UNRECORDED: "unknown"}
FAR = "bold yellow"


def draw_figures(figures: Sequence[MeasuredFigure]) -> TextTable:
    """The figures of agents, paper and measurement side by side."""
    table = TextTable(
        [
            *(
                TextColumn("agent", ColumnKind.NAME),
                TextColumn("rules", ColumnKind.TEXT, leaves=3),
                TextColumn("table", ColumnKind.TEXT, leaves=1),
            ),
            *(TextColumn("players"), TextColumn("published"), TextColumn("measured"), TextColumn("distance")),
        ],
        errors_leave=2,
    )
    for each in figures:
        printed, distance = each.published, each.distance
        who = (printed.agent, printed.run.rules, printed.table, printed.run.players)
        table.add(*who, *_numbers(distance), style="" if distance.is_close else FAR)
    return table


def _numbers(distance: Distance) -> tuple[TextCell, TextCell, TextCell]:
    published = TextCell(distance.figure.text, value=distance.figure.value)
    measured = mean_cell(distance.measured.mean, distance.measured.error, 3)
    return published, measured, TextCell(f"{distance.in_errors:+.1f} s.e.", value=distance.in_errors)


def draw_paper(paper: PaperTable, results: TableResults) -> list[Part]:
    """The measured cells of one table, the rows as wholes, and a count of the other cells."""
    if paper.own:
        return draw_study(paper, results)
    counts = tally(paper, results)
    title = Text.assemble((paper.name, "bold"), f"  {paper.title} ({paper.where})")
    count = f"{counts.close} within 3 s.e., {counts.outside} differ, {counts.waiting} waiting"
    rows = f"{counts.rows_off} of {counts.rows} rows are off as a whole (chi-square, p < {OFF:g})"
    cells: list[Part] = []
    if counts.measured:
        cells = [_cells(paper, results), *_rows(paper, results), Text(rows)]
    return [title, Text(rules_line(paper), QUIET), *cells, Text(count), Text(_age(paper, results), QUIET)]


def _cells(paper: PaperTable, results: TableResults) -> TextTable:
    numbers = [TextColumn("paper"), TextColumn("measured"), TextColumn("distance")]
    table = TextTable(
        [
            TextColumn("row", ColumnKind.LABEL),
            TextColumn("figure", ColumnKind.TEXT),
            *numbers,
            TextColumn("code", ColumnKind.TEXT, 1),
        ]
    )
    for cell, distance in distances(paper, results):
        style = "" if distance.is_close else FAR
        code = TextCell(CODES[code_age(results.runs[cell.run])], style=QUIET)
        table.add(cell.row.label, cell.column.name, *_numbers(distance), code, style=style)
    return table


def _rows(paper: PaperTable, results: TableResults) -> list[TextTable]:
    table = TextTable(
        [TextColumn("row as a whole", ColumnKind.LABEL), TextColumn("chi-square / matches", ColumnKind.TEXT)]
    )
    for test in row_tests(paper, results):
        if test.matches > 1:
            table.add(test.label, test.text, style=FAR if test.is_off else "")
    return [table] if table.rows else []


def _age(paper: PaperTable, results: TableResults) -> str:
    text = ages_text(count_ages(paper, results))
    return f"{text}; --remeasure outdated measures them again\n" if text else ""


def draw_study(paper: PaperTable, results: TableResults) -> list[Part]:
    """What was measured for a question of our own."""
    table = TextTable(
        [TextColumn("", ColumnKind.LABEL, least=30), *(TextColumn(column.name) for column in paper.columns)]
    )
    for row in paper.rows:
        found = [(cell.column.quantity, results.estimate(cell)) for cell in paper.row_cells(row)]
        label = f"{row.label}, {row.players} players" if row.players else row.label
        table.add(label, *(_figure(quantity, each) for quantity, each in found))
    return [Text.assemble((paper.name, "bold"), f"  {paper.title}"), table]


def _figure(quantity: Quantity, found: Estimate | None) -> TextCell:
    if found is None:
        return mean_cell(None, None)
    return (
        TextCell(cpu_text(found), value=found.mean) if quantity.kind == CPU else mean_cell(found.mean, found.error, 3)
    )


def draw_standings(rows: Sequence[dict[str, Any]]) -> TextTable:
    """How many cells of each table are measured, how they stand, and by which code and when they were measured."""
    leaves = (0, 5, 4, 3, 2, 1, 6)
    pairs = zip(HEADINGS, leaves, strict=True)
    table = TextTable([TextColumn("table", ColumnKind.NAME), *(TextColumn(name, leaves=rank) for name, rank in pairs)])
    for row in rows:
        measured, standing = f"{row['measured']} / {row['cells']}", f"{row['within']} / {row['differ']}"
        counts = [row[name] for name in ("rows_off", "older_code", "code_unknown")]
        table.add(row["name"], measured, row["waiting"], standing, *counts, row["last"] or "never")
    return table
