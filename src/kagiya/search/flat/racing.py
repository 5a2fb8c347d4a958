"""Racing: of moves tried in the same deals, those that are surely no better than the leader are dropped.

How sure that is, is measured by the spread of the difference in the same deals, covariance included, which is far
smaller than the spread of the scores.
"""

import math

from kagiya._jit import kernel, lowest_bit
from kagiya.moves import NO_MOVE
from kagiya.search.layout import ROOT_NODE, nodes_of, products_of
from kagiya.search.nodes import child_by


@kernel
def add_products(work, moves):
    """Add up the products of the open moves' values in the last sample, for their variances and covariances."""
    products, values = products_of(work), work["values"]
    left = moves
    while left:
        move = lowest_bit(left)
        others = left
        while others:
            other = lowest_bit(others)
            products[move, other] += values[move] * values[other]
            others &= others - 1
        left &= left - 1


@kernel
def still_open(work, moves):
    """The moves that may still be better than the leader by more than the indifference, the leader included."""
    nodes = nodes_of(work)
    limit = work["confidence"]
    if math.isinf(limit) or work["iterations_done"] < 2:
        return moves
    leader = best_child_of(work, moves)
    child = nodes[ROOT_NODE]["child"]
    while child:
        move = nodes[child]["move"]
        if moves >> move & 1:
            ahead, error = lead_of(work, leader, child)
            if child != leader and ahead + work["indifference"] > limit * error:
                moves &= ~(1 << move)
        child = nodes[child]["sibling"]
    return moves


@kernel
def lead_of(work, first, second):
    """How far one open move's mean is ahead of another's in the same deals, and the standard error of that."""
    nodes = nodes_of(work)
    ahead = (nodes[first]["total"] - nodes[second]["total"]) / float(work["iterations_done"])
    return ahead + handicap(work, second) - handicap(work, first), error_of(work, first, second)


@kernel
def error_of(work, first, second):
    """The standard error of the difference between two open moves' means in the same deals."""
    nodes, products = nodes_of(work), products_of(work)
    deals = float(work["iterations_done"])
    one, other = nodes[first]["move"], nodes[second]["move"]
    ahead = (nodes[first]["total"] - nodes[second]["total"]) / deals
    product = products[min(one, other), max(one, other)]
    squares = products[one, one] + products[other, other] - 2 * product
    return math.sqrt(max(squares / deals - ahead * ahead, 0.0) / max(deals - 1, 1.0))


@kernel
def handicap(work, child):
    """The points by which a move must beat the evaluator's own: the margin, and so many standard errors of its lead.

    The best of many moves that are equally good is the luckiest, by more the fewer the deals, so the noise counts.
    """
    nodes = nodes_of(work)
    if work["evaluator_move"] == NO_MOVE or nodes[child]["move"] == work["evaluator_move"]:
        return 0.0
    usual = child_by(nodes, ROOT_NODE, work["evaluator_move"])
    if nodes[usual]["visits"] != work["iterations_done"]:  # it has been beaten and was dropped
        return 0.0
    return work["margin"] + work["caution"] * error_of(work, child, usual)


@kernel
def best_child_of(work, moves):
    """The node of the open move that stands highest; ties go to the evaluator's own, else to the first.

    All have been tried equally often.
    """
    nodes = nodes_of(work)
    best, highest = 0, 0.0
    child = nodes[ROOT_NODE]["child"]
    while child:
        move = nodes[child]["move"]
        if moves >> move & 1:
            standing = nodes[child]["total"] - handicap(work, child) * work["iterations_done"]
            if best == 0 or standing > highest or (standing == highest and move == work["evaluator_move"]):
                best, highest = child, standing
        child = nodes[child]["sibling"]
    return best
