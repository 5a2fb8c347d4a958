"""Flat search: every move is tried in the same deals, the models play on, and the best mean is chosen.

All moves share a deal: the hand, the order of the deck and the dice of the models, so that only the moves make
a difference (common random numbers). Moves that are surely no better than the leader are dropped (racing). How sure
that is, is measured by the spread of the difference in the same deals, covariance included, which is far smaller than
the spread of the scores. At depth two a move is tried with every reply of the next seat, and is worth as much as its
best reply.
"""

import math

from kagiya._jit import kernel, lowest_bit
from kagiya.cards import NO_MOVE, MoveNumber, Seat
from kagiya.engine.batch import NO_KERNEL, call_act
from kagiya.engine.game_kernels import apply_move, is_hint, is_legal, is_over, legal_moves
from kagiya.engine.layout import Lane, Memory, Params, States, Streams
from kagiya.moves import FIRST_DISCARD, FIRST_HINT, NUM_MOVES
from kagiya.search import search_layout
from kagiya.search.deals.beliefs import honest_moves, narrow_by_belief
from kagiya.search.deals.history import rebuild_memories
from kagiya.search.flat_samples import deal_game, deal_hand, take_up_deal, try_line
from kagiya.search.nodes import add_child, begin_search, child_by, count_result, end_search, is_spent, try_move
from kagiya.search.search_layout import (
    DEALT,
    KNOWN,
    ROOT_NODE,
    TRIAL,
    SearchRecord,
    acts_of,
    memory_of,
    nodes_of,
    params_of,
    products_of,
    rng_of,
    states_of,
    work_at,
)

INDIFFERENCE = 0.05  # points that a dropped move may be better than the leader
MIN_SPREAD = 1.0  # points, of the difference between two moves in a deal, when few deals have been seen


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
            if child != leader and ahead + INDIFFERENCE > limit * max(error, least_error):
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


ROUND = 50  # deals between two looks at who is still in the race
EARLY = 10  # deals between two early looks


@kernel
def flat_move(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The `act` of flat searches: all moves in deal after deal until the budget is spent or one is left."""
    work = work_at(int(params[seat, 0]))
    begin_search(states, i, seat, memory, work, rng)
    open_moves = distinct_moves(work)
    if work["believe_address"] != NO_KERNEL:
        deal_hand(states, i, seat, work)
        narrow_by_belief(i, seat, memory, work)
        deal_hand(states, i, seat, work)
        rebuild_memories(i, seat, memory, work)
        if not work["misleads"]:
            open_moves = honest_moves(seat, work, open_moves)
    if open_moves:
        deal_game(states, i, seat, memory, work)
        open_moves |= ask_evaluator(seat, work)
    if work["evaluator_plays"]:
        open_moves = without_own_plays(work, open_moves)
    open_root(work, open_moves)
    while is_open(work, open_moves):
        deal_game(states, i, seat, memory, work)
        open_moves = try_all(work, open_moves)
    return end_flat_search(work, open_moves)


@kernel
def is_open(work: SearchRecord, moves: int) -> bool:
    """Whether more than one move is left, and something of the budget."""
    return moves & (moves - 1) != 0 and not is_spent(work)


@kernel
def end_flat_search(work: SearchRecord, moves: int) -> MoveNumber:
    """Note how deep it went, and the answer."""
    work["deepest_seen"] = work["depth_limit"] if work["iterations_done"] else 0
    return end_search(work, best_move(work, moves))


@kernel
def look(work: SearchRecord, moves: int) -> int:
    """The moves still in the race: after every round, and with early looks a few times within the first."""
    if work["is_exact"]:
        return moves
    if work["iterations_done"] % ROUND == 0:
        return still_open(work, moves, 0.0)
    if work["iterations_done"] > ROUND or work["iterations_done"] % EARLY:
        return moves
    if work["early_looks"] == search_layout.HOPELESS:
        return not_hopeless(work, moves)
    return still_open(work, moves, MIN_SPREAD) if work["early_looks"] == search_layout.SURELY_BEHIND else moves


@kernel
def ask_evaluator(seat: Seat, work: SearchRecord) -> int:
    """Note what the evaluator itself would do in the deal at hand; as a mask, empty if that is illegal.

    One deal is as good as another to ask it in, as long as it does not see its own hand.
    """
    take_up_deal(work)
    lanes = states_of(work)
    move = call_act(acts_of(work)[seat], lanes, TRIAL, seat, memory_of(work), params_of(work), rng_of(work))
    is_usable = is_legal(lanes, TRIAL, move)
    work["evaluator_move"] = move if is_usable else NO_MOVE
    return 1 << move if is_usable else 0


@kernel
def without_own_plays(work: SearchRecord, moves: int) -> int:
    """The evaluator's own move if it plays a card; else, if there are any, the moves that play none.

    What a hand is believed to be is wrong most often where it matters most: a card that a searching partner meant to be
    played looks doubtful if the evaluator would have told of it otherwise.
    """
    usual = work["evaluator_move"]
    if usual != NO_MOVE and usual < FIRST_DISCARD:
        return 1 << usual
    others = moves >> FIRST_DISCARD << FIRST_DISCARD
    return others if others else moves


@kernel
def distinct_moves(work: SearchRecord) -> int:
    """The legal moves, of hints that leave the same position only the first.

    A hint changes what is known of a hand that the seat sees, so two that agree now agree in every deal. Models
    that listen may still tell them apart.
    """
    moves = work["root_moves"]
    if work["listening"]:
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
def same_knowledge(states: States, one: Lane, other: Lane) -> bool:
    """Whether two positions agree in all that hints have said."""
    for seat in range(states[one]["players"]):
        for slot in range(states[one]["hand_size"]):
            if states[one]["possible"][seat, slot] != states[other]["possible"][seat, slot]:
                return False
            if states[one]["told"][seat, slot] != states[other]["told"][seat, slot]:
                return False
    return True


@kernel
def open_root(work: SearchRecord, moves: int) -> None:
    """A node for each move, in order, and nothing counted yet."""
    for place in range(NUM_MOVES):
        move = MoveNumber(NUM_MOVES - 1 - place)
        if moves >> move & 1:
            add_child(work, ROOT_NODE, move, work["seat"])
    products = products_of(work)
    for row in range(NUM_MOVES):
        for column in range(NUM_MOVES):
            products[row, column] = 0.0


@kernel
def try_all(work: SearchRecord, moves: int) -> int:
    """Try every open move in the deal and count what it led to; returns the moves still in the race."""
    nodes = nodes_of(work)
    child = nodes[ROOT_NODE]["child"]
    while child:
        move = nodes[child]["move"]
        if moves >> move & 1:
            if work["depth_limit"] > 1:
                try_replies(work, child)
            else:
                value = try_line(work, move, NO_MOVE)
                if work["is_exact"]:
                    value *= work["deal_weight"]
                work["values"][move] = value
                count_result(nodes, child, value)
        child = nodes[child]["sibling"]
    work["iterations_done"] += 1
    if work["depth_limit"] > 1:
        return moves
    add_products(work, moves)
    return look(work, moves)


@kernel
def best_move(work: SearchRecord, moves: int) -> MoveNumber:
    """The move chosen in the end; NO_MOVE if the game is over."""
    nodes = nodes_of(work)
    if work["depth_limit"] > 1:
        child = nodes[ROOT_NODE]["child"]
        while child:
            count_best_reply(work, child)
            child = nodes[child]["sibling"]
    best = best_child_of(work, moves)
    return nodes[best]["move"] if best else NO_MOVE
