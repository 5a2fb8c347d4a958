"""Teams beside each other, and what their differences are worth."""

from __future__ import annotations

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from kagiya.cli.drawing.cards import QUIET
from kagiya.cli.drawing.results import number, percent
from kagiya.cli.drawing.story import rules_line
from kagiya.lab.contest import Contest


def draw_contest(contest: Contest, until_sure: bool) -> RenderableType:
    """The teams, best first, and a sentence for each pair."""
    pairs = contest.evidence() if until_sure else contest.differences()
    sentences = [Text(pair.verdict(), "bold green" if pair.is_sure else "yellow") for pair in pairs]
    test = "a test by betting, valid at any time" if until_sure else "paired t-tests on common decks"
    holm = ", corrected for their number (Holm)" if len(pairs) > 1 else ""
    note = Text(f"{test}{holm}; intervals at {100 * contest.confidence:g} %; seeds from {contest.seed}", QUIET)
    return Group(rules_line(contest.rules), Text(""), _teams(contest), *sentences, Text(""), note)


def _teams(contest: Contest) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style=QUIET)
    table.add_column("self-play", style="bold", no_wrap=True)
    for name in ("mean", "s.e.", "sd", "perfect", "bombs", "regret", "indirect"):
        table.add_column(name, justify="right")
    for text, found in sorted(contest.summaries().items(), key=lambda item: -item[1].mean):
        regret = ("-", "-") if found.regret is None else (f"{found.regret.team:.2f}", f"{found.regret.indirect:.2f}")
        numbers = (number(found.mean, 3), number(found.se, 3), number(found.sd, 2))
        table.add_row(text, *numbers, percent(found.perfect_rate), percent(found.bomb_rate), *regret)
    return table
