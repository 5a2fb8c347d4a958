"""Recommendations: the number of a hand is what its holder should do, play a slot or discard one.

PAPER is Cox et al.'s list as other programs quote it: a five that fits, then the lowest card that fits, are to be
played; a card that is played already, then the highest that is not the last of its kind, are to be discarded; else the
first.
PROGRAM is what the authors' own simulator does: ties go to the earlier color, of cards played already the highest goes,
a card counts as the last of its kind as soon as any copy is discarded, and the last resort is the newest card.
"""

from typing import NewType

from kagiya._jit import kernel, lowest_bit
from kagiya.agents.hats.knowledge import held_kinds, ranks_in
from kagiya.agents.tactics.discard import last_copies
from kagiya.agents.tactics.slots import first_slot, last_slot, occupied_slots, slots_of
from kagiya.cards import Kinds, Seat, Slot
from kagiya.engine.layout import Lane, States
from kagiya.kinds import rank_kinds
from kagiya.move_kernels import NO_SLOT

Source = NewType("Source", int)

PAPER, PROGRAM = Source(0), Source(1)


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
    fitting = held_kinds(states, i, owner) & states[i]["playable"]
    if fitting == 0:
        return NO_SLOT
    last_cards = fitting & rank_kinds(states[i]["ranks"] - 1)
    return slot_of_best(states, i, owner, last_cards if last_cards else lowest_ranked(fitting), source)


@kernel
def slot_of_best(states: States, i: Lane, owner: Seat, kinds: Kinds, source: Source) -> Slot:
    """The first card of one of these kinds, all of one rank; in the program the earliest color goes first."""
    return first_slot(slots_of(states, i, owner, kinds if source == PAPER else kinds & -kinds))


@kernel
def lowest_ranked(kinds: Kinds) -> Kinds:
    """Those of some kinds that have the lowest rank; there must be some."""
    return kinds & rank_kinds(lowest_bit(ranks_in(kinds)))


@kernel
def highest_ranked(kinds: Kinds) -> Kinds:
    """Those of some kinds that have the highest rank; there must be some."""
    ranks = ranks_in(kinds)
    below = ranks >> 1 | ranks >> 2 | ranks >> 3 | ranks >> 4
    return kinds & rank_kinds(lowest_bit(ranks & ~below))


@kernel
def slot_to_discard(states: States, i: Lane, owner: Seat, source: Source) -> Slot:
    """A card that is played already, then one that is not needed, then the last resort."""
    state = states[i]
    if held_kinds(states, i, owner) & state["played"]:
        if source == PAPER:
            return first_slot(slots_of(states, i, owner, state["played"]))
        return highest_slot(states, i, owner, state["played"], source)
    slot = highest_slot(states, i, owner, ~needed_copies(states, i, source), source)
    return last_resort(states, i, owner, source) if slot == NO_SLOT else slot


@kernel
def last_resort(states: States, i: Lane, owner: Seat, source: Source) -> Slot:
    """The card to discard if all are needed."""
    return Slot(max(last_slot(occupied_slots(states, i, owner)), 0)) if source == PROGRAM else Slot(0)


@kernel
def highest_slot(states: States, i: Lane, owner: Seat, kinds: Kinds, source: Source) -> Slot:
    """Of a hand's cards of these kinds the highest; NO_SLOT if there is none."""
    chosen = held_kinds(states, i, owner) & kinds
    return slot_of_best(states, i, owner, highest_ranked(chosen), source) if chosen else NO_SLOT


@kernel
def needed_copies(states: States, i: Lane, source: Source) -> Kinds:
    """The kinds that must not be discarded: the last of their kind, or of which any copy is gone."""
    if source == PAPER:
        return last_copies(states, i)
    state = states[i]
    return (state["discard_low"] | state["discard_high"] | (state["copies_low"] & ~state["copies_high"])) & state[
        "kinds"
    ]
