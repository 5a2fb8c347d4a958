"""What the player to move can tell of its own cards, all of them considered together, and what that makes of them.

As in a simulated game one seat's copy of the public table serves all seats, `seat` here is the row of memory, and whose
hand it is the state says: that of the player to move.
"""

from kagiya._jit import kernel
from kagiya.agents.hanabirs_cheat import has_time
from kagiya.agents.hats.judgement import expected_value, kinds_from_rank
from kagiya.agents.hats.knowledge import held_by_others, set_among, share
from kagiya.agents.hats.questions import QUESTION_WORDS
from kagiya.cards import MAX_RANKS, Kinds, Rank, Seat, Slot, Slots, each_slot
from kagiya.engine.layout import Lane, Memory, States
from kagiya.kinds import is_single, within
from kagiya.move_kernels import NO_SLOT
from kagiya.planes import remove_bit
from kagiya.rules import MAX_HAND
from kagiya.view.kernels import critical_kinds, unseen_planes

# Words of a seat's memory: the kinds of each card of the player to move, and the planes of the cards that those not
# identified can be.
OWN = QUESTION_WORDS
OWN_LOW = OWN + MAX_HAND
OWN_HIGH = OWN_LOW + 1
OWN_WORDS = OWN_HIGH + 1

RISK = 0.65  # a card that either fits or is useless is played if it fits with more than this chance
DUPLICATE, DISPENSABLE = 20.0, 60.0  # what a card's being held elsewhere, or not the last one, counts against its rank


@kernel
def study_hand(states: States, i: Lane, seat: Seat, memory: Memory) -> None:
    """Find the kinds that each card of the player to move can be: an identified one leaves a copy fewer to the rest."""
    mover: Seat = states[i]["seat"]
    low, high = unseen_planes(states, i, mover, mover)
    alive, unidentified = low | high, Slots(0)
    for slot in each_slot(states[i]["hand_size"]):
        memory[i, seat, OWN + slot] = set_among(states, i, seat, memory, mover, slot, alive)
        unidentified |= (memory[i, seat, OWN + slot] != 0) << slot
    before = Slots(0)
    while unidentified != before:
        before = unidentified
        for slot in each_slot(states[i]["hand_size"]):
            if unidentified >> slot & 1:
                kinds = memory[i, seat, OWN + slot]
                kinds = kinds & (low | high) if kinds & (low | high) else kinds
                memory[i, seat, OWN + slot] = kinds
                if is_single(kinds):
                    unidentified &= ~(1 << slot)
                    low, high = remove_bit(low, high, kinds) if kinds & (low | high) else (low, high)
    memory[i, seat, OWN_LOW], memory[i, seat, OWN_HIGH] = low, high


@kernel
def chance(memory: Memory, i: Lane, seat: Seat, slot: Slot, wanted: Kinds) -> float:
    """The chance that a card of the hand studied is one of the kinds wanted."""
    kinds = memory[i, seat, OWN + slot]
    if is_single(kinds):
        return 1.0 if kinds & wanted else 0.0
    return share(memory[i, seat, OWN_LOW], memory[i, seat, OWN_HIGH], kinds, wanted)


@kernel
def best_sure_play(states: States, i: Lane, seat: Seat, memory: Memory) -> Slot:
    """Of the cards that must fit the most valuable, ties to the first slot; NO_SLOT if there is none."""
    best, highest = NO_SLOT, -1.0
    for slot in each_slot(states[i]["hand_size"]):
        kinds = memory[i, seat, OWN + slot]
        if within(kinds, states[i]["playable"]):
            value = expected_value(states, i, states[i]["seat"], kinds)
            if value > highest:
                best, highest = slot, value
    return best


@kernel
def best_risk(states: States, i: Lane, seat: Seat, memory: Memory) -> Slot:
    """A card that either fits, probably, or is useless; NO_SLOT if there is none, or no life or time to spare."""
    state = states[i]
    best, highest = NO_SLOT, RISK
    if state["lives"] < 2 or not has_time(states, i):
        return best
    for slot in each_slot(state["hand_size"]):
        if within(memory[i, seat, OWN + slot], state["playable"] | state["useless"]):
            fits = chance(memory, i, seat, slot, state["playable"])
            if fits > highest:
                best, highest = slot, fits
    return best


@kernel
def worthless_slots(states: States, i: Lane, seat: Seat, memory: Memory) -> Slots:
    """The cards that must be useless, and those identified as the same useful card as another one."""
    slots = Slots(0)
    for slot in each_slot(states[i]["hand_size"]):
        kinds = memory[i, seat, OWN + slot]
        if within(kinds, states[i]["useless"]):
            slots |= 1 << slot
        elif kinds != 0 and is_single(kinds):
            for earlier in each_slot(slot):
                if memory[i, seat, OWN + earlier] == kinds:
                    slots |= 1 << earlier | 1 << slot
                    break
    return slots


@kernel
def best_discard(states: States, i: Lane, seat: Seat, memory: Memory) -> Slot:
    """The card that most likely is not the last of its kind, or held elsewhere too, or high; NO_SLOT without cards."""
    state = states[i]
    elsewhere, dispensable = held_by_others(states, i, state["seat"]), ~critical_kinds(states, i)
    best, highest = NO_SLOT, -1.0
    for slot in each_slot(state["hand_size"]):
        if memory[i, seat, OWN + slot] == 0:
            continue
        value = DUPLICATE * chance(memory, i, seat, slot, elsewhere)
        value += DISPENSABLE * chance(memory, i, seat, slot, dispensable)
        for rank in range(1, MAX_RANKS):
            value += chance(memory, i, seat, slot, kinds_from_rank(Rank(rank)))
        if value > highest:
            best, highest = slot, value
    return best


@kernel
def may_be_last_copy(states: States, i: Lane, seat: Seat, memory: Memory, slot: Slot) -> bool:
    """Whether a card may be needed and the last of its kind."""
    return memory[i, seat, OWN + slot] & critical_kinds(states, i) != 0
