"""Racing: of moves tried in the same deals, those that are surely no better than the leader are dropped.

How sure that is, is measured by the spread of the difference in the same deals, covariance included, which is far
smaller than the spread of the scores.
"""

import math

from kagiya._jit import kernel, lowest_bit
from kagiya.moves import NUM_MOVES
from kagiya.search.layout import (
    CONFIDENCE,
    DONE,
    INDIFFERENCE,
    MARGIN,
    ROOT_NODE,
    USUAL,
    nodes_of,
    products_of,
    settings_of,
)

VALUES = NUM_MOVES  # the row of the products that holds the values in the last deal


@kernel
def add_products(products, moves):
    """Add up the products of the open moves' values in the last deal, for their variances and covariances."""
    left = moves
    while left:
        move = lowest_bit(left)
        value = products[VALUES, move]
        others = left
        while others:
            other = lowest_bit(others)
            products[move, other] += value * products[VALUES, other]
            others &= others - 1
        left &= left - 1


@kernel
def still_open(work, moves):
    """The moves that may still be better than the leader by more than the indifference, the leader included."""
    nodes = nodes_of(work)
    limit = settings_of(work)[CONFIDENCE]
    if math.isinf(limit) or work[DONE] < 2:
        return moves
    leader = best_child_of(work, moves)
    child = nodes[ROOT_NODE]["child"]
    while child:
        move = nodes[child]["move"]
        if moves >> move & 1:
            ahead, error = lead_of(work, leader, child)
            if child != leader and ahead + settings_of(work)[INDIFFERENCE] > limit * error:
                moves &= ~(1 << move)
        child = nodes[child]["sibling"]
    return moves


@kernel
def lead_of(work, first, second):
    """How far one open move's mean is ahead of another's in the same deals, and the standard error of that."""
    nodes, products = nodes_of(work), products_of(work)
    deals = float(work[DONE])
    one, other = nodes[first]["move"], nodes[second]["move"]
    ahead = (nodes[first]["total"] - nodes[second]["total"]) / deals
    product = products[min(one, other), max(one, other)]
    squares = products[one, one] + products[other, other] - 2 * product
    variance = max(squares / deals - ahead * ahead, 0.0) / max(deals - 1, 1.0)
    return ahead + head_start(work, one) - head_start(work, other), math.sqrt(variance)


@kernel
def head_start(work, move):
    """The points that a move is given at the start: the margin for the evaluator's own, nothing for others."""
    return settings_of(work)[MARGIN] if move == work[USUAL] else 0.0


@kernel
def best_child_of(work, moves):
    """The node of the open move that stands highest; of equals the evaluator's own, else the first.

    All have been tried equally often.
    """
    nodes = nodes_of(work)
    best, highest = 0, 0.0
    child = nodes[ROOT_NODE]["child"]
    while child:
        move = nodes[child]["move"]
        if moves >> move & 1:
            standing = nodes[child]["total"] + head_start(work, move) * work[DONE]
            if best == 0 or standing > highest or (standing == highest and move == work[USUAL]):
                best, highest = child, standing
        child = nodes[child]["sibling"]
    return best


@kernel
def child_by(nodes, parent, move):
    """The child of a node by this move; 0 if there is none."""
    child = nodes[parent]["child"]
    while child and nodes[child]["move"] != move:
        child = nodes[child]["sibling"]
    return child
