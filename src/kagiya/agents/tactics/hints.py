"""Choosing a hint: whom to tell about which card, and what to name."""

from kagiya._jit import kernel, lowest_bit
from kagiya.agents.tactics.modes import COLOR_FIRST, FIRST_OR_NONE, HALF_KNOWN, NEXT_ONLY, REPEATS, SEAT_ORDER, Mode
from kagiya.agents.tactics.slots import known_slots, slots_of
from kagiya.cards import MAX_RANKS, NO_CARD, Card, Color, Kinds, Offset, Rank, Seat, each_slot
from kagiya.engine.layout import Lane, States
from kagiya.kinds import color_of, rank_of
from kagiya.move_kernels import hint_color, hint_color_of, hint_rank, hint_rank_of
from kagiya.moves import NO_MOVE, MoveNumber

NEXT = Offset(1)  # the offset of the seat that moves next

# How many cards of a hand each hint touches, in one integer of four bits each: the five ranks, then the six colors.
BITS = 4
DIGIT = 15


@kernel
def count_receivers(states: States, i: Lane, mode: Mode) -> int:
    """How many seats may be given a hint; none without a token."""
    if states[i]["tokens"] == 0:
        return 0
    return 1 if mode & NEXT_ONLY else states[i]["players"] - 1


@kernel
def nth_offset(states: States, i: Lane, seat: Seat, step: int, mode: Mode) -> Offset:
    """The offset of the receiver that comes after `step` others, in turn order or, with SEAT_ORDER, by seat number."""
    if not mode & SEAT_ORDER:
        return Offset(step + 1)
    receiver = step if step < seat else step + 1
    return (receiver - seat) % states[i]["players"]


@kernel
def missing_hint(offset: Offset, card: Card, knows_color: int, knows_rank: int, mode: Mode) -> MoveNumber:
    """The hint that names what the owner does not know of a card, color or rank first; one of them must be unknown."""
    if knows_rank or (mode & COLOR_FIRST and not knows_color):
        return hint_color_of(offset, card)
    return hint_rank_of(offset, card)


@kernel
def hint_about(states: States, i: Lane, seat: Seat, kinds: Kinds, mode: Mode) -> MoveNumber:
    """A hint that names something unknown about the first card of `kinds` of which something is unknown."""
    state = states[i]
    for step in range(count_receivers(states, i, mode)):
        offset = nth_offset(states, i, seat, step, mode)
        receiver = (seat + offset) % state["players"]
        found = slots_of(states, i, receiver, kinds)
        if found == 0:
            continue
        colors, ranks = known_slots(states, i, receiver, mode)
        worth_telling = found & ((colors ^ ranks) if mode & HALF_KNOWN else ~(colors & ranks))
        if mode & FIRST_OR_NONE and not worth_telling & found & -found:
            return NO_MOVE
        if worth_telling:
            slot = lowest_bit(worth_telling)
            card = state["hands"][receiver, slot]
            return missing_hint(offset, card, colors >> slot & 1, ranks >> slot & 1, mode)
    return NO_MOVE


@kernel
def count_touched(states: States, i: Lane, receiver: Seat, mode: Mode) -> int:
    """How many cards of the receiver each rank and color would touch; only those it is news for unless REPEATS."""
    state = states[i]
    colors, ranks = 0, 0
    if not mode & REPEATS:
        colors, ranks = known_slots(states, i, receiver, mode)
    counts = 0
    for slot in each_slot(state["hand_size"]):
        card = state["hands"][receiver, slot]
        if card != NO_CARD:
            counts += (~ranks >> slot & 1) << BITS * (rank_of(card))
            counts += (~colors >> slot & 1) << BITS * (MAX_RANKS + color_of(card))
    return counts


@kernel
def hint_at(offset: Offset, place: int) -> MoveNumber:
    """The hint whose count stands at this place."""
    if place < MAX_RANKS:
        return hint_rank(offset, Rank(place))
    return hint_color(offset, Color(place - MAX_RANKS))
