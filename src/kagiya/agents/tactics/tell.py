"""Tactics that give a hint. All need a token."""

import numpy as np

from kagiya._jit import kernel
from kagiya.agents.tactics._tactic import tactic
from kagiya.cards import MAX_COLORS, MAX_RANKS, NO_CARD
from kagiya.engine.layout import TOLD_COLOR, TOLD_RANK
from kagiya.moves import FIRST_HINT, HINTS_PER_SEAT, NO_MOVE

NEXT = np.int64(1)  # the offset of the seat that moves next


@kernel
def hint_color_of(offset, card):
    """The hint that names this card's color to the seat `offset` places on."""
    return FIRST_HINT + (offset - 1) * HINTS_PER_SEAT + card // MAX_RANKS


@kernel
def hint_rank_of(offset, card):
    """The hint that names this card's rank to the seat `offset` places on."""
    return FIRST_HINT + (offset - 1) * HINTS_PER_SEAT + MAX_COLORS + card % MAX_RANKS


@tactic("tell-playable")
def tell_playable(states, i, seat, rng, value):
    """The first card that fits, in turn order and by slot, not yet told in full: its rank first, then its color."""
    state = states[i]
    if state["tokens"] == 0:
        return NO_MOVE
    for offset in range(1, state["players"]):
        receiver = (seat + offset) % state["players"]
        for slot in range(state["hand_size"]):
            card = state["hands"][receiver, slot]
            told = state["told"][receiver, slot]
            if card == NO_CARD or not state["playable"] >> card & 1:
                continue
            if not told & TOLD_RANK:
                return hint_rank_of(offset, card)
            if not told & TOLD_COLOR:
                return hint_color_of(offset, card)
    return NO_MOVE


@tactic("tell-anything")
def tell_anything(states, i, seat, rng, value):
    """A hint to spend a turn: the rank of the next seat's first card."""
    state = states[i]
    receiver = (seat + 1) % state["players"]
    for slot in range(state["hand_size"]):
        if state["tokens"] > 0 and state["hands"][receiver, slot] != NO_CARD:
            return hint_rank_of(NEXT, state["hands"][receiver, slot])
    return NO_MOVE
