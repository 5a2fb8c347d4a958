"""Flat search on an exact belief: the deals are drawn from the list of all hands that explain what the others did."""

from kagiya._jit import kernel
from kagiya.cards import Seat
from kagiya.dice import Streams
from kagiya.engine.layout import Lane, Memory, Params, States
from kagiya.moves import MoveNumber
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
from kagiya.search.hands.drawing import deal_listed_hand, deal_sampled_hand, find_fewest, probe, weigh_hands
from kagiya.search.hands.layout import NOT_LISTED, HandsRecord, hands_at
from kagiya.search.hands.story import forget_list, read_story
from kagiya.search.hands.upkeep import bring_up_to_date, start_over
from kagiya.search.layout import KNOWN, TRIAL, SearchRecord, rng_of, work_at


@kernel
def exact_move(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
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
def race(states: States, i: Lane, seat: Seat, memory: Memory, work: SearchRecord, moves: int) -> MoveNumber:
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
def study_hand(states: States, i: Lane, seat: Seat, memory: Memory, work: SearchRecord, hands: HandsRecord) -> None:
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
    deal_hand(states, i, seat, work)
    rebuild_memories(i, seat, memory, work)
    if hands["listed"] != NOT_LISTED:
        weigh_hands(work, hands)
        if hands["total"] > 0.0:
            return
        start_over(hands, work["turns"])
    probe(states, i, seat, memory, work, hands)
    copy_dice(rng_of(work), KNOWN, TRIAL)  # `probe` rolls only the first time it is asked
    find_fewest(states, i, seat, memory, work, hands)


@kernel
def deal_believed_game(
    states: States, i: Lane, seat: Seat, memory: Memory, work: SearchRecord, hands: HandsRecord
) -> None:
    """Lane DEALT becomes a whole game that the seat may be in, as likely as it is."""
    copy_dice(rng_of(work), KNOWN, TRIAL)
    if not work["whole_history"]:
        deal_hand(states, i, seat, work)
    elif hands["listed"] == NOT_LISTED:
        deal_sampled_hand(states, i, seat, memory, work, hands)
    else:
        deal_listed_hand(states, i, seat, work, hands)
    settle_dice(work, deal_rest(work))
