"""The list of tactics."""

from __future__ import annotations

from collections.abc import Iterable

from rich.table import Table

from kagiya.agents.tactics._tactic import Tactic


def draw_tactics(tactics: Iterable[Tactic]) -> Table:
    """A line for each tactic; dots where it takes a value."""
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column("", style="bold", no_wrap=True)
    for tactic in tactics:
        table.add_row(tactic.name + ("(…)" if tactic.value else ""), tactic.meaning)
    return table
