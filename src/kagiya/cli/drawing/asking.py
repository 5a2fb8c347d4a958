"""Answers to the questions of the person at the table: why did they do that, and what would you do?"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from kagiya.agents._base import Agent
from kagiya.cards import SEAT_NAMES
from kagiya.cli.drawing.cards import QUIET
from kagiya.engine.log import Event
from kagiya.moves import move_name
from kagiya.search.explanation import Explanation
from kagiya.view.observation import Observation

Reason = tuple[Event, Explanation, Agent]


def draw_reasons(reasons: Sequence[Reason], view: Observation) -> RenderableType:
    """A line for each partner's move since the person's last."""
    if not reasons:
        return Text("nobody has moved since your last turn")
    return Group(*(_reason(*reason, view) for reason in reasons))


def _reason(event: Event, found: Explanation, agent: Agent, view: Observation) -> Text:
    move = move_name(event.move, event.seat, view.rules.players)
    words = "no longer sure why" if found.chosen != event.move else "; ".join(_words(event, found, agent, view))
    return Text.assemble((f"{SEAT_NAMES[event.seat]} {move}: ", "bold"), words or "gives no reason")


def _words(event: Event, found: Explanation, agent: Agent, view: Observation) -> list[str]:
    """What may be told: a partner sees the person's cards, so its reason for a hint to the person would name them."""
    mine = [str(heard) for heard in found.heard if heard.seat == view.seat]
    if found.moves:
        return [f"searched {found.iterations:,} samples", *mine]
    if event.receiver == view.seat:
        return mine or ["meant for you; hint? says what a partner would make of it"]
    return [words for words in (found.reason if agent.is_compiled else "", *mine) if words]


def draw_advice(found: Explanation, adviser: str) -> RenderableType:
    """What a partner would do in the person's place, and why."""
    return Text.assemble((f"{adviser} would {found.name(found.chosen)}", "bold"), (f": {found}", QUIET))
