"""Tactics that choose the hint touching most cards. All need a token."""

from kagiya._jit import kernel, lowest_bit
from kagiya.agents.tactics._tactic import tactic
from kagiya.agents.tactics.hints import BITS, DIGIT, NEXT, count_receivers, count_touched, hint_at, nth_offset
from kagiya.agents.tactics.modes import FRAMEWORK, NAMED, REPEATS, SEAT_ORDER, Mode
from kagiya.cards import MAX_RANKS, NO_CARD, Rank, Seat, each_offset, each_slot
from kagiya.dice import Streams
from kagiya.engine.layout import TOLD_COLOR, TOLD_RANK, Lane, States
from kagiya.kinds import RANK_KINDS, color_of, rank_of
from kagiya.move_kernels import hint_color_of, hint_rank, hint_rank_of
from kagiya.moves import NO_MOVE, MoveNumber

# Of the counts in one integer (`hints.py`) none exceeds the hand's five cards, so that adding 8 - n to all of them
# sets the top bit of those that reach n.
ONES = 0x111_1111_1111
TOP_BITS = 8 * ONES

ONE = Rank(0)  # the lowest rank


@kernel
def largest_hint(states: States, i: Lane, seat: Seat, mode: Mode) -> MoveNumber:
    """The hint that touches most cards; ties go to the first receiver, and to ranks before colors."""
    state = states[i]
    best, most = NO_MOVE, 0
    for step in range(count_receivers(states, i, mode)):
        offset = nth_offset(states, i, seat, step, mode)
        counts = count_touched(states, i, (seat + offset) % state["players"], mode)
        larger = (counts + (7 - most) * ONES) & TOP_BITS
        while larger:
            most += 1
            best = hint_at(offset, lowest_bit(larger) // BITS)
            larger = (counts + (7 - most) * ONES) & TOP_BITS
    return best


@kernel
def largest_hint_by_card(states: States, i: Lane, seat: Seat, mode: Mode) -> MoveNumber:
    """The hint that touches most cards, card by card: its color, then its rank; ties go to the first.

    Without REPEATS a part already named counts nothing, though naming it again may be news for other cards.
    """
    state = states[i]
    best, most = NO_MOVE, -1
    for offset in each_offset(1, count_receivers(states, i, mode) + 1):
        receiver = (seat + offset) % state["players"]
        counts = count_touched(states, i, receiver, REPEATS)
        for slot in each_slot(state["hand_size"]):
            card = state["hands"][receiver, slot]
            if card == NO_CARD:
                continue
            named = 0 if mode & REPEATS else state["told"][receiver, slot]
            of_color = 0 if named & TOLD_COLOR else counts >> BITS * (MAX_RANKS + color_of(card)) & DIGIT
            if of_color > most:
                best, most = hint_color_of(offset, card), of_color
            of_rank = 0 if named & TOLD_RANK else counts >> BITS * (rank_of(card)) & DIGIT
            if of_rank > most:
                best, most = hint_rank_of(offset, card), of_rank
    return best


@tactic("tell-most-new")
def tell_most_new(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The hint that is news for most cards; ties go to the lowest seat number, and to ranks before colors."""
    return largest_hint(states, i, seat, SEAT_ORDER)


@tactic("tell-most-new-in-turn")
def tell_most_new_in_turn(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The hint that is news for most cards; ties go to the next seat; if none is news, the next seat's ones."""
    move = largest_hint(states, i, seat, FRAMEWORK)
    state = states[i]
    receiver = (seat + 1) % state["players"]
    ones = (state["hand_low"][receiver] | state["hand_high"][receiver]) & RANK_KINDS
    if move == NO_MOVE and state["tokens"] > 0 and ones:
        return hint_rank(NEXT, ONE)
    return move


@tactic("hle-tell-most")
def hle_tell_most(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The hint that touches most cards, told before or not; ties go to the first met, card by card, color first."""
    return largest_hint_by_card(states, i, seat, REPEATS)


@tactic("hle-tell-most-new")
def hle_tell_most_new(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The same, a hint counting nothing for the card it is chosen for if that was named already."""
    return largest_hint_by_card(states, i, seat, NAMED)
