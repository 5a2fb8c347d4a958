"""A list of hands made from nothing: all that the hints allow and with which the story comes true."""

from kagiya._jit import kernel, now
from kagiya.engine.memory_kernels import clear_memory
from kagiya.search.hands.layout import START, TARGET, HandsRecord, hands_of, list_states_of, rows_of, unexplained_of
from kagiya.search.hands.odometer import count_fillings, packed_from, start_odometer, turn_odometer
from kagiya.search.hands.rows import NO_ROW, forget_rows, keep_row
from kagiya.search.hands.story import EXPLAINED, first_unexplained, follow, play_forward, pool_for, settle_planes
from kagiya.search.layout import TRIAL, SearchRecord, extents_of, memory_of, states_of

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
