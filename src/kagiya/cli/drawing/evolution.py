"""What an evolution came to: the list, rule by rule, and its scores."""

from __future__ import annotations

from rich.text import Text

from kagiya.cli.drawing.cards import QUIET
from kagiya.cli.drawing.page import Part
from kagiya.cli.drawing.results import number
from kagiya.cli.drawing.story import rules_line
from kagiya.cli.drawing.table import Column, Kind, Table
from kagiya.lab.evolution.run import Chosen
from kagiya.lab.evolution.state import Evolution
from kagiya.rules import parse_rules


def draw_evolution(evolution: Evolution, chosen: Chosen) -> list[Part]:
    """The rules that matter, in order, then how good they are."""
    task, report = evolution.task, chosen.report
    table = Table([Column("", style=QUIET), Column("rule", Kind.TEXT), Column("what it does", Kind.PROSE, style=QUIET)])
    for place, use in enumerate(chosen.uses, 1):
        table.add(place, str(use), use.tactic.meaning)
    score = f"mean {number(report.mean, 3)} ± {number(report.se, 3)} s.e. in {report.games:,} games that chose nothing"
    zero = f"{number(chosen.mean_if_bombs_are_zero, 3)} if a bomb scores 0"
    spent = (
        f"{evolution.generation} generations, {evolution.games:,} games, {evolution.seconds:,.0f} s of processor time"
    )
    rules = rules_line(parse_rules(task.rules, task.players))
    return [rules, Text(""), table, Text(""), Text(f"{score}; {zero}", "bold"), Text(spent, QUIET)]


def draw_progress(evolution: Evolution, generations: int) -> str:
    """One line about the generation that was just finished."""
    last = evolution.history[-1]
    return f"generation {evolution.generation} of {generations}: best {last['best']:.2f}, middle {last['middle']:.2f}"
