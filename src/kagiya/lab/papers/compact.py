"""A published table in short, for the page of a family of agents: in each cell our figure, then the paper's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kagiya.agents.register import find_agent
from kagiya.lab.documents.markdown import BEGIN, markdown_table
from kagiya.lab.papers.distance import Distance
from kagiya.lab.papers.page import rules_line
from kagiya.lab.papers.reading import read_tables
from kagiya.lab.papers.results import TableResults
from kagiya.lab.papers.standing import distances
from kagiya.lab.papers.tables import Cell, PaperTable, Row
from kagiya.spec import SpecError

FINE = 0.005  # a standard error that two decimals would not show
Distances = Mapping[tuple[str, str], Distance]  # by the labels of row and column


def tables_shown(folder: Path, document: Path) -> list[PaperTable]:
    """The published tables for which a page has a block."""
    text = document.read_text(encoding="utf-8") if document.exists() else ""
    return [table for name, table in read_tables(folder).items() if BEGIN.format(name=name) in text and not table.own]


def compact_block(folder: Path, table: PaperTable, family: str) -> str:
    """The rows of a table that are about agents of a family, or searches over them."""
    found = {
        (cell.row.label, cell.column.name): each
        for cell, each in distances(table, TableResults.read(folder, table.name))
    }
    rows = [_line(table, row, found) for row in table.rows if is_about(row, family)]
    head = ["", *(column.name for column in table.columns)]
    return f"{markdown_table(head, rows)}\n\n{table.where}. {rules_line(table)}"


def is_about(row: Row, family: str) -> bool:
    """Whether an agent of the family sits in the first seat, or is what a search there thinks with."""
    try:
        agent = find_agent(row.agent)
    except (SpecError, ValueError):  # not built, or a word of its text depends on the column
        return False
    return any(each.info.family == family for each in (agent, *agent.models))


def _line(table: PaperTable, row: Row, found: Distances) -> list[str]:
    cells = {cell.column.name: cell for cell in table.cells() if cell.row is row}
    return [row.label, *(_text(cells.get(column.name), found) for column in table.columns)]


def _text(cell: Cell | None, found: Distances) -> str:
    if cell is None or cell.figure is None:
        return ""
    distance = found.get((cell.row.label, cell.column.name))
    if distance is None:
        return f"not measured ({cell.figure.text})"
    ours = distance.measured
    digits = 3 if ours.error < FINE else 2
    text = f"{ours.mean:.{digits}f} ± {ours.error:.{digits}f} ({cell.figure.text})"
    return text if distance.is_close else f"**{text}**"
