"""The table at one turn, drawn: counts, fireworks, hands with what their owners know, discards."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from kagiya.cards import NO_CARD, SEAT_NAMES, Card, card_color, card_rank
from kagiya.drawing.axes import shortened
from kagiya.drawing.card import Marks, Possible, card_back, card_face, empty_slot, knowledge
from kagiya.drawing.fireworks import discard_grid, fireworks
from kagiya.drawing.markup import Markup, element, joined
from kagiya.drawing.palette import Suit
from kagiya.lab.table.persons import PERSON
from kagiya.web.panels import panel
from kagiya.web.review.board import Board, HeldCard
from kagiya.web.review.look import Look
from kagiya.web.review.story import Story

COUNTS = (("points", "points"), ("tokens", "hints"), ("lives", "lives"), ("deck", "deck"), ("pace", "pace"))


def draw_table(story: Story, board: Board, look: Look) -> Markup:
    """Everything on the table but the discards."""
    hands = [_hand(story, board, seat, look) for seat in range(story.rules.players)]
    return element(
        "section",
        element("h2", "Table", class_="unseen"),
        _counts(board),
        panel(element("div", fireworks(board.fireworks, story.suits), class_="review-fireworks", id="fireworks")),
        element("div", hands, class_="review-hands"),
        id="table",
        class_="review-table",
    )


def draw_discards(story: Story, board: Board) -> Markup:
    """What lies in the discards, and what is left of each card."""
    grid = discard_grid(story.rules.copies, board.lost, board.fireworks, story.suits)
    return panel(element("section", element("h2", "Discards"), grid, id="discards", class_="review-discards"))


def _counts(board: Board) -> Markup:
    told = {name: _count(name, board) for name, _ in COUNTS}
    items = [element("div", element("dt", label), element("dd", told[name])) for name, label in COUNTS]
    return panel(element("dl", items, class_="review-counts", id="counts"))


def _count(name: str, board: Board) -> str:
    value = board.counts[name]
    if name == "points":
        return f"{value} of {board.counts['reachable']} reachable"
    return "-" if value is None else str(value)


def _hand(story: Story, board: Board, seat: int, look: Look) -> Markup:
    is_next = board.seat == seat
    mark = element("span", " to move", class_="review-to-move") if is_next else None
    own = element("span", " (eyes)", class_="soft") if look.seat == seat else None
    name = element("h3", story.called[seat], mark, own)
    agent = element("p", shortened(_player(story, seat), 60), class_="soft review-agent")
    cards = element(
        "ol", [_card(story, seat, card) for card in ordered(board.hands[seat], look)], class_="review-cards"
    )
    classes = "review-hand to-move" if is_next else "review-hand"
    return panel(element("div", element("div", name, agent), cards, class_=classes, id=f"hand-{SEAT_NAMES[seat]}"))


def _player(story: Story, seat: int) -> str:
    """Who sits there: the agent as written; of a person the name if it is known and not that of the seat."""
    if story.seats[seat] != PERSON:
        return story.seats[seat]
    return story.names[seat] if story.names and story.names[seat] != story.called[seat] else "a person"


def ordered(hand: Iterable[HeldCard], look: Look) -> list[HeldCard]:
    """As it is shown: by slot, or the newest card first."""
    cards = list(hand)
    return sorted(cards, key=lambda card: -card.order) if look.newest_left else cards


def _card(story: Story, seat: int, held: HeldCard) -> Markup:
    number = element("span", held.slot + 1, class_="review-slot", aria_hidden="true")
    name = f"slot {held.slot + 1}: "
    if held.card == NO_CARD:
        drawn = empty_slot(f"{name}empty")
    else:
        drawn = _face_or_back(held.card, held.possible, held.marks, story.suits, story.rules.ranks)
    return panel(element("li", drawn, number, id=f"card-{SEAT_NAMES[seat]}-{held.slot + 1}"))


@lru_cache(maxsize=2_000)  # from one turn to the next most cards stay what they are
def _face_or_back(card: Card, possible: Possible, marks: Marks, suits: tuple[Suit, ...], ranks: int) -> Markup:
    if card < 0:
        return card_back(possible, marks, suits, ranks)
    face = card_face(suits[card_color(card)], card_rank(card), marks)
    return joined(face, knowledge(possible, marks, suits, ranks))
