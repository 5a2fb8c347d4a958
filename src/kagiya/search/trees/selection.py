"""Selection: the child of a node that an iteration goes on to, untried moves first, then by upper confidence bound.

The count below the logarithm is how often a move could have been chosen, since not every deal allows every move.
"""

import math

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.dice import below
from kagiya.moves import NO_MOVE, MoveNumber
from kagiya.search.layout import SEARCH_STREAM, TRIAL, Nodes, SearchRecord, nodes_of, rng_of
from kagiya.search.nodes import children_moves
from kagiya.view.hand_sampling import nth_bit


@kernel
def untried_move(work: SearchRecord, parent: int, offered: int) -> MoveNumber:
    """Any of the offered moves that has no child yet, each as likely; NO_MOVE if all have."""
    untried = offered & ~children_moves(nodes_of(work), parent)
    if untried == 0:
        return NO_MOVE
    if untried & (untried - 1) == 0:
        return lowest_bit(untried)
    return MoveNumber(nth_bit(untried, below(rng_of(work), TRIAL, SEARCH_STREAM, popcount(untried))))


@kernel
def count_available(nodes: Nodes, parent: int, offered: int) -> None:
    """Every child whose move is offered could have been chosen once more."""
    child = nodes[parent]["child"]
    while child:
        nodes[child]["available"] += offered >> nodes[child]["move"] & 1
        child = nodes[child]["sibling"]


@kernel
def best_child(work: SearchRecord, parent: int, offered: int) -> int:
    """The offered child with the highest upper confidence bound, any of those that tie; 0 if there is none."""
    nodes, rng = nodes_of(work), rng_of(work)
    exploration, scale = work["exploration"], work["scale"]
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
