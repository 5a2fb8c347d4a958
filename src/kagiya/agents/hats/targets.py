"""One card of each hand is the target of a message, which says to which part of its possible kinds it belongs.

Cox et al.: the target is the card most likely to fit among those not identified. Its kinds are cut into as many parts
as there are messages: the useless ones together, then single kinds, then blocks, so that two messages identify any
card. Where there are too few messages for that (two players by strict rules), all parts are equal blocks.
"""

from typing import NewType

from kagiya._jit import kernel, popcount
from kagiya.agents.hats.knowledge import conclude, set_among, share
from kagiya.cards import MAX_KINDS, MAX_RANKS, Card, Kinds, Seat, Slot, each_rank, each_seat, each_slot
from kagiya.engine.layout import Lane, Memory, States
from kagiya.kinds import is_single, kind_bit, rank_kinds, rank_of
from kagiya.planes import remove_bit
from kagiya.view.kernels import public_planes

Cut = NewType("Cut", int)

IDENTITIES, PARTS = Cut(0), Cut(1)  # ways to cut: by the number of the kind, or as Cox et al. do


@kernel
def unidentified_planes(states: States, i: Lane, seat: Seat, memory: Memory) -> tuple[Kinds, Kinds]:
    """The cards that everybody may still look for: neither played, discarded nor identified in a hand."""
    state = states[i]
    low, high = public_planes(states, i)
    alive = low | high
    for owner in each_seat(state["players"]):
        for slot in each_slot(state["hand_size"]):
            kinds = set_among(states, i, seat, memory, owner, slot, alive)
            if is_single(kinds) and kinds & (low | high):
                low, high = remove_bit(low, high, kinds)
    return low, high


@kernel
def settle(states: States, i: Lane, seat: Seat, memory: Memory) -> None:
    """Strike from all cards not identified the kinds whose copies are all gone or identified, until nothing changes."""
    low, high = unidentified_planes(states, i, seat, memory)
    while True:
        next_low, next_high = strike(states, i, seat, memory, low, high)
        if next_low == low and next_high == high:
            return
        low, high = next_low, next_high


@kernel
def strike(states: States, i: Lane, seat: Seat, memory: Memory, low: Kinds, high: Kinds) -> tuple[Kinds, Kinds]:
    """Keep of all cards not identified the kinds of these planes; returns the planes less what that identifies."""
    state = states[i]
    public_low, public_high = public_planes(states, i)
    alive, left_low, left_high = public_low | public_high, low, high
    for owner in each_seat(state["players"]):
        for slot in each_slot(state["hand_size"]):
            kinds = set_among(states, i, seat, memory, owner, slot, alive)
            left = kinds & (low | high)
            if is_single(kinds) or left == 0:
                continue
            conclude(states, i, seat, memory, owner, slot, left)
            if is_single(left) and left & (left_low | left_high):
                left_low, left_high = remove_bit(left_low, left_high, left)
    return left_low, left_high


@kernel
def target_slot(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat, low: Kinds, high: Kinds) -> Slot:
    """The card that most likely fits, being not identified; ties to the first slot, as if none can fit.

    The planes are those of `unidentified_planes`, which serve for all hands.
    """
    state = states[i]
    public_low, public_high = public_planes(states, i)
    best, highest = Slot(0), 0.0
    for slot in each_slot(state["hand_size"]):
        kinds = set_among(states, i, seat, memory, owner, slot, public_low | public_high)
        if is_single(kinds):
            continue
        chance = share(low, high, kinds, state["playable"])
        if chance > highest:
            best, highest = slot, chance
    return best


@kernel
def part_of(card: Card, kinds: Kinds, useless: Kinds, parts: int, cut: Cut) -> int:
    """The number of the part that a card belongs to; 0 for a card that is none of these kinds."""
    if cut == IDENTITIES:
        return card % parts
    live = kinds & ~useless
    if not live >> card & 1:
        return 0
    has_useless = int(kinds & useless != 0)
    place = has_useless + place_by_rank(card, live)
    needed = has_useless + popcount(live)
    singles = single_parts(needed, parts)
    return place if place < singles else singles + (place - singles) // block_size(needed, parts)


@kernel
def kinds_of_part(part: int, kinds: Kinds, useless: Kinds, parts: int, cut: Cut) -> Kinds:
    """The kinds of one part."""
    if cut == IDENTITIES:
        return kinds & every_nth_kind(part, parts)
    live, has_useless = kinds & ~useless, int(kinds & useless != 0)
    needed = has_useless + popcount(live)
    singles, size = single_parts(needed, parts), block_size(needed, parts)
    first, count = (part, 1) if part < singles else (singles + (part - singles) * size, size)
    found = kinds_by_place(live, first - has_useless, first - has_useless + count)
    return found | kinds & useless if part == 0 else found


@kernel
def every_nth_kind(first: int, step: int) -> Kinds:
    """The kinds whose numbers leave the same remainder."""
    found = Kinds(0)
    for card in range(first, MAX_KINDS, step):
        found |= 1 << card
    return found


@kernel
def place_by_rank(card: Card, kinds: Kinds) -> int:
    """How many of some kinds come before a card, counted by rank, then by color."""
    before = popcount(kinds & rank_kinds(rank_of(card)) & (kind_bit(card) - 1))
    for rank in each_rank(rank_of(card)):
        before += popcount(kinds & rank_kinds(rank))
    return before


@kernel
def kinds_by_place(kinds: Kinds, first: int, end: int) -> Kinds:
    """Those of some kinds whose `place_by_rank` is at least `first` and below `end`."""
    found, place = Kinds(0), 0
    for rank in each_rank(MAX_RANKS):
        left = kinds & rank_kinds(rank)
        while left:
            found |= left & -left if first <= place < end else 0
            left &= left - 1
            place += 1
    return found


@kernel
def single_parts(needed: int, parts: int) -> int:
    """How many parts can hold one kind each (the useless ones count as one) if the others take `parts` kinds each."""
    single = parts
    while single > 0 and single + parts * (parts - single) < needed:
        single -= 1
    return single


@kernel
def block_size(needed: int, parts: int) -> int:
    """How many kinds the parts hold that hold several."""
    return max(parts, (needed - 1) // parts + 1)
