"""Flat search: every move is tried in the same deals, the models play on, and the best mean is chosen.

All moves share a deal: the hand, the order of the deck and the dice of the models, so that only the moves make
a difference (common random numbers). Moves that have fallen too far behind are dropped, measured by the spread
of the difference to the leader in the same deals, which is far smaller than the spread of the scores.
"""

import math

from kagiya._jit import kernel, lowest_bit
from kagiya.dice import next_word
from kagiya.engine.calls import NO_KERNEL, call_act
from kagiya.engine.kernels import apply_move, is_legal, is_over, legal_moves
from kagiya.moves import FIRST_HINT, NO_MOVE, NUM_MOVES
from kagiya.search.belief import honest_moves, narrow_by_belief
from kagiya.search.determinize import hold_hand, sample_hand, settle_deck
from kagiya.search.layout import (
    ALL_DONE,
    BELIEVES,
    CAUTION,
    CHOSEN,
    CONFIDENCE,
    DEALT,
    DEEPEST,
    DEEPEST_SEEN,
    DONE,
    HAND,
    KNOWN,
    LISTENING,
    PLIES,
    ROOT_MOVES,
    ROOT_NODE,
    SEARCH_STREAM,
    SEAT,
    SEES_HAND,
    TRIAL,
    USUAL,
    acts_of,
    memory_of,
    nodes_of,
    params_of,
    products_of,
    rng_of,
    settings_of,
    states_of,
    work_at,
)
from kagiya.search.playout import play_out, reward_of, try_move
from kagiya.search.story import begin_search, copy_dice, copy_memory, rebuild_memories, seed_all
from kagiya.search.tree import add_child, count_result, start_tree
from kagiya.search.tree_search import is_spent

ROUND = 50  # deals between two looks at who has fallen behind
VALUES = NUM_MOVES  # the row of the products that holds the values in the last deal


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
    """Note what the evaluator itself would do here, the same whatever the deal; as a mask, empty if that is illegal."""
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
def deal_game(states, i, seat, memory, work):
    """Lane DEALT becomes a whole game that the seat may be in: its hand, the deck, all memories, all dice.

    The dice of the deals themselves are kept in lane KNOWN, so that no line of play touches them.
    """
    lanes, dice = states_of(work), rng_of(work)
    copy_dice(dice, KNOWN, TRIAL)
    deal_hand(states, i, seat, work)
    settle_deck(lanes, DEALT, dice)
    seed = next_word(dice, TRIAL, SEARCH_STREAM) << 31 | next_word(dice, TRIAL, SEARCH_STREAM) >> 1
    copy_dice(dice, TRIAL, KNOWN)
    rebuild_memories(i, seat, memory, work)
    seed_all(work, seed)
    copy_dice(dice, TRIAL, DEALT)


@kernel
def deal_hand(states, i, seat, work):
    """Lane DEALT becomes the known game with a hand for the seat that fits the hints, and belief where it may."""
    lanes = states_of(work)
    if work[SEES_HAND]:
        for slot in range(lanes[KNOWN]["hand_size"]):
            work[HAND + slot] = states[i]["hands"][seat, slot]
    else:
        sample_hand(lanes, KNOWN, seat, work, rng_of(work))
    lanes[DEALT] = lanes[KNOWN]
    for slot in range(lanes[KNOWN]["hand_size"]):
        lanes[DEALT]["possible"][seat, slot] = states[i]["possible"][seat, slot]
    hold_hand(lanes, DEALT, seat, work)


@kernel
def take_up_deal(work):
    """Lane TRIAL becomes the deal as it was, with the same dice."""
    lanes = states_of(work)
    lanes[TRIAL] = lanes[DEALT]
    copy_memory(memory_of(work), DEALT, TRIAL)
    copy_dice(rng_of(work), DEALT, TRIAL)


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
def try_line(work, move, reply):
    """The value of a move, and of a reply to it if there is one, when the models play on from there."""
    lanes = states_of(work)
    take_up_deal(work)
    try_move(lanes, TRIAL, work, move)
    if reply != NO_MOVE:
        try_move(lanes, TRIAL, work, reply)
    play_out(lanes, work, work[PLIES])
    value = reward_of(lanes, TRIAL, work)
    count_result(nodes_of(work), ROOT_NODE, value)
    return value


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
    """The moves that are not behind the leader by more than so many standard errors of the difference."""
    nodes = nodes_of(work)
    limit = settings_of(work)[CONFIDENCE]
    if math.isinf(limit) or work[DONE] < 2:
        return moves
    leader = best_child_of(work, moves)
    child = nodes[ROOT_NODE]["child"]
    while child:
        move = nodes[child]["move"]
        if moves >> move & 1 and move != work[USUAL]:
            ahead, error = lead_of(work, leader, child)
            if ahead > 0 and ahead > limit * error:
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
    return ahead, math.sqrt(variance)


@kernel
def best_child_of(work, moves):
    """The node of the open move with the highest total; of equals the first. All have been tried equally often."""
    nodes = nodes_of(work)
    best = 0
    child = nodes[ROOT_NODE]["child"]
    while child:
        if moves >> nodes[child]["move"] & 1 and (best == 0 or nodes[child]["total"] > nodes[best]["total"]):
            best = child
        child = nodes[child]["sibling"]
    return best


@kernel
def best_move(work, moves):
    """The move chosen in the end: the best, if it is surely better than what is usual; NO_MOVE if the game is over."""
    nodes = nodes_of(work)
    if work[DEEPEST] > 1:
        child = nodes[ROOT_NODE]["child"]
        while child:
            count_best_reply(work, child)
            child = nodes[child]["sibling"]
    best = best_child_of(work, moves)
    if best == 0:
        return NO_MOVE
    usual = child_by(nodes, ROOT_NODE, work[USUAL])
    if usual and usual != best and work[DEEPEST] == 1 and work[DONE]:
        ahead, error = lead_of(work, best, usual)
        if ahead < settings_of(work)[CAUTION] * error:
            return work[USUAL]
    return nodes[best]["move"]


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
def child_by(nodes, parent, move):
    """The child of a node by this move; 0 if there is none."""
    child = nodes[parent]["child"]
    while child and nodes[child]["move"] != move:
        child = nodes[child]["sibling"]
    return child


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
