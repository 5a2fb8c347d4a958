"""What players that see their own hand share: choosing an own card by what it is, and an idle hint."""

import numpy as np

from kagiya._jit import kernel
from kagiya.agents.tactics._hints import NEXT, hint_rank_of
from kagiya.agents.tactics._slots import NO_SLOT, oldest_slot
from kagiya.cards import MAX_RANKS
from kagiya.moves import NO_MOVE

LOWEST, OLDEST, HIGHEST = np.int64(-1), np.int64(0), np.int64(1)


@kernel
def own_slot(states, i, seat, kinds, by_rank):
    """The own card of these kinds that is LOWEST, HIGHEST or simply OLDEST; oldest of equals. NO_SLOT if none."""
    state = states[i]
    best, best_score = NO_SLOT, -MAX_RANKS
    for slot in range(state["hand_size"]):
        card = state["hands"][seat, slot]
        if card < 0 or not kinds >> card & 1:
            continue
        score = by_rank * (card % MAX_RANKS)
        if score > best_score or (score == best_score and state["order"][seat, slot] < state["order"][seat, best]):
            best, best_score = slot, score
    return best


@kernel
def temporize(states, i, seat):
    """Spend a token on the rank of the next seat's oldest card."""
    state = states[i]
    left = (seat + 1) % state["players"]
    slot = oldest_slot(states, i, left)
    if state["tokens"] == 0 or slot == NO_SLOT:
        return NO_MOVE
    return hint_rank_of(NEXT, state["hands"][left, slot])
