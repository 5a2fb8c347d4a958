"""Tree search over information sets: MO-ISMCTS, RIS-MCTS and the predictor as one loop of iterations.

Where RIS-MCTS differs from MO-ISMCTS is a single step. Goodman's Algorithm 1 resamples a seat's hand when its
node is entered and restores it on leaving. What the seat may do depends on what it knows, not on what it holds,
so the new hand matters only if it plays or discards: then the card is one that the seat could hold there, and
the rest of its hand stays as it was, as far as that card has not been taken out of it (`redeal_card`).
"""

from kagiya._jit import kernel
from kagiya.cards import Seat
from kagiya.dice import Streams
from kagiya.engine.kernels import is_over
from kagiya.engine.layout import Lane, Memory, Params, States
from kagiya.moves import NO_MOVE, MoveNumber
from kagiya.rules import MAX_PLAYERS
from kagiya.search.deals.weighed_hands import weigh_hands
from kagiya.search.frame import begin_search, end_search, is_spent
from kagiya.search.layout import (
    BEST_MEAN,
    PREDICTING,
    ROOT_NODE,
    SPLIT,
    TO_ALL,
    TRIAL,
    SearchRecord,
    nodes_of,
    states_of,
    work_at,
)
from kagiya.search.nodes import add_child, count_result
from kagiya.search.rollout import model_move, play_out, reward_of
from kagiya.search.trees.leaf_values import leaf_reward, value_children
from kagiya.search.trees.offers import offered_moves, unprune
from kagiya.search.trees.root import deal_root, first_move, has_choice, offered_at_root
from kagiya.search.trees.selection import best_child, count_available, untried_move
from kagiya.search.trees.tree_moves import forget_cards, make_tree_move


@kernel
def search_move(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The `act` of the tree searches: iterations until the budget is spent, then the move that did best."""
    work = work_at(int(params[seat, 0]))
    begin_search(states, i, seat, memory, work, rng)
    work["root_moves"] = offered_at_root(work)
    if work["unprune"] or has_choice(work):
        weigh_hands(i, seat, memory, work)
        while not is_spent(work):
            deal_root(i, seat, memory, work)
            descend(work)
            back_up(work, leaf_reward(work) if work["leaf"] else rollout_reward(work))
            work["iterations_done"] += 1
    return end_search(work, final_move(work))


@kernel
def rollout_reward(work: SearchRecord) -> float:
    """Play the game on from the end of the path, and see what it comes to."""
    lanes = states_of(work)
    play_out(lanes, work, work["plies"])
    return reward_of(lanes, TRIAL, work)


@kernel
def descend(work: SearchRecord) -> None:
    """From the root along the tree to a new node, or as deep as the tree may grow; the path is noted."""
    lanes, nodes = states_of(work), nodes_of(work)
    node, depth = ROOT_NODE, 0
    work["path"][0] = ROOT_NODE
    forget_cards(work)
    work["evaluating"] = work["backup"] == SPLIT and not work["iterations_done"] & 1
    while depth < work["depth_limit"] and not is_over(lanes, TRIAL):
        seat = lanes[TRIAL]["seat"]
        if work["algorithm"] == PREDICTING and seat != work["seat"]:
            make_tree_move(work, depth, model_move(lanes, TRIAL, seat, work))
            continue
        offered = offered_in_tree(work, node, seat)
        move = NO_MOVE if work["leaf"] else untried_move(work, node, offered)
        count_available(nodes, node, offered)
        child = add_child(work, node, move, seat) if move != NO_MOVE else 0
        grown = child != 0
        if work["leaf"]:
            grown = value_children(work, node, seat, offered)
        if child == 0:
            child = best_child(work, node, offered)
        if child == 0:
            break
        node = child
        make_tree_move(work, depth, nodes[node]["move"])
        depth += 1
        work["path"][depth] = node
        if grown:
            break
    work["depth"] = depth
    work["deepest_seen"] = max(work["deepest_seen"], depth)


@kernel
def offered_in_tree(work: SearchRecord, node: int, seat: Seat) -> int:
    """The moves to choose from at a node in this deal."""
    lanes = states_of(work)
    settled = node == ROOT_NODE and not work["defect"]
    offered = work["root_moves"] if settled else offered_moves(lanes, TRIAL, seat, work)
    return unprune(lanes, TRIAL, work, node, offered) if work["unprune"] else offered


@kernel
def back_up(work: SearchRecord, reward: float) -> None:
    """Count the result at the nodes of the path: all of them, or those that the game tried could have come from."""
    nodes = nodes_of(work)
    work["true_iterations"] += work["all_true"]
    count_result(nodes, ROOT_NODE, reward)
    for depth in range(1, work["depth"] + 1):
        place = work["path"][depth]
        if work["backup"] != TO_ALL and not is_possible(work, nodes[place]["actor"], depth):
            continue
        count_result(nodes, place, reward)


@kernel
def is_possible(work: SearchRecord, actor: Seat, depth: int) -> bool:
    """Whether the line of play could be real for the seat whose move led to the node at this depth.

    TO_POSSIBLE: not if another seat shows a card afterwards that this seat sees it does not hold. SPLIT: lines with
    the true cards count for the searching seat's moves, lines with resampled cards for the others' moves.
    """
    if work["backup"] == SPLIT:
        return (actor == work["seat"]) == (work["evaluating"] != 0)
    wrong = 0
    for seat in range(MAX_PLAYERS):
        wrong += seat != actor and work["false_at"][seat] >= depth
    return wrong == 0


@kernel
def final_move(work: SearchRecord) -> MoveNumber:
    """The root's most visited move, or the one with the best mean of those visited twice; ties go to the better.

    As in the released program a visit counts 1 + mean / 1000, so a move a little less visited can win by its mean.
    """
    nodes = nodes_of(work)
    best, highest = NO_MOVE, -1e300
    child = nodes[ROOT_NODE]["child"]
    while child:
        node = nodes[child]
        if node["visits"]:
            worth = node["visits"] + node["total"] / 1000
            if work["final"] == BEST_MEAN:
                worth = node["total"] / node["visits"] - 1000 * (node["visits"] == 1)
            if worth > highest:
                best, highest = node["move"], worth
        child = node["sibling"]
    return best if best != NO_MOVE else first_move(work)
