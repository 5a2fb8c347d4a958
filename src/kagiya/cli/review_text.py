"""Recorded games in the terminal: their costly turns with an adviser's move, their sums, who agrees with them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from kagiya.cards import SEAT_NAMES
from kagiya.cli.board_text import cost_text, draw_sentences, draw_your_view
from kagiya.cli.card_text import QUIET
from kagiya.cli.contest_tables import draw_summary
from kagiya.cli.game_text import rules_line, who
from kagiya.cli.text_table import ColumnKind, Part, TextCell, TextColumn, TextTable, count_cell, number_cell, share_cell
from kagiya.lab.regret import CostlyTurn
from kagiya.lab.review.opinions import KINDS, Agreement, AgreementCount, Analysis
from kagiya.search.explanation import Explanation
from kagiya.view.observation import observe


def draw_question(turn: CostlyTurn, seats: Sequence[str], console: Console) -> RenderableType:
    """The table as the player saw it, before it is told what came of the move."""
    game = turn.before
    view = observe(game, game.seat)
    sentences = list(draw_sentences(game.events, game.rules, game.seat))
    news = [Text.assemble((f"{event.turn + 1:>3}  ", QUIET), words) for event, words in sentences]
    title = Text(f"turn {game.turn + 1}, {SEAT_NAMES[game.seat]} ({seats[game.seat]})", "bold")
    return Group(
        Text(""),
        Rule(title, align="left", style=QUIET),
        *news[-game.rules.players + 1 :],
        Text(""),
        draw_your_view(view, seats, console),
    )


def draw_answer(turn: CostlyTurn, found: Explanation, adviser: str) -> RenderableType:
    """What was done and what it cost, and what the adviser would have done and why."""
    *_, (_, sentence) = draw_sentences(turn.after.events, turn.after.rules)
    advice = f"{adviser} would {found.name(found.chosen)}"
    same = "; the same move" if found.chosen == turn.after.moves[-1] else ""
    return Group(
        Text.assemble("played: ", sentence),
        cost_text(turn.cost, is_open=True),
        Text.assemble((advice + same, "bold"), (f": {found}", QUIET)),
    )


def draw_trial(move: str, tried: int, played: int, adviser: str) -> RenderableType:
    """What a move of the person's would have led to, beside what was played."""
    return Text(f"{move}: {tried} points, the move played {played}, if {adviser} plays on in all seats.")


def draw_cost_summary(costs: int, points: int) -> RenderableType:
    """How many turns there were to look at."""
    if not costs:
        return Text("No move cost a point: there is nothing to review.")
    turns = "1 turn" if costs == 1 else f"{costs} turns"
    return Text(f"{turns} cost {points} point{'' if points == 1 else 's'} in all.", "bold")


def draw_analysis(found: Analysis) -> list[Part]:
    """Games by one set of rules, in the tables of a match and one more."""
    ends = ", ".join(f"{count:,} {end}" for end, count in found.ends.items())
    heading: list[Part] = [Text(who(found.seats), "bold"), rules_line(found.rules), Text(f"ended: {ends}", QUIET)]
    return [*heading, Text(""), *draw_summary(found.summary, found.seats), Text(""), _figures(found), Text("")]


def _figures(found: Analysis) -> TextTable:
    """The means of what hanab.live shows beside the score."""
    table = TextTable([TextColumn("lowest pace"), TextColumn("efficiency"), TextColumn("bottom-deck risks")])
    table.add(
        number_cell(found.mean("lowest_pace"), 2),
        number_cell(found.mean("efficiency"), 2),
        number_cell(found.mean("bottom_deck_risks"), 2),
    )
    return table


def draw_agreement(found: Agreement, mark: str) -> list[Part]:
    """A line for each seat: moves asked about, and the share in which the agent would have moved the same."""
    games = f"{found.games:,} game{'' if found.games == 1 else 's'}"
    title = Text.assemble((found.agent, "bold"), (f" in every seat of {games}", QUIET))
    heads = [TextColumn("moves"), TextColumn("the same"), *(TextColumn(f"{kind}s") for kind in KINDS)]
    table = TextTable([TextColumn("seat", ColumnKind.LABEL, style="default"), *heads])
    for seat in range(found.seats):
        table.add(SEAT_NAMES[seat], *_cells(found, seat))
    table.add("all", *_cells(found, None), style="bold")
    marks: list[Part] = [Text(f"{found.agent} {mark}: no player may", "bold yellow")] if mark else []
    return [title, *marks, Text(""), table]


def _cells(found: Agreement, seat: int | None) -> list[TextCell]:
    total = found.tally(seat)
    return [count_cell(total.asked), _share(total), *(_share(found.tally(seat, kind)) for kind in KINDS)]


def _share(tally: AgreementCount) -> TextCell:
    return share_cell(tally.share)
