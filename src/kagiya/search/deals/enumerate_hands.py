"""A list of hands made from nothing: all that the hints allow and with which the story comes true.

They come one after another: every way to fill the slots with kinds that the hints allow and the pool has.
"""

from kagiya._jit import kernel, lowest_bit, now, popcount
from kagiya.cards import NO_CARD, Kinds, Seat, Slot
from kagiya.engine.layout import Lane, States
from kagiya.engine.memory import clear_memory
from kagiya.kinds import kind_bit, remove_bit
from kagiya.search.deals.hands_history import (
    EXPLAINED,
    first_unexplained,
    follow,
    play_forward,
    pool_for,
    settle_planes,
)
from kagiya.search.deals.hands_layout import (
    EMPTY_SLOT,
    NO_ROW,
    SLOT_BITS,
    START,
    TARGET,
    HandsRecord,
    forget_rows,
    hands_of,
    keep_row,
    list_states_of,
    rows_of,
    unexplained_of,
)
from kagiya.search.search_layout import TRIAL, SearchRecord, extents_of, memory_of, states_of


@kernel
def count_fillings(states: States, lane: Lane, owner: Seat, low: Kinds, high: Kinds) -> float:
    """At least as many as there are hands: the product of the kinds open to each slot."""
    count = 1.0
    for slot in range(states[lane]["hand_size"]):
        if states[lane]["hands"][owner, slot] != NO_CARD:
            count *= popcount(states[lane]["possible"][owner, slot] & (low | high))
    return count


@kernel
def start_odometer(states: States, lane: Lane, hands: HandsRecord, low: Kinds, high: Kinds) -> None:
    """Before the first hand: nothing is chosen for any slot."""
    hands["digits"][0] = open_kinds(states, lane, hands, Slot(0), low, high)
    for slot in range(1, states[lane]["hand_size"]):
        hands["digits"][slot] = 0


@kernel
def open_kinds(states: States, lane: Lane, hands: HandsRecord, slot: Slot, low: Kinds, high: Kinds) -> Kinds:
    """The kinds that a slot can be, given the cards chosen for those before it; an empty one has a bit of its own."""
    state, owner = states[lane], hands["owner"]
    if state["hands"][owner, slot] == NO_CARD:
        return Kinds(1 << EMPTY_SLOT)
    for earlier in range(slot):
        if hands["hand"][earlier] != EMPTY_SLOT:
            low, high = remove_bit(low, high, kind_bit(hands["hand"][earlier]))
    return state["possible"][owner, slot] & (low | high)


@kernel
def turn_odometer(states: States, lane: Lane, hands: HandsRecord, low: Kinds, high: Kinds, slot: int) -> bool:
    """Go on to the next hand, in the record's table `hand`, from the last slot changed; False after the last one."""
    last = states[lane]["hand_size"] - 1
    while slot >= 0:
        left = hands["digits"][slot]
        if left == 0:
            slot -= 1
            continue
        hands["hand"][slot] = lowest_bit(left)
        hands["digits"][slot] = left & (left - 1)
        if slot == last:
            return True
        slot += 1
        hands["digits"][slot] = open_kinds(states, lane, hands, Slot(slot), low, high)
    return False


@kernel
def packed_from(hands: HandsRecord, hand_size: int) -> int:
    """The hand in the record's table as one integer."""
    packed = 0
    for slot in range(hand_size):
        packed |= hands["hand"][slot] << SLOT_BITS * slot
    return packed


DONE, TOO_MANY, NOBODY_LEFT = 0, 1, 2
BETWEEN_LOOKS = 255  # hands between two looks at the clock, less one


@kernel
def is_late(work: SearchRecord) -> bool:
    """Whether the search should stop, or half of its time is gone."""
    if work["stop"]:
        return True
    return work["nanoseconds"] > 0 and 2 * (now() - work["started"]) > work["nanoseconds"]


@kernel
def list_all(work: SearchRecord, hands: HandsRecord, last: int) -> int:
    """List the hands from the hints alone, and keep those that explain the whole story; not if there are too many."""
    states, side = list_states_of(hands), 1 - hands["side"]
    play_forward(hands, START, TARGET, 0, last)
    low, high = pool_for(hands, states, TARGET)
    if count_fillings(states, TARGET, hands["owner"], low, high) * max(last, 1) > hands["most_moves"]:
        return TOO_MANY
    forget_rows(hands, side)
    size, count, looked = states[TARGET]["hand_size"], 0, 0
    start_odometer(states, TARGET, hands, low, high)
    slot = 0
    while turn_odometer(states, TARGET, hands, low, high, slot):
        slot = size - 1
        looked += 1
        if looked & BETWEEN_LOOKS == 0 and is_late(work):
            return TOO_MANY
        if explains_all(work, hands, last):
            if not append(work, hands, side, count, packed_from(hands, size)):
                return TOO_MANY
            count += 1
    if count == 0 or first_unexplained(hands, last) != EXPLAINED:
        return NOBODY_LEFT
    hands["listed"], hands["side"] = count, side
    return DONE


@kernel
def explains_all(work: SearchRecord, hands: HandsRecord, last: int) -> bool:
    """Whether the other seats would have made all their moves up to `last` with the hand in the record's table."""
    lanes, states, owner = states_of(work), list_states_of(hands), hands["owner"]
    lanes[TRIAL] = states[START]
    start, target = lanes[TRIAL], states[TARGET]
    oldest = target["deck_size"]
    for slot in range(target["hand_size"]):
        order = target["order"][owner, slot]
        if order < 0:
            continue
        oldest = min(oldest, order)
        if order < start["drawn"]:
            start["hands"][owner, order - start["order"][owner, 0]] = hands["hand"][slot]
        else:
            start["deck"][order] = hands["hand"][slot]
    settle_planes(lanes, TRIAL)
    clear_memory(memory_of(work), TRIAL, extents_of(work))
    hands["unexplained"] = 0
    return follow(work, hands, 0, last, oldest) == EXPLAINED


@kernel
def append(work: SearchRecord, hands: HandsRecord, side: int, count: int, packed: int) -> bool:
    """Write an entry with what lane TRIAL remembers; False if there is no room."""
    if count == hands["capacity"]:
        return False
    row = keep_row(work, hands, side, TRIAL)
    if row == NO_ROW:
        return False
    hands_of(hands)[side, count] = packed
    rows_of(hands)[side, count] = row
    unexplained_of(hands)[side, count] = hands["unexplained"]
    return True
