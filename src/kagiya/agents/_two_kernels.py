"""What a hint says to a single partner, and what it is worth: judged by what the partner then knows and would do.

The reading of hints is SmartBot's (`_smart_kernels.py`), but for the hint that only spends a token: unless `reclaim` is
set, every hint means what it says.
"""

import numpy as np

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents._convention_kernels import is_reclaim
from kagiya.agents._set_kernels import get_kinds, narrow, narrow_by_hint, put_kinds
from kagiya.agents._smart_kernels import chop_by_row, chop_slot, read_hint, reads_as_warning
from kagiya.agents.tactics.discard import may_discard
from kagiya.agents.tactics.hints import NEXT
from kagiya.cards import MAX_RANKS, Card, Kinds, Seat, Slot, each_slot
from kagiya.engine.kernels import hint_kinds, hint_receiver, legal_hints, touched_slots
from kagiya.engine.layout import Lane, Memory, Params, States
from kagiya.kinds import is_single, kind_bit, rank_of, within
from kagiya.move_kernels import NO_SLOT, hint_move, is_color_hint, named_rank
from kagiya.moves import NO_MOVE, MoveNumber
from kagiya.view.kernels import critical_kinds

RECLAIM, JUDGE = 0, 1  # places in the row of parameters

# What a hint is worth, found by hill climbing on games that are not reported on (`kagiya_two.py`).
NEW_PLAY, LOWER_RANK, NEW_USELESS, NEW_CRITICAL, NEW_CERTAINTY, STRUCK = 10.0, 1.0, 2.0, 2.0, 1.0, 0.1
CRITICAL_NEXT, NEEDED_NEXT, USELESS_NEXT = -10.0, -2.0, 1.0  # what the partner would discard then
PLAYS_ANYWAY = 4.0  # the partner knows a card to play already, so that this turn costs no card
MISLEADING = -1000.0
NOT_MISLEADING = MISLEADING / 2  # what a hint that misleads is worth less than
NOBODY = Seat(2)  # of two players: in its row of sets stands what the partner would know after a hint


@kernel
def promise(
    states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber
) -> tuple[Slot, Kinds, bool]:
    """The card of which a hint says more than its words, the kinds it is then one of, and whether that is a warning."""
    state = states[i]
    receiver, touched = hint_receiver(states, i, move), touched_slots(states, i, move)
    is_forced = not may_discard(states, i)  # perhaps with nothing true to promise: too little for the last life
    if (is_forced and state["lives"] == 1) or (params[seat, RECLAIM] and is_reclaim(states, i, move)):
        return NO_SLOT, state["kinds"], False
    if not is_color_hint(move):
        chop = chop_slot(states, i, seat, memory, receiver)
        is_touched = chop != NO_SLOT and touched >> chop & 1 == 1
        if is_touched and reads_as_warning(states, i, seat, memory, receiver, chop, named_rank(move)):
            return chop, critical_kinds(states, i), True
    target, _ = read_hint(states, i, seat, memory, receiver, hint_kinds(states, i, move), touched)
    return max(target, NO_SLOT), state["playable"], False


@kernel
def take_hint(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> bool:
    """Conclude what a hint says, in words and between the lines; returns whether it warns."""
    receiver = hint_receiver(states, i, move)
    slot, kinds, warns = promise(states, i, seat, memory, params, move)
    if slot != NO_SLOT:
        narrow(memory, i, seat, receiver, slot, kinds)
    narrow_by_hint(states, i, seat, memory, move)
    return warns


@kernel
def worth_of_card(states: States, i: Lane, card: Card, before: Kinds, after: Kinds) -> float:
    """What it is worth that the partner now knows a card of its own so much better."""
    state = states[i]
    if before == after or not after & kind_bit(card):  # the second if a partner has already been misled
        return 0.0
    worth = STRUCK * popcount(before ^ after)
    critical = critical_kinds(states, i)
    if within(after, critical) and not within(before, critical):
        worth += NEW_CRITICAL
    if within(after, state["playable"]):
        if within(before, state["playable"]):
            return worth
        worth += NEW_PLAY + LOWER_RANK * (MAX_RANKS - 1 - rank_of(card))
    elif within(after, state["useless"]):
        worth += 0.0 if within(before, state["useless"]) else NEW_USELESS
    elif is_single(after):
        worth += NEW_CERTAINTY
    return worth


@kernel
def worth_of_hint(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> float:
    """What a hint is worth to the partner: the cards it then knows, and, if judged by that, its next discard."""
    state = states[i]
    receiver = hint_receiver(states, i, move)
    named, touched = hint_kinds(states, i, move), touched_slots(states, i, move)
    promised, kinds, _ = promise(states, i, seat, memory, params, move)
    worth = 0.0
    for slot in each_slot(state["hand_size"]):
        before = get_kinds(memory, i, seat, receiver, slot)
        after = before & (named if touched >> slot & 1 else ~named)
        if slot == promised:
            after &= kinds
        put_kinds(memory, i, seat, NOBODY, slot, after)
        card: Card = state["hands"][receiver, slot]
        if card < 0:
            continue
        if before & ~after & kind_bit(card):
            return MISLEADING
        worth += worth_of_card(states, i, card, before, after)
    return worth + worth_of_discard(states, i, seat, memory, receiver) if params[seat, JUDGE] else worth


@kernel
def worth_of_discard(states: States, i: Lane, seat: Seat, memory: Memory, receiver: Seat) -> float:
    """What the partner's next discard costs or brings, by the sets in the row of nobody."""
    state = states[i]
    chop = chop_by_row(states, i, seat, memory, receiver, NOBODY)
    if chop == NO_SLOT:
        return 0.0
    card: Card = state["hands"][receiver, chop]
    if critical_kinds(states, i) >> card & 1:
        return CRITICAL_NEXT
    return USELESS_NEXT if state["useless"] >> card & 1 else NEEDED_NEXT


@kernel
def knows_play(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat) -> bool:
    """Whether all know of a card in a hand that it fits."""
    for slot in each_slot(states[i]["hand_size"]):
        if within(get_kinds(memory, i, seat, owner, slot), states[i]["playable"]):
            return True
    return False


@kernel
def best_hint_to_partner(
    states: States, i: Lane, seat: Seat, memory: Memory, params: Params
) -> tuple[MoveNumber, float]:
    """The hint worth most, colors before ranks, and its worth; NO_MOVE if there is none to give."""
    best, most = NO_MOVE, -np.inf
    partner = (seat + 1) % states[i]["players"]
    values = legal_hints(states, i, partner) if states[i]["tokens"] else 0
    while values:
        move = hint_move(NEXT, lowest_bit(values))
        worth = worth_of_hint(states, i, seat, memory, params, move)
        if worth > most:
            best, most = move, worth
        values &= values - 1
    if params[seat, JUDGE] and knows_play(states, i, seat, memory, partner):
        most += PLAYS_ANYWAY
    return best, most
