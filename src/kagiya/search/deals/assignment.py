"""Bouzy's way to deal hidden cards: random costs between slots and cards, and the cheapest assignment is the hand.

Bouzy 2017 solves the assignment by the Hungarian method. With at most five slots less will do: a slot of n never
needs any but its n cheapest cards, since the other slots can take only n - 1 of these away. So those few are kept
and searched, cheapest first, which mostly ends with the first hand found. The hand is consistent but not uniform.
"""

from kagiya._jit import kernel
from kagiya.cards import MAX_KINDS, NO_CARD, Seat
from kagiya.dice import Streams, next_word
from kagiya.engine.layout import Lane, States
from kagiya.rules import MAX_HAND
from kagiya.search.layout import SEARCH_STREAM, TRIAL, SearchRecord
from kagiya.view.kernels import unseen_planes

# An edge is one number, so that edges sort by cost: 32 bits of cost, then the kind, then which physical card it is.
KIND_SHIFT, COST_SHIFT, FIELD = 6, 12, 63
NO_EDGE = 1 << 50
NO_HAND = -1


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
