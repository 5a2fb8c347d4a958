"""Whom to tell about which card, and the hint that does it; shared by the tactics that give hints."""

import numpy as np

from kagiya._jit import kernel, lowest_bit
from kagiya.agents.tactics._manner import COLOR_FIRST, FIRST_OR_NONE, HALF_KNOWN, NEXT_ONLY, SEAT_ORDER
from kagiya.agents.tactics._slots import known_slots, slots_of
from kagiya.cards import MAX_COLORS, MAX_RANKS
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


@kernel
def count_receivers(states, i, manner):
    """How many seats may be told something; none without a token."""
    if states[i]["tokens"] == 0:
        return 0
    return 1 if manner & NEXT_ONLY else states[i]["players"] - 1


@kernel
def nth_offset(states, i, seat, step, manner):
    """How many seats on the receiver sits that comes after `step` others."""
    if not manner & SEAT_ORDER:
        return step + 1
    receiver = step if step < seat else step + 1
    return (receiver - seat) % states[i]["players"]


@kernel
def missing_hint(offset, card, knows_color, knows_rank, manner):
    """The hint that names a part of a card not known yet, the rank or the color first; one part must be unknown."""
    if knows_rank or (manner & COLOR_FIRST and not knows_color):
        return hint_color_of(offset, card)
    return hint_rank_of(offset, card)


@kernel
def hint_about(states, i, seat, kinds, manner):
    """A hint that names an unknown part of the first card of `kinds` that has one."""
    state = states[i]
    for step in range(count_receivers(states, i, manner)):
        offset = nth_offset(states, i, seat, step, manner)
        receiver = (seat + offset) % state["players"]
        found = slots_of(states, i, receiver, kinds)
        if found == 0:
            continue
        colors, ranks = known_slots(states, i, receiver, manner)
        worth_telling = found & ((colors ^ ranks) if manner & HALF_KNOWN else ~(colors & ranks))
        if manner & FIRST_OR_NONE and not worth_telling & found & -found:
            return NO_MOVE
        if worth_telling:
            slot = lowest_bit(worth_telling)
            card = state["hands"][receiver, slot]
            return missing_hint(offset, card, colors >> slot & 1, ranks >> slot & 1, manner)
    return NO_MOVE
