"""Tactics that discard a card. All need a token to be missing."""

from kagiya._jit import kernel
from kagiya.agents.tactics._tactic import tactic
from kagiya.cards import NO_CARD
from kagiya.moves import FIRST_DISCARD, NO_MOVE
from kagiya.view.kernels import unseen_planes


@kernel
def may_discard(states, i):
    """Whether the rules allow a discard now."""
    state = states[i]
    return state["tokens"] < state["max_tokens"] or state["discard_at_full_tokens"] != 0


@tactic("discard-certain")
def discard_certain(states, i, seat, rng, value):
    """The lowest slot that can only be useless: hints, and the cards seen elsewhere, counted."""
    state = states[i]
    if not may_discard(states, i):
        return NO_MOVE
    low, high = unseen_planes(states, i, seat, seat)
    for slot in range(state["hand_size"]):
        possible = state["possible"][seat, slot] & (low | high)
        if possible != 0 and possible & ~state["useless"] == 0:
            return FIRST_DISCARD + slot
    return NO_MOVE


@tactic("discard-oldest")
def discard_oldest(states, i, seat, rng, value):
    """The card held longest."""
    state = states[i]
    if not may_discard(states, i):
        return NO_MOVE
    oldest = NO_MOVE
    for slot in range(state["hand_size"]):
        if state["hands"][seat, slot] != NO_CARD and (
            oldest == NO_MOVE or state["order"][seat, slot] < state["order"][seat, oldest]
        ):
            oldest = slot
    return FIRST_DISCARD + oldest
