"""Deal again the cards that a seat cannot see, in a way that nothing it knows could tell."""

from __future__ import annotations

import random
from collections.abc import Sequence

from kagiya.cards import NO_CARD
from kagiya.engine.layout import States
from kagiya.view.kernels import unseen_planes


def deal_hidden(states: States, i: int, seat: int, masks: Sequence[int], dice: random.Random, keep: int = -1) -> None:
    """Permute the hand of `seat` and the deck in lane `i`; slot s gets a kind of masks[s], slot `keep` its own.

    With `masks` the possible kinds after a hint, the hint would touch the same slots again.
    """
    state = states[i]
    slots = [s for s in range(int(state["hand_size"])) if state["hands"][seat, s] != NO_CARD and s != keep]
    places = range(int(state["drawn"]), int(state["deck_size"]))
    cards = [int(state["hands"][seat, s]) for s in slots] + [int(state["deck"][p]) for p in places]
    before = unseen_planes(states, i, seat, seat)  # type: ignore[arg-type]
    hand = _fitting_hand(cards, [masks[s] for s in slots], dice)
    for slot, card in zip(slots, hand, strict=True):
        state["hands"][seat, slot] = card
        cards.remove(card)
    dice.shuffle(cards)
    for place, card in zip(places, cards, strict=True):
        state["deck"][place] = card
    _recount(states, i, seat)
    assert tuple(unseen_planes(states, i, seat, seat)) == tuple(before)  # type: ignore[arg-type]


def own_kinds(states: States, i: int, seat: int) -> list[int]:
    """Masks for `deal_hidden` that leave the hand of `seat` as it is, so that only the deck is dealt again."""
    return [1 << int(card) if card >= 0 else 0 for card in states[i]["hands"][seat]]


def _fitting_hand(cards: list[int], masks: list[int], dice: random.Random) -> list[int]:
    order = sorted(range(len(masks)), key=lambda s: masks[s].bit_count())
    while True:
        pool, hand = cards.copy(), [int(NO_CARD)] * len(masks)
        for slot in order:
            fitting = [card for card in pool if masks[slot] >> card & 1]
            if not fitting:
                break
            hand[slot] = dice.choice(fitting)
            pool.remove(hand[slot])
        else:
            return hand


def _recount(states: States, i: int, seat: int) -> None:
    state = states[i]
    hand = [int(card) for card in state["hands"][seat] if card >= 0]
    deck = [int(card) for card in state["deck"][int(state["drawn"]) : int(state["deck_size"])]]
    state["hand_low"][seat], state["hand_high"][seat] = _planes(hand)
    state["deck_low"], state["deck_high"] = _planes(deck)


def _planes(cards: list[int]) -> tuple[int, int]:
    counts = {card: cards.count(card) for card in set(cards)}
    low = sum((count & 1) << card for card, count in counts.items())
    high = sum((count >> 1) << card for card, count in counts.items())
    return low, high
