"""Tactics that choose the hint touching most cards. All need a token."""

from kagiya._jit import kernel, lowest_bit
from kagiya.agents.tactics._hints import NEXT, count_receivers, hint_color_of, hint_rank_of, nth_offset
from kagiya.agents.tactics._manner import FRAMEWORK, NAMED, REPEATS, SEAT_ORDER
from kagiya.agents.tactics._slots import known_slots
from kagiya.agents.tactics._tactic import tactic
from kagiya.cards import MAX_RANKS, NO_CARD
from kagiya.engine.kernels import RANK_KINDS
from kagiya.engine.layout import TOLD_COLOR, TOLD_RANK
from kagiya.moves import NO_MOVE

# The counts for one hand share an integer, four bits each: the five ranks, then the six colors. As none exceeds
# the hand's five cards, adding 8 - n to all of them sets the top bit of those that reach n.
BITS = 4
DIGIT = 15
ONES = 0x111_1111_1111
TOP_BITS = 8 * ONES


@kernel
def count_touched(states, i, receiver, manner):
    """How many cards of the receiver each rank and color would touch; only those it is news for unless REPEATS."""
    state = states[i]
    colors, ranks = 0, 0
    if not manner & REPEATS:
        colors, ranks = known_slots(states, i, receiver, manner)
    counts = 0
    for slot in range(state["hand_size"]):
        card = state["hands"][receiver, slot]
        if card != NO_CARD:
            counts += (~ranks >> slot & 1) << BITS * (card % MAX_RANKS)
            counts += (~colors >> slot & 1) << BITS * (MAX_RANKS + card // MAX_RANKS)
    return counts


@kernel
def largest_hint(states, i, seat, manner):
    """The hint that touches most cards; of equals the first receiver's, and ranks before colors."""
    state = states[i]
    best, most = NO_MOVE, 0
    for step in range(count_receivers(states, i, manner)):
        offset = nth_offset(states, i, seat, step, manner)
        counts = count_touched(states, i, (seat + offset) % state["players"], manner)
        larger = (counts + (7 - most) * ONES) & TOP_BITS
        while larger:
            most += 1
            best = hint_at(offset, lowest_bit(larger) // BITS)
            larger = (counts + (7 - most) * ONES) & TOP_BITS
    return best


@kernel
def hint_at(offset, place):
    """The hint whose count stands at this place."""
    if place < MAX_RANKS:
        return hint_rank_of(offset, place)
    return hint_color_of(offset, (place - MAX_RANKS) * MAX_RANKS)


@kernel
def largest_hint_by_card(states, i, seat, manner):
    """The hint that touches most cards, card by card: its color, then its rank; the first of equals.

    Without REPEATS a part already named counts nothing, though naming it again may be news for other cards.
    """
    state = states[i]
    best, most = NO_MOVE, -1
    for step in range(count_receivers(states, i, manner)):
        offset = step + 1
        receiver = (seat + offset) % state["players"]
        counts = count_touched(states, i, receiver, REPEATS)
        for slot in range(state["hand_size"]):
            card = state["hands"][receiver, slot]
            if card == NO_CARD:
                continue
            named = 0 if manner & REPEATS else state["told"][receiver, slot]
            of_color = 0 if named & TOLD_COLOR else counts >> BITS * (MAX_RANKS + card // MAX_RANKS) & DIGIT
            if of_color > most:
                best, most = hint_color_of(offset, card), of_color
            of_rank = 0 if named & TOLD_RANK else counts >> BITS * (card % MAX_RANKS) & DIGIT
            if of_rank > most:
                best, most = hint_rank_of(offset, card), of_rank
    return best


@tactic("tell-most-new")
def tell_most_new(states, i, seat, rng, value):
    """The hint that is news for most cards; of equals the lowest seat number's, and ranks before colors."""
    return largest_hint(states, i, seat, SEAT_ORDER)


@tactic("tell-most-new-in-turn")
def tell_most_new_in_turn(states, i, seat, rng, value):
    """The hint that is news for most cards; of equals the next seat's; if none is news, the next seat's ones."""
    move = largest_hint(states, i, seat, FRAMEWORK)
    state = states[i]
    receiver = (seat + 1) % state["players"]
    ones = (state["hand_low"][receiver] | state["hand_high"][receiver]) & RANK_KINDS
    if move == NO_MOVE and state["tokens"] > 0 and ones:
        return hint_rank_of(NEXT, FRAMEWORK)
    return move


@tactic("hle-tell-most")
def hle_tell_most(states, i, seat, rng, value):
    """The hint that touches most cards, told before or not; of equals the first met card by card, color first."""
    return largest_hint_by_card(states, i, seat, REPEATS)


@tactic("hle-tell-most-new")
def hle_tell_most_new(states, i, seat, rng, value):
    """The same, a hint counting nothing for the card it is chosen for if that was named already."""
    return largest_hint_by_card(states, i, seat, NAMED)
