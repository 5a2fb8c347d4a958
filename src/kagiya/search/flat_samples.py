"""The samples of a flat search: deals that all moves share, and what a line of play is worth where it stops.

Hand, deck, memories and dice are settled once for each deal; a line may get a learned value.
"""

from kagiya._jit import kernel, lowest_bit
from kagiya.agents.rule_list import candidate_moves
from kagiya.cards import NO_MOVE, MoveNumber, Seat
from kagiya.engine.dice import next_word
from kagiya.engine.game_kernels import is_over
from kagiya.engine.layout import MAX_TURNS, Lane, Memory, States
from kagiya.engine.memory import copy_memory
from kagiya.learn.values import forecast, value_moves
from kagiya.search.allies import draw_allies
from kagiya.search.deals.history import rebuild_memories
from kagiya.search.deals.past_moves import is_accepted, is_kept, judge_again
from kagiya.search.deals.sampling import hold_hand, sample_hand, settle_deck
from kagiya.search.nodes import copy_dice, count_result, play_out, reward_of, seed_all, try_move
from kagiya.search.search_layout import (
    BY_POSITION,
    DEALT,
    KNOWN,
    NO_LEAF,
    ROOT_NODE,
    SEARCH_STREAM,
    TRIAL,
    SearchRecord,
    extents_of,
    leaf_of,
    memory_of,
    nodes_of,
    rng_of,
    rules_of,
    states_of,
)

THE_ROW = 0  # the only one of the learned function, and of the rules


@kernel
def line_value(work: SearchRecord) -> float:
    """The value of the game in lane TRIAL, over or cut off."""
    lanes = states_of(work)
    if work["leaf"] == NO_LEAF or is_over(lanes, TRIAL):
        return reward_of(lanes, TRIAL, work)
    if work["leaf"] == BY_POSITION:
        return forecast(lanes, TRIAL, leaf_of(work), THE_ROW)
    return best_value(work)


@kernel
def best_value(work: SearchRecord) -> float:
    """What the evaluation function expects of the best move of the seat to move, of those that the rules propose."""
    lanes, rows = states_of(work), leaf_of(work)
    seat, masks, values = lanes[TRIAL]["seat"], work["convention_masks"][:], work["leaf_values"][:]
    convention, start = work["convention"], work["leaf_start"]
    moves = candidate_moves(lanes, TRIAL, seat, rules_of(work), THE_ROW, rng_of(work), masks, convention)
    value_moves(lanes, TRIAL, seat, masks, convention, rows, THE_ROW, start, moves, values)
    best = -1e300
    while moves:
        best = max(best, values[lowest_bit(moves)])
        moves &= moves - 1
    return best


@kernel
def deal_game(states: States, i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> None:
    """Lane DEALT becomes a whole game that the seat may be in: its hand, the deck, all memories, all dice."""
    copy_dice(rng_of(work), KNOWN, TRIAL)
    draw_allies(work)
    remembers = deal_plausible_hand(states, i, seat, memory, work)
    seed = deal_rest(work)
    if not remembers:
        rebuild_memories(i, seat, memory, work)
    settle_dice(work, seed)


@kernel
def deal_rest(work: SearchRecord) -> int:
    """Put the deck in order, and find a seed for the models' dice.

    The dice of the deals themselves are kept in lane KNOWN, so that no line of play touches them.
    """
    dice = rng_of(work)
    settle_deck(states_of(work), DEALT, dice)
    seed = next_word(dice, TRIAL, SEARCH_STREAM) << 31 | next_word(dice, TRIAL, SEARCH_STREAM) >> 1
    copy_dice(dice, TRIAL, KNOWN)
    return seed


@kernel
def settle_dice(work: SearchRecord, seed: int) -> None:
    """The models roll the same dice in every line of play."""
    seed_all(work, seed)
    copy_dice(rng_of(work), TRIAL, DEALT)


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
        for slot in range(states_of(work)[DEALT]["hand_size"]):
            work["hand"][slot] = work["kept_hand"][slot]
        hold_hand(states_of(work), DEALT, seat, work)
    elif work["rejects"] and work["listening"] and work["judge_acts_address"] == work["acts_address"]:
        copy_memory(memory_of(work), TRIAL, DEALT, extents_of(work))
        return True
    return False


@kernel
def deal_weighed_hand(states: States, i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> bool:
    """Propose hands by Metropolis's rule; whether the last of them is the one kept."""
    judge_again(i, seat, memory, work)
    is_new = False
    for _ in range(work["proposals"]):
        deal_hand(states, i, seat, work)
        is_new = is_kept(i, seat, memory, work)
    return is_new


@kernel
def deal_accepted_hand(states: States, i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> bool:
    """Propose hands until one is accepted; whether one was."""
    for _ in range(work["proposals"]):
        deal_hand(states, i, seat, work)
        if is_accepted(i, seat, memory, work):
            return True
    return False


@kernel
def deal_hand(states: States, i: Lane, seat: Seat, work: SearchRecord) -> None:
    """Lane DEALT becomes the known game with a hand for the seat that fits the hints, and belief where it may."""
    lanes = states_of(work)
    if work["sees_hand"]:
        for slot in range(lanes[KNOWN]["hand_size"]):
            work["hand"][slot] = states[i]["hands"][seat, slot]
    else:
        sample_hand(lanes, KNOWN, seat, work, rng_of(work))
    lanes[DEALT] = lanes[KNOWN]
    for slot in range(lanes[KNOWN]["hand_size"]):
        lanes[DEALT]["possible"][seat, slot] = states[i]["possible"][seat, slot]
    hold_hand(lanes, DEALT, seat, work)


@kernel
def take_up_deal(work: SearchRecord) -> None:
    """Lane TRIAL becomes the deal as it was, with the same dice."""
    lanes = states_of(work)
    lanes[TRIAL] = lanes[DEALT]
    copy_memory(memory_of(work), DEALT, TRIAL, extents_of(work))
    copy_dice(rng_of(work), DEALT, TRIAL)


@kernel
def try_line(work: SearchRecord, move: MoveNumber, reply: MoveNumber) -> float:
    """The value of a move, and of a reply to it if there is one, when the models play on from there."""
    lanes = states_of(work)
    take_up_deal(work)
    try_move(lanes, TRIAL, work, move)
    if reply != NO_MOVE:
        try_move(lanes, TRIAL, work, reply)
    play_out(lanes, work, MAX_TURNS if work["is_exact"] else work["plies"])
    value = line_value(work)
    count_result(nodes_of(work), ROOT_NODE, value)
    return value
