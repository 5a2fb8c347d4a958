"""Beliefs: what a seat could know of its own hand at every turn, by hints, by a convention, by the others' moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from kagiya import Agent, Card, Seat
from kagiya.drawing.canvas import Markup, element, joined
from kagiya.drawing.card import chances_grid
from kagiya.drawing.charts import Line, line_chart
from kagiya.engine.game import LANE, Game
from kagiya.lab.review.card_chances import Basis, HandChances, Knower, SlotChances
from kagiya.lab.table.table import SeatingError
from kagiya.runtime.jobs import Task
from kagiya.web.pages import Address, button, link, panel, progress_bar
from kagiya.web.review.reviewed_game import WAYS, ReviewedGame, ReviewQuery

SAMPLES = 100
LOSS = "log-loss: bits by which the true cards surprise, per card; 0 is certain and right"


@dataclass
class Beliefs:
    """One seat's knowledge, turn by turn and way by way, as far as it is worked out."""

    seat: Seat
    agent: str  # whose convention, and whose judgement of past moves
    hands: dict[str, dict[int, HandChances]] = field(default_factory=dict)  # by way and turn
    losses: dict[str, dict[int, float]] = field(default_factory=dict)  # bits a card, measured by the truth
    problems: dict[str, str] = field(default_factory=dict)  # ways that there are not, and why

    def to_json(self, turn: int) -> dict[str, Any]:
        """Plain data of one turn, and the losses of all."""
        hands = {way: found[turn].to_json() for way, found in self.hands.items() if turn in found}
        losses = {way: [found[each] for each in sorted(found)] for way, found in self.losses.items()}
        return {"seat": int(self.seat), "agent": self.agent, "hands": hands, "log_loss": losses, "no": self.problems}


def work_out(beliefs: Beliefs, story: ReviewedGame, agent: Agent, tell: Callable[[float], bool]) -> None:
    """Fill in all ways, one after the other; `tell` is told how far it is and says whether to go on."""
    for place, way in enumerate(WAYS):
        try:
            knower = _knower(story, way, agent)
        except (ValueError, SeatingError) as error:
            beliefs.problems[way] = str(error)
            continue
        hands, losses = beliefs.hands.setdefault(way, {}), beliefs.losses.setdefault(way, {})
        for turn, game in enumerate(story.games, start=story.first_turn):
            if game.is_over:
                break
            found = knower.chances(beliefs.seat)
            hands[turn], losses[turn] = found, found.log_loss(true_cards(game, beliefs.seat))
            if not tell((place + (turn - story.first_turn) / len(story.games)) / len(WAYS)):
                return
            if (move := story.move_of(turn)) is not None:
                knower.hear(move)


def _knower(story: ReviewedGame, way: str, agent: Agent) -> Knower:
    basis, _ = WAYS[way]
    if basis is Basis.HINTS:
        return Knower(story.beginning)
    return Knower(story.beginning, agent, basis is Basis.PAST_MOVES, SAMPLES)


def true_cards(game: Game, seat: Seat) -> dict[int, Card]:
    """The cards of a hand by their places in the deck."""
    orders = game.states[LANE]["order"][seat].tolist()
    return {order: card for order, card in zip(orders, game.hands[seat], strict=False) if order >= 0}


def draw_beliefs(
    story: ReviewedGame, found: Beliefs | None, task: Task[Any] | None, look: ReviewQuery, address: Address
) -> Markup:
    """The panel: ways to know, a grid for each card, the log-loss over the turns."""
    seat = believing_seat(story, look)
    name = story.display_names[seat]
    return panel(
        element(
            "section",
            element("h2", "Beliefs"),
            element("p", f"What {name} could know of its own cards before turn {look.turn}.", class_="soft"),
            _work(task, seat, name),
            None
            if found is None
            else joined(_ways(found, look, address), _grids(story, found, look), _losses(story, found, look)),
            id="beliefs",
            class_="review-beliefs",
        )
    )


def believing_seat(story: ReviewedGame, look: ReviewQuery) -> Seat:
    """Whose beliefs are shown: of these eyes, else of the seat to move."""
    return story.before(look.turn).seat if look.seat is None else look.seat


def belief_task(seat: Seat) -> str:
    """What the task is called."""
    return f"beliefs {seat}"


def _work(task: Task[Any] | None, seat: Seat, name: str) -> Markup | None:
    if task is None:
        return element("p", button(f"Work out what {name} could know", "believe", "believe"))
    if task.error is not None:
        return element("p", f"This could not be worked out: {task.error}", class_="bad")
    if task.is_over:
        return None
    bar = progress_bar(task.progress, "working out beliefs")
    stop = button("Stop", "stop-beliefs", "stop", data_about=belief_task(seat))
    return element("p", bar, f" {task.words} ", stop, class_="soft")


def _ways(found: Beliefs, look: ReviewQuery, address: Address) -> Markup:
    links = [
        link(address.with_query(way=way), words, f"way-{way}", look.way == way)
        for way, (_, words) in WAYS.items()
        if way not in found.problems
    ]
    missing = [element("p", f"Not {WAYS[way][1]}: {why}.", class_="soft") for way, why in found.problems.items()]
    return joined(element("nav", links, aria_label="Ways to know", class_="review-ways"), missing)


def _grids(story: ReviewedGame, found: Beliefs, look: ReviewQuery) -> Markup | None:
    hand = found.hands.get(look.way, {}).get(look.turn)
    if hand is None:
        return None
    truth = true_cards(story.before(look.turn), found.seat) if look.sees_truth else {}
    items = [
        element("li", element("h3", f"slot {each.slot + 1}"), _grid(story, each, truth.get(each.order)))
        for each in hand.slots
    ]
    return element("ol", items, class_="review-grids")


def _grid(story: ReviewedGame, slot: SlotChances, truth: Card | None) -> Markup:
    rules = story.rules
    chances = [
        [slot.cards.get(Card(5 * color + rank), 0.0) for rank in range(rules.ranks)] for color in range(rules.colors)
    ]
    return chances_grid(chances, story.suits, None if truth is None else (truth // 5, truth % 5))


def _losses(story: ReviewedGame, found: Beliefs, look: ReviewQuery) -> Markup | None:
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
