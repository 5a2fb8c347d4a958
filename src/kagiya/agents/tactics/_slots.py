"""Sets of slots of one hand as masks, and choosing one slot; shared by all tactics.

The masks are put together without branches: which cards lie where is what no processor can predict.
"""

import numpy as np

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents.tactics._manner import NAMED
from kagiya.cards import MAX_KINDS, MAX_RANKS, NO_CARD
from kagiya.dice import below
from kagiya.engine.kernels import COLOR_KINDS, RANK_KINDS
from kagiya.view.kernels import slot_chance, unseen_planes

NO_SLOT = -1
ANY_CHANCE = np.float64(0.0)  # a threshold that every slot reaches
SHIFT = 63  # NO_CARD and HIDDEN_CARD become shifts past every kind
PAST_ALL = 1 << MAX_KINDS  # an end to the search in an empty slot's mask


@kernel
def slots_of(states, i, owner, kinds):
    """The slots that hold a card of `kinds`, as a mask."""
    state = states[i]
    slots = 0
    for slot in range(state["hand_size"]):
        slots |= (kinds >> (state["hands"][owner, slot] & SHIFT) & 1) << slot
    return slots


@kernel
def occupied_slots(states, i, owner):
    """The slots that hold a card, seen or not, as a mask."""
    state = states[i]
    slots = 0
    for slot in range(state["hand_size"]):
        slots |= (state["hands"][owner, slot] != NO_CARD) << slot
    return slots


@kernel
def known_slots(states, i, owner, manner):
    """The slots whose color the owner knows, and those whose rank, as two masks; empty slots may be in either."""
    state = states[i]
    colors, ranks = 0, 0
    for slot in range(state["hand_size"]):
        if manner & NAMED:
            told = state["told"][owner, slot]
            colors |= (told & 1) << slot
            ranks |= (told >> 1) << slot
        else:
            possible = state["possible"][owner, slot]
            card = lowest_bit(possible | PAST_ALL)
            colors |= (possible & ~(COLOR_KINDS << card - card % MAX_RANKS) == 0) << slot
            ranks |= (possible & ~(RANK_KINDS << card % MAX_RANKS) == 0) << slot
    return colors, ranks


@kernel
def first_slot(slots):
    """The first of a mask of slots."""
    return lowest_bit(slots) if slots else NO_SLOT


@kernel
def last_slot(slots):
    """The last of a mask of slots."""
    while slots & (slots - 1):
        slots &= slots - 1
    return first_slot(slots)


@kernel
def random_bit(mask, i, seat, rng):
    """Any slot, or whatever else a bit stands for, of a mask, each as likely, by the dice of `seat`."""
    if mask == 0:
        return NO_SLOT
    for _ in range(below(rng, i, 1 + seat, popcount(mask))):
        mask &= mask - 1
    return lowest_bit(mask)


@kernel
def oldest_slot(states, i, owner):
    """The slot whose card has been held longest."""
    state = states[i]
    oldest = NO_SLOT
    for slot in range(state["hand_size"]):
        if state["hands"][owner, slot] != NO_CARD and (
            oldest == NO_SLOT or state["order"][owner, slot] < state["order"][owner, oldest]
        ):
            oldest = slot
    return oldest


@kernel
def sure_slots(states, i, seat, kinds):
    """The own slots that can only be one of `kinds`, as a mask: hints, and the cards seen elsewhere, counted."""
    state = states[i]
    low, high = unseen_planes(states, i, seat, seat)
    slots = 0
    for slot in range(state["hand_size"]):
        possible = state["possible"][seat, slot] & (low | high)
        slots |= (possible != 0 and possible & ~kinds == 0) << slot
    return slots


@kernel
def sure_slots_by_hints(states, i, owner, kinds):
    """The slots that the hints alone, no card counted, leave to be only one of `kinds`, as a mask."""
    state = states[i]
    slots = 0
    for slot in range(state["hand_size"]):
        possible = state["possible"][owner, slot]
        slots |= (possible != 0 and possible & ~kinds == 0) << slot
    return slots


@kernel
def likely_slots(states, i, seat, kinds, threshold):
    """The own slots whose chance (see `slot_chance`) to be one of `kinds` is at least the threshold, as a mask."""
    state = states[i]
    low, high = unseen_planes(states, i, seat, seat)
    slots = 0
    for slot in range(state["hand_size"]):
        possible = state["possible"][seat, slot]
        if possible != 0:
            slots |= (slot_chance(low, high, possible, kinds) >= threshold) << slot
    return slots


@kernel
def likeliest_slots(states, i, seat, kinds, threshold):
    """Of those the ones with the highest chance."""
    state = states[i]
    low, high = unseen_planes(states, i, seat, seat)
    best, slots = threshold, 0
    for slot in range(state["hand_size"]):
        possible = state["possible"][seat, slot]
        if possible == 0:
            continue
        chance = slot_chance(low, high, possible, kinds)
        if chance > best:
            best, slots = chance, 0
        slots |= (chance == best) << slot
    return slots
