"""Judging cards for hat players: what to play, to risk or to discard, and which card of a hand a message is about.

Cards are judged as hanabi.rs's and O'Dwyer's information players do, or by all own cards together (`study_hand`).

One card of each hand is the target of a message, which says to which part of its possible kinds it belongs.
Cox et al.: the target is the card most likely to fit among those not identified. Its kinds are cut into as many parts
as there are messages: the useless ones together, then single kinds, then blocks, so that two messages identify any
card. Where there are too few messages for that (two players by strict rules), all parts are equal blocks.

From `look_at_hand` on, `seat` is the row of memory, since one seat's copy of the public table serves all seats of a
simulated game; the hand is that of the player to move.
"""

from typing import NewType

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents.hats import public_table as table
from kagiya.cards import (
    MAX_HAND,
    MAX_KINDS,
    MAX_RANKS,
    Card,
    Kinds,
    Rank,
    Seat,
    Slot,
    Slots,
    each_rank,
    each_seat,
    each_slot,
)
from kagiya.engine.game_kernels import NO_SLOT
from kagiya.engine.layout import Lane, Memory, States
from kagiya.kinds import count_matching, is_single, kind_bit, rank_kinds, rank_of, remove_bit, within
from kagiya.view.view_kernels import critical_kinds, public_planes, unseen_planes

REASONS = (
    "plays {slot}, which must fit",
    "plays {slot}, which probably fits and else is useless",
    "answers everybody's questions with a hint",
    "discards {slot}, which is useless, and answers questions by choosing it",
    "discards {slot}, which is useless",
    "discards {slot}, the card least needed",
    "has nothing better to do",
)
PLAYS, RISKS, HINTS, SIGNALS, DISCARDS_USELESS, DISCARDS, AT_A_LOSS = range(7)

RISK, OWN_RISK = 0.75, 0.65  # a card that either fits or is useless is played if it fits with more than this chance
# What a card's being held elsewhere, or not the last one, counts against its rank.
DUPLICATE, DISPENSABLE, OWN_DISPENSABLE = 20.0, 10.0, 60.0
WORTH_OF_A_ONE = 9.0


@kernel
def count_holders(states: States, i: Lane, seat: Seat, card: Card) -> int:
    """How many other seats hold this card."""
    count = 0
    for owner in each_seat(states[i]["players"]):
        if owner != seat:
            count += table.held_kinds(states, i, owner) >> card & 1
    return count


@kernel
def expected_value(states: States, i: Lane, seat: Seat, kinds: Kinds) -> float:
    """The mean worth of an own card: the lower the more, shared with those who hold the same card."""
    state = states[i]
    low, high = unseen_planes(states, i, seat, seat)
    deck_left = state["drawn"] < state["deck_size"]
    total, weight, left = 0.0, 0, kinds
    while left:
        card = lowest_bit(left)
        copies = count_matching(low, high, kind_bit(card))
        sharing = 1 + count_holders(states, i, seat, card) if deck_left else 1
        total += copies * (WORTH_OF_A_ONE - rank_of(card)) / sharing
        weight += copies
        left &= left - 1
    return total / max(weight, 1)


@kernel
def useless_slots(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat) -> Slots:
    """The slots that everybody knows to be useless or to hold the same useful card as another one."""
    slots, alive = Slots(0), table.kinds_left(states, i)
    for slot in each_slot(states[i]["hand_size"]):
        kinds = table.set_among(states, i, seat, memory, owner, slot, alive)
        if within(kinds, states[i]["useless"]):
            slots |= 1 << slot
        elif kinds != 0 and is_single(kinds):
            for earlier in each_slot(slot):
                if table.set_among(states, i, seat, memory, owner, earlier, alive) == kinds:
                    slots |= 1 << earlier | 1 << slot
                    break
    return slots


@kernel
def kinds_from_rank(lowest: Rank) -> Kinds:
    """The kinds of this rank or a higher one."""
    kinds = Kinds(0)
    for rank in each_rank(MAX_RANKS):
        kinds |= rank_kinds(rank) if rank >= lowest else 0
    return kinds


@kernel
def place_among(slots: Slots, slot: Slot) -> int:
    """How many of some slots come before this one: the message of discarding it rather than another."""
    return popcount(slots & ((1 << slot) - 1))


@kernel
def discard_message(useless: Slots, slot: Slot) -> tuple[int, int]:
    """The message of discarding a card, and of how many: one of several that everybody knows to be useless has one."""
    return (place_among(useless, slot), popcount(useless)) if useless >> slot & 1 else (0, 1)


@kernel
def nth_slot(slots: Slots, place: int) -> Slot:
    """The slot before which `place` others come; NO_SLOT if there are fewer."""
    for slot in each_slot(MAX_HAND):
        if slots >> slot & 1 and place_among(slots, slot) == place:
            return slot
    return NO_SLOT


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
            kinds = table.set_among(states, i, seat, memory, owner, slot, alive)
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
            kinds = table.set_among(states, i, seat, memory, owner, slot, alive)
            left = kinds & (low | high)
            if is_single(kinds) or left == 0:
                continue
            table.conclude(states, i, seat, memory, owner, slot, left)
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
        kinds = table.set_among(states, i, seat, memory, owner, slot, public_low | public_high)
        if is_single(kinds):
            continue
        chance = table.share(low, high, kinds, state["playable"])
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


@kernel
def look_at_hand(states: States, i: Lane, seat: Seat, memory: Memory) -> None:
    """Note what each card of the player to move can be by itself, and the cards that this player does not see."""
    mover: Seat = states[i]["seat"]
    low, high = unseen_planes(states, i, mover, mover)
    for slot in each_slot(states[i]["hand_size"]):
        memory[i, seat, table.OWN + slot] = table.set_among(states, i, seat, memory, mover, slot, low | high)
    memory[i, seat, table.OWN_LOW], memory[i, seat, table.OWN_HIGH] = low, high


@kernel
def study_hand(states: States, i: Lane, seat: Seat, memory: Memory) -> None:
    """`look_at_hand`, all cards together: an identified one leaves a copy fewer to the rest."""
    look_at_hand(states, i, seat, memory)
    low, high = memory[i, seat, table.OWN_LOW], memory[i, seat, table.OWN_HIGH]
    unidentified = Slots(0)
    for slot in each_slot(states[i]["hand_size"]):
        unidentified |= (memory[i, seat, table.OWN + slot] != 0) << slot
    before = Slots(0)
    while unidentified != before:
        before = unidentified
        for slot in each_slot(states[i]["hand_size"]):
            if unidentified >> slot & 1:
                kinds = memory[i, seat, table.OWN + slot]
                kinds = kinds & (low | high) if kinds & (low | high) else kinds
                memory[i, seat, table.OWN + slot] = kinds
                if is_single(kinds):
                    unidentified &= ~(1 << slot)
                    low, high = remove_bit(low, high, kinds) if kinds & (low | high) else (low, high)
    memory[i, seat, table.OWN_LOW], memory[i, seat, table.OWN_HIGH] = low, high


@kernel
def chance(memory: Memory, i: Lane, seat: Seat, slot: Slot, wanted: Kinds) -> float:
    """The chance that a card of the hand studied is one of the kinds wanted."""
    kinds = memory[i, seat, table.OWN + slot]
    if is_single(kinds):
        return 1.0 if kinds & wanted else 0.0
    return table.share(memory[i, seat, table.OWN_LOW], memory[i, seat, table.OWN_HIGH], kinds, wanted)


@kernel
def best_sure_play(states: States, i: Lane, seat: Seat, memory: Memory) -> Slot:
    """Of the cards that must fit the most valuable, ties to the first slot; NO_SLOT if there is none."""
    best, highest = NO_SLOT, -1.0
    for slot in each_slot(states[i]["hand_size"]):
        kinds = memory[i, seat, table.OWN + slot]
        if within(kinds, states[i]["playable"]):
            value = expected_value(states, i, states[i]["seat"], kinds)
            if value > highest:
                best, highest = slot, value
    return best


@kernel
def best_risk(states: States, i: Lane, seat: Seat, memory: Memory, risk: float) -> Slot:
    """A card that either fits, probably, or is useless; NO_SLOT if there is none, or no life or time to spare."""
    state = states[i]
    best, highest = NO_SLOT, risk
    if state["lives"] < 2 or not table.has_time(states, i):
        return best
    for slot in each_slot(state["hand_size"]):
        if within(memory[i, seat, table.OWN + slot], state["playable"] | state["useless"]):
            fits = chance(memory, i, seat, slot, state["playable"])
            if fits > highest:
                best, highest = slot, fits
    return best


@kernel
def worthless_slots(states: States, i: Lane, seat: Seat, memory: Memory) -> Slots:
    """The cards that must be useless, and those identified as the same useful card as another one."""
    slots = Slots(0)
    for slot in each_slot(states[i]["hand_size"]):
        kinds = memory[i, seat, table.OWN + slot]
        if within(kinds, states[i]["useless"]):
            slots |= 1 << slot
        elif kinds != 0 and is_single(kinds):
            for earlier in each_slot(slot):
                if memory[i, seat, table.OWN + earlier] == kinds:
                    slots |= 1 << earlier | 1 << slot
                    break
    return slots


@kernel
def best_discard(states: States, i: Lane, seat: Seat, memory: Memory) -> Slot:
    """The card that most likely is not the last of its kind, or held elsewhere too, or high; NO_SLOT without cards."""
    state = states[i]
    elsewhere, dispensable = table.held_by_others(states, i, state["seat"]), ~critical_kinds(states, i)
    best, highest = NO_SLOT, -1.0
    for slot in each_slot(state["hand_size"]):
        if memory[i, seat, table.OWN + slot] == 0:
            continue
        value = DUPLICATE * chance(memory, i, seat, slot, elsewhere)
        value += OWN_DISPENSABLE * chance(memory, i, seat, slot, dispensable)
        for rank in range(1, MAX_RANKS):
            value += chance(memory, i, seat, slot, kinds_from_rank(Rank(rank)))
        if value > highest:
            best, highest = slot, value
    return best


@kernel
def least_needed(states: States, i: Lane, seat: Seat, memory: Memory) -> Slot:
    """The card that is most likely held elsewhere too, not the last of its kind, or high; NO_SLOT without cards."""
    elsewhere, dispensable = table.held_by_others(states, i, states[i]["seat"]), ~critical_kinds(states, i)
    best, highest = NO_SLOT, -1.0
    for slot in each_slot(states[i]["hand_size"]):
        if memory[i, seat, table.OWN + slot] == 0:
            continue
        rank = 0.0  # added up by itself: in the order of `best_discard` sums round otherwise, and ties with them
        for number in range(1, MAX_RANKS):
            rank += chance(memory, i, seat, slot, kinds_from_rank(Rank(number)))
        score = DUPLICATE * chance(memory, i, seat, slot, elsewhere)
        score += DISPENSABLE * chance(memory, i, seat, slot, dispensable)
        if score + rank > highest:
            best, highest = slot, score + rank
    return best


@kernel
def may_be_last_copy(states: States, i: Lane, seat: Seat, memory: Memory, slot: Slot) -> bool:
    """Whether a card may be needed and the last of its kind."""
    return memory[i, seat, table.OWN + slot] & critical_kinds(states, i) != 0
