"""The nodes of a search: a list of siblings under each parent, in an array that is filled from its beginning."""

from kagiya._jit import kernel
from kagiya.cards import Seat
from kagiya.moves import NO_MOVE, MoveNumber
from kagiya.search.layout import ROOT_NODE, Nodes, SearchRecord, nodes_of

NO_SEAT = Seat(-1)  # nobody moves to the root


@kernel
def start_tree(work: SearchRecord) -> None:
    """A tree of the root alone."""
    clear_node(nodes_of(work), ROOT_NODE, NO_MOVE, NO_SEAT)
    work["nodes_used"] = 1


@kernel
def clear_node(nodes: Nodes, place: int, move: MoveNumber, actor: Seat) -> None:
    """A node without visits or children."""
    node = nodes[place]
    node["move"], node["actor"] = move, actor
    node["visits"] = node["available"] = node["child"] = node["sibling"] = 0
    node["total"] = node["squares"] = 0.0


@kernel
def add_child(work: SearchRecord, parent: int, move: MoveNumber, actor: Seat) -> int:
    """A new child; 0 when the tree is full."""
    place = work["nodes_used"]
    if place == work["node_capacity"]:
        return 0
    nodes = nodes_of(work)
    work["nodes_used"] = place + 1
    clear_node(nodes, place, move, actor)
    nodes[place]["sibling"] = nodes[parent]["child"]
    nodes[parent]["child"] = place
    # Among all legal moves nearly each is always there; a rule's move is expanded soon after it first appears.
    nodes[place]["available"] = 1 if work["restricted"] else 1 + nodes[parent]["visits"]
    return place


@kernel
def child_by(nodes: Nodes, parent: int, move: MoveNumber) -> int:
    """The child of a node by this move; 0 if there is none."""
    child = nodes[parent]["child"]
    while child and nodes[child]["move"] != move:
        child = nodes[child]["sibling"]
    return child


@kernel
def children_moves(nodes: Nodes, parent: int) -> int:
    """The moves of a node's children, as a mask."""
    moves, child = 0, nodes[parent]["child"]
    while child:
        moves |= 1 << nodes[child]["move"]
        child = nodes[child]["sibling"]
    return moves


@kernel
def count_result(nodes: Nodes, place: int, reward: float) -> None:
    """One more visit of a node, with its reward."""
    node = nodes[place]
    node["visits"] += 1
    node["total"] += reward
    node["squares"] += reward * reward
