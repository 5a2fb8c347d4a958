"""Hands one after another: every way to fill a hand's slots with kinds that the hints allow and the pool still has."""

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.cards import NO_CARD, Kinds, Seat, Slot
from kagiya.engine.layout import Lane, States
from kagiya.kinds import kind_bit
from kagiya.planes import remove_bit
from kagiya.search.hands.layout import EMPTY_SLOT, SLOT_BITS, HandsRecord


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
