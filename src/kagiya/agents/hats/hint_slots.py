"""Three or four messages for each receiver, all of them legal hints: rank or color, touching its index card or not.

Everybody can tell how many there are: four if it is known that no single color and no single rank is all that the hand
has, so that a hint of either sort can miss the index card; else three, where any hint that misses it is one message.
"""

from kagiya._jit import kernel, lowest_bit
from kagiya.agents.hats.channel import values_past
from kagiya.agents.hats.knowledge import colors_in, public_set, ranks_in
from kagiya.cards import MAX_COLORS, MAX_RANKS, Kinds, Offset, Seat, Slot, each_offset, each_seat, each_slot
from kagiya.engine.kernels import hint_receiver, touched_slots
from kagiya.engine.layout import Lane, Memory, States
from kagiya.kinds import is_single, within
from kagiya.move_kernels import hint_color_of, hint_move, hint_offset, hint_rank_of, is_color_hint, value_kinds
from kagiya.moves import NO_MOVE, MoveNumber
from kagiya.planes import count_matching
from kagiya.view.kernels import public_planes

TOUCHING_RANK, TOUCHING_COLOR, MISSING_RANK, MISSING_COLOR = range(4)
FEWER, MORE = 3, 4  # messages to a receiver; of the fewer the last stands for both that miss
ALL_COLORS, ALL_RANKS = (1 << MAX_COLORS) - 1, (1 << MAX_RANKS) - 1
NO_VALUE = -1


@kernel
def messages_to(states: States, i: Lane, seat: Seat, memory: Memory, receiver: Seat) -> int:
    """How many messages a hint to this receiver has, by what everybody knows of its hand."""
    colors, ranks = ALL_COLORS, ALL_RANKS
    for slot in each_slot(states[i]["hand_size"]):
        kinds = public_set(states, i, seat, memory, receiver, slot)
        if kinds:
            colors &= colors_in(kinds)
            ranks &= ranks_in(kinds)
    return FEWER if colors or ranks else MORE


@kernel
def count_messages(states: States, i: Lane, seat: Seat, memory: Memory, giver: Seat) -> int:
    """How many messages a hint of the giver's has: the modulus of the hats."""
    total = 0
    for receiver in each_seat(states[i]["players"]):
        if receiver != giver:
            total += messages_to(states, i, seat, memory, receiver)
    return total


@kernel
def index_slot(states: States, i: Lane, seat: Seat, memory: Memory, receiver: Seat) -> Slot:
    """The card that a hint touches or not: the one of which most is unknown, ties to the first slot."""
    best, highest = Slot(0), -1
    for slot in each_slot(states[i]["hand_size"]):
        kinds = public_set(states, i, seat, memory, receiver, slot)
        if kinds == 0:
            continue
        unknown = 0
        if not is_single(kinds) and not within(kinds, states[i]["useless"]):
            colors, ranks = colors_in(kinds), ranks_in(kinds)
            unknown = 1 + (colors & (colors - 1) != 0) + (ranks & (ranks - 1) != 0)
        if unknown > highest:
            best, highest = slot, unknown
    return best


@kernel
def message_by_touch(states: States, i: Lane, move: MoveNumber, index: Slot, messages: int) -> int:
    """Which of its receiver's messages a hint carries."""
    if touched_slots(states, i, move) >> index & 1:
        return TOUCHING_COLOR if is_color_hint(move) else TOUCHING_RANK
    return MISSING_COLOR if messages == MORE and is_color_hint(move) else MISSING_RANK


@kernel
def message_of_hint(states: States, i: Lane, seat: Seat, memory: Memory, move: MoveNumber) -> int:
    """The message that a hint carries: those of the receivers between giver and receiver come before."""
    state = states[i]
    receiver = hint_receiver(states, i, move)
    before = 0
    for offset in each_offset(1, hint_offset(move)):
        before += messages_to(states, i, seat, memory, (state["seat"] + offset) % state["players"])
    messages = messages_to(states, i, seat, memory, receiver)
    return before + message_by_touch(states, i, move, index_slot(states, i, seat, memory, receiver), messages)


@kernel
def hint_with_message(states: States, i: Lane, seat: Seat, memory: Memory, message: int) -> MoveNumber:
    """The hint that carries this message, the one that says most of its own; NO_MOVE if the hand allows none."""
    state = states[i]
    offset, left = Offset(1), message
    receiver = (seat + offset) % state["players"]
    messages = messages_to(states, i, seat, memory, receiver)
    while left >= messages:
        left -= messages
        offset = Offset(offset + 1)
        receiver = (seat + offset) % state["players"]
        messages = messages_to(states, i, seat, memory, receiver)
    card = state["hands"][receiver, index_slot(states, i, seat, memory, receiver)]
    if card < 0:
        return NO_MOVE
    if left == TOUCHING_RANK:
        return hint_rank_of(offset, card)
    if left == TOUCHING_COLOR:
        return hint_color_of(offset, card)
    values = values_past(states, i, receiver, card)
    if messages == MORE:
        values &= ALL_COLORS if left == MISSING_COLOR else ALL_RANKS << MAX_COLORS
    value = most_telling(states, i, seat, memory, receiver, values)
    return NO_MOVE if value == NO_VALUE else hint_move(offset, value)


@kernel
def most_telling(states: States, i: Lane, seat: Seat, memory: Memory, receiver: Seat, values: int) -> int:
    """Of some colors and ranks to name, the one whose own words narrow the hand most; NO_VALUE if there are none."""
    best, highest = NO_VALUE, -1.0
    while values:
        value = lowest_bit(values)
        gain = literal_gain(states, i, seat, memory, receiver, value_kinds(value))
        if gain > highest:
            best, highest = value, gain
        values &= values - 1
    return best


@kernel
def literal_gain(states: States, i: Lane, seat: Seat, memory: Memory, receiver: Seat, named: Kinds) -> float:
    """By what factor naming these kinds narrows the cards that are neither known nor useless, settled ones twice."""
    state = states[i]
    low, high = public_planes(states, i)
    gain = 1.0
    for slot in each_slot(state["hand_size"]):
        kinds = public_set(states, i, seat, memory, receiver, slot)
        if is_single(kinds) or within(kinds, state["useless"]):
            continue
        after = kinds & (named if named >> state["hands"][receiver, slot] & 1 else ~named)
        gain *= count_matching(low, high, kinds) / max(count_matching(low, high, after), 1)
        if is_single(after) or within(after, state["useless"]):
            gain *= 2.0
    return gain
