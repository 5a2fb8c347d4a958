"""The list of tactics."""

from __future__ import annotations

from collections.abc import Iterable

from kagiya.agents.tactics._tactic import Tactic
from kagiya.cli.drawing.table import Column, Kind, Table


def draw_tactics(tactics: Iterable[Tactic]) -> Table:
    """A line for each tactic; dots where it takes a value."""
    table = Table([Column("tactic", Kind.NAME), Column("what it does", Kind.PROSE)])
    for tactic in tactics:
        table.add(tactic.name + ("(…)" if tactic.value else ""), tactic.meaning)
    return table
