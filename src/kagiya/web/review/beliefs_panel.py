"""What a player could believe of its cards, against the truth, and how well over the whole game."""

from __future__ import annotations

from typing import Any

from kagiya.cards import Card, Seat
from kagiya.drawing.chances import chances_grid
from kagiya.drawing.lines import Line, line_chart
from kagiya.drawing.markup import Markup, element, joined
from kagiya.lab.review.hand_chances import SlotChances
from kagiya.web.page import link
from kagiya.web.panels import panel
from kagiya.web.review.beliefs import WAYS, Beliefs, true_cards
from kagiya.web.review.look import Look
from kagiya.web.review.story import Story
from kagiya.web.review.study import Study
from kagiya.web.views import Address

LOSS = "log-loss: bits by which the true cards surprise, per card; 0 is certain and right"


def draw_beliefs(study: Study, look: Look, address: Address) -> Markup:
    """The panel: ways to know, a grid for each card, the log-loss over the turns."""
    seat = believing_seat(study.story, look)
    name = study.story.called[seat]
    found = study.beliefs.get(seat)
    drawn = element(
        "section",
        element("h2", "Beliefs"),
        element("p", f"What {name} could know of its own cards before turn {look.turn}.", class_="soft"),
        _work(study, seat, name),
        None
        if found is None
        else joined(_ways(found, look, address), _grids(study.story, found, look), _losses(study.story, found, look)),
        id="beliefs",
        class_="review-beliefs",
    )
    return panel(drawn)


def believing_seat(story: Story, look: Look) -> Seat:
    """Whose beliefs are shown: of these eyes, else of the seat to move."""
    return story.before(look.turn).seat if look.seat is None else look.seat


def belief_task(seat: Seat) -> str:
    """What the task is called."""
    return f"beliefs {seat}"


def _work(study: Study, seat: Seat, name: str) -> Markup | None:
    task = study.tasks.get(belief_task(seat))
    if task is None:
        button = element("button", f"Work out what {name} could know", type="button", id="believe", data_do="believe")
        return element("p", button)
    if task.error is not None:
        return element("p", f"This could not be worked out: {task.error}", class_="bad")
    if task.is_over:
        return None
    bar = element("progress", value=f"{task.progress:.3f}", max=1, aria_label="working out beliefs")
    stop = element("button", "Stop", type="button", id="stop-beliefs", data_do="stop", data_about=belief_task(seat))
    return element("p", bar, f" {task.words} ", stop, class_="soft")


def _ways(found: Beliefs, look: Look, address: Address) -> Markup:
    links = [
        link(address.with_query(way=way), words, f"way-{way}", look.way == way)
        for way, (_, words) in WAYS.items()
        if way not in found.problems
    ]
    missing = [element("p", f"Not {WAYS[way][1]}: {why}.", class_="soft") for way, why in found.problems.items()]
    return joined(element("nav", links, aria_label="Ways to know", class_="review-ways"), missing)


def _grids(story: Story, found: Beliefs, look: Look) -> Markup | None:
    hand = found.hands.get(look.way, {}).get(look.turn)
    if hand is None:
        return None
    truth = true_cards(story.before(look.turn), found.seat) if look.sees_truth else {}
    items = [
        element("li", element("h3", f"slot {each.slot + 1}"), _grid(story, each, truth.get(each.order)))
        for each in hand.slots
    ]
    return element("ol", items, class_="review-grids")


def _grid(story: Story, slot: SlotChances, truth: Card | None) -> Markup:
    rules = story.rules
    chances = [
        [slot.cards.get(Card(5 * color + rank), 0.0) for rank in range(rules.ranks)] for color in range(rules.colors)
    ]
    return chances_grid(chances, story.suits, None if truth is None else (truth // 5, truth % 5))


def _losses(story: Story, found: Beliefs, look: Look) -> Markup | None:
    turns = range(story.first_turn, story.last_turn + 1)
    lines = [
        Line(words, tuple(found.losses[way].get(turn) for turn in turns))
        for way, (_, words) in WAYS.items()
        if found.losses.get(way)
    ]
    if not lines:
        return None
    chart = line_chart(lines, "log-loss in bits a card", cursor=look.turn - story.first_turn)
    return joined(chart, element("p", f"{LOSS}. Convention and past moves are those of {found.agent}.", class_="soft"))


def beliefs_json(study: Study, look: Look) -> dict[str, Any] | None:
    """The same as plain data."""
    found = study.beliefs.get(believing_seat(study.story, look))
    return None if found is None else found.to_json(look.turn)
