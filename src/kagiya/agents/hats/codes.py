"""Codes for hat players: how many messages a hint can carry, the hint for a message, and the message of a hint.

Which messages exist must be known to everybody, the receiver who does not see its hand included. The codes:

- ANY_HINT, where empty hints are legal: receiver and value, (colors + ranks) * (players - 1) messages;
- KIND: receiver, and rank or color; the value named is that of the receiver's first card, so it is always legal;
- TOUCH: receiver, and one of three: the first card's rank, its color, or a hint that does not touch the first card.
  Only a hand of identical cards has no hint of the third class;
- three or four messages for each receiver, all of them legal hints (`messages_to`): rank or color, touching its index
  card or not. Four if it is known that no single color and no single rank is all that the hand has, so that a hint of
  either sort can miss the index card; else three, where any hint that misses it is one message;
- InfoBot's (`classes_to`): a class of hints for each card whose colors, or ranks, no other one shares. Where that
  gives no more than four classes, the code before this one, with the card of which most colors and ranks are open as
  index card. A hint of a color or rank that no chosen card can have belongs to some class too, in turn, since its own
  words may be useful;
- four messages for each receiver (`count_four`), though the hand may be all of one color or of one rank: it hardly ever
  is, and then a hint that would carry the message does not exist. With a single life that could be the end, so the code
  is then the one with three or four.

In the last three the messages of the next seat come first, and so on. Where receivers differ, how many each has is one
word with a byte for each offset, so that a code finds it out once for a hint.
"""

from typing import NewType

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents.hats.public_table import color_bits, colors_in, kinds_left, public_set, ranks_in, set_among
from kagiya.cards import (
    MAX_COLORS,
    MAX_RANKS,
    NO_CARD,
    NO_MOVE,
    Card,
    Kinds,
    MoveNumber,
    Offset,
    Seat,
    Slot,
    Slots,
    each_offset,
    each_slot,
)
from kagiya.engine import game_kernels as game
from kagiya.engine.layout import Lane, Memory, Params, States
from kagiya.kinds import RANK_KINDS, color_of, count_matching, is_single, rank_of, within
from kagiya.rules import Rules
from kagiya.view.view_kernels import public_planes

Code = NewType("Code", int)

ANY_HINT, KIND, TOUCH = Code(0), Code(1), Code(2)
KIND_CLASSES, TOUCH_CLASSES = 2, 3
FIRST_RANK, FIRST_COLOR, PAST_FIRST = range(TOUCH_CLASSES)


def most_messages(rules: Rules) -> int:
    """How many messages the best of these codes has: ANY_HINT where empty hints are legal, else TOUCH."""
    return (rules.players - 1) * (rules.colors + rules.ranks if rules.empty_hints else TOUCH_CLASSES)


@kernel
def capacity(states: States, i: Lane, code: Code) -> int:
    """How many messages a hint can carry."""
    receivers = states[i]["players"] - 1
    if code == ANY_HINT:
        return receivers * (states[i]["colors"] + states[i]["ranks"])
    return receivers * (KIND_CLASSES if code == KIND else TOUCH_CLASSES)


@kernel
def hint_for(states: States, i: Lane, seat: Seat, message: int, code: Code) -> MoveNumber:
    """The hint that carries a message; NO_MOVE if the receiver's hand has none for it."""
    state = states[i]
    if code == ANY_HINT:
        values = state["colors"] + state["ranks"]
        value = message % values
        if value >= state["colors"]:
            value += MAX_COLORS - state["colors"]
        return game.hint_move(Offset(message // values + 1), value)
    receivers = state["players"] - 1
    offset, touch = Offset(message % receivers + 1), message // receivers
    receiver = (seat + offset) % state["players"]
    card = first_card(states, i, receiver)
    if card < 0:
        return NO_MOVE
    if touch == FIRST_RANK:
        return game.hint_rank_of(offset, card)
    if touch == FIRST_COLOR:
        return game.hint_color_of(offset, card)
    values = values_past(states, i, receiver, card)
    return game.hint_move(offset, lowest_bit(values)) if values else NO_MOVE


@kernel
def first_card(states: States, i: Lane, owner: Seat) -> Card:
    """The card in the first slot that is not empty; NO_CARD if all are."""
    for slot in each_slot(states[i]["hand_size"]):
        card: Card = states[i]["hands"][owner, slot]
        if card != NO_CARD:
            return card
    return NO_CARD


@kernel
def values_past(states: States, i: Lane, receiver: Seat, card: Card) -> int:
    """The colors and ranks that a hint may name without touching cards like this one, as a mask of values."""
    return game.legal_hints(states, i, receiver) & ~(1 << color_of(card)) & ~(1 << MAX_COLORS + rank_of(card))


@kernel
def message_of(states: States, i: Lane, move: MoveNumber, code: Code) -> int:
    """The message that a hint carries, in the position in which it is given."""
    state = states[i]
    before = game.hint_offset(move) - 1
    if code == ANY_HINT:
        value = game.hint_value(move)
        if not game.is_color_hint(move):
            value -= MAX_COLORS - state["colors"]
        return before * (state["colors"] + state["ranks"]) + value
    touch = FIRST_COLOR if game.is_color_hint(move) else FIRST_RANK
    if code == TOUCH:
        first = first_card(states, i, game.hint_receiver(states, i, move))
        if first < 0 or not game.hint_kinds(states, i, move) >> first & 1:
            touch = PAST_FIRST
    return touch * (state["players"] - 1) + before


Counts = NewType("Counts", int)

BITS = 8  # for the messages to one receiver


@kernel
def count_to(counts: Counts, offset: Offset) -> int:
    """How many messages the receiver at this offset has."""
    return counts >> BITS * offset & (1 << BITS) - 1


@kernel
def count_all(counts: Counts) -> int:
    """How many messages all receivers have together: the modulus of the hats."""
    total, left = 0, int(counts)
    while left:
        total += left & (1 << BITS) - 1
        left >>= BITS
    return total


@kernel
def count_before(counts: Counts, offset: Offset) -> int:
    """How many messages come before those of the receiver at this offset."""
    return count_all(Counts(counts & (1 << BITS * offset) - 1))


@kernel
def split_message(counts: Counts, message: int) -> tuple[Offset, int]:
    """The receiver of a message, below the number of all, and which of the receiver's messages it is."""
    offset, left = Offset(1), message
    while left >= count_to(counts, offset):
        left -= count_to(counts, offset)
        offset = Offset(offset + 1)
    return offset, left


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
def message_counts(states: States, i: Lane, seat: Seat, memory: Memory, giver: Seat, by_class: bool) -> Counts:
    """How many messages a hint of the giver's to each receiver has, by InfoBot's classes or by the usual code."""
    counts, players = Counts(0), states[i]["players"]
    for offset in each_offset(1, players):
        receiver = (giver + offset) % players
        if by_class:
            count = classes_to(states, i, seat, memory, receiver)
        else:
            count = messages_to(states, i, seat, memory, receiver)
        counts = Counts(counts | count << BITS * offset)
    return counts


@kernel
def count_messages(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, giver: Seat) -> int:
    """How many messages a hint of the giver's has: the modulus of the hats."""
    return count_all(message_counts(states, i, seat, memory, giver, False))


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
    if game.touched_slots(states, i, move) >> index & 1:
        return TOUCHING_COLOR if game.is_color_hint(move) else TOUCHING_RANK
    return MISSING_COLOR if messages == MORE and game.is_color_hint(move) else MISSING_RANK


@kernel
def message_of_hint(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> int:
    """The message that a hint carries."""
    offset, receiver = game.hint_offset(move), game.hint_receiver(states, i, move)
    counts = message_counts(states, i, seat, memory, states[i]["seat"], False)
    index = index_slot(states, i, seat, memory, receiver, False)
    return count_before(counts, offset) + message_by_touch(states, i, move, index, count_to(counts, offset))


@kernel
def hint_with_message(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, message: int) -> MoveNumber:
    """The hint that carries this message, the one that says most of its own; NO_MOVE if the hand allows none."""
    counts = message_counts(states, i, seat, memory, states[i]["seat"], False)
    offset, left = split_message(counts, message)
    return hint_by_touch(states, i, seat, memory, offset, left, count_to(counts, offset))


@kernel
def hint_by_touch(
    states: States, i: Lane, seat: Seat, memory: Memory, offset: Offset, message: int, messages: int
) -> MoveNumber:
    """The inverse of `message_by_touch`: the hint to this receiver that carries one of its messages, or NO_MOVE."""
    state = states[i]
    receiver = (state["seat"] + offset) % state["players"]
    card = state["hands"][receiver, index_slot(states, i, seat, memory, receiver, False)]
    if card < 0:
        return NO_MOVE
    if message == TOUCHING_RANK:
        return game.hint_rank_of(offset, card)
    if message == TOUCHING_COLOR:
        return game.hint_color_of(offset, card)
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
        gain = literal_gain(states, i, seat, memory, receiver, game.value_kinds(value))
        if gain > highest:
            best, highest = game.hint_move(offset, value), gain
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


MAX_USUAL_CLASSES = MORE  # classes that the usual code has at most
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
def may_be_packed(states: States, i: Lane, seat: Seat, memory: Memory, receiver: Seat) -> bool:
    """Whether there are enough cards to choose from that they might give more classes than the usual code has."""
    by_color, by_rank, alive = 0, 0, kinds_left(states, i)
    for slot in each_slot(states[i]["hand_size"]):
        kinds = set_among(states, i, seat, memory, receiver, slot, alive)
        if kinds:
            by_color += popcount(color_bits(kinds)) == popcount(kinds)
            by_rank += popcount(ranks_in(kinds)) == popcount(kinds)
    return max(by_color, 1) + max(by_rank, 1) > MAX_USUAL_CLASSES


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
    """How many messages a hint to this receiver has: what the chosen cards give, if more than the usual code has."""
    packed = 0
    if may_be_packed(states, i, seat, memory, receiver):
        packed += popcount(disjoint_slots(states, i, seat, memory, receiver, False))
        packed += popcount(disjoint_slots(states, i, seat, memory, receiver, True))
    return packed if packed > MAX_USUAL_CLASSES else messages_to(states, i, seat, memory, receiver)


@kernel
def count_classes(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, giver: Seat) -> int:
    """How many messages a hint of the giver's has: the modulus of the hats."""
    return count_all(message_counts(states, i, seat, memory, giver, True))


@kernel
def class_of_hint(states: States, i: Lane, seat: Seat, memory: Memory, move: MoveNumber, classes: int) -> int:
    """Which of its receiver's messages a hint carries, given how many classes there are."""
    receiver = game.hint_receiver(states, i, move)
    if classes > MAX_USUAL_CLASSES:
        return class_of_value(states, i, seat, memory, receiver, game.hint_value(move))
    return message_by_touch(states, i, move, index_slot(states, i, seat, memory, receiver, True), classes)


@kernel
def message_of_class(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> int:
    """The message that a hint carries."""
    counts, offset = message_counts(states, i, seat, memory, states[i]["seat"], True), game.hint_offset(move)
    return count_before(counts, offset) + class_of_hint(states, i, seat, memory, move, count_to(counts, offset))


@kernel
def hint_of_class(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, message: int) -> MoveNumber:
    """The hint that carries this message, the one that says most of its own; NO_MOVE if the hand allows none."""
    counts = message_counts(states, i, seat, memory, seat, True)
    offset, left = split_message(counts, message)
    carrying, values = 0, game.legal_hints(states, i, (seat + offset) % states[i]["players"])
    while values:
        value = lowest_bit(values)
        move = game.hint_move(offset, value)
        if class_of_hint(states, i, seat, memory, move, count_to(counts, offset)) == left:
            carrying |= 1 << value
        values &= values - 1
    return most_telling(states, i, seat, memory, offset, carrying)


@kernel
def count_four(states: States, i: Lane, seat: Seat, memory: Memory, params: Params) -> int:
    """How many messages a hint has: the modulus of the hats."""
    if states[i]["lives"] < 2:
        return count_messages(states, i, seat, memory, params, states[i]["seat"])
    return MORE * (states[i]["players"] - 1)


@kernel
def message_of_four(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> int:
    """The message that a hint carries: those of the receivers between giver and receiver come before."""
    if states[i]["lives"] < 2:
        return message_of_hint(states, i, seat, memory, params, move)
    index = index_slot(states, i, seat, memory, game.hint_receiver(states, i, move), False)
    return MORE * (game.hint_offset(move) - 1) + message_by_touch(states, i, move, index, MORE)


@kernel
def hint_of_four(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, message: int) -> MoveNumber:
    """The hint that carries this message, the one that says most of its own; NO_MOVE if the hand allows none."""
    if states[i]["lives"] < 2:
        return hint_with_message(states, i, seat, memory, params, message)
    return hint_by_touch(states, i, seat, memory, Offset(1 + message // MORE), message % MORE, MORE)
