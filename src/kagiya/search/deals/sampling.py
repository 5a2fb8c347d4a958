"""Dealing the hidden cards with the dice of a search: a hand that its owner could hold, by one of several samplers.

`view/hand_sampling` deals uniformly. Filling the slots one after another from what is left, as Goodman's and Brooks's
programs do, is uniform too if the number of cards left for a slot never depends on the cards chosen before. So it is
with the narrowest slot or the oldest card first: all hints since a card was drawn have sorted the whole hand, so what
an older card can be lies within what a newer one can be, or outside it. The conventions keep this up, for they speak
only of a card that a hint touched alone (a slot whose hints `redeal_card` forgets can be an exception, once in
thousands of moves). It is not uniform from left to right where a drawn card takes a vacated slot, nor with kinds that
overlap otherwise. The tests show it.

Bouzy 2017 draws random costs between slots and cards, and the cheapest assignment is the hand: consistent but not
uniform. He solves it by the Hungarian method. With at most five slots less will do: a slot of n never needs any but its
n cheapest cards, since the other slots can take only n - 1 of these away. So those few are kept and searched, cheapest
first, which mostly ends with the first hand found.
"""

import math

from kagiya._jit import kernel, lowest_bit
from kagiya.cards import HIDDEN_CARD, MAX_HAND, MAX_KINDS, NO_CARD, Card, Kinds, Seat, Slot, Slots
from kagiya.engine.dice import next_word
from kagiya.engine.layout import Lane, States, Streams
from kagiya.kinds import count_matching, kind_bit, remove_bit
from kagiya.search.search_layout import SEARCH_STREAM, TRIAL, SearchRecord, rng_of
from kagiya.view.hand_sampling import DEALT_ALL, NOTHING_FITS, fill_hand, give_hand, pick_card, shuffle_deck, try_hand
from kagiya.view.view_kernels import unseen_planes

# An edge is one number, so that edges sort by cost: 32 bits of cost, then the kind, then which physical card it is.
KIND_SHIFT, COST_SHIFT, FIELD = 6, 12, 63
NO_EDGE = 1 << 50
NO_HAND = -1
WORD_VALUES = 2.0**32


@kernel
def assign_hand(states: States, i: Lane, owner: Seat, work: SearchRecord, rng: Streams) -> int:
    """Write the hand with the cheapest edges into the table `hand`; returns its cost, NO_HAND if none is consistent."""
    rows = draw_edges(states, i, owner, work, rng)
    cost = cheapest_edges(work, rows)
    if cost == NO_HAND:
        return cost
    row = 0
    for slot in range(states[i]["hand_size"]):
        work["hand"][slot] = NO_CARD
        if states[i]["hands"][owner, slot] != NO_CARD:
            work["hand"][slot] = work["found"][row] >> KIND_SHIFT & FIELD
            row += 1
    return cost


@kernel
def draw_edges(states: States, i: Lane, owner: Seat, work: SearchRecord, rng: Streams) -> int:
    """Draw a cost for each unseen card in each slot it fits and keep a slot's cheapest; returns how many slots."""
    state = states[i]
    low, high = unseen_planes(states, i, owner, owner)
    for row in range(MAX_HAND):
        for rank in range(MAX_HAND):
            work["edges"][row, rank] = NO_EDGE
    rows, copy = 0, 0
    for slot in range(state["hand_size"]):
        rows += state["hands"][owner, slot] != NO_CARD
    for kind in range(MAX_KINDS):
        for _ in range((low >> kind & 1) + 2 * (high >> kind & 1)):
            row = 0
            for slot in range(state["hand_size"]):
                if state["hands"][owner, slot] == NO_CARD:
                    continue
                if state["possible"][owner, slot] >> kind & 1:
                    cost = next_word(rng, TRIAL, SEARCH_STREAM)
                    keep_edge(work, row, cost << COST_SHIFT | kind << KIND_SHIFT | copy)
                row += 1
            copy += 1
    return rows


@kernel
def keep_edge(work: SearchRecord, row: int, edge: int) -> None:
    """Put an edge into its place among the cheapest of a row, or drop it."""
    edges, rank = work["edges"], MAX_HAND - 1
    if edge >= edges[row, rank]:
        return
    while rank > 0 and edges[row, rank - 1] > edge:
        edges[row, rank] = edges[row, rank - 1]
        rank -= 1
    edges[row, rank] = edge


@kernel
def cheapest_edges(work: SearchRecord, rows: int) -> int:
    """Choose an edge for each row, no card twice, at the least cost: into the table `found`; returns the cost."""
    work["bounds"][rows] = 0
    for row in range(rows - 1, -1, -1):
        work["bounds"][row] = work["bounds"][row + 1] + (work["edges"][row, 0] >> COST_SHIFT)
    best, cost, taken, row = NO_EDGE >> COST_SHIFT, 0, 0, 0
    work["choices"][0] = 0
    while row >= 0:
        if row == rows and cost < best:
            best = cost
            for found in range(rows):
                work["found"][found] = work["edges"][found, work["choices"][found]]
        edge = NO_EDGE
        if row < rows and work["choices"][row] < MAX_HAND:
            edge = work["edges"][row, work["choices"][row]]
        if edge == NO_EDGE or cost + (edge >> COST_SHIFT) + work["bounds"][row + 1] >= best:
            # The row's later edges cost more: go back to the row before and change its choice.
            row -= 1
            if row >= 0:
                edge = work["edges"][row, work["choices"][row]]
                cost -= edge >> COST_SHIFT
                taken &= ~(1 << (edge & FIELD))
                work["choices"][row] += 1
        elif taken >> (edge & FIELD) & 1:
            work["choices"][row] += 1
        else:
            cost += edge >> COST_SHIFT
            taken |= 1 << (edge & FIELD)
            row += 1
            work["choices"][row] = 0
    return best if best < NO_EDGE >> COST_SHIFT else NO_HAND


UNIFORM, SLOT_BY_SLOT, LEFT_TO_RIGHT, ASSIGNMENT = 0, 1, 2, 3
DEALS = ("uniform", "slot-by-slot", "left-to-right", "assignment")  # what they are called on the command line
MAX_CLASHES = 400  # clashes after which the hand is filled slot by slot: such hints leave hardly a choice


@kernel
def random_card(low: Kinds, high: Kinds, kinds: Kinds, rng: Streams) -> Card:
    """Any card of these kinds, each copy as likely; NO_CARD if there is none."""
    return pick_card(low, high, kinds, rng, TRIAL, SEARCH_STREAM)


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
    kinds, hand = states[i]["possible"][owner], work["hand"][:]
    for _ in range(MAX_CLASHES):
        outcome = try_hand(states, i, owner, kinds, hand, rng, TRIAL, SEARCH_STREAM)
        if outcome == DEALT_ALL:
            return
        if outcome == NOTHING_FITS:
            break
    fill_slots(states, i, owner, work, rng)


@kernel
def fill_slots(states: States, i: Lane, owner: Seat, work: SearchRecord, rng: Streams) -> None:
    """Fill slot after slot from what is left, the most restricted first or from left to right; then any card."""
    for _ in range(MAX_CLASHES):
        if try_to_fill(states, i, owner, work, rng):
            return
    fill_hand(states, i, owner, states[i]["possible"][owner], work["hand"][:], rng, TRIAL, SEARCH_STREAM)


@kernel
def try_to_fill(states: States, i: Lane, owner: Seat, work: SearchRecord, rng: Streams) -> bool:
    """One attempt to fill the slots in order from what is left: False when a slot finds no card."""
    state = states[i]
    low, high = unseen_planes(states, i, owner, owner)
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
    give_hand(states, i, owner, work["hand"][:])


@kernel
def keep_hand(work: SearchRecord) -> None:
    """Note the hand in the record's table, to be taken again if no other is found."""
    for slot in range(MAX_HAND):
        work["kept_hand"][slot] = work["hand"][slot]


@kernel
def recall_hand(work: SearchRecord) -> None:
    """Write the hand that was kept into the record's table again."""
    for slot in range(MAX_HAND):
        work["hand"][slot] = work["kept_hand"][slot]


@kernel
def oldest_order(states: States, i: Lane, owner: Seat) -> int:
    """The `order` of the oldest card in a hand; the size of the deck if the hand is empty."""
    oldest = states[i]["deck_size"]
    for slot in range(states[i]["hand_size"]):
        if states[i]["order"][owner, slot] >= 0:
            oldest = min(oldest, states[i]["order"][owner, slot])
    return oldest


@kernel
def roll(work: SearchRecord) -> float:
    """From 0 up to, but not including, 1: by the dice of the search."""
    return next_word(rng_of(work), TRIAL, SEARCH_STREAM) / WORD_VALUES


@kernel
def roll_unexplained(work: SearchRecord, odds: float) -> int:
    """How many moves more than the best a hand may leave unexplained, if each makes it less likely by `odds`."""
    share = (next_word(rng_of(work), TRIAL, SEARCH_STREAM) + 1) / WORD_VALUES
    return int(math.log(share) / math.log(odds)) if odds > 0.0 else 0


@kernel
def top_deck(states: States, i: Lane, rng: Streams) -> None:
    """Put any of the deck's cards on top of it, unless its order is settled: card by card is soon enough."""
    state = states[i]
    if state["drawn"] < state["deck_size"] and state["deck"][state["drawn"]] == HIDDEN_CARD:
        state["deck"][state["drawn"]] = random_card(state["deck_low"], state["deck_high"], state["kinds"], rng)


@kernel
def settle_deck(states: States, i: Lane, rng: Streams) -> None:
    """Put the deck's cards in any order, for lines of play that are to draw the same cards, or to look ahead."""
    shuffle_deck(states, i, rng, TRIAL, SEARCH_STREAM)
