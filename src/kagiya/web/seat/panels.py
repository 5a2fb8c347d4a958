"""The panels beside the hands: the discards, and notes on cards. On a phone one of them is shown at a time."""

from __future__ import annotations

from functools import lru_cache

from kagiya.drawing.fireworks import discard_grid
from kagiya.drawing.markup import Markup, element, joined
from kagiya.drawing.palette import SUITS
from kagiya.rules import Rules
from kagiya.web.page import link
from kagiya.web.panels import panel
from kagiya.web.seat.cards import for_page
from kagiya.web.seat.sight import CardSight, HandSight, Sight
from kagiya.web.views import Address


def tab_panel(name: str, title: str, chosen: str, *content: Markup | None) -> Markup:
    """One panel; on a phone it is there only if its tab is chosen."""
    classes = f"panel{' chosen' if name == chosen else ''}"
    heading = element("h2", title)
    return panel(element("section", heading, content, id=f"panel-{name}", class_=classes, aria_label=title))


def tabs(names: dict[str, str], chosen: str, address: Address) -> Markup:
    """The way from panel to panel on a phone."""
    links = [link(address.with_query(tab=name), title, f"tab-{name}", name == chosen) for name, title in names.items()]
    return panel(element("nav", links, class_="tabs", id="tabs", aria_label="Panels"))


@lru_cache(maxsize=256)
def discards(lost: tuple[tuple[int, ...], ...], played: tuple[int, ...], rules: Rules) -> Markup:
    """Suit by rank, what is gone and what is left."""
    legend = "Dots: copies left. A red frame: the last copy of a card still needed."
    grid = for_page(discard_grid(rules.copies, lost, played, SUITS[: rules.colors]))
    return element(
        "div", element("div", grid, class_="grid"), element("p", legend, class_="soft small"), class_="discards"
    )


def notes(sight: Sight) -> Markup:
    """Write on a card; what was written stands below it."""
    cards = [(hand, card) for hand in reversed(sight.hands) for card in hand.cards]
    choices = _choices(tuple((card.order, _card_name(hand, card)) for hand, card in cards))
    written = [element("li", f"{_card_name(hand, card)}: {card.note}") for hand, card in cards if card.note]
    return element(
        "form",
        element("label", "Card ", panel(element("select", choices, name="card", id="note-card")), for_="note-card"),
        element("label", "Note ", _note_field(), for_="note"),
        element("button", "Write", type="submit", id="write-note"),
        panel(element("ul", written, class_="small", id="written")) if written else None,
        data_do="note",
        id="notes",
        class_="notes",
    )


@lru_cache(maxsize=256)
def _choices(cards: tuple[tuple[int, str], ...]) -> Markup:
    return joined([element("option", name, value=order) for order, name in cards])


def _note_field() -> Markup:
    return element("input", name="value", id="note", maxlength=200, data_empties=True, autocomplete="off")


def _card_name(hand: HandSight, card: CardSight) -> str:
    if hand.is_mine:
        return f"your slot {card.slot + 1}"
    return f"{hand.name}'s slot {card.slot + 1}, {card.card}"
