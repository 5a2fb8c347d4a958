"""Moves made in a tree: a card that another seat shows becomes one that it could hold, where the algorithm says so."""

from kagiya._jit import kernel
from kagiya.cards import NO_CARD
from kagiya.moves import FIRST_HINT
from kagiya.planes import add_planes, remove_bit
from kagiya.rules import MAX_HAND, MAX_PLAYERS
from kagiya.search.deals.convention import hear_move, sample_meant_hand
from kagiya.search.deals.sampling import pool_of, random_card
from kagiya.search.layout import (
    ALGORITHM,
    ALL_TRUE,
    EVALUATING,
    FALSE_AT,
    HAND,
    REDETERMINIZING,
    SEAT,
    TRIAL,
    rng_of,
    states_of,
)
from kagiya.search.rollout import try_move

NEVER = -1


@kernel
def forget_cards(work):
    """A new line of play, in which no card has been shown yet."""
    work[ALL_TRUE] = 1
    for seat in range(MAX_PLAYERS):
        work[FALSE_AT + seat] = NEVER


@kernel
def make_tree_move(work, depth, move):
    """Make a move of the tree in lane TRIAL; another seat's card is dealt anew where the algorithm says so."""
    lanes = states_of(work)
    seat = lanes[TRIAL]["seat"]
    redeals = work[ALGORITHM] == REDETERMINIZING and seat != work[SEAT] and not work[EVALUATING]
    if redeals and move < FIRST_HINT and not redeal_card(lanes, TRIAL, seat, move % MAX_HAND, work):
        work[ALL_TRUE], work[FALSE_AT + seat] = 0, depth
    hear_move(lanes, TRIAL, work, move)
    try_move(lanes, TRIAL, work, move)


@kernel
def redeal_card(states, i, seat, slot, work):
    """The card that a seat is about to show becomes one it could hold; returns whether it is the true one.

    The other slots keep their cards. If the card shown was the last of its kind and lay in one of them, that
    slot takes any unseen card its hints allow (any at all if none is left, its hints forgotten).
    """
    state, rng = states[i], rng_of(work)
    sample_meant_hand(states, i, seat, work)
    shown = work[HAND + slot]
    if shown == state["hands"][seat, slot]:
        return True
    low, high = pool_of(states, i, seat)
    low, high = remove_bit(low, high, 1 << shown)
    state["hands"][seat, slot] = shown
    hand_low, hand_high, robbed = 1 << shown, 0, NO_CARD
    for other in range(state["hand_size"]):
        card = state["hands"][seat, other]
        if other == slot or card == NO_CARD:
            continue
        if not (low | high) >> card & 1:
            robbed = other
            continue
        low, high = remove_bit(low, high, 1 << card)
        hand_low, hand_high = add_planes(hand_low, hand_high, 1 << card, 0)
    if robbed != NO_CARD:
        card = random_card(low, high, state["possible"][seat, robbed], rng)
        if card == NO_CARD:
            card = random_card(low, high, state["kinds"], rng)
            state["possible"][seat, robbed], state["told"][seat, robbed] = state["kinds"], 0
        state["hands"][seat, robbed] = card
        low, high = remove_bit(low, high, 1 << card)
        hand_low, hand_high = add_planes(hand_low, hand_high, 1 << card, 0)
    state["deck_low"], state["deck_high"] = low, high
    state["hand_low"][seat], state["hand_high"][seat] = hand_low, hand_high
    return False
