"""What the whole table knows of each card, as a set of kinds: every seat keeps the same copy (HolmesBot, SmartBot).

A set of no kinds stands for a card just drawn, and for one whose partner did not keep to the conventions, so
that what was concluded contradicts itself. Both are what the hints say literally.
"""

from kagiya._jit import kernel
from kagiya.agents._convention_kernels import SETS, SETTLED
from kagiya.engine.kernels import hint_kinds, hint_receiver, touched_slots
from kagiya.planes import remove_bit
from kagiya.rules import MAX_HAND
from kagiya.view.kernels import public_planes


@kernel
def narrow(memory, i, seat, owner, slot, kinds):
    """From now on a card is one of these kinds."""
    memory[i, seat, SETS + owner * MAX_HAND + slot] &= kinds


@kernel
def narrow_by_hint(states, i, seat, memory, move):
    """What a hint says literally: touched cards are of the kinds named, the others are not."""
    receiver, touched = hint_receiver(states, i, move), touched_slots(states, i, move)
    kinds = hint_kinds(states, i, move)
    for slot in range(states[i]["hand_size"]):
        memory[i, seat, SETS + receiver * MAX_HAND + slot] &= kinds if touched >> slot & 1 else ~kinds


@kernel
def settle_sets(states, i, seat, memory):
    """Before a turn, once: from cards not known strike kinds whose copies are all gone or known, until none is left."""
    state = states[i]
    if memory[i, seat, SETTLED] == state["turn"] + 1:
        return
    memory[i, seat, SETTLED] = state["turn"] + 1
    low, high = public_planes(states, i)
    doubtful = 0
    for owner in range(state["players"]):
        for word in range(SETS + owner * MAX_HAND, SETS + owner * MAX_HAND + state["hand_size"]):
            kinds = memory[i, seat, word]
            if kinds == 0:
                kinds = state["possible"][owner, word - SETS - owner * MAX_HAND]
                memory[i, seat, word] = kinds
            if kinds & (kinds - 1):
                doubtful |= kinds
            elif kinds & (low | high):
                low, high = remove_bit(low, high, kinds)
    accounted = state["kinds"] & ~(low | high)
    while doubtful & accounted:
        doubtful = 0
        for word in range(SETS, SETS + state["players"] * MAX_HAND):
            kinds = memory[i, seat, word]
            left = kinds & ~accounted
            if kinds & (kinds - 1) == 0 or left == 0:
                continue
            memory[i, seat, word] = left
            if left & (left - 1):
                doubtful |= left
            elif left & (low | high):
                low, high = remove_bit(low, high, left)
        accounted = state["kinds"] & ~(low | high)
