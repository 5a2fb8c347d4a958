"""The moves that a node offers: all legal ones, or what a list of rules proposes, without hints that would mislead.

A node is a sequence of moves; the same node serves every deal, and the moves that a deal does not allow are
passed over.
"""

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents._rule_list import list_length, may_use, tactic_at
from kagiya.agents.tactics.slots import occupied_slots
from kagiya.dice import below
from kagiya.engine.calls import call_tactic
from kagiya.engine.kernels import legal_moves
from kagiya.move_kernels import discard_move
from kagiya.moves import FIRST_DISCARD, NO_MOVE
from kagiya.rules import MAX_HAND
from kagiya.search.deals.convention import (
    misleading_hints,
    narrow_possible,
    restore_possible,
    tell_most_allowed,
    tell_single_playable,
)
from kagiya.search.deals.sampling import nth_bit
from kagiya.search.layout import GROUNDED, SEARCH_STREAM, TRIAL, nodes_of, rng_of, rules_of
from kagiya.search.nodes import children_moves

THE_LIST = 0  # the only row of the tree's rules
# In the place of a tactic's address: rules that need to know what the convention has said.
SINGLE_PLAYABLE, MOST_ALLOWED = -1, -2
DISCARDS = ((1 << MAX_HAND) - 1) << FIRST_DISCARD


@kernel
def offered_moves(states, i, seat, work):
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
def moves_by_rules(states, i, seat, work, forbidden):
    """What the rules of the tree propose, each at most one move, as a mask; not yet checked for legality."""
    state = states[i]
    held_low, held_high = state["hand_low"][seat], state["hand_high"][seat]
    # The released MO-ISMCTS takes the seat's own cards, as dealt, for seen: they cannot be what its slots hold. Where
    # that leaves no kind for any slot, its discard rule throws the first card away.
    if work["defect"]:
        state["hand_low"][seat], state["hand_high"][seat] = 0, 0
    rules, rng = rules_of(work), rng_of(work)
    lives, tokens, deck_left = state["lives"], state["tokens"], state["deck_size"] - state["drawn"]
    moves = 0
    for place in range(list_length(rules, THE_LIST)):
        if not may_use(rules, THE_LIST, place, lives, tokens, deck_left):
            continue
        tactic, value = tactic_at(rules, THE_LIST, place)
        if tactic == SINGLE_PLAYABLE:
            move = tell_single_playable(states, i, seat, work)
        elif tactic == MOST_ALLOWED:
            move = tell_most_allowed(states, i, seat, forbidden)
        else:
            move = call_tactic(tactic, states, i, seat, rng, value)
        if move != NO_MOVE:
            moves |= 1 << move
    state["hand_low"][seat], state["hand_high"][seat] = held_low, held_high
    if work["defect"] and moves & DISCARDS == 0:
        moves |= 1 << discard_move(lowest_bit(occupied_slots(states, i, seat)))
    return moves


@kernel
def unprune(states, i, work, parent, offered):
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
