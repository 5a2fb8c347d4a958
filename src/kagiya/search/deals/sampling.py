"""Dealing the hidden cards: a hand from what its owner can know, exactly uniform over the consistent deals.

Every consistent deal of a hand (distinct cards in distinct slots, each allowed by its hints) is as likely as
any other if each slot picks any of its cards by itself and a clash starts the hand over.

Filling the slots one after another from what is left, as Goodman's and Brooks's programs do, is uniform too if the
number of cards left for a slot never depends on the cards chosen before. So it is with the narrowest slot or the
oldest card first: all hints since a card was drawn have sorted the whole hand, so what an older card can be lies
within what a newer one can be, or outside it. The conventions keep this up, for they speak only of a card that a
hint touched alone (a slot whose hints `redeal_card` forgets can be an exception, once in thousands of moves).
It is not uniform from left to right where a drawn card takes a vacated slot, nor with kinds
that overlap otherwise; Bouzy's assignment at random costs is not uniform. `kagiya bench deals` measures it.
"""

from typing import Any

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.cards import HIDDEN_CARD, NO_CARD, Card, Kinds, Seat, Slot, Slots
from kagiya.dice import Streams, below
from kagiya.engine.layout import Lane, States
from kagiya.kinds import kind_bit
from kagiya.planes import add_bit, add_planes, count_matching, remove_bit
from kagiya.search.deals.assignment import NO_HAND, assign_hand
from kagiya.search.layout import SEARCH_STREAM, TRIAL, SearchRecord
from kagiya.view.kernels import NOTHING

UNIFORM, SLOT_BY_SLOT, LEFT_TO_RIGHT, ASSIGNMENT = 0, 1, 2, 3
DEALS = ("uniform", "slot-by-slot", "left-to-right", "assignment")  # what they are called on the command line
DEALT_ALL, CLASH, NOTHING_FITS = 0, 1, 2
PATIENCE = 400  # clashes after which the hand is filled slot by slot: such hints leave hardly a choice


@kernel
def nth_bit(mask: int, n: int) -> Any:
    """The place of a mask's bit number `n`, counted from 0."""
    for _ in range(n):
        mask &= mask - 1
    return lowest_bit(mask)


@kernel
def nth_card(low: Kinds, high: Kinds, kinds: Kinds, n: int) -> Card:
    """Card number `n` of the cards of `kinds` in a multiset."""
    single = popcount(low & kinds)
    if n < single:
        return nth_bit(low & kinds, n)
    return nth_bit(high & kinds, (n - single) >> 1)


@kernel
def random_card(low: Kinds, high: Kinds, kinds: Kinds, rng: Streams) -> Card:
    """Any card of these kinds, each copy as likely; NO_CARD if there is none."""
    count = count_matching(low, high, kinds)
    if count == 0:
        return NO_CARD
    return nth_card(low, high, kinds, below(rng, TRIAL, SEARCH_STREAM, count))


@kernel
def pool_of(states: States, i: Lane, owner: Seat) -> tuple[Kinds, Kinds]:
    """The cards that the owner of a hand cannot see: the deck's and its own."""
    state = states[i]
    return add_planes(state["deck_low"], state["deck_high"], state["hand_low"][owner], state["hand_high"][owner])


@kernel
def sample_hand(states: States, i: Lane, owner: Seat, work: SearchRecord, rng: Streams) -> None:
    """Write a hand that the owner could hold into the record's table `hand`; empty slots become NO_CARD.

    The kinds a slot can be are its `possible`, which the convention may have narrowed. A slot that no unseen
    card fits, which happens only in games the search has made up, takes any card.
    """
    if work["sampler"] == ASSIGNMENT and assign_hand(states, i, owner, work, rng) != NO_HAND:
        return
    if work["sampler"] != UNIFORM:
        fill_slots(states, i, owner, work, rng)
        return
    for _ in range(PATIENCE):
        outcome = sample_slots(states, i, owner, work, rng)
        if outcome == DEALT_ALL:
            return
        if outcome == NOTHING_FITS:
            break
    fill_slots(states, i, owner, work, rng)


@kernel
def sample_slots(states: States, i: Lane, owner: Seat, work: SearchRecord, rng: Streams) -> int:
    """One attempt at a uniform hand; a CLASH when two slots wanted the same card."""
    state = states[i]
    low, high = pool_of(states, i, owner)
    left_low, left_high = low, high
    for slot in range(state["hand_size"]):
        if state["hands"][owner, slot] == NO_CARD:
            work["hand"][slot] = NO_CARD
            continue
        kinds = state["possible"][owner, slot]
        cards = count_matching(low, high, kinds)
        if cards == 0:
            return NOTHING_FITS
        wanted = below(rng, TRIAL, SEARCH_STREAM, cards)
        # The cards that earlier slots have taken are numbered last: wanting one of them is the clash.
        if wanted >= count_matching(left_low, left_high, kinds):
            return CLASH
        card = nth_card(left_low, left_high, kinds, wanted)
        left_low, left_high = remove_bit(left_low, left_high, kind_bit(card))
        work["hand"][slot] = card
    return DEALT_ALL


@kernel
def fill_slots(states: States, i: Lane, owner: Seat, work: SearchRecord, rng: Streams) -> None:
    """Fill slot after slot from what is left, the most restricted first or from left to right; then any card."""
    state = states[i]
    low, high = pool_of(states, i, owner)
    for _ in range(PATIENCE):
        if try_to_fill(states, i, owner, work, rng):
            return
    for slot in range(state["hand_size"]):
        work["hand"][slot] = NO_CARD
        if state["hands"][owner, slot] == NO_CARD:
            continue
        card = random_card(low, high, state["possible"][owner, slot], rng)
        if card == NO_CARD:
            card = random_card(low, high, state["kinds"], rng)
        low, high = remove_bit(low, high, kind_bit(card))
        work["hand"][slot] = card


@kernel
def try_to_fill(states: States, i: Lane, owner: Seat, work: SearchRecord, rng: Streams) -> bool:
    """One attempt to fill the slots in order from what is left: False when a slot finds no card."""
    state = states[i]
    low, high = pool_of(states, i, owner)
    todo = Slots(0)
    for slot in range(state["hand_size"]):
        work["hand"][slot] = NO_CARD
        todo |= (state["hands"][owner, slot] != NO_CARD) << slot
    all_low, all_high = low, high
    while todo:
        slot = lowest_bit(todo)
        if work["sampler"] != LEFT_TO_RIGHT:
            slot = most_restricted(states, i, owner, todo, all_low, all_high)
        card = random_card(low, high, state["possible"][owner, slot], rng)
        if card == NO_CARD:
            return False
        low, high = remove_bit(low, high, kind_bit(card))
        work["hand"][slot] = card
        todo &= ~(1 << slot)
    return True


@kernel
def most_restricted(states: States, i: Lane, owner: Seat, slots: Slots, low: Kinds, high: Kinds) -> Slot:
    """Of some slots the one that the fewest cards fit; ties go to the first."""
    best, fewest = lowest_bit(slots), 99
    while slots:
        slot = lowest_bit(slots)
        count = count_matching(low, high, states[i]["possible"][owner, slot])
        if count < fewest:
            best, fewest = slot, count
        slots &= slots - 1
    return best


@kernel
def hold_hand(states: States, i: Lane, owner: Seat, work: SearchRecord) -> None:
    """Give the owner the hand in the record's table `hand`; what it held before goes back to the deck first."""
    state = states[i]
    low, high = pool_of(states, i, owner)
    hand_low, hand_high = NOTHING, NOTHING
    for slot in range(state["hand_size"]):
        card = work["hand"][slot]
        if card == NO_CARD:
            continue
        bit = kind_bit(card)
        state["hands"][owner, slot] = card
        low, high = remove_bit(low, high, bit)
        hand_low, hand_high = add_bit(hand_low, hand_high, bit)
    state["deck_low"], state["deck_high"] = low, high
    state["hand_low"][owner], state["hand_high"][owner] = hand_low, hand_high


@kernel
def top_deck(states: States, i: Lane, rng: Streams) -> None:
    """Put any of the deck's cards on top of it, unless its order is settled: card by card is soon enough."""
    state = states[i]
    if state["drawn"] < state["deck_size"] and state["deck"][state["drawn"]] == HIDDEN_CARD:
        state["deck"][state["drawn"]] = random_card(state["deck_low"], state["deck_high"], state["kinds"], rng)


@kernel
def settle_deck(states: States, i: Lane, rng: Streams) -> None:
    """Put the deck's cards in any order, for lines of play that are to draw the same cards, or to look ahead."""
    state = states[i]
    deck, drawn, place = state["deck"], state["drawn"], state["drawn"]
    kinds = state["deck_low"] | state["deck_high"]
    while kinds:
        card = lowest_bit(kinds)
        kinds &= kinds - 1
        for _ in range(count_matching(state["deck_low"], state["deck_high"], 1 << card)):
            # Each card goes to any place so far, and what lay there to the end: a shuffle that grows.
            other = drawn + below(rng, TRIAL, SEARCH_STREAM, place - drawn + 1)
            deck[place] = deck[other]
            deck[other] = card
            place += 1
