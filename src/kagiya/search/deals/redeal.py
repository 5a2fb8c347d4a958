"""Redeterminizing one card: what a seat is about to show becomes a card that it could hold."""

from kagiya._jit import kernel
from kagiya.cards import NO_CARD, Seat, Slot, each_slot
from kagiya.engine.layout import Lane, States
from kagiya.kinds import kind_bit
from kagiya.move_kernels import NO_SLOT
from kagiya.planes import add_bit, remove_bit
from kagiya.search.deals.convention import sample_meant_hand
from kagiya.search.deals.sampling import pool_of, random_card
from kagiya.search.layout import SearchRecord, rng_of
from kagiya.view.kernels import NOTHING


@kernel
def redeal_card(states: States, i: Lane, seat: Seat, slot: Slot, work: SearchRecord) -> bool:
    """The card that a seat is about to show becomes one it could hold; returns whether it is the true one.

    The other slots keep their cards. If the card shown was the last of its kind and lay in one of them, that
    slot takes any unseen card its hints allow (any at all if none is left, its hints forgotten).
    """
    state, rng = states[i], rng_of(work)
    sample_meant_hand(states, i, seat, work)
    shown = work["hand"][slot]
    if shown == state["hands"][seat, slot]:
        return True
    low, high = pool_of(states, i, seat)
    low, high = remove_bit(low, high, kind_bit(shown))
    state["hands"][seat, slot] = shown
    hand_low, hand_high, robbed = kind_bit(shown), NOTHING, NO_SLOT
    for other in each_slot(state["hand_size"]):
        card = state["hands"][seat, other]
        if other == slot or card == NO_CARD:
            continue
        if not (low | high) >> card & 1:
            robbed = other
            continue
        low, high = remove_bit(low, high, kind_bit(card))
        hand_low, hand_high = add_bit(hand_low, hand_high, kind_bit(card))
    if robbed != NO_SLOT:
        card = random_card(low, high, state["possible"][seat, robbed], rng)
        if card == NO_CARD:
            card = random_card(low, high, state["kinds"], rng)
            state["possible"][seat, robbed], state["told"][seat, robbed] = state["kinds"], 0
        state["hands"][seat, robbed] = card
        low, high = remove_bit(low, high, kind_bit(card))
        hand_low, hand_high = add_bit(hand_low, hand_high, kind_bit(card))
    state["deck_low"], state["deck_high"] = low, high
    state["hand_low"][seat], state["hand_high"][seat] = hand_low, hand_high
    return False
