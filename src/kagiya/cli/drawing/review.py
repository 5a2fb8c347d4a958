"""A costly turn for the eye: what the player knew, what it did, and what an adviser would have done."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from kagiya.cards import SEAT_NAMES
from kagiya.cli.drawing.board import draw_sentences, draw_your_view
from kagiya.cli.drawing.cards import QUIET
from kagiya.cli.drawing.losses import cost_text
from kagiya.lab.table.reviewing import CostlyTurn
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


def draw_summary(costs: int, points: int) -> RenderableType:
    """How many turns there were to look at."""
    if not costs:
        return Text("No move cost a point: there is nothing to review.")
    turns = "1 turn" if costs == 1 else f"{costs} turns"
    return Text(f"{turns} cost {points} point{'' if points == 1 else 's'} in all.", "bold")
