"""Whether a cell was measured by the code as it is now, and the proof that it might have been."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from enum import StrEnum
from functools import cache

from kagiya.agents.register import find_agent
from kagiya.lab.papers.results import Measured, TableResults
from kagiya.lab.papers.tables import PaperTable
from kagiya.lab.provenance.code_version import code_version
from kagiya.lab.provenance.signature import Signature


class CodeAge(StrEnum):
    """What is known of the code that measured something."""

    CURRENT = "by the code as it is"
    SAME = "by older code that makes the same moves"  # on the decks of the signature
    OLDER = "by older code"
    UNRECORDED = "before code was recorded"


@cache
def code_now(agents: tuple[str, ...]) -> str:
    """The hash of the code that would play these agents now."""
    return code_version([find_agent(text) for text in dict.fromkeys(agents)])


def code_age(measured: Measured) -> CodeAge:
    """By which code a match was measured."""
    if measured.code is None:
        return CodeAge.UNRECORDED
    if measured.code == code_now(measured.run.agents):
        return CodeAge.CURRENT
    return CodeAge.SAME if measured.plays_the_same else CodeAge.OLDER


def is_outdated(measured: Measured) -> bool:
    """Whether other games than those measured might be played today."""
    return code_age(measured) not in (CodeAge.CURRENT, CodeAge.SAME)


def count_ages(table: PaperTable, results: TableResults) -> Counter[CodeAge]:
    """How many measured cells of a table are of which age."""
    measured = [results.runs[cell.run] for cell in table.cells() if results.estimate(cell) is not None]
    return Counter(code_age(each) for each in measured)


def ages_text(ages: Counter[CodeAge]) -> str:
    """The cells that the code as it is did not measure, in words; empty if there are none."""
    old = [f"{ages[age]} were measured {age}" for age in (CodeAge.OLDER, CodeAge.UNRECORDED) if ages[age]]
    return f"of {ages.total()} measured cells, {' and '.join(old)}" if old else ""


def restamp(results: TableResults, proven: Signature, date: str) -> int:
    """Give matches the present code's hash whose agents are proven to make the moves that they made; returns how many.

    `proven` is what the present code has just played, as far as it is what was written down. What was measured by the
    present code gets the signature by which a later change can prove the same; `proof` says which code truly measured.
    """
    stamped = 0
    for run, measured in results.runs.items():
        age, marks = code_age(measured), results.marks(run.agents)
        if age not in (CodeAge.CURRENT, CodeAge.SAME) or not marks or not set(marks) <= set(proven.agents):
            continue
        now = replace(measured, code=code_now(run.agents), signature=marks)
        if age is CodeAge.SAME:
            measured_by = measured.proof.get("measured_by", str(measured.code))
            now = replace(now, proof={"signature": proven.total, "date": date, "measured_by": measured_by})
            stamped += 1
        results.runs[run] = now
    return stamped
