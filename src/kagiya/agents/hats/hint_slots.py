"""Three or four messages for each receiver, all of them legal hints: rank or color, touching its index card or not.

Everybody can tell how many there are: four if it is known that no single color and no single rank is all that the hand
has, so that a hint of either sort can miss the index card; else three, where any hint that misses it is one message.
"""

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents.hats.channel import values_past
from kagiya.agents.hats.knowledge import color_bits, kinds_left, ranks_in, set_among
from kagiya.agents.hats.receivers import Counts, count_all, count_before, count_to, split_message, with_count
from kagiya.cards import MAX_COLORS, MAX_RANKS, Kinds, Offset, Seat, Slot, each_offset, each_slot
from kagiya.engine.kernels import hint_receiver, touched_slots
from kagiya.engine.layout import Lane, Memory, Params, States
from kagiya.kinds import RANK_KINDS, is_single, within
from kagiya.move_kernels import hint_color_of, hint_move, hint_offset, hint_rank_of, is_color_hint, value_kinds
from kagiya.moves import NO_MOVE, MoveNumber
from kagiya.planes import count_matching
from kagiya.view.kernels import public_planes

TOUCHING_RANK, TOUCHING_COLOR, MISSING_RANK, MISSING_COLOR = range(4)
FEWER, MORE = 3, 4  # messages to a receiver; of the fewer the last stands for both that miss
ALL_COLORS, ALL_RANKS = (1 << MAX_COLORS) - 1, (1 << MAX_RANKS) - 1


@kernel
def messages_to(states: States, i: Lane, seat: Seat, memory: Memory, receiver: Seat) -> int:
    """How many messages a hint to this receiver has, by what everybody knows of its hand."""
    colors, ranks, alive = RANK_KINDS, ALL_RANKS, kinds_left(states, i)
    for slot in each_slot(states[i]["hand_size"]):
        kinds = set_among(states, i, seat, memory, receiver, slot, alive)
        if kinds:
            colors &= color_bits(kinds)
            ranks &= ranks_in(kinds)
    return FEWER if colors or ranks else MORE


@kernel
def slot_counts(states: States, i: Lane, seat: Seat, memory: Memory, giver: Seat) -> Counts:
    """How many messages a hint of the giver's to each receiver has."""
    counts, players = Counts(0), states[i]["players"]
    for offset in each_offset(1, players):
        counts = with_count(counts, offset, messages_to(states, i, seat, memory, (giver + offset) % players))
    return counts


@kernel
def count_messages(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, giver: Seat) -> int:
    """How many messages a hint of the giver's has: the modulus of the hats."""
    return count_all(slot_counts(states, i, seat, memory, giver))


@kernel
def index_slot(states: States, i: Lane, seat: Seat, memory: Memory, receiver: Seat, counts_all: bool) -> Slot:
    """The card that a hint touches or not: the one of which most is unknown, ties to the first slot.

    Unknown are its color and its rank; or, as InfoBot judges, all colors and all ranks that are possible count.
    """
    best, highest, alive = Slot(0), -1, kinds_left(states, i)
    for slot in each_slot(states[i]["hand_size"]):
        kinds = set_among(states, i, seat, memory, receiver, slot, alive)
        if kinds == 0:
            continue
        unknown = 0
        if not is_single(kinds) and not within(kinds, states[i]["useless"]):
            colors, ranks = color_bits(kinds), ranks_in(kinds)
            unknown = 1 + (colors & (colors - 1) != 0) + (ranks & (ranks - 1) != 0)
            if counts_all:
                unknown = popcount(colors) + popcount(ranks)
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
def message_of_hint(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> int:
    """The message that a hint carries."""
    offset, receiver = hint_offset(move), hint_receiver(states, i, move)
    counts = slot_counts(states, i, seat, memory, states[i]["seat"])
    index = index_slot(states, i, seat, memory, receiver, False)
    return count_before(counts, offset) + message_by_touch(states, i, move, index, count_to(counts, offset))


@kernel
def hint_with_message(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, message: int) -> MoveNumber:
    """The hint that carries this message, the one that says most of its own; NO_MOVE if the hand allows none."""
    counts = slot_counts(states, i, seat, memory, states[i]["seat"])
    offset, left = split_message(counts, message)
    return hint_by_touch(states, i, seat, memory, offset, left, count_to(counts, offset))


@kernel
def hint_by_touch(
    states: States, i: Lane, seat: Seat, memory: Memory, offset: Offset, message: int, messages: int
) -> MoveNumber:
    """The inverse of `message_by_touch`: the hint to this receiver that carries one of so many messages, or NO_MOVE."""
    state = states[i]
    receiver = (state["seat"] + offset) % state["players"]
    card = state["hands"][receiver, index_slot(states, i, seat, memory, receiver, False)]
    if card < 0:
        return NO_MOVE
    if message == TOUCHING_RANK:
        return hint_rank_of(offset, card)
    if message == TOUCHING_COLOR:
        return hint_color_of(offset, card)
    values = values_past(states, i, receiver, card)
    if messages == MORE:
        values &= ALL_COLORS if message == MISSING_COLOR else ALL_RANKS << MAX_COLORS
    return most_telling(states, i, seat, memory, offset, values)


@kernel
def most_telling(states: States, i: Lane, seat: Seat, memory: Memory, offset: Offset, values: int) -> MoveNumber:
    """The hint of one of these colors and ranks whose own words narrow the hand most; NO_MOVE if there are none."""
    receiver = (states[i]["seat"] + offset) % states[i]["players"]
    best, highest = NO_MOVE, -1.0
    while values:
        value = lowest_bit(values)
        gain = literal_gain(states, i, seat, memory, receiver, value_kinds(value))
        if gain > highest:
            best, highest = hint_move(offset, value), gain
        values &= values - 1
    return best


@kernel
def literal_gain(states: States, i: Lane, seat: Seat, memory: Memory, receiver: Seat, named: Kinds) -> float:
    """By what factor naming these kinds narrows the cards that are neither known nor useless, settled ones twice."""
    state = states[i]
    low, high = public_planes(states, i)
    gain = 1.0
    for slot in each_slot(state["hand_size"]):
        kinds = set_among(states, i, seat, memory, receiver, slot, low | high)
        if is_single(kinds) or within(kinds, state["useless"]):
            continue
        after = kinds & (named if named >> state["hands"][receiver, slot] & 1 else ~named)
        gain *= count_matching(low, high, kinds) / max(count_matching(low, high, after), 1)
        if is_single(after) or within(after, state["useless"]):
            gain *= 2.0
    return gain
