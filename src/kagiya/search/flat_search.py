"""Flat search: every move is tried in the same deals, the models play on, and the best mean is chosen.

All moves share a deal: the hand, the order of the deck, the memories and the dice of the models, so that only the moves
make a difference (common random numbers). Moves that are surely no better than the leader are dropped (racing). How
sure that is, is measured by the spread of the difference in the same deals, covariance included, which is far smaller
than the spread of the scores. At depth two a move is tried with every reply of the next seat, and is worth as much as
its best reply. A line that is cut off may get a learned value.
"""

import math

from kagiya._jit import kernel, lowest_bit
from kagiya.agents.rule_list import candidate_moves
from kagiya.cards import NO_MOVE, MoveNumber, Seat
from kagiya.engine.batch import NO_KERNEL
from kagiya.engine.dice import next_word
from kagiya.engine.game_kernels import apply_move, is_hint, is_legal, is_over, legal_moves
from kagiya.engine.layout import MAX_TURNS, Lane, Memory, Params, States, Streams
from kagiya.engine.memory import copy_memory
from kagiya.learn.values import forecast, value_moves
from kagiya.moves import FIRST_DISCARD, FIRST_HINT, NUM_MOVES
from kagiya.search import nodes as tree, search_layout as layout
from kagiya.search.ally_likelihood import draw_allies
from kagiya.search.deals import history, past_moves, sampling
from kagiya.search.search_layout import DEALT, KNOWN, ROOT_NODE, SEARCH_STREAM, TRIAL, SearchRecord

THE_ROW = 0  # the only one of the learned function, and of the rules
INDIFFERENCE = 0.05  # points that a dropped move may be better than the leader
MIN_SPREAD = 1.0  # points, of the difference between two moves in a deal, when few deals have been seen
ROUND = 50  # deals between two looks at who is still in the race
EARLY = 10  # deals between two early looks


@kernel
def flat_move(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The `act` of flat searches: all moves in deal after deal until the budget is spent or one is left."""
    work = layout.work_at(int(params[seat, 0]))
    tree.begin_search(states, i, seat, memory, work, rng)
    open_moves = distinct_moves(work)
    if work["believe_address"] != NO_KERNEL:
        deal_hand(states, i, seat, work)
        past_moves.narrow_by_belief(i, seat, memory, work)
        deal_hand(states, i, seat, work)
        history.rebuild_memories(i, seat, memory, work)
        if not work["misleads"]:
            open_moves = past_moves.honest_moves(seat, work, open_moves)
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
def ask_evaluator(seat: Seat, work: SearchRecord) -> int:
    """Note what the evaluator itself would do in the deal at hand; as a mask, empty if that is illegal.

    One deal is as good as another to ask it in, as long as it does not see its own hand.
    """
    take_up_deal(work)
    lanes = layout.states_of(work)
    move = history.ask_model(work, seat)
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
    lanes = layout.states_of(work)
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
            tree.add_child(work, ROOT_NODE, move, work["seat"])
    products = layout.products_of(work)
    for row in range(NUM_MOVES):
        for column in range(NUM_MOVES):
            products[row, column] = 0.0


@kernel
def is_open(work: SearchRecord, moves: int) -> bool:
    """Whether more than one move is left, and something of the budget."""
    return moves & (moves - 1) != 0 and not tree.is_spent(work)


@kernel
def try_all(work: SearchRecord, moves: int) -> int:
    """Try every open move in the deal and count what it led to; returns the moves still in the race."""
    nodes = layout.nodes_of(work)
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
                tree.count_result(nodes, child, value)
        child = nodes[child]["sibling"]
    work["iterations_done"] += 1
    if work["depth_limit"] > 1:
        return moves
    add_products(work, moves)
    return look(work, moves)


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
    return still_open(work, moves, MIN_SPREAD) if work["early_looks"] == layout.SURELY_BEHIND else moves


@kernel
def end_flat_search(work: SearchRecord, moves: int) -> MoveNumber:
    """Note how deep it went, and the answer."""
    work["deepest_seen"] = work["depth_limit"] if work["iterations_done"] else 0
    return tree.end_search(work, best_move(work, moves))


@kernel
def best_move(work: SearchRecord, moves: int) -> MoveNumber:
    """The move chosen in the end; NO_MOVE if the game is over."""
    nodes = layout.nodes_of(work)
    if work["depth_limit"] > 1:
        child = nodes[ROOT_NODE]["child"]
        while child:
            count_best_reply(work, child)
            child = nodes[child]["sibling"]
    best = best_child_of(work, moves)
    return nodes[best]["move"] if best else NO_MOVE


@kernel
def deal_game(states: States, i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> None:
    """Lane DEALT becomes a whole game that the seat may be in: its hand, the deck, all memories, all dice."""
    tree.copy_dice(layout.rng_of(work), KNOWN, TRIAL)
    draw_allies(work)
    remembers = deal_plausible_hand(states, i, seat, memory, work)
    seed = deal_rest(work)
    if not remembers:
        history.rebuild_memories(i, seat, memory, work)
    settle_dice(work, seed)


@kernel
def deal_rest(work: SearchRecord) -> int:
    """Put the deck in order, and find a seed for the models' dice.

    The dice of the deals themselves are kept in lane KNOWN, so that no line of play touches them.
    """
    dice = layout.rng_of(work)
    sampling.settle_deck(layout.states_of(work), DEALT, dice)
    seed = next_word(dice, TRIAL, SEARCH_STREAM) << 31 | next_word(dice, TRIAL, SEARCH_STREAM) >> 1
    tree.copy_dice(dice, TRIAL, KNOWN)
    return seed


@kernel
def settle_dice(work: SearchRecord, seed: int) -> None:
    """The models roll the same dice in every line of play."""
    tree.seed_all(work, seed)
    tree.copy_dice(layout.rng_of(work), TRIAL, DEALT)


@kernel
def deal_plausible_hand(states: States, i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> bool:
    """`deal_hand`, with a hand that explains past moves if the search asks for that and knows the whole history.

    Returns whether lane DEALT has the memories for it already.
    """
    if not work["proposals"] or not work["whole_history"] or not work["turns"]:
        deal_hand(states, i, seat, work)
        return False
    if work["rejects"]:
        is_new = deal_accepted_hand(states, i, seat, memory, work)
    else:
        is_new = deal_weighed_hand(states, i, seat, memory, work)
    if not is_new:
        sampling.recall_hand(work)
        sampling.hold_hand(layout.states_of(work), DEALT, seat, work)
    elif work["rejects"] and work["listening"] and work["judge_acts_address"] == work["acts_address"]:
        copy_memory(layout.memory_of(work), TRIAL, DEALT, layout.extents_of(work))
        return True
    return False


@kernel
def deal_weighed_hand(states: States, i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> bool:
    """Propose hands by Metropolis's rule; whether the last of them is the one kept."""
    past_moves.judge_again(i, seat, memory, work)
    is_new = False
    for _ in range(work["proposals"]):
        deal_hand(states, i, seat, work)
        is_new = past_moves.is_kept(i, seat, memory, work)
    return is_new


@kernel
def deal_accepted_hand(states: States, i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> bool:
    """Propose hands until one is accepted; whether one was."""
    for _ in range(work["proposals"]):
        deal_hand(states, i, seat, work)
        if past_moves.is_accepted(i, seat, memory, work):
            return True
    return False


@kernel
def deal_hand(states: States, i: Lane, seat: Seat, work: SearchRecord) -> None:
    """Lane DEALT becomes the known game with a hand for the seat that fits the hints, and belief where it may."""
    lanes = layout.states_of(work)
    if work["sees_hand"]:
        for slot in range(lanes[KNOWN]["hand_size"]):
            work["hand"][slot] = states[i]["hands"][seat, slot]
    else:
        sampling.sample_hand(lanes, KNOWN, seat, work, layout.rng_of(work))
    lay_hand(states, i, seat, work)


@kernel
def lay_hand(states: States, i: Lane, seat: Seat, work: SearchRecord) -> None:
    """Lane DEALT becomes the known game with the hand in the record's table."""
    lanes = layout.states_of(work)
    lanes[DEALT] = lanes[KNOWN]
    for slot in range(lanes[KNOWN]["hand_size"]):
        lanes[DEALT]["possible"][seat, slot] = states[i]["possible"][seat, slot]
    sampling.hold_hand(lanes, DEALT, seat, work)


@kernel
def take_up_deal(work: SearchRecord) -> None:
    """Lane TRIAL becomes the deal as it was, with the same dice."""
    lanes = layout.states_of(work)
    lanes[TRIAL] = lanes[DEALT]
    copy_memory(layout.memory_of(work), DEALT, TRIAL, layout.extents_of(work))
    tree.copy_dice(layout.rng_of(work), DEALT, TRIAL)


@kernel
def try_line(work: SearchRecord, move: MoveNumber, reply: MoveNumber) -> float:
    """The value of a move, and of a reply to it if there is one, when the models play on from there."""
    lanes = layout.states_of(work)
    take_up_deal(work)
    tree.try_move(lanes, TRIAL, work, move)
    if reply != NO_MOVE:
        tree.try_move(lanes, TRIAL, work, reply)
    tree.play_out(lanes, work, MAX_TURNS if work["is_exact"] else work["plies"])
    value = line_value(work)
    tree.count_result(layout.nodes_of(work), ROOT_NODE, value)
    return value


@kernel
def line_value(work: SearchRecord) -> float:
    """The value of the game in lane TRIAL, over or cut off."""
    lanes = layout.states_of(work)
    if work["leaf"] == layout.NO_LEAF or is_over(lanes, TRIAL):
        return tree.reward_of(lanes, TRIAL, work)
    if work["leaf"] == layout.BY_POSITION:
        return forecast(lanes, TRIAL, layout.leaf_of(work), THE_ROW)
    return best_value(work)


@kernel
def best_value(work: SearchRecord) -> float:
    """What the evaluation function expects of the best move of the seat to move, of those that the rules propose."""
    lanes, rows = layout.states_of(work), layout.leaf_of(work)
    seat, masks, values = lanes[TRIAL]["seat"], work["convention_masks"][:], work["leaf_values"][:]
    convention, start = work["convention"], work["leaf_start"]
    moves = candidate_moves(lanes, TRIAL, seat, layout.rules_of(work), THE_ROW, layout.rng_of(work), masks, convention)
    value_moves(lanes, TRIAL, seat, masks, convention, rows, THE_ROW, start, moves, values)
    best = -1e300
    while moves:
        best = max(best, values[lowest_bit(moves)])
        moves &= moves - 1
    return best


@kernel
def add_products(work: SearchRecord, moves: int) -> None:
    """Add up the products of the open moves' values in the last sample, for their variances and covariances."""
    products, values = layout.products_of(work), work["values"]
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
    difference is at least `least_spread`. A patient search leaves a head start by the noise out of this: with it,
    a move is dropped that happens to be ahead of the evaluator's own by too little, however unsure that is.
    """
    nodes = layout.nodes_of(work)
    limit = work["confidence"]
    if math.isinf(limit) or work["iterations_done"] < 2:
        return moves
    least_error = least_spread / math.sqrt(work["iterations_done"])
    leader = best_child_of(work, moves)
    child = nodes[ROOT_NODE]["child"]
    while child:
        move = nodes[child]["move"]
        if moves >> move & 1:
            ahead = (nodes[leader]["total"] - nodes[child]["total"]) / float(work["iterations_done"])
            ahead = ahead + handicap(work, child) - handicap(work, leader)
            if work["patient"]:
                ahead -= noise_of(work, child) - noise_of(work, leader)
            if child != leader and ahead + INDIFFERENCE > limit * max(error_of(work, leader, child), least_error):
                moves &= ~(1 << move)
        child = nodes[child]["sibling"]
    return moves


@kernel
def not_hopeless(work: SearchRecord, moves: int) -> int:
    """The moves that an early look leaves: not surely behind the leader, head start aside, and no hint like another.

    Hints that have led to the same in every deal so far say the same in other words, as the hints of a code do.
    """
    nodes = layout.nodes_of(work)
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
    nodes = layout.nodes_of(work)
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
def error_of(work: SearchRecord, first: int, second: int) -> float:
    """The standard error of the difference between two open moves' means in the same deals."""
    nodes, products = layout.nodes_of(work), layout.products_of(work)
    deals = float(work["iterations_done"])
    one, other = nodes[first]["move"], nodes[second]["move"]
    ahead = (nodes[first]["total"] - nodes[second]["total"]) / deals
    product = products[min(one, other), max(one, other)]
    squares = products[one, one] + products[other, other] - 2 * product
    return math.sqrt(max(squares / deals - ahead * ahead, 0.0) / max(deals - 1, 1.0))


@kernel
def handicap(work: SearchRecord, child: int) -> float:
    """The points by which a move must beat the evaluator's own: the margin, and `caution` standard errors of its lead.

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
    nodes = layout.nodes_of(work)
    if work["evaluator_move"] == NO_MOVE or nodes[child]["move"] == work["evaluator_move"]:
        return 0
    usual = tree.child_by(nodes, ROOT_NODE, work["evaluator_move"])
    return usual if nodes[usual]["visits"] == work["iterations_done"] else 0


@kernel
def best_child_of(work: SearchRecord, moves: int) -> int:
    """The node of the open move that stands highest; ties go to the evaluator's own, else to the first.

    All have been tried equally often.
    """
    nodes = layout.nodes_of(work)
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
    lanes, nodes = layout.states_of(work), layout.nodes_of(work)
    move = nodes[parent]["move"]
    nodes[parent]["visits"] += 1
    take_up_deal(work)
    tree.try_move(lanes, TRIAL, work, move)
    actor = lanes[TRIAL]["seat"]
    if is_over(lanes, TRIAL):
        tree.count_result(nodes, child_for(work, parent, NO_MOVE, actor), try_line(work, move, NO_MOVE))
        return
    replies = legal_moves(lanes, TRIAL)
    while replies:
        reply = lowest_bit(replies)
        tree.count_result(nodes, child_for(work, parent, reply, actor), try_line(work, move, reply))
        replies &= replies - 1


@kernel
def child_for(work: SearchRecord, parent: int, move: MoveNumber, actor: Seat) -> int:
    """The child of a node by this move, a new one if need be."""
    child = tree.child_by(layout.nodes_of(work), parent, move)
    return child if child else tree.add_child(work, parent, move, actor)


@kernel
def count_best_reply(work: SearchRecord, parent: int) -> None:
    """Give a move the value of its best reply: of those legal in half of the deals that went on, by the mean."""
    nodes = layout.nodes_of(work)
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
