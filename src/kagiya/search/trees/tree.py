"""The tree: which moves a node offers, which one is chosen, and how results are counted. Nothing is allocated.

A node is a sequence of moves; the same node serves every deal, and the moves that a deal does not allow are
passed over (information set search: the count below the logarithm is how often a move could have been chosen).
"""

import math

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents._rule_list import WORDS_PER_USE
from kagiya.agents.tactics.slots import occupied_slots
from kagiya.dice import below
from kagiya.engine.calls import call_tactic
from kagiya.engine.kernels import legal_moves
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
from kagiya.search.layout import (
    CAPACITY,
    CONVENTION,
    DEFECT,
    EXPLORATION,
    GROUNDED,
    ROOT_NODE,
    RULE_LIST,
    RULES,
    SCALE,
    SEARCH_STREAM,
    TRIAL,
    UNPRUNE,
    USED,
    nodes_of,
    rng_of,
    settings_of,
)

# In the place of a tactic's address: rules that need to know what the convention has said.
SINGLE_PLAYABLE, MOST_ALLOWED = -1, -2
DISCARDS = ((1 << MAX_HAND) - 1) << FIRST_DISCARD


@kernel
def offered_moves(states, i, seat, work):
    """The moves that a node offers to the seat to move in this deal, as a mask: all legal ones or the rules'."""
    legal = legal_moves(states, i)
    forbidden = 0
    if work[CONVENTION] != GROUNDED:
        forbidden = misleading_hints(states, i, seat, work[CONVENTION])
        narrow_possible(states, i, seat, work)
    offered = legal
    if work[RULES]:
        offered = moves_by_rules(states, i, seat, work, forbidden)
    if work[CONVENTION] != GROUNDED:
        restore_possible(states, i, seat, work)
    allowed = offered & legal & ~forbidden
    return allowed if allowed or work[DEFECT] else legal


@kernel
def moves_by_rules(states, i, seat, work, forbidden):
    """What the rules of the tree propose, each at most one move, as a mask; not yet checked for legality."""
    state = states[i]
    held_low, held_high = state["hand_low"][seat], state["hand_high"][seat]
    # The released MO-ISMCTS takes the seat's own cards, as dealt, for seen: they cannot be what its slots hold. Where
    # that leaves no kind for any slot, its discard rule throws the first card away.
    if work[DEFECT]:
        state["hand_low"][seat], state["hand_high"][seat] = 0, 0
    settings, rng = settings_of(work), rng_of(work)
    deck_left = state["deck_size"] - state["drawn"]
    moves = 0
    for rule in range(int(settings[RULE_LIST])):
        word = RULE_LIST + 1 + WORDS_PER_USE * rule
        if state["lives"] < settings[word + 2] or state["tokens"] > settings[word + 3]:
            continue
        if deck_left > settings[word + 4]:
            continue
        tactic = int(settings[word])
        if tactic == SINGLE_PLAYABLE:
            move = tell_single_playable(states, i, seat, work)
        elif tactic == MOST_ALLOWED:
            move = tell_most_allowed(states, i, seat, forbidden)
        else:
            move = call_tactic(tactic, states, i, seat, rng, settings[word + 1])
        if move != NO_MOVE:
            moves |= 1 << move
    state["hand_low"][seat], state["hand_high"][seat] = held_low, held_high
    if work[DEFECT] and moves & DISCARDS == 0:
        moves |= 1 << FIRST_DISCARD + lowest_bit(occupied_slots(states, i, seat))
    return moves


@kernel
def start_tree(work):
    """A tree of the root alone."""
    nodes = nodes_of(work)
    clear_node(nodes, ROOT_NODE, NO_MOVE, NO_MOVE)
    work[USED] = 1


@kernel
def clear_node(nodes, place, move, actor):
    """A node without visits or children."""
    node = nodes[place]
    node["move"], node["actor"] = move, actor
    node["visits"] = node["available"] = node["child"] = node["sibling"] = 0
    node["total"] = node["squares"] = 0.0


@kernel
def children_moves(nodes, parent):
    """The moves of a node's children, as a mask."""
    moves, child = 0, nodes[parent]["child"]
    while child:
        moves |= 1 << nodes[child]["move"]
        child = nodes[child]["sibling"]
    return moves


@kernel
def add_child(work, parent, move, actor):
    """A new child; 0 when the tree is full."""
    place = work[USED]
    if place == work[CAPACITY]:
        return 0
    nodes = nodes_of(work)
    work[USED] = place + 1
    clear_node(nodes, place, move, actor)
    nodes[place]["sibling"] = nodes[parent]["child"]
    nodes[parent]["child"] = place
    # Among all legal moves nearly each is always there; a rule's move is expanded soon after it first appears.
    nodes[place]["available"] = 1 if work[RULES] else 1 + nodes[parent]["visits"]
    return place


@kernel
def unprune(states, i, work, parent, offered):
    """Widen what the rules offer as visits grow: the moves opened so far, and one more each time they double."""
    nodes = nodes_of(work)
    legal = legal_moves(states, i)
    opened = children_moves(nodes, parent) & legal & ~offered
    earned = 0
    visits = nodes[parent]["visits"] // work[UNPRUNE]
    while visits:
        earned += 1
        visits >>= 1
    if work[CONVENTION] != GROUNDED:
        legal &= ~misleading_hints(states, i, states[i]["seat"], work[CONVENTION])
    closed = legal & ~offered & ~opened
    if popcount(opened) < earned and closed:
        rng = rng_of(work)
        opened |= 1 << nth_bit(closed, below(rng, TRIAL, SEARCH_STREAM, popcount(closed)))
    return offered | opened


@kernel
def untried_move(work, parent, offered):
    """Any of the offered moves that has no child yet, each as likely; NO_MOVE if all have."""
    untried = offered & ~children_moves(nodes_of(work), parent)
    if untried == 0:
        return NO_MOVE
    if untried & (untried - 1) == 0:
        return lowest_bit(untried)
    return nth_bit(untried, below(rng_of(work), TRIAL, SEARCH_STREAM, popcount(untried)))


@kernel
def count_available(nodes, parent, offered):
    """Every child whose move is offered could have been chosen once more."""
    child = nodes[parent]["child"]
    while child:
        nodes[child]["available"] += offered >> nodes[child]["move"] & 1
        child = nodes[child]["sibling"]


@kernel
def best_child(work, parent, offered):
    """The offered child with the highest upper confidence bound; 0 if there is none."""
    nodes, settings, rng = nodes_of(work), settings_of(work), rng_of(work)
    exploration, scale = settings[EXPLORATION], settings[SCALE]
    best, highest, ties = 0, -1e300, 1
    child = nodes[parent]["child"]
    while child:
        node = nodes[child]
        if offered >> node["move"] & 1:
            visits = node["visits"]
            bound = 1e9
            if visits:
                bound = node["total"] / (visits * scale) + exploration * math.sqrt(math.log(node["available"]) / visits)
            if bound > highest:
                best, highest, ties = child, bound, 1
            elif bound == highest:
                ties += 1
                if below(rng, TRIAL, SEARCH_STREAM, ties) == 0:
                    best = child
        child = node["sibling"]
    return best


@kernel
def count_result(nodes, place, reward):
    """One more visit of a node, with its reward."""
    node = nodes[place]
    node["visits"] += 1
    node["total"] += reward
    node["squares"] += reward * reward
