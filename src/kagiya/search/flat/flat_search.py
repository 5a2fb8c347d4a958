"""Flat search: every move is tried in the same deals, the models play on, and the best mean is chosen.

All moves share a deal: the hand, the order of the deck and the dice of the models, so that only the moves make
a difference (common random numbers). Moves that are surely no better than the leader are dropped
(`racing.py`).
"""

from kagiya._jit import kernel
from kagiya.cards import Seat
from kagiya.dice import Streams
from kagiya.engine.calls import NO_KERNEL, call_act
from kagiya.engine.kernels import apply_move, is_legal
from kagiya.engine.layout import Lane, Memory, Params, States
from kagiya.moves import FIRST_DISCARD, FIRST_HINT, NO_MOVE, NUM_MOVES, MoveNumber
from kagiya.search import layout
from kagiya.search.deals.belief import honest_moves, narrow_by_belief
from kagiya.search.deals.history import rebuild_memories
from kagiya.search.flat.racing import LEAST_SPREAD, add_products, best_child_of, not_hopeless, still_open
from kagiya.search.flat.replies import count_best_reply, try_replies
from kagiya.search.flat.shared_deals import deal_game, deal_hand, take_up_deal, try_line
from kagiya.search.frame import begin_search, end_search, is_spent
from kagiya.search.layout import (
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
from kagiya.search.nodes import add_child, count_result

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
    if work["early_looks"] == layout.HOPELESS:
        return not_hopeless(work, moves)
    return still_open(work, moves, LEAST_SPREAD) if work["early_looks"] == layout.SURELY_BEHIND else moves


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
