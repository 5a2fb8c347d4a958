"""What to measure: the matches of a table that are due, and those that another table has played already."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from enum import Enum
from pathlib import Path

from kagiya.lab.papers.code_age import is_outdated
from kagiya.lab.papers.reading import why_waiting
from kagiya.lab.papers.results import FOLDER, Measured, TableResults
from kagiya.lab.papers.tables import Order, PaperTable, Run, wanted
from kagiya.rules import parse_rules


class Again(Enum):
    """What is measured again, of all that was measured already."""

    NEVER = 0
    OUTDATED = 1  # what was measured by other code than the present, which may move otherwise
    ALWAYS = 2


def runnable(table: PaperTable) -> list[Run]:
    """The matches whose agents are all built."""
    return [run for run in wanted(table) if not why_waiting(run, table.planned)]


def pending(
    table: PaperTable,
    results: TableResults,
    games: int | None = None,
    again: Again = Again.NEVER,
    only: Collection[Run] | None = None,
) -> dict[Run, Order]:
    """The matches to play: those that can be played and were not, or not often enough; of all, or of `only` these."""
    orders = wanted(table)
    runs = [run for run in runnable(table) if only is None or run in only]
    asked = {run: Order(games or orders[run].games, orders[run].quantities) for run in runs}
    return {run: order for run, order in asked.items() if is_due(results.runs.get(run), order, again)}


def is_due(measured: Measured | None, order: Order, again: Again) -> bool:
    """Whether a match must be played."""
    if measured is None or again is Again.ALWAYS or not measured.has(order):
        return True
    return again is Again.OUTDATED and is_outdated(measured)


def borrow(table: PaperTable, results: TableResults, orders: dict[Run, Order], folder: Path) -> dict[Run, Order]:
    """Take over what the present code measured for other tables, and keep it; returns what is left to play.

    Documents print the same figures again, and the same agents by the same rules and code play the same games.
    """
    left = dict(orders)
    for path in sorted((folder / FOLDER).glob("*.json")) if orders else ():
        for other in TableResults.read(folder, path.stem).runs.values():
            for run in [run for run, order in left.items() if are_same_games(other.run, run) and other.has(order)]:
                if not is_outdated(other):
                    results.runs[run] = replace(other, run=run)
                    del left[run]
    if len(left) < len(orders):
        results.write(table)
    return left


def are_same_games(run: Run, other: Run) -> bool:
    """Whether two runs play the same games, however their rules are written."""
    seated = [(each.agents, each.players, each.rotated, each.drawn) for each in (run, other)]
    if seated[0] != seated[1]:
        return False
    return parse_rules(run.rules, run.players) == parse_rules(other.rules, other.players)
