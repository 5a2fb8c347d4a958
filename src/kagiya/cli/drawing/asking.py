"""Answers to the questions of the person at the table: why did they do that, and what would you do?"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from kagiya.cards import SEAT_NAMES
from kagiya.cli.drawing.cards import QUIET
from kagiya.engine.log import Event
from kagiya.moves import move_name
from kagiya.search.explanation import Explanation
from kagiya.view.observation import Observation

Reason = tuple[Event, Explanation]


def draw_reasons(reasons: Sequence[Reason], view: Observation) -> RenderableType:
    """A line for each partner's move since the person's last."""
    if not reasons:
        return Text("nobody has moved since your last turn")
    return Group(*(_reason(*reason, view) for reason in reasons))


def _reason(event: Event, found: Explanation, view: Observation) -> Text:
    move = move_name(event.move, event.seat, view.rules.players)
    words = _words(found, view) if found.chosen == event.move else "asked again, it would make another move"
    return Text.assemble((f"{SEAT_NAMES[event.seat]}, {move}: ", "bold"), words)


def _words(found: Explanation, view: Observation) -> str:
    """What may be told: a partner sees the person's cards, and what a search expects or others hear would show them."""
    said = f"searched {found.iterations:,} samples" if found.moves else found.reason or "the only move considered"
    return "; ".join((said, *(str(heard) for heard in found.heard if heard.seat == view.seat)))


def draw_advice(found: Explanation, adviser: str) -> RenderableType:
    """What a partner would do in the person's place, and why."""
    return Text.assemble((f"{adviser} would {found.name(found.chosen)}", "bold"), (f": {found}", QUIET))
