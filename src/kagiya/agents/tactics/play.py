"""Tactics that play a card."""

from kagiya.agents.tactics._tactic import tactic
from kagiya.moves import NO_MOVE
from kagiya.view.kernels import unseen_planes


@tactic("play-certain")
def play_certain(states, i, seat, rng, value):
    """The lowest slot that can only be a card that fits: hints, and the cards seen elsewhere, counted."""
    state = states[i]
    low, high = unseen_planes(states, i, seat, seat)
    for slot in range(state["hand_size"]):
        possible = state["possible"][seat, slot] & (low | high)
        if possible != 0 and possible & ~state["playable"] == 0:
            return slot
    return NO_MOVE
