"""Depth two: a move is tried with every reply of the next seat, and is worth as much as its best reply."""

from kagiya._jit import kernel, lowest_bit
from kagiya.cards import Seat
from kagiya.engine.kernels import is_over, legal_moves
from kagiya.moves import NO_MOVE, MoveNumber
from kagiya.search.flat.shared_deals import take_up_deal, try_line
from kagiya.search.layout import TRIAL, SearchRecord, nodes_of, states_of
from kagiya.search.nodes import add_child, child_by, count_result
from kagiya.search.rollout import try_move


@kernel
def try_replies(work: SearchRecord, parent: int) -> None:
    """Try a move with every reply that the next seat has in this deal; an end without reply counts for itself."""
    lanes, nodes = states_of(work), nodes_of(work)
    move = nodes[parent]["move"]
    nodes[parent]["visits"] += 1
    take_up_deal(work)
    try_move(lanes, TRIAL, work, move)
    actor = lanes[TRIAL]["seat"]
    if is_over(lanes, TRIAL):
        count_result(nodes, child_for(work, parent, NO_MOVE, actor), try_line(work, move, NO_MOVE))
        return
    replies = legal_moves(lanes, TRIAL)
    while replies:
        reply = lowest_bit(replies)
        count_result(nodes, child_for(work, parent, reply, actor), try_line(work, move, reply))
        replies &= replies - 1


@kernel
def child_for(work: SearchRecord, parent: int, move: MoveNumber, actor: Seat) -> int:
    """The child of a node by this move, a new one if need be."""
    child = child_by(nodes_of(work), parent, move)
    return child if child else add_child(work, parent, move, actor)


@kernel
def count_best_reply(work: SearchRecord, parent: int) -> None:
    """Give a move the value of its best reply: of those legal in half of the deals that went on, by the mean."""
    nodes = nodes_of(work)
    ended, best, highest = 0, 0, -1e300
    went_on = nodes[parent]["visits"]
    child = nodes[parent]["child"]
    while child:
        if nodes[child]["move"] == NO_MOVE:
            ended = child
            went_on -= nodes[child]["visits"]
        child = nodes[child]["sibling"]
    child = nodes[parent]["child"]
    while child:
        visits = nodes[child]["visits"]
        if child != ended and 2 * visits >= went_on and nodes[child]["total"] / visits > highest:
            best, highest = child, nodes[child]["total"] / visits
        child = nodes[child]["sibling"]
    if ended:
        nodes[parent]["total"] += nodes[ended]["total"]
        nodes[parent]["squares"] += nodes[ended]["squares"]
    if best:
        weight = went_on / nodes[best]["visits"]
        nodes[parent]["total"] += weight * nodes[best]["total"]
        nodes[parent]["squares"] += weight * nodes[best]["squares"]
