"""Flat search on an exact belief: the deals are drawn from the list of all hands that explain what the others did."""

from kagiya._jit import kernel
from kagiya.search.deals.history import rebuild_memories
from kagiya.search.flat.endings import count_endings, try_endings
from kagiya.search.flat.flat_search import (
    ask_evaluator,
    distinct_moves,
    end_flat_search,
    is_open,
    open_root,
    try_all,
)
from kagiya.search.flat.shared_deals import deal_hand, deal_rest, settle_dice
from kagiya.search.frame import begin_search, copy_dice
from kagiya.search.hands.drawing import deal_listed_hand, deal_sampled_hand, is_drawn_from, probe, weigh_hands
from kagiya.search.hands.layout import NOT_LISTED, hands_at
from kagiya.search.hands.legible import legible_moves
from kagiya.search.hands.story import forget_list, read_story
from kagiya.search.hands.upkeep import bring_up_to_date, start_over
from kagiya.search.layout import KNOWN, TRIAL, rng_of, work_at


@kernel
def exact_move(states, i, seat, memory, params, rng):
    """The `act` of a search with one list of hands: all moves in deal after deal until the race is over."""
    work = work_at(int(params[seat, 0]))
    begin_search(states, i, seat, memory, work, rng)
    hands = hands_at(work["own_hand_address"])
    open_moves = distinct_moves(work)
    if open_moves:
        study_hand(states, i, seat, memory, work, hands)
        deal_believed_game(states, i, seat, memory, work, hands)
        open_moves |= ask_evaluator(seat, work)
    return race(states, i, seat, memory, work, open_moves)


@kernel
def race(states, i, seat, memory, work, moves):
    """The move that is best in deal after deal, or in all of them if they are few."""
    hands = hands_at(work["own_hand_address"])
    open_root(work, moves)
    if moves & (moves - 1) and count_endings(work, hands):
        try_endings(states, i, seat, work, hands, moves)
    while not work["is_exact"] and is_open(work, moves):
        deal_believed_game(states, i, seat, memory, work, hands)
        moves = try_all(work, moves)
    return end_flat_search(work, moves)


@kernel
def legible_move(states, i, seat, memory, params, rng):
    """The `act` of a search whose partner searches too: its model's move, or one that no partner's hand explains."""
    work = work_at(int(params[seat, 0]))
    begin_search(states, i, seat, memory, work, rng)
    hands, others = hands_at(work["own_hand_address"]), hands_at(work["partner_hand_address"])
    moves, legible = distinct_moves(work), 0
    if moves:
        study_hand(states, i, seat, memory, work, hands)
        if work["whole_history"] and not is_trusting(work, hands):
            legible = study_partner(i, seat, memory, work, others)
            recall_own_memory(states, i, seat, memory, work)
        deal_believed_game(states, i, seat, memory, work, hands)
        moves = moves & legible | ask_evaluator(seat, work)
    return race(states, i, seat, memory, work, moves)


@kernel
def is_trusting(work, hands):
    """Whether the partner has just left the blueprint: it knew why, and counts on the blueprint's answer."""
    deviations = 0
    for turn in range(max(0, work["turns"] - 2 * work["trust"]), work["turns"]):
        deviations += hands["skipped"][turn]
    return deviations > 0


@kernel
def study_partner(i, seat, memory, work, others):
    """Find out what the partner may think it holds; returns the moves that would say nothing to it."""
    read_story(i, seat, memory, work, others)
    if work["turns"] == 0:
        return 0
    bring_up_to_date(work, others, work["turns"] - 1)
    return legible_moves(work, others, seat)


@kernel
def recall_own_memory(states, i, seat, memory, work):
    """Lane DEALT becomes a hand that fits the hints, and what the seat's own model remembers."""
    deal_hand(states, i, seat, work)
    rebuild_memories(i, seat, memory, work)


@kernel
def study_hand(states, i, seat, memory, work, hands):
    """Find out what the seat may hold; lane DEALT is left with what its own model remembers.

    The dice of the deals stay as they are, so that it does not matter whether this was found out before.
    """
    copy_dice(rng_of(work), KNOWN, TRIAL)
    deal_hand(states, i, seat, work)
    if not work["whole_history"]:
        forget_list(hands)
        rebuild_memories(i, seat, memory, work)
        return
    read_story(i, seat, memory, work, hands)
    bring_up_to_date(work, hands, work["turns"])
    recall_own_memory(states, i, seat, memory, work)
    if hands["listed"] != NOT_LISTED:
        weigh_hands(work, hands)
        if is_drawn_from(hands) and hands["total"] > 0.0:
            return
        if not hands["is_sample"]:
            start_over(hands, work["turns"])
    probe(states, i, seat, memory, work, hands)


@kernel
def deal_believed_game(states, i, seat, memory, work, hands):
    """Lane DEALT becomes a whole game that the seat may be in, as likely as it is."""
    copy_dice(rng_of(work), KNOWN, TRIAL)
    if not work["whole_history"]:
        deal_hand(states, i, seat, work)
    elif not is_drawn_from(hands):
        deal_sampled_hand(states, i, seat, memory, work, hands)
    else:
        deal_listed_hand(states, i, seat, work, hands)
    settle_dice(work, deal_rest(work))
