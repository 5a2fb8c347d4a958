"""Recommendations: the number of a hand is what its holder should do, play a slot or discard one.

PAPER is Cox et al.'s list as other programs quote it: a five that fits, then the lowest card that fits, are to be
played; a card that is played already, then the highest that is not the last of its kind, are to be discarded; else the
first.
PROGRAM is what the authors' own simulator does: ties go to the earlier color, of cards played already the highest goes,
a card counts as the last of its kind as soon as any copy is discarded, and the last resort is the newest card.
"""

from typing import NewType

from kagiya._jit import kernel
from kagiya.agents._note_kernels import last_copies
from kagiya.agents.tactics.slots import first_slot, last_slot, occupied_slots, slots_of
from kagiya.cards import MAX_COLORS, MAX_RANKS, Card, Kinds, Seat, Slot, each_slot
from kagiya.engine.layout import Lane, States
from kagiya.kinds import color_of, rank_of
from kagiya.move_kernels import NO_SLOT

Source = NewType("Source", int)

PAPER, PROGRAM = Source(0), Source(1)
HIGHEST_RANK_FIRST = -1  # the place of a five among the cards to play
PAST_ALL = MAX_RANKS * MAX_COLORS


@kernel
def recommended(states: States, i: Lane, owner: Seat, source: Source) -> int:
    """0 to hand size - 1: play that slot; from hand size on: discard that slot."""
    state = states[i]
    slot = slot_to_play(states, i, owner, source)
    if slot != NO_SLOT:
        return slot
    return state["hand_size"] + slot_to_discard(states, i, owner, source)


@kernel
def slot_to_play(states: States, i: Lane, owner: Seat, source: Source) -> Slot:
    """A card of the highest rank that fits, then the lowest that does; NO_SLOT if none fits."""
    state = states[i]
    best, lowest = NO_SLOT, PAST_ALL
    for slot in each_slot(state["hand_size"]):
        card = state["hands"][owner, slot]
        if card < 0 or not state["playable"] >> card & 1:
            continue
        rank = HIGHEST_RANK_FIRST if rank_of(card) == state["ranks"] - 1 else rank_of(card)
        place = rank if source == PAPER else rank * MAX_RANKS + color_of(card)
        if place < lowest:
            best, lowest = slot, place
    return best


@kernel
def slot_to_discard(states: States, i: Lane, owner: Seat, source: Source) -> Slot:
    """A card that is played already, then one that is not needed, then the last resort."""
    state = states[i]
    if source == PAPER:
        slot = first_slot(slots_of(states, i, owner, state["played"]))
    else:
        slot = highest_slot(states, i, owner, state["played"], source)
    if slot == NO_SLOT:
        slot = highest_slot(states, i, owner, ~needed_copies(states, i, source), source)
    return last_resort(states, i, owner, source) if slot == NO_SLOT else slot


@kernel
def last_resort(states: States, i: Lane, owner: Seat, source: Source) -> Slot:
    """The card to discard if all are needed."""
    return Slot(max(last_slot(occupied_slots(states, i, owner)), 0)) if source == PROGRAM else Slot(0)


@kernel
def highest_slot(states: States, i: Lane, owner: Seat, kinds: Kinds, source: Source) -> Slot:
    """Of a hand's cards of these kinds the highest; NO_SLOT if there is none."""
    state = states[i]
    best, highest = NO_SLOT, -1
    for slot in each_slot(state["hand_size"]):
        card: Card = state["hands"][owner, slot]
        if card < 0 or not kinds >> card & 1:
            continue
        place = rank_of(card) if source == PAPER else rank_of(card) * MAX_RANKS + MAX_RANKS - color_of(card)
        if place > highest:
            best, highest = slot, place
    return best


@kernel
def needed_copies(states: States, i: Lane, source: Source) -> Kinds:
    """The kinds that must not be discarded: the last of their kind, or of which any copy is gone."""
    if source == PAPER:
        return last_copies(states, i)
    state = states[i]
    return (state["discard_low"] | state["discard_high"] | (state["copies_low"] & ~state["copies_high"])) & state[
        "kinds"
    ]
