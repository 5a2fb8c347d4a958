"""What a seat can know, in compiled form: unseen cards, and the chance that a slot is of some kinds.

`viewer` is who asks, `owner` whose hand is asked about. When they differ the answer is what the viewer
can tell of the owner's thoughts: neither's own hand counts as seen. All kernels give the same answers
on a real state and on one censored for the viewer.
"""

import numpy as np
import numpy.typing as npt

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.cards import HIDDEN_CARD, MAX_HAND, NO_CARD, Kinds, Seat, Slot, Slots, each_slot
from kagiya.engine.layout import Lane, States
from kagiya.kinds import add_planes, count_matching, subtract_planes

NOTHING = Kinds(0)
SUBSETS = 1 << MAX_HAND  # of the slots of a hand
DEAL_TABLE = 2 * SUBSETS  # length of the array that `count_deals` fills

DealTable = npt.NDArray[np.int64]


@kernel
def unseen_planes(states: States, i: Lane, viewer: Seat, owner: Seat) -> tuple[Kinds, Kinds]:
    """The cards that the owner cannot see, as far as the viewer can tell: deck, owner's and viewer's hands."""
    state = states[i]
    low, high = add_planes(state["deck_low"], state["deck_high"], state["hand_low"][owner], state["hand_high"][owner])
    if viewer != owner:
        low, high = add_planes(low, high, state["hand_low"][viewer], state["hand_high"][viewer])
    return low, high


@kernel
def public_planes(states: States, i: Lane) -> tuple[Kinds, Kinds]:
    """The cards that are neither played nor discarded, wherever they are."""
    state = states[i]
    low, high = subtract_planes(state["copies_low"], state["copies_high"], state["discard_low"], state["discard_high"])
    return subtract_planes(low, high, state["played"], NOTHING)


@kernel
def critical_kinds(states: States, i: Lane) -> Kinds:
    """The kinds still needed of which a single copy is left."""
    state = states[i]
    low, high = subtract_planes(state["copies_low"], state["copies_high"], state["discard_low"], state["discard_high"])
    return low & ~high & ~state["useless"]


@kernel
def last_copies(states: States, i: Lane) -> Kinds:
    """The kinds not played yet of which one copy is left, whether they can still be reached or not."""
    state = states[i]
    low, high = subtract_planes(state["copies_low"], state["copies_high"], state["discard_low"], state["discard_high"])
    return low & ~high & ~state["played"]


@kernel
def possible_kinds(states: States, i: Lane, viewer: Seat, owner: Seat, slot: Slot) -> Kinds:
    """The kinds a card can be, by the hints given and by the cards that the owner sees elsewhere."""
    low, high = unseen_planes(states, i, viewer, owner)
    return states[i]["possible"][owner, slot] & (low | high)


@kernel
def slot_chance(low: Kinds, high: Kinds, possible: Kinds, kinds: Kinds) -> float:
    """The chance that a card is one of `kinds`, each unseen card being as likely: four bit counts.

    Other cards of the same hand are left out of account, as nearly all published agents do;
    `exact_chance` counts them. Not a number when no unseen card fits (the slot is empty).
    """
    cards = count_matching(low, high, possible)
    return count_matching(low, high, possible & kinds) / cards if cards else np.nan


@kernel
def count_deals(states: States, i: Lane, owner: Seat, low: Kinds, high: Kinds, table: DealTable) -> Slots:
    """Fill `table` with the number of ways to deal the unseen cards to each subset of the owner's slots.

    Distinct cards to distinct slots: a sum over the partitions of the slots, where a block of n slots
    that would share one card weighs (-1)**(n-1) * (n-1)!. Returns the mask of occupied slots.
    The first half of the table keeps the kinds common to a subset's slots, the second the counts.
    """
    state = states[i]
    occupied = Slots(0)
    for slot in each_slot(state["hand_size"]):
        if state["hands"][owner, slot] != NO_CARD:
            occupied |= 1 << slot
    table[0], table[SUBSETS] = state["kinds"], 1
    for number in range(1, occupied + 1):
        subset = Slots(number)
        if subset & ~occupied:
            continue
        first = lowest_bit(subset)
        rest = subset & (subset - 1)
        table[subset] = table[rest] & state["possible"][owner, first]
        table[SUBSETS + subset] = deals_through(low, high, subset, first, state["kinds"], table)
    return occupied


@kernel
def deals_through(low: Kinds, high: Kinds, subset: Slots, slot: Slot, kinds: Kinds, table: DealTable) -> int:
    """Ways to deal to `subset` with one of `kinds` in `slot`, from the table's entries for fewer slots."""
    rest = subset & ~(1 << slot)
    ways, sharing = 0, rest
    while True:
        block = sharing | 1 << slot
        weight = 1
        for size in range(1, popcount(block)):
            weight *= -size
        ways += weight * count_matching(low, high, table[block] & kinds) * table[SUBSETS + (subset & ~block)]
        if sharing == 0:
            return ways
        sharing = (sharing - 1) & rest


@kernel
def exact_chance(low: Kinds, high: Kinds, occupied: Slots, slot: Slot, kinds: Kinds, table: DealTable) -> float:
    """The chance that a card is one of `kinds`, all the cards of its hand considered together."""
    return deals_through(low, high, occupied, slot, kinds, table) / table[SUBSETS + occupied]


@kernel
def hand_chances(
    states: States, i: Lane, viewer: Seat, owner: Seat, table: DealTable, chances: npt.NDArray[np.float64]
) -> None:
    """Exact chances [playable, useless, critical][slot] of a whole hand, as far as the viewer can tell."""
    state = states[i]
    low, high = unseen_planes(states, i, viewer, owner)
    occupied = count_deals(states, i, owner, low, high, table)
    critical = critical_kinds(states, i)
    for slot in each_slot(state["hand_size"]):
        if occupied >> slot & 1:
            chances[0, slot] = exact_chance(low, high, occupied, slot, state["playable"], table)
            chances[1, slot] = exact_chance(low, high, occupied, slot, state["useless"], table)
            chances[2, slot] = exact_chance(low, high, occupied, slot, critical, table)


@kernel
def censor(states: States, i: Lane, target: Lane, seat: Seat) -> None:
    """Write into lane `target` what `seat` may see of lane `i`: its own hand and the deck become unknown.

    The planes keep what that seat knows: its unseen cards, all counted to the deck.
    """
    low, high = unseen_planes(states, i, seat, seat)
    states[target] = states[i]
    state = states[target]
    state["deck_low"], state["deck_high"] = low, high
    state["hand_low"][seat], state["hand_high"][seat] = 0, 0
    for slot in each_slot(state["hand_size"]):
        if state["hands"][seat, slot] != NO_CARD:
            state["hands"][seat, slot] = HIDDEN_CARD
    for place in range(state["drawn"], state["deck_size"]):
        state["deck"][place] = HIDDEN_CARD
