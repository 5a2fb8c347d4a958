"""`kagiya reproduce --list`: how every published table stands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from kagiya.cli import options

if TYPE_CHECKING:
    from kagiya.lab.papers.paper_tables import PaperTable


def list_tables(folder: Path, shown: options.Shown, as_json: bool) -> None:
    """All tables: how many cells, how many of them can be played, how they stand, by which code and when."""
    from kagiya.lab.papers.paper_tables import FOLDER, read_tables

    rows = [table_standing(table, folder) for table in read_tables(folder).values()]
    if as_json:
        typer.echo(json.dumps({"tables": rows}))
        return
    from kagiya.cli.drawing.page import print_page
    from kagiya.cli.drawing.papers import draw_standings

    print_page([draw_standings(rows) if rows else f"no table in {folder / FOLDER}"], shown)


def table_standing(table: PaperTable, folder: Path) -> dict[str, Any]:
    """One line of the list."""
    from kagiya.lab.papers.measurement import CodeAge, TableResults, count_ages, runnable
    from kagiya.lab.papers.verdicts import tally

    results = TableResults.read(folder, table.name)
    able, counts, ages = set(runnable(table)), tally(table, results), count_ages(table, results)
    count = sum(cell.run in able for cell in table.cells())
    dates = [measured.made["date"] for measured in results.runs.values()]
    return {
        "name": table.name,
        "where": table.where,
        "cells": counts.cells,
        "runnable": count,
        "waiting": counts.cells - count,
        "measured": ages.total(),
        "within": counts.close,
        "differ": counts.outside,
        "rows_off": counts.rows_off,
        "older_code": ages[CodeAge.OLDER],
        "code_unknown": ages[CodeAge.UNRECORDED],
        "last": max(dates, default=None),
    }
