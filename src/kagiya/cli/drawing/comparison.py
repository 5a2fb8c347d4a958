"""Teams beside each other, and what their differences are worth."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from kagiya.cli.drawing.cards import QUIET
from kagiya.cli.drawing.losses import REGRET_COLUMNS, regret_cells
from kagiya.cli.drawing.page import Part
from kagiya.cli.drawing.story import rules_line
from kagiya.cli.drawing.table import Column, Kind, Table, number_cell, share_cell
from kagiya.lab.contests.comparison import Comparison, Verdict


def draw_comparison(comparison: Comparison, pairs: Sequence[Verdict]) -> list[Part]:
    """The teams, best first, and a sentence for each pair."""
    sentences = [Text(pair.verdict(), "bold green" if pair.is_sure else "yellow") for pair in pairs]
    holm = ", corrected for the number of pairs (Holm)" if len(pairs) > 1 else ""
    sure = f"intervals at {100 * comparison.confidence:g} %"
    note = Text(f"{pairs[0].test}{holm}; {sure}; seeds from {comparison.seed}", QUIET)
    return [rules_line(comparison.rules), Text(""), _teams(comparison), Text(""), *sentences, Text(""), note]


def _teams(comparison: Comparison) -> Table:
    table = Table(
        [
            Column("self-play", Kind.NAME),
            *(Column("mean"), Column("s.e."), Column("sd", leaves=2)),
            *(Column("perfect", leaves=5), Column("bombs", leaves=6)),
            *REGRET_COLUMNS,
        ]
    )
    for text, found in sorted(comparison.summaries().items(), key=lambda item: -item[1].mean):
        means = (number_cell(found.mean, 3), number_cell(found.se, 3), number_cell(found.sd, 2))
        table.add(text, *means, share_cell(found.perfect_rate), share_cell(found.bomb_rate), *regret_cells(found))
    return table
