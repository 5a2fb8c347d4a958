"""InfoBot's messages for one receiver: a class of hints for each card whose colors, or ranks, no other one shares.

Where that gives more than four classes it is used; else the three or four messages of `hint_slots.py`, with the card of
which most colors and ranks are open as index card. A hint of a color or rank that no chosen card can have belongs to
some class too, in turn, since its own words may be useful.
"""

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents.hats.hint_slots import MORE, NO_VALUE, message_by_touch, messages_to, most_telling
from kagiya.agents.hats.knowledge import colors_in, public_set, ranks_in
from kagiya.cards import MAX_COLORS, Offset, Seat, Slot, Slots, each_offset, each_seat, each_slot
from kagiya.engine.kernels import hint_receiver, legal_hints
from kagiya.engine.layout import Lane, Memory, States
from kagiya.kinds import is_single, within
from kagiya.move_kernels import hint_move, hint_offset, hint_value
from kagiya.moves import NO_MOVE, MoveNumber

MOST_OTHERWISE = MORE  # classes that the usual code has at most
WIDTH = MAX_COLORS  # bits that hold a card's colors, or its ranks


@kernel
def disjoint_slots(states: States, i: Lane, seat: Seat, memory: Memory, receiver: Seat, by_rank: bool) -> Slots:
    """The most cards whose colors (ranks) differ from each other's.

    As in the original, a card that can be two kinds of one color (rank) is never one of several.
    """
    eligible, values_by_slot = Slots(0), 0
    for slot in each_slot(states[i]["hand_size"]):
        kinds = public_set(states, i, seat, memory, receiver, slot)
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
    """How many classes of hints the chosen cards give."""
    colors = disjoint_slots(states, i, seat, memory, receiver, False)
    return popcount(colors) + popcount(disjoint_slots(states, i, seat, memory, receiver, True))


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
def count_classes(states: States, i: Lane, seat: Seat, memory: Memory, giver: Seat) -> int:
    """How many messages a hint of the giver's has: the modulus of the hats."""
    total = 0
    for receiver in each_seat(states[i]["players"]):
        if receiver != giver:
            total += classes_to(states, i, seat, memory, receiver)
    return total


@kernel
def open_slot(states: States, i: Lane, seat: Seat, memory: Memory, receiver: Seat) -> Slot:
    """The card with most colors and ranks open, ties to the first slot."""
    best, highest = Slot(0), -1
    for slot in each_slot(states[i]["hand_size"]):
        kinds = public_set(states, i, seat, memory, receiver, slot)
        if kinds == 0:
            continue
        count = 0
        if not is_single(kinds) and not within(kinds, states[i]["useless"]):
            count = popcount(colors_in(kinds)) + popcount(ranks_in(kinds))
        if count > highest:
            best, highest = slot, count
    return best


@kernel
def class_of_hint(states: States, i: Lane, seat: Seat, memory: Memory, move: MoveNumber) -> int:
    """Which of its receiver's messages a hint carries."""
    receiver = hint_receiver(states, i, move)
    if packed_classes(states, i, seat, memory, receiver) > MOST_OTHERWISE:
        return class_of_value(states, i, seat, memory, receiver, hint_value(move))
    messages = messages_to(states, i, seat, memory, receiver)
    return message_by_touch(states, i, move, open_slot(states, i, seat, memory, receiver), messages)


@kernel
def message_of_class(states: States, i: Lane, seat: Seat, memory: Memory, move: MoveNumber) -> int:
    """The message that a hint carries: those of the receivers between giver and receiver come before."""
    state = states[i]
    before = 0
    for offset in each_offset(1, hint_offset(move)):
        before += classes_to(states, i, seat, memory, (state["seat"] + offset) % state["players"])
    return before + class_of_hint(states, i, seat, memory, move)


@kernel
def hint_of_class(states: States, i: Lane, seat: Seat, memory: Memory, message: int) -> MoveNumber:
    """The hint that carries this message, the one that says most of its own; NO_MOVE if the hand allows none."""
    state = states[i]
    offset, left = Offset(1), message
    receiver = (seat + offset) % state["players"]
    classes = classes_to(states, i, seat, memory, receiver)
    while left >= classes:
        left -= classes
        offset = Offset(offset + 1)
        receiver = (seat + offset) % state["players"]
        classes = classes_to(states, i, seat, memory, receiver)
    values = legal_hints(states, i, receiver)
    carrying, rest = 0, values
    while rest:
        value = lowest_bit(rest)
        if class_of_hint(states, i, seat, memory, hint_move(offset, value)) == left:
            carrying |= 1 << value
        rest &= rest - 1
    value = most_telling(states, i, seat, memory, receiver, carrying)
    return NO_MOVE if value == NO_VALUE else hint_move(offset, value)
