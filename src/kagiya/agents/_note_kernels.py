"""Notes that the whole table shares on every card, and the rules that need no more (SimpleBot, ValueBot, HolmesBot).

A note is one word: color and rank as far as known, each plus one so that zero stands for unknown, and three
marks. How a hint may be given differs from bot to bot: SIMPLE, VALUE and HOLMES name their manners.
"""

import numpy as np

from kagiya._jit import kernel
from kagiya.agents._convention_kernels import NOTES, SETS, UNKNOWN, rank_kinds
from kagiya.agents.tactics._slots import NO_SLOT
from kagiya.cards import MAX_COLORS, MAX_RANKS, NO_CARD
from kagiya.engine.kernels import hint_kinds
from kagiya.moves import FIRST_DISCARD, FIRST_HINT, HINTS_PER_SEAT, NO_MOVE
from kagiya.planes import add_bit, count_matching, subtract_planes
from kagiya.rules import MAX_HAND, MAX_PLAYERS

COLOR, RANK, PLAYABLE, VALUABLE, WORTHLESS = 7, 7 << 3, 1 << 6, 1 << 7, 1 << 8
SIMPLE, VALUE, HOLMES = np.int64(0), np.int64(1), np.int64(2)
EVERYONE = np.int64(MAX_PLAYERS - 1)  # as far as hints reach


@kernel
def noted_color(note):
    """The color, or UNKNOWN."""
    return (note & COLOR) - 1


@kernel
def noted_rank(note):
    """The rank, or UNKNOWN."""
    return ((note & RANK) >> 3) - 1


@kernel
def with_color(note, color):
    """The note once the color is known."""
    return note & ~COLOR | (color + 1)


@kernel
def with_rank(note, rank):
    """The note once the rank is known."""
    return note & ~RANK | (rank + 1) << 3


@kernel
def last_copies(states, i):
    """The kinds not played yet of which one copy is left, whether they can still be reached or not."""
    state = states[i]
    low, high = subtract_planes(state["copies_low"], state["copies_high"], state["discard_low"], state["discard_high"])
    return low & ~high & ~state["played"]


@kernel
def lowest_needed_rank(states, i):
    """The lowest rank that some firework lacks."""
    lowest = states[i]["ranks"]
    for color in range(states[i]["colors"]):
        lowest = min(lowest, states[i]["fireworks"][color])
    return lowest


@kernel
def noted_chop(states, i, seat, memory, owner):
    """The card that a player would discard next: the oldest not marked valuable.

    NO_SLOT if one is marked playable or worthless, or all are marked valuable.
    """
    state, chop = states[i], NO_SLOT
    for slot in range(state["hand_size"]):
        note = memory[i, seat, NOTES + owner * MAX_HAND + slot]
        if note & (PLAYABLE | WORTHLESS):
            return NO_SLOT
        place = state["order"][owner, slot]
        if place >= 0 and not note & VALUABLE and (chop == NO_SLOT or place < state["order"][owner, chop]):
            chop = slot
    return chop


@kernel
def may_be_valuable(states, i, seat, memory, owner, slot, rank, manner):
    """Whether a card could be a last copy, were it of this rank: by the table's counts, HolmesBot's also by its set."""
    kinds = last_copies(states, i) & rank_kinds(rank)
    if manner == HOLMES:
        kinds &= memory[i, seat, SETS + owner * MAX_HAND + slot]
    return kinds != 0


@kernel
def weigh_hand(states, i, seat, memory, receiver, manner):
    """What there is to tell a seat: the planes of its cards that fit and are not marked so.

    Then the kinds that no color hint may touch lest it mislead, and those that no rank hint may.
    """
    state = states[i]
    low, high, not_by_color, not_by_rank = 0, 0, 0, 0
    for slot in range(state["hand_size"]):
        card = state["hands"][receiver, slot]
        if card < 0:
            continue
        note, bit = memory[i, seat, NOTES + receiver * MAX_HAND + slot], 1 << card
        if not state["playable"] & bit:
            # A card that does not fit may be touched if its owner will then know better than to play it.
            is_worthless = manner == HOLMES and note & WORTHLESS != 0
            rank_known = manner != SIMPLE and noted_rank(note) != UNKNOWN
            color_known = manner == HOLMES and noted_color(note) != UNKNOWN
            not_by_color |= 0 if rank_known or is_worthless else bit
            not_by_rank |= 0 if color_known or is_worthless else bit
        elif not note & PLAYABLE:
            low, high = add_bit(low, high, bit)
    return low, high, not_by_color, not_by_rank


@kernel
def tell(states, i, seat, memory, reach, manner):
    """The hint that makes most playable cards known, over the next `reach` seats, colors before ranks; or NO_MOVE."""
    state = states[i]
    best, best_worth = NO_MOVE, 0
    if state["tokens"] == 0:
        return best
    for offset in range(1, min(reach, state["players"] - 1) + 1):
        receiver = (seat + offset) % state["players"]
        if not (state["hand_low"][receiver] | state["hand_high"][receiver]) & state["playable"]:
            continue
        low, high, not_by_color, not_by_rank = weigh_hand(states, i, seat, memory, receiver, manner)
        if low | high == 0:
            continue
        chop = noted_chop(states, i, seat, memory, receiver) if manner != SIMPLE else NO_SLOT
        if chop != NO_SLOT:
            rank = state["hands"][receiver, chop] % MAX_RANKS
            if may_be_valuable(states, i, seat, memory, receiver, chop, rank, manner):
                not_by_rank |= rank_kinds(rank)
        first = FIRST_HINT + (offset - 1) * HINTS_PER_SEAT
        for move in range(first, first + HINTS_PER_SEAT):
            kinds = hint_kinds(states, i, move)
            worth = count_matching(low, high, kinds)
            if worth > best_worth and not kinds & (not_by_color if move < first + MAX_COLORS else not_by_rank):
                best, best_worth = move, worth
    return best


@kernel
def endangered_card(states, i, seat, memory):
    """The card that the next seat is about to discard, if it is a last copy and a hint can be given; or NO_CARD."""
    state = states[i]
    left = (seat + 1) % state["players"]
    chop = noted_chop(states, i, seat, memory, left)
    if state["tokens"] == 0 or chop == NO_SLOT or not last_copies(states, i) >> state["hands"][left, chop] & 1:
        return NO_CARD
    return state["hands"][left, chop]


@kernel
def play_marked(states, i, seat, memory):
    """A card marked playable: the lowest rank, an unknown one before all, oldest of equals."""
    state, best, best_rank = states[i], NO_SLOT, MAX_RANKS
    for slot in range(state["hand_size"]):
        note = memory[i, seat, NOTES + seat * MAX_HAND + slot]
        rank = noted_rank(note)
        if not note & PLAYABLE or rank > best_rank:
            continue
        if rank < best_rank or state["order"][seat, slot] < state["order"][seat, best]:
            best, best_rank = slot, rank
    return best


@kernel
def discard_worthless(states, i, seat, memory):
    """The oldest card marked worthless."""
    state, best = states[i], NO_SLOT
    for slot in range(state["hand_size"]):
        if not memory[i, seat, NOTES + seat * MAX_HAND + slot] & WORTHLESS:
            continue
        if best == NO_SLOT or state["order"][seat, slot] < state["order"][seat, best]:
            best = slot
    return FIRST_DISCARD + best if best != NO_SLOT else NO_MOVE


@kernel
def discard_chop(states, i, seat, memory):
    """The card that all expect to go next."""
    chop = noted_chop(states, i, seat, memory, seat)
    return FIRST_DISCARD + chop if chop != NO_SLOT else NO_MOVE


@kernel
def discard_valuable(states, i, seat, memory):
    """All cards being valuable, the highest rank known, oldest of equals."""
    state = states[i]
    best, best_rank = NO_SLOT, -2
    for slot in range(state["hand_size"]):
        if state["order"][seat, slot] < 0:
            continue
        rank = noted_rank(memory[i, seat, NOTES + seat * MAX_HAND + slot])
        if rank > best_rank or (rank == best_rank and state["order"][seat, slot] < state["order"][seat, best]):
            best, best_rank = slot, rank
    return FIRST_DISCARD + best


@kernel
def unmark_duplicates(states, i, seat, memory, card):
    """Once a card is played, no other that may be the same is sure to fit; but there is only one of each five."""
    state = states[i]
    for owner in range(state["players"]):
        for word in range(NOTES + owner * MAX_HAND, NOTES + owner * MAX_HAND + state["hand_size"]):
            note = memory[i, seat, word]
            if not note & PLAYABLE:
                continue
            color, rank = noted_color(note), noted_rank(note)
            same = color in (UNKNOWN, card // MAX_RANKS) and rank in (UNKNOWN, card % MAX_RANKS)
            if same and rank != state["ranks"] - 1:
                memory[i, seat, word] = note & ~PLAYABLE
