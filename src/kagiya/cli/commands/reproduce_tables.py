"""`kagiya reproduce TABLE`: published tables, cell by cell; what `reproduce` does when tables are named."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from kagiya.cli.compiling import make_ready
from kagiya.cli.console import out
from kagiya.cli.errors import INTERRUPTED, complain
from kagiya.cli.progress import late_bar

if TYPE_CHECKING:
    from kagiya.lab.papers.runs import Order, TableResults
    from kagiya.lab.papers.tables import PaperTable, Run


def choose_tables(names: list[str], everything: bool, folder: Path) -> list[PaperTable]:
    """The tables named, or all of them; none if the names are agents."""
    from kagiya.lab.papers.tables import FOLDER, read_tables
    from kagiya.spec import near

    tables = read_tables(folder)
    if everything:
        if names:
            raise ValueError("--tables means all of them; leave out the names")
        if not tables:
            raise ValueError(f"there is no table in {folder / FOLDER}")
        return list(tables.values())
    chosen = [tables[name] for name in names if name in tables]
    if chosen and len(chosen) < len(names):
        other = next(name for name in names if name not in tables)
        raise ValueError(f"{other!r} is not a table; {near(other, tables)} (tables and agents are reproduced apart)")
    return chosen


def reproduce_tables(
    tables: list[PaperTable], folder: Path, games: int | None, seed: int, fresh: bool, as_json: bool
) -> None:
    """Measure what can be measured and was not, keep it, and show how the tables stand."""
    from kagiya.agents.register import find_agent
    from kagiya.lab.papers.runs import TableResults, borrow, pending

    if games is not None and games < 2:
        raise ValueError(f"the number of games must be a whole number from 2 on, for an error to show; not {games}")
    work = [(table, TableResults.read(folder, table.name)) for table in tables]
    for table, results in work:
        if not fresh:
            borrow(table, results, folder)
    orders = [pending(table, results, games, fresh) for table, results in work]
    make_ready([find_agent(text) for text in dict.fromkeys(t for o in orders for run in o for t in run.agents)])
    done = measure_tables(work, orders, seed)
    if as_json:
        typer.echo(json.dumps({"tables": [table_json(*pair) for pair in work]}))
    else:
        from kagiya.cli.drawing.papers import draw_paper

        for table, results in work:
            out.print(draw_paper(table, results))
    if not done:
        complain("interrupted; the cells that were finished are kept, and the same command goes on from there")
        raise typer.Exit(INTERRUPTED)


def measure_tables(work: list[tuple[PaperTable, TableResults]], orders: list[dict[Run, Order]], seed: int) -> bool:
    """Table after table, with one bar; returns whether all was done."""
    from kagiya.lab.papers.runs import TableWork
    from kagiya.lab.provenance.result_files import command_line, provenance

    made = provenance(command_line())
    total = sum(order.games for each in orders for order in each.values())
    with late_bar("playing", total) as advance:
        for (table, results), each in zip(work, orders, strict=True):
            if not TableWork(table, results, seed, made).run(each, advance):
                return False
    return True


def table_json(table: PaperTable, results: TableResults) -> dict[str, Any]:
    """A table for machines: every cell, measured or waiting."""
    from kagiya.lab.papers.distance import Distance

    cells = []
    for cell in table.cells():
        estimate = results.estimate(cell)
        found: dict[str, Any] = {"verdict": "waiting"}
        if estimate is not None:
            found = {"mean": estimate.mean, "se": estimate.error, "games": estimate.games, "verdict": "measured"}
        if estimate is not None and cell.figure is not None:
            distance = Distance(cell.figure, estimate)
            found |= {
                "distance": None if math.isinf(distance.in_errors) else distance.in_errors,
                "verdict": "within" if distance.is_close else "differs",
            }
        place = {"row": cell.row.label, "column": cell.column.name, "agents": list(cell.run.agents)}
        paper = cell.figure.text if cell.figure else None
        cells.append({**place, "rules": cell.run.rules, "paper": paper, **found})
    return {"name": table.name, "where": table.where, "cells": cells}


def list_tables(folder: Path, as_json: bool) -> None:
    """All tables: how many cells, how many of them can be played, when they were last."""
    from kagiya.lab.papers.tables import FOLDER, read_tables

    rows = [table_standing(table, folder) for table in read_tables(folder).values()]
    if as_json:
        typer.echo(json.dumps({"tables": rows}))
        return
    from kagiya.cli.drawing.papers import draw_standings

    out.print(draw_standings(rows) if rows else f"no table in {folder / FOLDER}")


def table_standing(table: PaperTable, folder: Path) -> dict[str, Any]:
    """One line of the list."""
    from kagiya.lab.papers.page import tally
    from kagiya.lab.papers.runs import TableResults, runnable

    results = TableResults.read(folder, table.name)
    able, counts = set(runnable(table)), tally(table, results)
    count = sum(cell.run in able for cell in table.cells())
    dates = [measured.made["date"] for measured in results.runs.values()]
    return {
        "name": table.name,
        "where": table.where,
        "cells": counts.cells,
        "runnable": count,
        "waiting": counts.cells - count,
        "measured": counts.measured,
        "within": counts.close,
        "differ": counts.outside,
        "last": max(dates, default=None),
    }
