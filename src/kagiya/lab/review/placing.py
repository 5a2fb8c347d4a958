"""Single cards put where somebody wants them, among those that the player to move cannot see: its hand and the deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from kagiya.cards import Card, card_name
from kagiya.engine.game import LANE, Game
from kagiya.lab.review.plausible import fitting_hand
from kagiya.lab.review.samples import cards_to_draw, held_cards, with_unseen


@dataclass(frozen=True)
class Placing:
    """A card for a slot of the player to move, or for a place in the deck."""

    card: Card
    slot: int | None = None
    draw: int = 0  # without a slot: how many cards are drawn before it


def place_cards(game: Game, placings: Iterable[Placing], called: Callable[[Card], str] = card_name) -> Game:
    """The game with these cards in these places. All others stay where they are, as far as that is possible.

    The card that was there changes places with one that nobody, or only the others, can see; hands fit all hints. What
    cannot be is a ValueError, in which cards are called as asked.
    """
    wanted = list(placings)
    hand, deck = held_cards(game), cards_to_draw(game)
    masks = {slot: int(game.states[LANE]["possible"][game.seat, slot]) for slot in hand}
    slots = _by_place(((each.slot, each.card) for each in wanted if each.slot is not None), masks, "slot")
    draws = _by_place(
        ((each.draw, each.card) for each in wanted if each.slot is None), range(len(deck)), "card to draw"
    )
    for slot, card in slots.items():
        if not masks[slot] >> card & 1:
            raise ValueError(f"slot {slot + 1} cannot be {called(card)}, by the hints that were given")
    pool = Counter(deck) + Counter(hand.values())
    for card, copies in Counter([*slots.values(), *draws.values()]).items():
        if copies > pool[card]:
            raise ValueError(f"{pool[card]} of {called(card)} can be placed, not {copies}: the others can be seen")
        pool[card] -= copies
    fitted = _fitted(hand, masks, slots, pool)
    pool -= Counter(card for slot, card in fitted.items() if slot not in slots)
    return with_unseen(game, fitted, _filled(deck, draws, pool))


def _by_place(wanted: Iterable[tuple[int, Card]], there: Iterable[int], what: str) -> dict[int, Card]:
    """By place the card that it gets; a place that is not there, or is given twice, is refused."""
    places, found = set(there), dict[int, Card]()
    for place, card in wanted:
        if place not in places:
            raise ValueError(f"there is no {what} {place + 1}")
        if place in found:
            raise ValueError(f"{what} {place + 1} is given two cards")
        found[place] = card
    return found


def _fitted(
    hand: Mapping[int, Card], masks: Mapping[int, int], fixed: Mapping[int, Card], pool: Counter[Card]
) -> dict[int, Card]:
    """The whole hand: cards that are still to be had stay, others are replaced by some that fit the hints."""
    kept, left = dict(fixed), pool.copy()
    for slot, card in hand.items():
        if slot not in fixed and left[card] > 0:
            kept[slot] = card
            left[card] -= 1
    for stays, cards in ((kept, left), (dict(fixed), pool)):
        free = [(slot, mask) for slot, mask in masks.items() if slot not in stays]
        found = fitting_hand(sorted(free, key=lambda item: item[1].bit_count()), list(cards.elements()))
        if len(found) == len(free):
            return {**stays, **found}
    raise ValueError("with these cards no hand fits the hints that were given")


def _filled(deck: Sequence[Card], fixed: Mapping[int, Card], pool: Counter[Card]) -> list[Card]:
    """The deck in the order it has; only what went elsewhere is replaced."""
    filled: list[Card | None] = []
    for place, card in enumerate(deck):
        stays = place not in fixed and pool[card] > 0
        pool[card] -= stays
        filled.append(fixed.get(place, card if stays else None))
    rest = list(pool.elements())
    return [rest.pop() if card is None else card for card in filled]
