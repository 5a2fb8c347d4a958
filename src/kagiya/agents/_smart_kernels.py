"""SmartBot's shared thoughts: which card goes next, which hint says what, and what each move tells the table."""

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents._convention_kernels import is_reclaim
from kagiya.agents._set_kernels import get_kinds, narrow, narrow_by_hint
from kagiya.cards import Card, Kinds, Rank, Seat, Slot, Slots, each_offset, each_seat, each_slot
from kagiya.engine.kernels import hint_kinds, hint_receiver, touched_slots
from kagiya.engine.layout import Lane, Memory, States
from kagiya.kinds import kind_bit, rank_kinds, rank_of, undecided, within
from kagiya.move_kernels import NO_SLOT, hint_move, hint_rank, is_color_hint, named_rank, value_kinds
from kagiya.moves import HINTS_PER_SEAT, NO_MOVE, MoveNumber
from kagiya.view.kernels import critical_kinds

EXPLAINED = Slot(-2)  # instead of a slot: the hint needs no reading between the lines


@kernel
def chop_slot(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat) -> Slot:
    """The card that a player would discard next: likeliest useless, ties go to the oldest.

    NO_SLOT if there is something to play or surely useless, or if all cards are known to be valuable.
    """
    return chop_by_row(states, i, seat, memory, owner, owner)


@kernel
def chop_by_row(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat, row: Seat) -> Slot:
    """The card that a player would discard next if what all know of its hand stood in the row of another seat."""
    state = states[i]
    critical = critical_kinds(states, i)
    chop, chop_useless, chop_size = NO_SLOT, 0, 1
    for slot in each_slot(state["hand_size"]):
        kinds = get_kinds(memory, i, seat, row, slot)
        if within(kinds, state["playable"]) or within(kinds, state["useless"]):
            return NO_SLOT
        if kinds & ~critical == 0:
            continue
        useless, size = popcount(kinds & state["useless"]), popcount(kinds)
        lead = useless * chop_size - chop_useless * size
        older = chop == NO_SLOT or state["order"][owner, slot] < state["order"][owner, chop]
        if chop == NO_SLOT or lead > 0 or (lead == 0 and older):
            chop, chop_useless, chop_size = slot, useless, size
    return chop


@kernel
def reads_as_warning(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat, chop: Slot, rank: Rank) -> bool:
    """Whether a rank hint that touches the next discard says that this card is valuable."""
    critical = critical_kinds(states, i)
    kinds = get_kinds(memory, i, seat, owner, chop)
    return kinds & ~critical != 0 and kinds & critical & rank_kinds(rank) != 0


@kernel
def read_hint(
    states: States, i: Lane, seat: Seat, memory: Memory, receiver: Seat, kinds: Kinds, touched: Slots
) -> tuple[Slot, int]:
    """The card that a hint asks to play, and how many kinds the hint strikes from the hand.

    It is the newest card that the hint touches and leaves in doubt: NO_SLOT if there is none, EXPLAINED if
    the hint by itself removes all doubt that some card fits.
    """
    state = states[i]
    target, struck, is_explained = NO_SLOT, 0, False
    for slot in each_slot(state["hand_size"]):
        before = get_kinds(memory, i, seat, receiver, slot)
        is_touched = touched >> slot & 1
        after = before & (kinds if is_touched else ~kinds)
        struck += popcount(before ^ after)
        if undecided(before, state["playable"]):
            is_explained |= within(after, state["playable"])
            newer = target == NO_SLOT or state["order"][receiver, slot] > state["order"][receiver, target]
            if is_touched and newer and after & state["playable"]:
                target = slot
    return EXPLAINED if is_explained else target, struck


@kernel
def hidden_fits(states: States, i: Lane, seat: Seat, memory: Memory, receiver: Seat) -> tuple[Kinds, Kinds]:
    """The cards of a hand that fit and are not known to; and the kinds, fitting nowhere, that all of them can be."""
    state = states[i]
    cards, doubts = Kinds(0), state["kinds"]
    for slot in each_slot(state["hand_size"]):
        card: Card = state["hands"][receiver, slot]
        kinds = get_kinds(memory, i, seat, receiver, slot)
        if card >= 0 and state["playable"] >> card & 1 and undecided(kinds, state["playable"]):
            cards |= kind_bit(card)
            doubts &= kinds & ~state["playable"]
    return cards, doubts


@kernel
def best_hint(states: States, i: Lane, seat: Seat, memory: Memory, reach: int) -> MoveNumber:
    """The hint worth most over the next `reach` seats, in order, colors before ranks; NO_MOVE if none is."""
    state = states[i]
    best, best_worth = NO_MOVE, 0
    for offset in each_offset(1, reach + 1):
        receiver = (seat + offset) % state["players"]
        cards, doubts = hidden_fits(states, i, seat, memory, receiver)
        if cards == 0:
            continue
        held = state["hand_low"][receiver] | state["hand_high"][receiver]
        avoided = NO_MOVE
        chop = chop_slot(states, i, seat, memory, receiver) if offset == 1 else NO_SLOT
        if chop != NO_SLOT:
            rank = rank_of(state["hands"][receiver, chop])
            if reads_as_warning(states, i, seat, memory, receiver, chop, rank):
                avoided = hint_rank(offset, rank)
        for value in range(HINTS_PER_SEAT):
            move, kinds = hint_move(offset, value), value_kinds(value) & state["kinds"]
            # Most hints can be passed over: they neither touch a card that fits nor remove the doubts about it.
            if move == avoided or not kinds & held or (not kinds & cards and doubts & ~kinds):
                continue
            target, worth = read_hint(states, i, seat, memory, receiver, kinds, touched_slots(states, i, move))
            fits = target == EXPLAINED or (target >= 0 and state["playable"] >> state["hands"][receiver, target] & 1)
            if fits and worth > best_worth:
                best, best_worth = move, worth
    return best


@kernel
def newest_holders(states: States, i: Lane, seat: Seat, card: Card) -> int:
    """The seats, as a mask, whose newest card is this one; neither `seat` nor the actor is looked at."""
    state, holders = states[i], 0
    for other in each_seat(state["players"]):
        if other in (seat, state["seat"]):
            continue
        newest = newest_slot(states, i, other)
        holders |= (newest != NO_SLOT and state["hands"][other, newest] == card) << other
    return holders


@kernel
def newest_slot(states: States, i: Lane, owner: Seat) -> Slot:
    """The card drawn last; NO_SLOT in an empty hand."""
    state, newest = states[i], NO_SLOT
    for slot in each_slot(state["hand_size"]):
        place = state["order"][owner, slot]
        if place >= 0 and (newest == NO_SLOT or place > state["order"][owner, newest]):
            newest = slot
    return newest


@kernel
def hear_hint(states: States, i: Lane, seat: Seat, memory: Memory, move: MoveNumber) -> None:
    """A hint says what it says literally, and that a card plays, or that the next discard is valuable."""
    state = states[i]
    receiver = hint_receiver(states, i, move)
    kinds, touched = hint_kinds(states, i, move), touched_slots(states, i, move)
    if not is_reclaim(states, i, move):
        chop = NO_SLOT
        if not is_color_hint(move) and receiver == (state["seat"] + 1) % state["players"]:
            chop = chop_slot(states, i, seat, memory, receiver)
        is_warning = chop != NO_SLOT and touched >> chop & 1 == 1
        if is_warning and reads_as_warning(states, i, seat, memory, receiver, chop, named_rank(move)):
            narrow(memory, i, seat, receiver, chop, critical_kinds(states, i))
        else:
            target, _ = read_hint(states, i, seat, memory, receiver, kinds, touched)
            if target >= 0:
                narrow(memory, i, seat, receiver, target, state["playable"])
    narrow_by_hint(states, i, seat, memory, move)


@kernel
def hear_no_warning(states: States, i: Lane, seat: Seat, memory: Memory) -> None:
    """The actor could have warned the next seat of a valuable discard, and did not: so it is not valuable."""
    state = states[i]
    left = (state["seat"] + 1) % state["players"]
    if state["tokens"] == 0 or state["drawn"] == state["deck_size"]:
        return
    chop = chop_slot(states, i, seat, memory, left)
    if chop != NO_SLOT:
        narrow(memory, i, seat, left, chop, ~critical_kinds(states, i))


@kernel
def hear_finesse(states: States, i: Lane, seat: Seat, memory: Memory, slot: Slot) -> None:
    """Who discards a card that all know to fit says that it is someone's newest: mine, if I see no one else's."""
    state = states[i]
    actor = state["seat"]
    known = get_kinds(memory, i, seat, actor, slot)
    if popcount(known) != 1 or not known & state["playable"]:
        return
    card: Card = state["hands"][actor, slot]
    holders = newest_holders(states, i, seat, card)
    holder = lowest_bit(holders) if holders else seat
    newest = newest_slot(states, i, holder)
    if holder != actor and newest != NO_SLOT:
        narrow(memory, i, seat, holder, newest, kind_bit(card))
