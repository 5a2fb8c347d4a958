"""The moves that a node offers: all legal ones, or what a list of rules proposes, without hints that would mislead.

A node is a sequence of moves; the same node serves every deal, and the moves that a deal does not allow are
passed over.
"""

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents.conventions.playable_now import GROUNDED, misleading_hints
from kagiya.agents.rule_list import proposed_moves
from kagiya.agents.tactics.slots import occupied_slots
from kagiya.cards import Seat
from kagiya.dice import below
from kagiya.engine.kernels import legal_moves
from kagiya.engine.layout import Lane, States
from kagiya.move_kernels import discard_move
from kagiya.moves import FIRST_DISCARD
from kagiya.rules import MAX_HAND
from kagiya.search.deals.convention import narrow_possible, restore_possible
from kagiya.search.deals.sampling import nth_bit
from kagiya.search.layout import SEARCH_STREAM, TRIAL, SearchRecord, nodes_of, rng_of, rules_of
from kagiya.search.nodes import children_moves

THE_LIST = 0  # the only row of the tree's rules
DISCARDS = ((1 << MAX_HAND) - 1) << FIRST_DISCARD


@kernel
def offered_moves(states: States, i: Lane, seat: Seat, work: SearchRecord) -> int:
    """The moves that a node offers to the seat to move in this deal, as a mask: all legal ones or the rules'."""
    legal = legal_moves(states, i)
    forbidden = 0
    if work["convention"] != GROUNDED:
        forbidden = misleading_hints(states, i, seat, work["convention"])
        narrow_possible(states, i, seat, work)
    offered = legal
    if work["restricted"]:
        offered = moves_by_rules(states, i, seat, work, forbidden)
    if work["convention"] != GROUNDED:
        restore_possible(states, i, seat, work)
    allowed = offered & legal & ~forbidden
    return allowed if allowed or work["defect"] else legal


@kernel
def moves_by_rules(states: States, i: Lane, seat: Seat, work: SearchRecord, forbidden: int) -> int:
    """What the rules of the tree propose, each at most one move, as a mask; not yet checked for legality."""
    state = states[i]
    held_low, held_high = state["hand_low"][seat], state["hand_high"][seat]
    # The released MO-ISMCTS takes the seat's own cards, as dealt, for seen: they cannot be what its slots hold. Where
    # that leaves no kind for any slot, its discard rule throws the first card away.
    if work["defect"]:
        state["hand_low"][seat], state["hand_high"][seat] = 0, 0
    masks, convention = work["convention_masks"][:], work["convention"]
    moves = proposed_moves(states, i, seat, rules_of(work), THE_LIST, rng_of(work), masks, convention, forbidden)
    state["hand_low"][seat], state["hand_high"][seat] = held_low, held_high
    if work["defect"] and moves & DISCARDS == 0:
        moves |= 1 << discard_move(lowest_bit(occupied_slots(states, i, seat)))
    return moves


@kernel
def unprune(states: States, i: Lane, work: SearchRecord, parent: int, offered: int) -> int:
    """Widen what the rules offer as visits grow: the moves opened so far, and one more each time they double."""
    nodes = nodes_of(work)
    legal = legal_moves(states, i)
    opened = children_moves(nodes, parent) & legal & ~offered
    earned = 0
    visits = nodes[parent]["visits"] // work["unprune"]
    while visits:
        earned += 1
        visits >>= 1
    if work["convention"] != GROUNDED:
        legal &= ~misleading_hints(states, i, states[i]["seat"], work["convention"])
    closed = legal & ~offered & ~opened
    if popcount(opened) < earned and closed:
        rng = rng_of(work)
        opened |= 1 << nth_bit(closed, below(rng, TRIAL, SEARCH_STREAM, popcount(closed)))
    return offered | opened
