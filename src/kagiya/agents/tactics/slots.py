"""Sets of slots of one hand, as masks, and choosing one of them.

The masks are built without branches, because no processor can predict which cards lie where.
"""

from typing import Any

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents.tactics.modes import NAMED, Mode
from kagiya.cards import MAX_KINDS, NO_CARD, Kinds, Seat, Slot, Slots, each_slot
from kagiya.dice import Streams, below
from kagiya.engine.layout import TOLD_COLOR, TOLD_RANK, Lane, States
from kagiya.kinds import color_kinds, color_of, rank_kinds, rank_of
from kagiya.move_kernels import NO_SLOT
from kagiya.view.kernels import slot_chance, unseen_planes

ANY_CHANCE = 0.0  # a threshold that every slot reaches
SHIFT = 63  # NO_CARD and HIDDEN_CARD become shifts past every kind
PAST_ALL = 1 << MAX_KINDS  # an end to the search in an empty slot's mask


@kernel
def slots_of(states: States, i: Lane, owner: Seat, kinds: Kinds) -> Slots:
    """The slots that hold a card of `kinds`; hidden cards are of no kind."""
    state = states[i]
    slots = Slots(0)
    for slot in each_slot(state["hand_size"]):
        slots |= (kinds >> (state["hands"][owner, slot] & SHIFT) & 1) << slot
    return slots


@kernel
def occupied_slots(states: States, i: Lane, owner: Seat) -> Slots:
    """The slots that hold a card, seen or hidden."""
    state = states[i]
    slots = Slots(0)
    for slot in each_slot(state["hand_size"]):
        slots |= (state["hands"][owner, slot] != NO_CARD) << slot
    return slots


@kernel
def known_slots(states: States, i: Lane, owner: Seat, mode: Mode) -> tuple[Slots, Slots]:
    """The slots whose color the owner knows, and those whose rank it knows; empty slots may be in either mask."""
    state = states[i]
    colors, ranks = Slots(0), Slots(0)
    for slot in each_slot(state["hand_size"]):
        if mode & NAMED:
            told = state["told"][owner, slot]
            colors |= (told & TOLD_COLOR != 0) << slot
            ranks |= (told & TOLD_RANK != 0) << slot
        else:
            possible = state["possible"][owner, slot]
            card = lowest_bit(possible | PAST_ALL)
            colors |= (possible & ~color_kinds(color_of(card)) == 0) << slot
            ranks |= (possible & ~rank_kinds(rank_of(card)) == 0) << slot
    return colors, ranks


@kernel
def first_slot(slots: Slots) -> Slot:
    """The first of some slots; NO_SLOT if there is none."""
    return lowest_bit(slots) if slots else NO_SLOT


@kernel
def last_slot(slots: Slots) -> Slot:
    """The last of some slots; NO_SLOT if there is none."""
    while slots & (slots - 1):
        slots &= slots - 1
    return first_slot(slots)


@kernel
def random_bit(mask: int, i: Lane, seat: Seat, rng: Streams) -> Any:
    """A random bit of a mask (a slot, a move, a card), each equally likely, from the stream of `seat`; -1 if none."""
    if mask == 0:
        return NO_SLOT
    for _ in range(below(rng, i, 1 + seat, popcount(mask))):
        mask &= mask - 1
    return lowest_bit(mask)


@kernel
def oldest_slot(states: States, i: Lane, owner: Seat) -> Slot:
    """The slot whose card has been held longest; NO_SLOT in an empty hand."""
    state = states[i]
    oldest = NO_SLOT
    for slot in each_slot(state["hand_size"]):
        if state["hands"][owner, slot] != NO_CARD and (
            oldest == NO_SLOT or state["order"][owner, slot] < state["order"][owner, oldest]
        ):
            oldest = slot
    return oldest


@kernel
def sure_slots(states: States, i: Lane, seat: Seat, kinds: Kinds) -> Slots:
    """The player's own slots that can only be one of `kinds`, given the hints and the cards it sees elsewhere."""
    state = states[i]
    low, high = unseen_planes(states, i, seat, seat)
    slots = Slots(0)
    for slot in each_slot(state["hand_size"]):
        possible = state["possible"][seat, slot] & (low | high)
        slots |= (possible != 0 and possible & ~kinds == 0) << slot
    return slots


@kernel
def sure_slots_by_hints(states: States, i: Lane, owner: Seat, kinds: Kinds) -> Slots:
    """The slots that can only be one of `kinds`, given the hints alone: no card is counted."""
    state = states[i]
    slots = Slots(0)
    for slot in each_slot(state["hand_size"]):
        possible = state["possible"][owner, slot]
        slots |= (possible != 0 and possible & ~kinds == 0) << slot
    return slots


@kernel
def likely_slots(states: States, i: Lane, seat: Seat, kinds: Kinds, threshold: float) -> Slots:
    """The player's own slots whose chance (see `slot_chance`) to be one of `kinds` is at least the threshold."""
    state = states[i]
    low, high = unseen_planes(states, i, seat, seat)
    slots = Slots(0)
    for slot in each_slot(state["hand_size"]):
        possible = state["possible"][seat, slot]
        if possible != 0:
            slots |= (slot_chance(low, high, possible, kinds) >= threshold) << slot
    return slots


@kernel
def likeliest_slots(states: States, i: Lane, seat: Seat, kinds: Kinds, threshold: float) -> Slots:
    """Of the slots of `likely_slots`, those with the highest chance."""
    state = states[i]
    low, high = unseen_planes(states, i, seat, seat)
    best, slots = threshold, Slots(0)
    for slot in each_slot(state["hand_size"]):
        possible = state["possible"][seat, slot]
        if possible == 0:
            continue
        chance = slot_chance(low, high, possible, kinds)
        if chance > best:
            best, slots = chance, Slots(0)
        slots |= (chance == best) << slot
    return slots
