"""A tree without rollouts: a learned function values every move of a node at once, and the best value is backed up.

Goodman's RIS-MCTS-NR. A new child starts with one visit whose reward is the estimate; then one child is chosen as
ever, which among new ones is the best, and its mean is what the iteration is worth. It is counted besides the estimate.
"""

from kagiya._jit import kernel, lowest_bit
from kagiya.cards import Seat
from kagiya.engine.kernels import is_over
from kagiya.learn.value_kernels import value_moves
from kagiya.search.layout import TRIAL, SearchRecord, leaf_of, nodes_of, states_of
from kagiya.search.nodes import add_child, children_moves, count_result
from kagiya.search.rollout import reward_of

THE_NETWORK = 0  # the only row of the leaf's numbers


@kernel
def value_children(work: SearchRecord, parent: int, seat: Seat, offered: int) -> bool:
    """Give every offered move a child that starts with its estimate; returns whether there were new ones."""
    untried = offered & ~children_moves(nodes_of(work), parent)
    if untried == 0:
        return False
    masks, values = work["convention_masks"][:], work["values"][:]
    value_moves(
        states_of(work),
        TRIAL,
        seat,
        masks,
        work["convention"],
        leaf_of(work),
        THE_NETWORK,
        work["leaf_start"],
        untried,
        values,
    )
    grown = False
    while untried:
        move = lowest_bit(untried)
        untried &= untried - 1
        child = add_child(work, parent, move, seat)
        if child:
            count_result(nodes_of(work), child, values[move])
            grown = True
    return grown


@kernel
def leaf_reward(work: SearchRecord) -> float:
    """What an iteration that ended at the last node of the path is worth: the score, or the node's mean so far."""
    lanes = states_of(work)
    node = nodes_of(work)[work["path"][work["depth"]]]
    if is_over(lanes, TRIAL) or node["visits"] == 0:
        return reward_of(lanes, TRIAL, work)
    return node["total"] / node["visits"]
