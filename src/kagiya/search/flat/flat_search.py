"""Flat search: every move is tried in the same deals, the models play on, and the best mean is chosen.

All moves share a deal: the hand, the order of the deck and the dice of the models, so that only the moves make
a difference (common random numbers). Moves that are surely no better than the leader are dropped
(`racing.py`).
"""

from kagiya._jit import kernel, lowest_bit
from kagiya.engine.calls import NO_KERNEL, call_act
from kagiya.engine.kernels import apply_move, is_legal, is_over, legal_moves
from kagiya.moves import FIRST_HINT, NO_MOVE, NUM_MOVES
from kagiya.search.deals.belief import honest_moves, narrow_by_belief
from kagiya.search.deals.history import begin_search
from kagiya.search.flat.racing import VALUES, add_products, best_child_of, child_by, still_open
from kagiya.search.flat.shared_deals import deal_game, deal_hand, take_up_deal, try_line
from kagiya.search.layout import (
    ALL_DONE,
    BELIEVES,
    CHOSEN,
    DEALT,
    DEEPEST,
    DEEPEST_SEEN,
    DONE,
    KNOWN,
    LISTENING,
    ROOT_MOVES,
    ROOT_NODE,
    SEAT,
    TRIAL,
    USUAL,
    acts_of,
    memory_of,
    nodes_of,
    params_of,
    products_of,
    rng_of,
    states_of,
    work_at,
)
from kagiya.search.rollout import try_move
from kagiya.search.trees.tree import add_child, count_result, start_tree
from kagiya.search.trees.tree_search import is_spent

ROUND = 50  # deals between two looks at who is still in the race


@kernel
def flat_move(states, i, seat, memory, params, rng):
    """The `act` of flat searches: all moves in deal after deal until the budget is spent or one is left."""
    work = work_at(int(params[seat, 0]))
    begin_search(states, i, seat, memory, work, rng)
    start_tree(work)
    work[CHOSEN] = NO_MOVE
    open_moves = distinct_moves(work)
    if work[BELIEVES] != NO_KERNEL:
        deal_hand(states, i, seat, work)
        narrow_by_belief(i, seat, memory, work)
        deal_hand(states, i, seat, work)
        open_moves = honest_moves(seat, work, open_moves)
    if open_moves:
        open_moves |= usual_move(states, i, seat, memory, work)
    open_root(work, open_moves)
    while open_moves & (open_moves - 1) and not is_spent(work):
        deal_game(states, i, seat, memory, work)
        try_all(work, open_moves)
        work[DONE] += 1
        if work[DONE] % ROUND == 0 and work[DEEPEST] == 1:
            open_moves = still_open(work, open_moves)
    work[ALL_DONE] += work[DONE]
    work[DEEPEST_SEEN] = work[DEEPEST] if work[DONE] else 0
    work[CHOSEN] = best_move(work, open_moves)
    return work[CHOSEN]


@kernel
def usual_move(states, i, seat, memory, work):
    """Note what the evaluator itself would do here; as a mask, empty if that is illegal.

    One deal is as good as another to ask it in, as long as it does not see its own hand.
    """
    deal_game(states, i, seat, memory, work)
    take_up_deal(work)
    lanes = states_of(work)
    work[USUAL] = call_act(acts_of(work)[seat], lanes, TRIAL, seat, memory_of(work), params_of(work), rng_of(work))
    if not is_legal(lanes, TRIAL, work[USUAL]):
        work[USUAL] = NO_MOVE
        return 0
    return 1 << work[USUAL]


@kernel
def distinct_moves(work):
    """The legal moves, of hints that leave the same position only the first.

    A hint changes what is known of a hand that the seat sees, so two that agree now agree in every deal. Models
    that listen may still tell them apart.
    """
    moves = work[ROOT_MOVES]
    if work[LISTENING]:
        return moves
    lanes = states_of(work)
    for move in range(FIRST_HINT, NUM_MOVES):
        if not moves >> move & 1:
            continue
        lanes[TRIAL] = lanes[KNOWN]
        apply_move(lanes, TRIAL, move)
        for earlier in range(FIRST_HINT, move):
            if moves >> earlier & 1:
                lanes[DEALT] = lanes[KNOWN]
                apply_move(lanes, DEALT, earlier)
                if same_knowledge(lanes, DEALT, TRIAL):
                    moves &= ~(1 << move)
                    break
    return moves


@kernel
def same_knowledge(states, one, other):
    """Whether two positions agree in all that hints have said."""
    for seat in range(states[one]["players"]):
        for slot in range(states[one]["hand_size"]):
            if states[one]["possible"][seat, slot] != states[other]["possible"][seat, slot]:
                return False
            if states[one]["told"][seat, slot] != states[other]["told"][seat, slot]:
                return False
    return True


@kernel
def open_root(work, moves):
    """A node for each move, in order, and nothing counted yet."""
    for place in range(NUM_MOVES):
        move = NUM_MOVES - 1 - place
        if moves >> move & 1:
            add_child(work, ROOT_NODE, move, work[SEAT])
    products = products_of(work)
    for row in range(NUM_MOVES):
        for column in range(NUM_MOVES):
            products[row, column] = 0.0


@kernel
def try_all(work, moves):
    """Try every open move in the deal and count what it led to."""
    nodes, products = nodes_of(work), products_of(work)
    child = nodes[ROOT_NODE]["child"]
    while child:
        move = nodes[child]["move"]
        if moves >> move & 1:
            if work[DEEPEST] > 1:
                try_replies(work, child)
            else:
                value = try_line(work, move, NO_MOVE)
                products[VALUES, move] = value
                count_result(nodes, child, value)
        child = nodes[child]["sibling"]
    if work[DEEPEST] == 1:
        add_products(products, moves)


@kernel
def best_move(work, moves):
    """The move chosen in the end; NO_MOVE if the game is over."""
    nodes = nodes_of(work)
    if work[DEEPEST] > 1:
        child = nodes[ROOT_NODE]["child"]
        while child:
            count_best_reply(work, child)
            child = nodes[child]["sibling"]
    best = best_child_of(work, moves)
    return nodes[best]["move"] if best else NO_MOVE


@kernel
def try_replies(work, parent):
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
def child_for(work, parent, move, actor):
    """The child of a node by this move, a new one if need be."""
    child = child_by(nodes_of(work), parent, move)
    return child if child else add_child(work, parent, move, actor)


@kernel
def count_best_reply(work, parent):
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
