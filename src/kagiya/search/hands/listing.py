"""A list of hands made from nothing: all that the hints allow, or a sample of them, with which the story comes true."""

from kagiya._jit import kernel, now
from kagiya.engine.memory_kernels import clear_memory
from kagiya.search.hands.layout import START, TARGET, hands_of, list_states_of, rows_of
from kagiya.search.hands.odometer import count_fillings, packed_from, start_odometer, turn_odometer
from kagiya.search.hands.rows import NO_ROW, forget_rows, keep_row
from kagiya.search.hands.samples import fill_by_number
from kagiya.search.hands.story import EXPLAINED, follow, play_forward, pool_for, settle_planes
from kagiya.search.layout import TRIAL, extents_of, memory_of, states_of

DONE, TOO_MANY, NOBODY_LEFT = 0, 1, 2
BETWEEN_LOOKS = 255  # hands between two looks at the clock, less one


@kernel
def is_late(work, hands):
    """Whether the search should stop, or half of its time is gone; never for what all compute alike."""
    if work["stop"]:
        return True
    return work["nanoseconds"] > 0 and not hands["is_public"] and 2 * (now() - work["started"]) > work["nanoseconds"]


@kernel
def list_all(work, hands, last, most_moves):
    """List the hands from the hints alone, and keep those that explain the whole story; not if there are too many."""
    states, side = list_states_of(hands), 1 - hands["side"]
    play_forward(hands, START, TARGET, 0, last)
    low, high = pool_for(hands, states, TARGET)
    if count_fillings(states, TARGET, hands["owner"], low, high) * max(last, 1) > most_moves:
        return TOO_MANY
    forget_rows(hands, side)
    size, count, looked = states[TARGET]["hand_size"], 0, 0
    start_odometer(states, TARGET, hands, low, high)
    slot = 0
    while turn_odometer(states, TARGET, hands, low, high, slot):
        slot = size - 1
        looked += 1
        if looked & BETWEEN_LOOKS == 0 and is_late(work, hands):
            return TOO_MANY
        if explains_all(work, hands, last):
            if not append(work, hands, side, count, packed_from(hands, size)):
                return TOO_MANY
            count += 1
    if count == 0:
        return NOBODY_LEFT
    hands["listed"], hands["side"], hands["is_sample"] = count, side, 0
    return DONE


@kernel
def sample_all(work, hands, last):
    """The same with as many of the hands as there is room for, which all choose alike."""
    states, side = list_states_of(hands), 1 - hands["side"]
    play_forward(hands, START, TARGET, 0, last)
    low, high = pool_for(hands, states, TARGET)
    forget_rows(hands, side)
    count, size = 0, states[TARGET]["hand_size"]
    for number in range(hands["capacity"]):
        if work["stop"]:
            return TOO_MANY
        if not fill_by_number(hands, low, high, last * hands["capacity"] + number) or not explains_all(
            work, hands, last
        ):
            continue
        if not append(work, hands, side, count, packed_from(hands, size)):
            break
        count += 1
    if count == 0:
        return NOBODY_LEFT
    hands["listed"], hands["side"], hands["is_sample"] = count, side, 1
    return DONE


@kernel
def explains_all(work, hands, last):
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
    return follow(work, hands, 0, last, oldest) == EXPLAINED


@kernel
def append(work, hands, side, count, packed):
    """Write an entry with what lane TRIAL remembers; False if there is no room."""
    if count == hands["capacity"]:
        return False
    row = keep_row(work, hands, side, TRIAL)
    if row == NO_ROW:
        return False
    hands_of(hands)[side, count] = packed
    rows_of(hands)[side, count] = row
    return True
