"""InfoBot's messages for one receiver: a class of hints for each card whose colors, or ranks, no other one shares.

Where that gives more than four classes it is used; else the three or four messages of `hint_slots.py`, with the card of
which most colors and ranks are open as index card. A hint of a color or rank that no chosen card can have belongs to
some class too, in turn, since its own words may be useful.
"""

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents.hats.hint_slots import MORE, index_slot, message_by_touch, messages_to, most_telling
from kagiya.agents.hats.knowledge import color_bits, colors_in, kinds_left, public_set, ranks_in, set_among
from kagiya.agents.hats.receivers import Counts, count_all, count_before, count_to, split_message, with_count
from kagiya.cards import MAX_COLORS, Seat, Slots, each_offset, each_slot
from kagiya.engine.kernels import hint_receiver, legal_hints
from kagiya.engine.layout import Lane, Memory, Params, States
from kagiya.move_kernels import hint_move, hint_offset, hint_value
from kagiya.moves import MoveNumber

MOST_OTHERWISE = MORE  # classes that the usual code has at most
WIDTH = MAX_COLORS  # bits that hold a card's colors, or its ranks


@kernel
def disjoint_slots(states: States, i: Lane, seat: Seat, memory: Memory, receiver: Seat, by_rank: bool) -> Slots:
    """The most cards whose colors (ranks) differ from each other's.

    As in the original, a card that can be two kinds of one color (rank) is never one of several.
    """
    eligible, values_by_slot, alive = Slots(0), 0, kinds_left(states, i)
    for slot in each_slot(states[i]["hand_size"]):
        kinds = set_among(states, i, seat, memory, receiver, slot, alive)
        values = ranks_in(kinds) if by_rank else colors_in(kinds)
        eligible |= (kinds != 0 and popcount(values) == popcount(kinds)) << slot
        values_by_slot |= values << WIDTH * slot
    best, most = Slots(1), 1
    for number in range(3, eligible + 1):
        slots = Slots(number)
        if slots & ~eligible == 0 and popcount(slots) > most and are_disjoint(slots, values_by_slot):
            best, most = slots, popcount(slots)
    return best


@kernel
def are_disjoint(slots: Slots, values_by_slot: int) -> bool:
    """Whether no two of some slots share a value."""
    seen = 0
    while slots:
        values = values_by_slot >> WIDTH * lowest_bit(slots) & (1 << WIDTH) - 1
        if seen & values:
            return False
        seen |= values
        slots &= slots - 1
    return True


@kernel
def packed_classes(states: States, i: Lane, seat: Seat, memory: Memory, receiver: Seat) -> int:
    """How many classes of hints the chosen cards give; 0 where that is not more than the usual code has anyway."""
    if not may_be_packed(states, i, seat, memory, receiver):
        return 0
    colors = disjoint_slots(states, i, seat, memory, receiver, False)
    return popcount(colors) + popcount(disjoint_slots(states, i, seat, memory, receiver, True))


@kernel
def may_be_packed(states: States, i: Lane, seat: Seat, memory: Memory, receiver: Seat) -> bool:
    """Whether there are so many cards to choose that they might give more classes than the usual code has."""
    by_color, by_rank, alive = 0, 0, kinds_left(states, i)
    for slot in each_slot(states[i]["hand_size"]):
        kinds = set_among(states, i, seat, memory, receiver, slot, alive)
        if kinds:
            by_color += popcount(color_bits(kinds)) == popcount(kinds)
            by_rank += popcount(ranks_in(kinds)) == popcount(kinds)
    return max(by_color, 1) + max(by_rank, 1) > MOST_OTHERWISE


@kernel
def class_of_value(states: States, i: Lane, seat: Seat, memory: Memory, receiver: Seat, value: int) -> int:
    """The class of a hint that names this value: slot by slot, colors before ranks."""
    colors = disjoint_slots(states, i, seat, memory, receiver, False)
    ranks = disjoint_slots(states, i, seat, memory, receiver, True)
    number, taken, found = 0, (1 << MAX_COLORS) - (1 << states[i]["colors"]), -1
    for slot in each_slot(states[i]["hand_size"]):
        kinds = public_set(states, i, seat, memory, receiver, slot)
        for chosen, values in ((colors, colors_in(kinds)), (ranks, ranks_in(kinds) << MAX_COLORS)):
            if chosen >> slot & 1:
                taken |= values
                found = number if values >> value & 1 else found
                number += 1
    return found if found >= 0 else popcount(~taken & ((1 << value) - 1)) % number


@kernel
def classes_to(states: States, i: Lane, seat: Seat, memory: Memory, receiver: Seat) -> int:
    """How many messages a hint to this receiver has."""
    packed = packed_classes(states, i, seat, memory, receiver)
    return packed if packed > MOST_OTHERWISE else messages_to(states, i, seat, memory, receiver)


@kernel
def class_counts(states: States, i: Lane, seat: Seat, memory: Memory, giver: Seat) -> Counts:
    """How many messages a hint of the giver's to each receiver has."""
    counts, players = Counts(0), states[i]["players"]
    for offset in each_offset(1, players):
        counts = with_count(counts, offset, classes_to(states, i, seat, memory, (giver + offset) % players))
    return counts


@kernel
def count_classes(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, giver: Seat) -> int:
    """How many messages a hint of the giver's has: the modulus of the hats."""
    return count_all(class_counts(states, i, seat, memory, giver))


@kernel
def class_of_hint(states: States, i: Lane, seat: Seat, memory: Memory, move: MoveNumber, classes: int) -> int:
    """Which of its receiver's messages a hint carries, if there are so many classes of them."""
    receiver = hint_receiver(states, i, move)
    if classes > MOST_OTHERWISE:
        return class_of_value(states, i, seat, memory, receiver, hint_value(move))
    return message_by_touch(states, i, move, index_slot(states, i, seat, memory, receiver, True), classes)


@kernel
def message_of_class(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> int:
    """The message that a hint carries."""
    counts, offset = class_counts(states, i, seat, memory, states[i]["seat"]), hint_offset(move)
    return count_before(counts, offset) + class_of_hint(states, i, seat, memory, move, count_to(counts, offset))


@kernel
def hint_of_class(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, message: int) -> MoveNumber:
    """The hint that carries this message, the one that says most of its own; NO_MOVE if the hand allows none."""
    counts = class_counts(states, i, seat, memory, seat)
    offset, left = split_message(counts, message)
    carrying, values = 0, legal_hints(states, i, (seat + offset) % states[i]["players"])
    while values:
        value = lowest_bit(values)
        move = hint_move(offset, value)
        if class_of_hint(states, i, seat, memory, move, count_to(counts, offset)) == left:
            carrying |= 1 << value
        values &= values - 1
    return most_telling(states, i, seat, memory, offset, carrying)
