"""What Osawa's strategies share, and how self-recognition weighs the hands that its player may hold.

A hand is kept if the partner, playing the outer strategy, may have given the hint that it gave. All kept hands
are counted through masks: a case says which slot is the first that fits, so that each slot has a set of kinds
of its own, and `deals_through` counts the hands of different cards that those sets allow.
"""

from kagiya._jit import kernel, lowest_bit
from kagiya.agents.tactics.hints import count_receivers, missing_hint
from kagiya.agents.tactics.modes import FRAMEWORK, NAMED
from kagiya.agents.tactics.slots import known_slots, occupied_slots, slots_of
from kagiya.agents.tactics.tell_random import coin_hint
from kagiya.cards import MAX_KINDS, Kinds, Seat, Slots, each_offset, each_slot
from kagiya.dice import Streams
from kagiya.engine.kernels import hint_kinds, told_part, touched_slots
from kagiya.engine.layout import TOLD_BOTH, TOLD_COLOR, TOLD_RANK, Lane, Memory, States
from kagiya.moves import NO_MOVE, MoveNumber
from kagiya.rules import MAX_HAND
from kagiya.view.kernels import DEAL_TABLE, NOTHING, SUBSETS, DealTable, deals_through, unseen_planes

GUESSES = 1  # first of a word for each slot: the kinds the card is taken to be one of, 0 for no guess
TABLE = GUESSES + MAX_HAND  # room for `deals_through`
TALLY = TABLE + DEAL_TABLE  # for each slot and kind, the weight of the hands kept
MEMORY_WORDS = TALLY + MAX_HAND * MAX_KINDS

SURE, BY_COIN = 2, 1  # weights of a hint that the strategy gives, and of one that it gives every other time


@kernel
def tell_playable(states: States, i: Lane, seat: Seat, rng: Streams) -> MoveNumber:
    """The first card that fits and is not told in full, in turn order: what is missing, by a coin if it is both."""
    state = states[i]
    for offset in each_offset(1, count_receivers(states, i, FRAMEWORK) + 1):
        receiver = (seat + offset) % state["players"]
        colors, ranks = known_slots(states, i, receiver, NAMED)
        found = slots_of(states, i, receiver, state["playable"]) & ~(colors & ranks)
        if found:
            slot = lowest_bit(found)
            card = state["hands"][receiver, slot]
            if (colors | ranks) >> slot & 1:
                return missing_hint(offset, card, colors >> slot & 1, ranks >> slot & 1, NAMED)
            return coin_hint(i, offset, card, seat, rng)
    return NO_MOVE


@kernel
def hint_weight(states: States, i: Lane, seat: Seat, move: MoveNumber, first: int) -> int:
    """How readily the partner gives this hint if the slot `first` is the first that fits and is not told in full.

    With no such slot (`first` is the hand size) it names what is missing of the first card not told in full, the
    rank before the color.
    """
    state = states[i]
    touched, part = touched_slots(states, i, move), told_part(move)
    if first < state["hand_size"]:
        told = state["told"][seat, first]
        if not touched >> first & 1 or told & part:
            return 0
        return SURE if told else BY_COIN
    for slot in each_slot(state["hand_size"]):
        told = state["told"][seat, slot]
        if occupied_slots(states, i, seat) >> slot & 1 and told != TOLD_BOTH:
            expected = TOLD_COLOR if told & TOLD_RANK else TOLD_RANK
            return SURE if touched >> slot & 1 and expected == part else 0
    return 0


@kernel
def write_case(states: States, i: Lane, seat: Seat, move: MoveNumber, first: int, table: DealTable) -> None:
    """Write to the table's sets of one what each slot may be after the hint, if `first` is the first slot that fits."""
    state = states[i]
    touched, named = touched_slots(states, i, move), hint_kinds(states, i, move)
    for slot in each_slot(state["hand_size"]):
        kinds = state["possible"][seat, slot] & (named if touched >> slot & 1 else state["kinds"] & ~named)
        if slot < first and state["told"][seat, slot] != TOLD_BOTH:
            kinds &= ~state["playable"]
        elif slot == first:
            kinds &= state["playable"]
        table[1 << slot] = kinds


@kernel
def count_hands(kinds: Kinds, occupied: Slots, unseen: Kinds, table: DealTable) -> int:
    """Complete the table from its sets of one: the kinds common to each set of slots, and the hands for them."""
    table[0], table[SUBSETS] = kinds, 1
    for number in range(1, occupied + 1):
        subset = Slots(number)
        if subset & ~occupied:
            continue
        table[subset] = table[subset & (subset - 1)] & table[subset & -subset]
        table[SUBSETS + subset] = deals_through(unseen, NOTHING, subset, lowest_bit(subset), kinds, table)
    return table[SUBSETS + occupied]


@kernel
def tally_hands(states: States, i: Lane, seat: Seat, memory: Memory, move: MoveNumber) -> None:
    """Add up, for each slot and kind, the weight of the hands under which the partner may have given this hint."""
    state = states[i]
    table, tally = memory[i, seat, TABLE:TALLY], memory[i, seat, TALLY:MEMORY_WORDS]
    occupied = occupied_slots(states, i, seat)
    low, high = unseen_planes(states, i, seat, seat)
    for place in range(MAX_HAND * MAX_KINDS):
        tally[place] = 0
    for first in range(state["hand_size"] + 1):
        weight = hint_weight(states, i, seat, move, first)
        if weight == 0:
            continue
        write_case(states, i, seat, move, first, table)
        if count_hands(state["kinds"], occupied, low | high, table) == 0:
            continue
        for slot in each_slot(state["hand_size"]):
            kinds = table[1 << slot] if occupied >> slot & 1 else 0
            while kinds:
                kind = lowest_bit(kinds)
                kinds &= kinds - 1
                ways = deals_through(low | high, NOTHING, occupied, slot, 1 << kind, table)
                tally[slot * MAX_KINDS + kind] += weight * ways


@kernel
def guess_hand(states: States, i: Lane, seat: Seat, memory: Memory, ratio: float) -> None:
    """Take each card for one of the kinds that the kept hands leave, or for the one that outweighs all others."""
    for slot in each_slot(states[i]["hand_size"]):
        left, most, second, likely = 0, 0, 0, 0
        for kind in range(MAX_KINDS):
            weight = memory[i, seat, TALLY + slot * MAX_KINDS + kind]
            left |= (weight > 0) << kind
            if weight > most:
                second, most, likely = most, weight, 1 << kind
            elif weight > second:
                second = weight
        memory[i, seat, GUESSES + slot] = likely if most > ratio * second else left


@kernel
def forget_guesses(memory: Memory, i: Lane, seat: Seat) -> None:
    """Nothing is guessed any more."""
    for word in range(GUESSES, GUESSES + MAX_HAND):
        memory[i, seat, word] = 0


@kernel
def guessed_slots(states: States, i: Lane, seat: Seat, memory: Memory, kinds: Kinds) -> Slots:
    """The own slots that, by what is guessed of them, can only be one of `kinds`, as a mask."""
    state = states[i]
    low, high = unseen_planes(states, i, seat, seat)
    slots = Slots(0)
    for slot in each_slot(state["hand_size"]):
        guess = memory[i, seat, GUESSES + slot] & state["possible"][seat, slot] & (low | high)
        slots |= (guess != 0 and guess & ~kinds == 0) << slot
    return slots
