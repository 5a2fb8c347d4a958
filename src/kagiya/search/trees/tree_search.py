"""Tree search over information sets: MO-ISMCTS, RIS-MCTS and the predictor as one loop of iterations.

Where RIS-MCTS differs from MO-ISMCTS is a single step. Goodman's Algorithm 1 deals a seat's hand anew when its
node is entered and restores it on leaving. What the seat may do depends on what it knows, not on what it holds,
so the new hand matters only if it plays or discards: then the card is one that the seat could hold there, and
the rest of its hand stays as it was, as far as that card has not been taken out of it (`redeal_card`).
"""

from kagiya._jit import kernel, lowest_bit, now
from kagiya.engine.kernels import is_over, legal_moves
from kagiya.engine.memory_kernels import clear_memory, copy_memory
from kagiya.moves import NO_MOVE
from kagiya.rules import MAX_DECK, MAX_PLAYERS
from kagiya.search.deals.convention import sample_meant_hand
from kagiya.search.deals.history import begin_search, rebuild_memories
from kagiya.search.deals.redeal import forget_cards, make_tree_move
from kagiya.search.deals.sampling import hold_hand
from kagiya.search.layout import (
    ALGORITHM,
    ALL_DONE,
    ALL_TRUE,
    BACKUP,
    BEST_MEAN,
    CHOSEN,
    CONVENTION,
    DEALT,
    DEEPEST,
    DEEPEST_SEEN,
    DEFECT,
    DEPTH,
    DONE,
    EVALUATING,
    FALSE_AT,
    FINAL,
    GROUNDED,
    ITERATIONS,
    KNOWN,
    LISTENING,
    MEANING,
    NANOSECONDS,
    PATH,
    PLIES,
    PREDICTING,
    REMEMBERING,
    ROOT_MEANING,
    ROOT_MOVES,
    ROOT_NODE,
    SEAT,
    SPLIT,
    STARTED,
    STEPS,
    STEPS_DONE,
    STOP,
    TO_ALL,
    TRIAL,
    TRUE_DEALS,
    UNPRUNE,
    extents_of,
    memory_of,
    nodes_of,
    states_of,
    work_at,
)
from kagiya.search.rollout import model_move, play_out, reward_of
from kagiya.search.trees.tree import (
    add_child,
    best_child,
    count_available,
    count_result,
    offered_moves,
    start_tree,
    unprune,
    untried_move,
)


@kernel
def search_move(states, i, seat, memory, params, rng):
    """The `act` of the tree searches: iterations until the budget is spent, then the move that did best."""
    work = work_at(int(params[seat, 0]))
    begin_search(states, i, seat, memory, work, rng)
    start_tree(work)
    work[ROOT_MOVES] = offered_at_root(work)
    if work[ROOT_MOVES] & (work[ROOT_MOVES] - 1) == 0 and not work[UNPRUNE]:
        work[CHOSEN] = only_move(work)
        return work[CHOSEN]
    while not is_spent(work):
        deal_root(i, seat, memory, work)
        descend(work)
        lanes = states_of(work)
        play_out(lanes, work, work[PLIES])
        back_up(work, reward_of(lanes, TRIAL, work))
        work[DONE] += 1
    work[ALL_DONE] += work[DONE]
    work[CHOSEN] = final_move(work)
    return work[CHOSEN]


@kernel
def is_spent(work):
    """Whether the budget is used up; one iteration is always made."""
    if work[DONE] == 0:
        return False
    if work[DONE] >= work[ITERATIONS] or work[STOP]:
        return True
    if work[STEPS] > 0 and work[STEPS_DONE] >= work[STEPS]:
        return True
    return work[NANOSECONDS] > 0 and now() - work[STARTED] >= work[NANOSECONDS]


@kernel
def offered_at_root(work):
    """What the root offers: the same in every deal, since the seat does not see its own cards; never nothing."""
    lanes = states_of(work)
    offered = offered_moves(lanes, KNOWN, work[SEAT], work)
    # With the released program's defect the rules can leave no legal move. Then it falls back on its first card.
    return offered if offered else legal_moves(lanes, KNOWN)


@kernel
def only_move(work):
    """The single move that the root offers; NO_MOVE if the game is over."""
    return lowest_bit(work[ROOT_MOVES]) if work[ROOT_MOVES] else NO_MOVE


@kernel
def deal_root(i, seat, memory, work):
    """Lane TRIAL becomes the known game with a hand that the searching seat could hold."""
    lanes = states_of(work)
    if work[CONVENTION] != GROUNDED:
        for order in range(MAX_DECK):
            work[MEANING + order] = work[ROOT_MEANING + order]
    sample_meant_hand(lanes, KNOWN, seat, work)
    if work[LISTENING]:
        lanes[DEALT] = lanes[KNOWN]
        hold_hand(lanes, DEALT, seat, work)
        rebuild_memories(i, seat, memory, work)
        copy_memory(memory_of(work), DEALT, TRIAL, extents_of(work))
        lanes[TRIAL] = lanes[DEALT]
    else:
        lanes[TRIAL] = lanes[KNOWN]
        hold_hand(lanes, TRIAL, seat, work)
        if work[REMEMBERING]:
            clear_memory(memory_of(work), TRIAL, extents_of(work))


@kernel
def descend(work):
    """From the root along the tree to a new node, or as deep as the tree may grow; the path is noted."""
    lanes, nodes = states_of(work), nodes_of(work)
    node, depth = ROOT_NODE, 0
    work[PATH] = ROOT_NODE
    forget_cards(work)
    work[EVALUATING] = work[BACKUP] == SPLIT and not work[DONE] & 1
    while depth < work[DEEPEST] and not is_over(lanes, TRIAL):
        seat = lanes[TRIAL]["seat"]
        if work[ALGORITHM] == PREDICTING and seat != work[SEAT]:
            make_tree_move(work, depth, model_move(lanes, TRIAL, seat, work))
            continue
        offered = offered_in_tree(work, node, seat)
        move = untried_move(work, node, offered)
        count_available(nodes, node, offered)
        child = 0
        if move != NO_MOVE:
            child = add_child(work, node, move, seat)
        grown = child != 0
        if not grown:
            child = best_child(work, node, offered)
        if child == 0:
            break
        node = child
        make_tree_move(work, depth, nodes[node]["move"])
        depth += 1
        work[PATH + depth] = node
        if grown:
            break
    work[DEPTH] = depth
    work[DEEPEST_SEEN] = max(work[DEEPEST_SEEN], depth)


@kernel
def offered_in_tree(work, node, seat):
    """The moves to choose from at a node in this deal."""
    lanes = states_of(work)
    settled = node == ROOT_NODE and not work[DEFECT]
    offered = work[ROOT_MOVES] if settled else offered_moves(lanes, TRIAL, seat, work)
    return unprune(lanes, TRIAL, work, node, offered) if work[UNPRUNE] else offered


@kernel
def back_up(work, reward):
    """Count the result at the nodes of the path: all of them, or those that the game tried could have come from."""
    nodes = nodes_of(work)
    work[TRUE_DEALS] += work[ALL_TRUE]
    count_result(nodes, ROOT_NODE, reward)
    for depth in range(1, work[DEPTH] + 1):
        place = work[PATH + depth]
        if work[BACKUP] != TO_ALL and not is_possible(work, nodes[place]["actor"], depth):
            continue
        count_result(nodes, place, reward)


@kernel
def is_possible(work, actor, depth):
    """Whether the line of play could be real for the seat whose move led to the node at this depth.

    TO_POSSIBLE: not if another seat shows a card afterwards that this seat sees it does not hold. SPLIT: lines with
    the true cards count for the searching seat's moves, lines with cards dealt anew for the others' moves.
    """
    if work[BACKUP] == SPLIT:
        return (actor == work[SEAT]) == (work[EVALUATING] != 0)
    wrong = 0
    for seat in range(MAX_PLAYERS):
        wrong += seat != actor and work[FALSE_AT + seat] >= depth
    return wrong == 0


@kernel
def final_move(work):
    """The root's most visited move, or the one with the best mean of those visited twice; of equals the better.

    As in the released program a visit counts 1 + mean / 1000, so a move a little less visited can win by its mean.
    """
    nodes = nodes_of(work)
    best, highest = NO_MOVE, -1e300
    child = nodes[ROOT_NODE]["child"]
    while child:
        node = nodes[child]
        if node["visits"]:
            worth = node["visits"] + node["total"] / 1000
            if work[FINAL] == BEST_MEAN:
                worth = node["total"] / node["visits"] - 1000 * (node["visits"] == 1)
            if worth > highest:
                best, highest = node["move"], worth
        child = node["sibling"]
    return best if best != NO_MOVE else lowest_bit(work[ROOT_MOVES])
