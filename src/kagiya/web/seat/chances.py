"""Every card that one's own cards can be, with its exact chance: by hints, those that passed by, and counting."""

from __future__ import annotations

from kagiya.drawing.chances import chances_grid
from kagiya.drawing.markup import Markup, element
from kagiya.drawing.palette import SUITS
from kagiya.lab.review.chances import exact_chances
from kagiya.view.observation import Observation
from kagiya.web.seat.cards import for_page


def hand_chances(view: Observation) -> dict[int, list[list[float]]]:
    """By slot (from 1) the chance of every card, by color and rank."""
    rules, found = view.rules, exact_chances(view.states, view.seat)
    return {
        slot + 1: [found[slot, 5 * color : 5 * color + rules.ranks].round(6).tolist() for color in range(rules.colors)]
        for slot in view.mine.slots
    }


def chance_grids(view: Observation) -> Markup:
    """A grid for each card of the hand."""
    suits = SUITS[: view.rules.colors]
    grids = [
        element("figure", element("figcaption", f"Slot {slot}"), for_page(chances_grid(grid, suits)))
        for slot, grid in hand_chances(view).items()
    ]
    return element("section", grids, class_="chance-grids", id="chance-grids", aria_label="What your cards can be")
