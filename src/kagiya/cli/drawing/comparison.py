"""Teams beside each other, and what their differences are worth."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from kagiya.cli.drawing.cards import QUIET
from kagiya.cli.drawing.results import number, percent
from kagiya.cli.drawing.story import rules_line
from kagiya.lab.contests.comparison import Comparison, Verdict


def draw_comparison(comparison: Comparison, pairs: Sequence[Verdict]) -> RenderableType:
    """The teams, best first, and a sentence for each pair."""
    sentences = [Text(pair.verdict(), "bold green" if pair.is_sure else "yellow") for pair in pairs]
    holm = ", corrected for the number of pairs (Holm)" if len(pairs) > 1 else ""
    sure = f"intervals at {100 * comparison.confidence:g} %"
    note = Text(f"{pairs[0].test}{holm}; {sure}; seeds from {comparison.seed}", QUIET)
    return Group(rules_line(comparison.rules), Text(""), _teams(comparison), *sentences, Text(""), note)


def _teams(comparison: Comparison) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style=QUIET)
    table.add_column("self-play", style="bold", no_wrap=True)
    for name in ("mean", "s.e.", "sd", "perfect", "bombs", "regret", "indirect"):
        table.add_column(name, justify="right")
    for text, found in sorted(comparison.summaries().items(), key=lambda item: -item[1].mean):
        regret = ("-", "-") if found.regret is None else (f"{found.regret.team:.2f}", f"{found.regret.indirect:.2f}")
        numbers = (number(found.mean, 3), number(found.se, 3), number(found.sd, 2))
        table.add_row(text, *numbers, percent(found.perfect_rate), percent(found.bomb_rate), *regret)
    return table
