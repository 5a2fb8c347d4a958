"""What stands above the hands: whose turn it is, fireworks, points, tokens, lives, deck, and what can be afforded."""

from __future__ import annotations

from functools import lru_cache

from kagiya.drawing.fireworks import fireworks
from kagiya.drawing.markup import Markup, element
from kagiya.drawing.palette import SUITS
from kagiya.rules import Rules
from kagiya.web.panels import panel
from kagiya.web.seat.cards import for_page
from kagiya.web.seat.sight import Sight

RISKS = {
    "low": "enough time",
    "medium": "time is getting short",
    "high": "time is short",
    "zero": "each one costs a point",
}


def board(sight: Sight, rules: Rules, heading: Markup) -> Markup:
    """The middle of the table."""
    efficiency = "-" if sight.efficiency is None else f"{sight.efficiency:.2f}"
    counts = [
        count("Points", f"{sight.points}", f"of {rules.perfect_score}"),
        count("Hints", f"{sight.tokens}", dots(sight.tokens, rules.hint_tokens)),
        count("Lives", f"{sight.lives}", dots(sight.lives, rules.lives)),
        count("Deck", f"{sight.deck}", last_turns(sight)),
        count("Pace", "-" if sight.pace is None else f"{sight.pace}", pace_words(sight), f"pace {sight.risk}"),
        count("Efficiency", efficiency, needed_words(sight), "wide"),
    ]
    played = panel(element("div", played_cards(sight.fireworks), class_="fireworks", id="fireworks"))
    numbers = panel(element("dl", counts, class_="counts", id="counts"))
    return element("section", heading, played, numbers, class_="board", id="board", aria_label="Table")


@lru_cache(maxsize=256)
def played_cards(heights: tuple[int, ...]) -> Markup:
    """The fireworks."""
    return for_page(fireworks(heights, SUITS[: len(heights)]))


@lru_cache(maxsize=1024)
def count(name: str, number: str, more: Markup | str, classes: str = "") -> Markup:
    """One number with its name."""
    return element(
        "div",
        element("dt", name),
        element("dd", element("b", number), " ", element("small", more)),
        class_=f"count {classes}".strip(),
    )


def dots(there: int, most: int) -> Markup:
    """As many dots as there are, rings for those that are gone; the number says the same."""
    return element("span", "●" * there + "○" * max(0, most - there), aria_hidden="true", class_="dots")


def last_turns(sight: Sight) -> str:
    """How long the game still lasts once the deck is empty."""
    if sight.turns_left is None:
        return "cards"
    return f"{sight.turns_left} turn{'' if sight.turns_left == 1 else 's'} left"


def pace_words(sight: Sight) -> str:
    """The pace for somebody who does not know the word."""
    if sight.pace is None:
        return "the last round"
    return f"discard{'' if sight.pace == 1 else 's'} to spare: {RISKS[sight.risk]}"


def needed_words(sight: Sight) -> str:
    """What the hints to come must achieve."""
    if sight.efficiency is None:
        return "hints are no longer scarce"
    if sight.efficiency <= 0:
        return "all cards still needed are known of"
    return "cards that each hint must get"
