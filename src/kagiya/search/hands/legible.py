"""Moves that say nothing to a partner who knows the blueprint: those it would make under no hand of the partner's.

Both seats keep the list of both hands as everybody can tell them, so a seat knows what its partner may think it holds.
A move that the blueprint would make under some of these hands would be taken for the blueprint's, and rule out the
others, perhaps the true one; a move that it would make under none is recognized as a deviation, and nothing is
concluded from it.
"""

from kagiya._jit import kernel, lowest_bit
from kagiya.engine.kernels import touched_slots
from kagiya.engine.memory_kernels import copy_memory
from kagiya.move_kernels import is_hint
from kagiya.moves import NUM_MOVES
from kagiya.search.hands.carrying import (
    NO_DRAW,
    NOTHING_FITS,
    exchange_card,
    kinds_to_test,
    make_own_move,
    make_room,
)
from kagiya.search.hands.layout import NOT_LISTED, TARGET, hands_of, list_states_of
from kagiya.search.hands.story import pool_for, would_move
from kagiya.search.layout import DEALT, KNOWN, TRIAL, extents_of, memory_of, states_of

ALL_MOVES = (1 << NUM_MOVES) - 1


@kernel
def legible_moves(work, hands, seat):
    """The moves, as a mask, that the seat's model would make under no hand of the list; none without a list.

    The list holds at the owner's last turn, and the owner has moved since. Hands that the hint itself rules out do
    not count: its words are heard first.
    """
    if hands["listed"] == NOT_LISTED or hands["base_turn"] != work["turns"] - 1:
        return 0
    states = list_states_of(hands)
    make_room(hands)
    low, high = pool_for(hands, states, TARGET)
    legible = ALL_MOVES
    for entry in range(hands["listed"]):
        kinds = kinds_to_test(hands, hands_of(hands)[hands["side"], entry], low, high)
        if kinds == NOTHING_FITS:
            continue
        if work["stop"]:
            return 0
        legible &= ~moves_under(work, hands, entry, kinds, seat)
    return legible


@kernel
def moves_under(work, hands, entry, kinds, seat):
    """What the seat's model would do under a hand, with every card that its owner may have drawn."""
    lanes, memories, extents = states_of(work), memory_of(work), extents_of(work)
    make_own_move(work, hands, entry, kinds)
    lanes[DEALT] = lanes[TRIAL]
    copy_memory(memories, TRIAL, DEALT, extents)
    moves = 0
    while kinds != 0:
        if kinds != NO_DRAW:
            exchange_card(lanes, TRIAL, hands["owner"], hands["drawn_at"], lowest_bit(kinds))
        move = would_move(work, seat)
        if not is_hint(move) or touched_slots(lanes, TRIAL, move) == touched_slots(lanes, KNOWN, move):
            moves |= 1 << move
        kinds = 0 if kinds == NO_DRAW else kinds & (kinds - 1)
        if kinds != 0:
            lanes[TRIAL] = lanes[DEALT]
            copy_memory(memories, DEALT, TRIAL, extents)
    return moves
