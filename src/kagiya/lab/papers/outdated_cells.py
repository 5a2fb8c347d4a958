"""Outdated cells: measured by code that may play otherwise today; which matches are due again for that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from enum import Enum, StrEnum
from pathlib import Path

from kagiya.lab.papers import measurement
from kagiya.lab.papers.paper_tables import Order, PaperTable, Run, wanted, why_waiting
from kagiya.lab.signature import Signature


class CodeAge(StrEnum):
    """What is known of the code that measured something."""

    CURRENT = "by the code as it is"
    SAME = "by older code that makes the same moves"  # on the decks of the signature
    OLDER = "by older code"
    UNRECORDED = "before code was recorded"


def code_age(measured: measurement.Measured) -> CodeAge:
    """By which code a match was measured."""
    if measured.code is None:
        return CodeAge.UNRECORDED
    if measured.code == measurement.code_now(measured.run.agents):
        return CodeAge.CURRENT
    return CodeAge.SAME if measured.plays_the_same else CodeAge.OLDER


def is_outdated(measured: measurement.Measured) -> bool:
    """Whether other games than those measured might be played today."""
    return code_age(measured) not in (CodeAge.CURRENT, CodeAge.SAME)


def count_ages(table: PaperTable, results: measurement.TableResults) -> Counter[CodeAge]:
    """How many measured cells of a table are of which age."""
    measured = [results.runs[cell.run] for cell in table.cells() if results.estimate(cell) is not None]
    return Counter(code_age(each) for each in measured)


def ages_text(ages: Counter[CodeAge]) -> str:
    """The cells that the code as it is did not measure, in words; empty if there are none."""
    old = [f"{ages[age]} were measured {age}" for age in (CodeAge.OLDER, CodeAge.UNRECORDED) if ages[age]]
    return f"of {ages.total()} measured cells, {' and '.join(old)}" if old else ""


def restamp(results: measurement.TableResults, proven: Signature, date: str) -> int:
    """Give matches the present code's hash whose agents are proven to make the moves that they made; returns how many.

    `proven` is what the present code has just played, as far as it is what was written down. What was measured by the
    present code gets the signature by which a later change can prove the same; `proof` says which code truly measured.
    """
    stamped = 0
    for run, measured in results.runs.items():
        age, marks = code_age(measured), results.marks(run.agents)
        if age not in (CodeAge.CURRENT, CodeAge.SAME) or not marks or not set(marks) <= set(proven.agents):
            continue
        now = replace(measured, code=measurement.code_now(run.agents), signature=marks)
        if age is CodeAge.SAME:
            measured_by = measured.proof.get("measured_by", str(measured.code))
            now = replace(now, proof={"signature": proven.total, "date": date, "measured_by": measured_by})
            stamped += 1
        results.runs[run] = now
    return stamped


class Remeasure(Enum):
    """What is measured again, of all that was measured already."""

    NEVER = 0
    OUTDATED = 1  # what was measured by other code than the present, which may move otherwise
    ALWAYS = 2


def runnable(table: PaperTable) -> list[Run]:
    """The matches whose agents are all built."""
    return [run for run in wanted(table) if not why_waiting(run, table.planned)]


def pending(
    table: PaperTable,
    results: measurement.TableResults,
    games: int | None = None,
    again: Remeasure = Remeasure.NEVER,
    only: Collection[Run] | None = None,
) -> dict[Run, Order]:
    """The matches to play: those that can be played and were not, or not often enough; of all, or of `only` these."""
    orders = wanted(table)
    runs = [run for run in runnable(table) if only is None or run in only]
    asked = {run: Order(games or orders[run].games, orders[run].quantities) for run in runs}
    return {run: order for run, order in asked.items() if is_due(results.runs.get(run), order, again)}


def is_due(measured: measurement.Measured | None, order: Order, again: Remeasure) -> bool:
    """Whether a match must be played."""
    if measured is None or again is Remeasure.ALWAYS or not measured.has(order):
        return True
    return again is Remeasure.OUTDATED and is_outdated(measured)


def reuse(
    table: PaperTable, results: measurement.TableResults, orders: dict[Run, Order], folder: Path
) -> dict[Run, Order]:
    """Take over what the present code measured for other tables, and keep it; returns what is left to play.

    Documents print the same figures again, and the same agents by the same rules and code play the same games.
    """
    left = dict(orders)
    for path in sorted((folder / measurement.FOLDER).glob("*.json")) if orders else ():
        for other in measurement.TableResults.read(folder, path.stem).runs.values():
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
    return seated[0] == seated[1] and run.parsed_rules() == other.parsed_rules()
