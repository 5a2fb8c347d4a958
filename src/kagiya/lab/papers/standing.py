"""How the cells and the rows of a table stand: within reach of chance, or not, or waiting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from kagiya.lab.papers.code_age import code_age
from kagiya.lab.papers.distance import Distance
from kagiya.lab.papers.results import TableResults
from kagiya.lab.papers.tables import Cell, PaperTable, Run

OFF = 0.001  # a row whose chi-square is rarer than that is off


@dataclass(frozen=True)
class Tally:
    """How the cells of a table stand, and how many of its rows are off as a whole."""

    cells: int
    measured: int
    close: int
    rows: int
    rows_off: int

    @property
    def outside(self) -> int:
        return self.measured - self.close

    @property
    def waiting(self) -> int:
        return self.cells - self.measured


class RowTest(NamedTuple):
    """The cells of a row together: each may be within three standard errors, and all on the same side."""

    label: str
    chi_square: float
    matches: int  # degrees of freedom
    p_value: float

    @property
    def is_off(self) -> bool:
        return self.p_value < OFF

    @property
    def text(self) -> str:
        """Chi-square, degrees of freedom and p, for people."""
        shown = "p < 1e-6" if self.p_value < 1e-6 else f"p = {self.p_value:.2g}"
        return f"{self.chi_square:.1f} / {self.matches}, {shown}"


def distances(table: PaperTable, results: TableResults) -> list[tuple[Cell, Distance]]:
    """The measured cells and how far they are from print."""
    pairs = [(cell, cell.figure, results.estimate(cell)) for cell in table.cells()]
    return [
        (cell, Distance(figure, estimate, cell.column.quantity))
        for cell, figure, estimate in pairs
        if figure and estimate
    ]


def tally(table: PaperTable, results: TableResults) -> Tally:
    """Count the cells of a table, and the rows that are off."""
    found, rows = distances(table, results), row_tests(table, results)
    close = sum(distance.is_close for _, distance in found)
    return Tally(len(table.cells()), len(found), close, len(rows), sum(row.is_off for row in rows))


def row_tests(table: PaperTable, results: TableResults) -> list[RowTest]:
    """A chi-square test of each row that was measured.

    Of several cells of one match (a score and its regrets, say) only the first counts, since they vary together.
    """
    from scipy.special import chdtrc

    rows: dict[str, dict[Run, float]] = {}
    for cell, distance in distances(table, results):
        rows.setdefault(cell.row.label, {}).setdefault(cell.run, distance.in_errors**2)
    sums = [(label, sum(squares.values()), len(squares)) for label, squares in rows.items()]
    return [RowTest(label, total, count, float(chdtrc(count, total))) for label, total, count in sums]


def table_json(table: PaperTable, results: TableResults) -> dict[str, Any]:
    """A table for machines: every cell, measured or waiting, and the rows as wholes."""
    rows = [test._asdict() for test in row_tests(table, results)]
    cells = [_cell_json(cell, results) for cell in table.cells()]
    return {"name": table.name, "where": table.where, "cells": cells, "rows": rows}


def _cell_json(cell: Cell, results: TableResults) -> dict[str, Any]:
    place = {"row": cell.row.label, "column": cell.column.name, "agents": list(cell.run.agents)}
    printed = {"rules": cell.run.rules, "paper": cell.figure.text if cell.figure else None}
    estimate = results.estimate(cell)
    if estimate is None:
        return {**place, **printed, "verdict": "waiting"}
    measured = results.runs[cell.run]
    ours = {"mean": estimate.mean, "se": estimate.error, "games": estimate.games, "verdict": "measured"}
    ours |= {"commit": measured.made.get("commit"), "code": measured.code, "code_age": code_age(measured).name.lower()}
    if cell.figure is not None:
        distance = Distance(cell.figure, estimate, cell.column.quantity)
        ours |= {"distance": distance.in_errors, "verdict": "within" if distance.is_close else "differs"}
    return {**place, **printed, **ours}
