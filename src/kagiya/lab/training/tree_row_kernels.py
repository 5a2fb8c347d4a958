"""What a finished search has learned, as rows: the features of each well visited move of its tree, and the move's mean.

A node of the tree is a sequence of moves, which many deals share. Its features are taken from one such deal, sampled
after the search as its iterations sample theirs; so recording changes nothing about the game.
"""

from typing import Any

from kagiya._jit import kernel, popcount, stack_array
from kagiya.agents.conventions.playable_now import misleading_hints
from kagiya.agents.rule_list import list_length, rule_move
from kagiya.engine.kernels import is_over
from kagiya.learn.feature_kernels import FEATURES, STATE_FEATURES, write_move_features, write_state_features
from kagiya.search.deals.convention import narrow_possible, restore_possible
from kagiya.search.layout import KNOWN, ROOT_NODE, TRIAL, nodes_of, rng_of, rules_of, states_of, work_at
from kagiya.search.trees.offers import THE_LIST
from kagiya.search.trees.root import deal_root
from kagiya.search.trees.tree_moves import forget_cards, make_tree_move
from kagiya.search.trees.tree_search import offered_in_tree

MOST_DEPTH = 64
TRIES = 20  # deals sampled for a node before it is given up
# Columns of `numbers`, beside the features.
DEPTH, MOVE, VISITS, NODE_VISITS, TARGET, NUMBERS = range(6)

features_of_node = stack_array("float64", FEATURES)
features_of_move = stack_array("float64", FEATURES)
path_of_node = stack_array("int64", MOST_DEPTH + 1)


@kernel
def write_tree_rows(
    place: int, i: Any, memory: Any, least_visits: int, deepest: int, features: Any, numbers: Any
) -> int:
    """A row for every move tried at least so often, at nodes at most so deep that were; returns how many.

    The search at address `place` must just have chosen a move for the game in lane `i`, not made yet.
    """
    work = work_at(place)
    nodes = nodes_of(work)
    path = path_of_node()
    path[0], depth, count = ROOT_NODE, 0, 0
    going_down = nodes[ROOT_NODE]["visits"] >= least_visits
    while depth >= 0:
        node, following = path[depth], 0
        if going_down:
            count = write_node_rows(i, memory, work, path, depth, least_visits, features, numbers, count)
            if depth < min(deepest, MOST_DEPTH):
                following = visited_from(nodes, nodes[node]["child"], least_visits)
        if following:
            depth += 1
        else:
            following = visited_from(nodes, nodes[node]["sibling"], least_visits) if depth > 0 else 0
        going_down = following != 0
        if following:
            path[depth] = following
        else:
            depth -= 1
    return count


@kernel
def visited_from(nodes: Any, node: int, least_visits: int) -> int:
    """This node or the first of its later siblings that was visited so often; 0 if there is none."""
    while node and nodes[node]["visits"] < least_visits:
        node = nodes[node]["sibling"]
    return node


@kernel
def write_node_rows(
    i: Any, memory: Any, work: Any, path: Any, depth: int, least_visits: int, features: Any, numbers: Any, count: int
) -> int:
    """The rows of one node; returns how many there are now."""
    nodes, lanes = nodes_of(work), states_of(work)
    child = visited_from(nodes, nodes[path[depth]]["child"], least_visits)
    if child == 0 or not reach_node(i, memory, work, path, depth):
        return count
    seat, masks, convention = lanes[TRIAL]["seat"], work["convention_masks"][:], work["convention"]
    offered = offered_in_tree(work, path[depth], seat)
    points, perfect = popcount(lanes[TRIAL]["played"]), popcount(lanes[TRIAL]["kinds"])
    before, after = features_of_node(), features_of_move()
    write_state_features(lanes, TRIAL, seat, masks, before)
    while child and count < len(numbers):
        node = nodes[child]
        if offered >> node["move"] & 1:
            for column in range(FEATURES):
                after[column] = before[column]
            write_move_features(lanes, TRIAL, seat, masks, convention, node["move"], after)
            for column in range(FEATURES):
                features[count, column] = after[column]
            numbers[count, DEPTH], numbers[count, MOVE] = depth, node["move"]
            numbers[count, VISITS], numbers[count, NODE_VISITS] = node["visits"], nodes[path[depth]]["visits"]
            numbers[count, TARGET] = (node["total"] / node["visits"] - points) / perfect
            count += 1
        child = visited_from(nodes, node["sibling"], least_visits)
    return count


@kernel
def reach_node(i: Any, memory: Any, work: Any, path: Any, depth: int) -> bool:
    """Sample deals until the node's moves are all offered in one; lane TRIAL is then the game at the node."""
    nodes, lanes = nodes_of(work), states_of(work)
    for _ in range(TRIES):
        deal_root(i, work["seat"], memory, work)
        forget_cards(work)
        reached = 0
        for step in range(depth):
            move = nodes[path[step + 1]]["move"]
            if is_over(lanes, TRIAL) or not offered_in_tree(work, path[step], lanes[TRIAL]["seat"]) >> move & 1:
                break
            make_tree_move(work, step, move)
            reached += 1
        if reached == depth and not is_over(lanes, TRIAL):
            return True
    return False


@kernel
def write_root_row(place: int, move: int, features: Any) -> int:
    """The features of the position that a search has just thought about; returns which rules propose its move."""
    work = work_at(place)
    lanes, seat, masks, convention = states_of(work), work["seat"], work["convention_masks"][:], work["convention"]
    for order in range(len(masks)):
        masks[order] = work["root_convention_masks"][order]
    before = features_of_node()
    write_state_features(lanes, KNOWN, seat, masks, before)
    for column in range(STATE_FEATURES):
        features[column] = before[column]
    forbidden = misleading_hints(lanes, KNOWN, seat, convention) if convention else 0
    rules, rng, proposing = rules_of(work), rng_of(work), 0
    if convention:
        narrow_possible(lanes, KNOWN, seat, work)
    for rule in range(list_length(rules, THE_LIST)):
        if rule_move(lanes, KNOWN, seat, rules, THE_LIST, rule, rng, masks, convention, forbidden) == move:
            proposing |= 1 << rule
    if convention:
        restore_possible(lanes, KNOWN, seat, work)
    return proposing
