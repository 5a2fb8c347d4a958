"""What the whole table knows of each card, as a set of kinds: every seat keeps the same copy (HolmesBot, SmartBot).

A set of no kinds stands for a card just drawn, and for one whose partner did not keep to the conventions, so
that what was concluded contradicts itself. Both are what the hints say literally.
"""

from kagiya._jit import kernel
from kagiya.agents._convention_kernels import SETS, SETTLED, card_word
from kagiya.cards import Kinds, Seat, Slot, each_seat, each_slot
from kagiya.engine.kernels import hint_kinds, hint_receiver, touched_slots
from kagiya.engine.layout import Lane, Memory, States
from kagiya.kinds import is_single
from kagiya.moves import MoveNumber
from kagiya.planes import remove_bit
from kagiya.rules import MAX_HAND
from kagiya.view.kernels import public_planes


@kernel
def get_kinds(memory: Memory, i: Lane, seat: Seat, owner: Seat, slot: Slot) -> Kinds:
    """The kinds that a card can be by what the whole table knows."""
    return memory[i, seat, card_word(SETS, owner, slot)]


@kernel
def put_kinds(memory: Memory, i: Lane, seat: Seat, owner: Seat, slot: Slot, kinds: Kinds) -> None:
    """From now on a card can be these kinds."""
    memory[i, seat, card_word(SETS, owner, slot)] = kinds


@kernel
def narrow(memory: Memory, i: Lane, seat: Seat, owner: Seat, slot: Slot, kinds: Kinds) -> None:
    """From now on a card is one of these kinds as well as of those known before."""
    memory[i, seat, card_word(SETS, owner, slot)] &= kinds


@kernel
def narrow_by_hint(states: States, i: Lane, seat: Seat, memory: Memory, move: MoveNumber) -> None:
    """What a hint says literally: touched cards are of the kinds named, the others are not."""
    receiver, touched = hint_receiver(states, i, move), touched_slots(states, i, move)
    kinds = hint_kinds(states, i, move)
    for slot in each_slot(states[i]["hand_size"]):
        narrow(memory, i, seat, receiver, slot, kinds if touched >> slot & 1 else ~kinds)


@kernel
def settle_sets(states: States, i: Lane, seat: Seat, memory: Memory) -> None:
    """Before a turn, once: from cards not known strike kinds whose copies are all gone or known, until none is left."""
    state = states[i]
    if memory[i, seat, SETTLED] == state["turn"] + 1:
        return
    memory[i, seat, SETTLED] = state["turn"] + 1
    low, high = public_planes(states, i)
    doubtful = Kinds(0)
    for owner in each_seat(state["players"]):
        for slot in each_slot(state["hand_size"]):
            kinds = get_kinds(memory, i, seat, owner, slot)
            if kinds == 0:
                kinds = state["possible"][owner, slot]
                put_kinds(memory, i, seat, owner, slot, kinds)
            if not is_single(kinds):
                doubtful |= kinds
            elif kinds & (low | high):
                low, high = remove_bit(low, high, kinds)
    accounted = state["kinds"] & ~(low | high)
    while doubtful & accounted:
        doubtful = Kinds(0)
        for word in range(SETS, SETS + state["players"] * MAX_HAND):
            kinds = Kinds(memory[i, seat, word])
            left = kinds & ~accounted
            if is_single(kinds) or left == 0:
                continue
            memory[i, seat, word] = left
            if not is_single(left):
                doubtful |= left
            elif left & (low | high):
                low, high = remove_bit(low, high, left)
        accounted = state["kinds"] & ~(low | high)
