"""The findings of `kagiya check`, a line for each."""

from __future__ import annotations

from rich.table import Table as Grid
from rich.text import Text

from kagiya.lab.checks.finding import Finding

WIDEST = 27  # of the checks' names


def draw_finding(finding: Finding) -> Grid:
    """Whether the agent passed, which check it was, and what was done or is wrong."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=4)
    grid.add_column(width=WIDEST)
    grid.add_column(overflow="fold")
    mark = Text("ok", "bold green") if finding.passed else Text("FAIL", "bold red")
    grid.add_row(mark, finding.check, Text(finding.text, "" if not finding.passed else "dim"))
    return grid


def draw_verdict(agent: str, passed: bool) -> Text:
    """The last line."""
    return Text(f"{agent} passes", "bold") if passed else Text(f"{agent} does not pass", "bold red")
