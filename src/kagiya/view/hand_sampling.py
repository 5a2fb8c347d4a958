"""Sampling hidden cards: a hand from what its owner can know, uniform over all that fit, and the deck in any order.

Every consistent deal of a hand (distinct cards in distinct slots, each allowed by what is known of it) is as likely as
any other if each slot picks any of its cards by itself and a clash starts the hand over.

`kinds` are the kinds that each slot can be, `hand` is where its card goes; both are indexed by slot. `lane` and
`stream` say whose dice are rolled.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.cards import NO_CARD, Card, Kinds, Seat, each_slot
from kagiya.engine.dice import below
from kagiya.engine.layout import Lane, States, Streams
from kagiya.kinds import add_bit, count_matching, kind_bit, remove_bit
from kagiya.view.view_kernels import NOTHING, unseen_planes

BySlot = npt.NDArray[np.int64]
DEALT_ALL, CLASH, NOTHING_FITS = 0, 1, 2


@kernel
def nth_bit(mask: int, n: int) -> Any:
    """The place of a mask's bit number `n`, counted from 0."""
    for _ in range(n):
        mask &= mask - 1
    place: int = lowest_bit(mask)
    return place


@kernel
def nth_card(low: Kinds, high: Kinds, kinds: Kinds, n: int) -> Card:
    """Card number `n` of the cards of `kinds` in a multiset."""
    single = popcount(low & kinds)
    if n < single:
        return Card(nth_bit(low & kinds, n))
    return Card(nth_bit(high & kinds, (n - single) >> 1))


@kernel
def pick_card(low: Kinds, high: Kinds, kinds: Kinds, rng: Streams, lane: Lane, stream: int) -> Card:
    """Any card of these kinds, each copy as likely; NO_CARD if there is none."""
    count = count_matching(low, high, kinds)
    if count == 0:
        return NO_CARD
    return nth_card(low, high, kinds, below(rng, lane, stream, count))


@kernel
def try_hand(
    states: States, i: Lane, owner: Seat, kinds: BySlot, hand: BySlot, rng: Streams, lane: Lane, stream: int
) -> int:
    """One attempt at a uniform hand; a CLASH when two slots wanted the same card. Empty slots become NO_CARD."""
    low, high = unseen_planes(states, i, owner, owner)
    left_low, left_high = low, high
    for slot in each_slot(states[i]["hand_size"]):
        if states[i]["hands"][owner, slot] == NO_CARD:
            hand[slot] = NO_CARD
            continue
        cards = count_matching(low, high, kinds[slot])
        if cards == 0:
            return NOTHING_FITS
        wanted = below(rng, lane, stream, cards)
        # The cards that earlier slots have taken are numbered last: wanting one of them is the clash.
        if wanted >= count_matching(left_low, left_high, kinds[slot]):
            return CLASH
        card = nth_card(left_low, left_high, kinds[slot], wanted)
        left_low, left_high = remove_bit(left_low, left_high, kind_bit(card))
        hand[slot] = card
    return DEALT_ALL


@kernel
def fill_hand(
    states: States, i: Lane, owner: Seat, kinds: BySlot, hand: BySlot, rng: Streams, lane: Lane, stream: int
) -> None:
    """Fill slot after slot with what is left, if need be with any card: for hands that hardly any deal fits."""
    low, high = unseen_planes(states, i, owner, owner)
    for slot in each_slot(states[i]["hand_size"]):
        if states[i]["hands"][owner, slot] == NO_CARD:
            hand[slot] = NO_CARD
            continue
        card = pick_card(low, high, kinds[slot], rng, lane, stream)
        if card == NO_CARD:
            card = pick_card(low, high, states[i]["kinds"], rng, lane, stream)
        low, high = remove_bit(low, high, kind_bit(card))
        hand[slot] = card


@kernel
def give_hand(states: States, i: Lane, owner: Seat, hand: BySlot) -> None:
    """Give the owner a hand; what it held before goes back to the deck first."""
    state = states[i]
    low, high = unseen_planes(states, i, owner, owner)
    hand_low, hand_high = NOTHING, NOTHING
    for slot in each_slot(state["hand_size"]):
        card = hand[slot]
        if card == NO_CARD:
            continue
        bit = kind_bit(card)
        state["hands"][owner, slot] = card
        low, high = remove_bit(low, high, bit)
        hand_low, hand_high = add_bit(hand_low, hand_high, bit)
    state["deck_low"], state["deck_high"] = low, high
    state["hand_low"][owner], state["hand_high"][owner] = hand_low, hand_high


@kernel
def shuffle_deck(states: States, i: Lane, rng: Streams, lane: Lane, stream: int) -> None:
    """Put the cards of the deck into any order."""
    state = states[i]
    deck, drawn, place = state["deck"], state["drawn"], state["drawn"]
    kinds = state["deck_low"] | state["deck_high"]
    while kinds:
        card = lowest_bit(kinds)
        kinds &= kinds - 1
        for _ in range(count_matching(state["deck_low"], state["deck_high"], kind_bit(card))):
            # Each card goes to any place so far, and what lay there to the end: a shuffle that grows.
            other = drawn + below(rng, lane, stream, place - drawn + 1)
            deck[place] = deck[other]
            deck[other] = card
            place += 1
