"""Racing: of moves tried in the same deals, those that are surely no better than the leader are dropped.

How sure that is, is measured by the spread of the difference in the same deals, covariance included, which is far
smaller than the spread of the scores.
"""

import math

from kagiya._jit import kernel, lowest_bit
from kagiya.move_kernels import is_hint
from kagiya.moves import NO_MOVE
from kagiya.search.layout import ROOT_NODE, SearchRecord, nodes_of, products_of
from kagiya.search.nodes import child_by

LEAST_SPREAD = 1.0  # points, of the difference between two moves in a deal, when few deals have been seen


@kernel
def add_products(work: SearchRecord, moves: int) -> None:
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
def still_open(work: SearchRecord, moves: int, least_spread: float) -> int:
    """The moves that may still be better than the leader by more than the indifference, the leader included.

    A few deals in which two moves led to the same do not show that they always will, so the spread of their
    difference is taken to be at least so much. A patient search leaves a head start by the noise out of this: with it,
    a move is dropped that happens to be ahead of the evaluator's own by too little, however unsure that is.
    """
    nodes = nodes_of(work)
    limit = work["confidence"]
    if math.isinf(limit) or work["iterations_done"] < 2:
        return moves
    least_error = least_spread / math.sqrt(work["iterations_done"])
    leader = best_child_of(work, moves)
    child = nodes[ROOT_NODE]["child"]
    while child:
        move = nodes[child]["move"]
        if moves >> move & 1:
            ahead, error = lead_of(work, leader, child)
            if work["patient"]:
                ahead -= noise_of(work, child) - noise_of(work, leader)
            if child != leader and ahead + work["indifference"] > limit * max(error, least_error):
                moves &= ~(1 << move)
        child = nodes[child]["sibling"]
    return moves


@kernel
def not_hopeless(work: SearchRecord, moves: int) -> int:
    """The moves that an early look leaves: not surely behind the leader, head start aside, and no hint like another.

    Hints that have led to the same in every deal so far say the same in other words, as the hints of a code do.
    """
    nodes = nodes_of(work)
    leader = best_child_of(work, moves)
    child = nodes[ROOT_NODE]["child"]
    while child:
        move = nodes[child]["move"]
        if moves >> move & 1 and child != leader:
            ahead = (nodes[leader]["total"] - nodes[child]["total"]) / float(work["iterations_done"])
            if ahead > work["confidence"] * error_of(work, leader, child) or repeats_hint(work, moves, child):
                moves &= ~(1 << move)
        child = nodes[child]["sibling"]
    return moves


@kernel
def repeats_hint(work: SearchRecord, moves: int, child: int) -> bool:
    """Whether a node's hint has led to the same as an earlier one, or the evaluator's own, in every deal."""
    nodes = nodes_of(work)
    move = nodes[child]["move"]
    other = nodes[ROOT_NODE]["child"]
    while other and is_hint(move) and move != work["evaluator_move"]:
        rival = nodes[other]["move"]
        is_before = is_hint(rival) and (rival < move or rival == work["evaluator_move"])
        is_level = moves >> rival & 1 and nodes[other]["total"] == nodes[child]["total"]
        if is_before and is_level and error_of(work, other, child) == 0.0:
            return True
        other = nodes[other]["sibling"]
    return False


@kernel
def lead_of(work: SearchRecord, first: int, second: int) -> tuple[float, float]:
    """How far one open move's mean is ahead of another's in the same deals, and the standard error of that."""
    nodes = nodes_of(work)
    ahead = (nodes[first]["total"] - nodes[second]["total"]) / float(work["iterations_done"])
    return ahead + handicap(work, second) - handicap(work, first), error_of(work, first, second)


@kernel
def error_of(work: SearchRecord, first: int, second: int) -> float:
    """The standard error of the difference between two open moves' means in the same deals."""
    nodes, products = nodes_of(work), products_of(work)
    deals = float(work["iterations_done"])
    one, other = nodes[first]["move"], nodes[second]["move"]
    ahead = (nodes[first]["total"] - nodes[second]["total"]) / deals
    product = products[min(one, other), max(one, other)]
    squares = products[one, one] + products[other, other] - 2 * product
    return math.sqrt(max(squares / deals - ahead * ahead, 0.0) / max(deals - 1, 1.0))


@kernel
def handicap(work: SearchRecord, child: int) -> float:
    """The points by which a move must beat the evaluator's own: the margin, and so many standard errors of its lead.

    The best of many moves that are equally good is the luckiest, by more the fewer the deals, so the noise counts.
    """
    return work["margin"] + noise_of(work, child) if rival_of(work, child) else 0.0


@kernel
def noise_of(work: SearchRecord, child: int) -> float:
    """The part of a handicap that is due to noise."""
    usual = rival_of(work, child)
    return work["caution"] * error_of(work, child, usual) if usual and not work["is_exact"] else 0.0


@kernel
def rival_of(work: SearchRecord, child: int) -> int:
    """The node of the evaluator's own move, which another must beat; 0 for itself, or if it was beaten and dropped."""
    nodes = nodes_of(work)
    if work["evaluator_move"] == NO_MOVE or nodes[child]["move"] == work["evaluator_move"]:
        return 0
    usual = child_by(nodes, ROOT_NODE, work["evaluator_move"])
    return usual if nodes[usual]["visits"] == work["iterations_done"] else 0


@kernel
def best_child_of(work: SearchRecord, moves: int) -> int:
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
