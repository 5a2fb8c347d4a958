"""Flat search on an exact belief: deals drawn from the list of all hands that explain what the others did.

In endings, with few cards left to draw, every hand of the list and every order of the deck is tried, not a sample. The
value of a move is then the exact expectation if all play as modeled from there on.
"""

from kagiya._jit import kernel, lowest_bit
from kagiya.cards import MoveNumber, Seat
from kagiya.engine.layout import Lane, Memory, Params, States, Streams
from kagiya.kinds import count_matching
from kagiya.search.deals.hand_draws import (
    deal_listed_hand,
    deal_sampled_hand,
    find_fewest,
    lay_entry,
    probe,
    weigh_hands,
)
from kagiya.search.deals.hands_history import forget_list, read_story
from kagiya.search.deals.hands_layout import NOT_LISTED, HandsRecord, hands_at, weights_of
from kagiya.search.deals.history import rebuild_memories
from kagiya.search.deals.update_hands import bring_up_to_date, start_over
from kagiya.search.flat_samples import deal_hand, deal_rest, settle_dice
from kagiya.search.flat_search import ask_evaluator, distinct_moves, end_flat_search, is_open, open_root, try_all
from kagiya.search.nodes import begin_search, copy_dice
from kagiya.search.search_layout import DEALT, KNOWN, TRIAL, SearchRecord, rng_of, states_of, work_at

MAX_TO_DRAW = 3  # cards whose orders are tried


@kernel
def count_endings(work: SearchRecord, hands: HandsRecord) -> int:
    """How many deals there are, hands and orders of the deck; 0 if they are not to be tried one by one."""
    state = states_of(work)[KNOWN]
    left = state["deck_size"] - state["drawn"]
    if not work["whole_history"] or hands["listed"] == NOT_LISTED or left > MAX_TO_DRAW:
        return 0
    orders = 1
    for place in range(2, left + 1):
        orders *= place
    deals = hands["listed"] * orders
    return deals if deals <= work["most_endings"] else 0


@kernel
def try_endings(states: States, i: Lane, seat: Seat, work: SearchRecord, hands: HandsRecord, moves: int) -> None:
    """Try every move in every deal; no move is dropped, and no lead is due to chance."""
    orders = count_endings(work, hands) // hands["listed"]
    possible = count_possible(hands)
    work["is_exact"] = 1
    for entry in range(hands["listed"]):
        weight = weight_of(hands, entry)
        if weight == 0.0 or work["stop"]:
            continue
        work["deal_weight"] = weight / hands["total"] * possible
        for order in range(orders):
            lay_entry(states, i, seat, work, hands, entry)
            order_deck(states_of(work), DEALT, order)
            settle_dice(work, 1 + order)
            try_all(work, moves)


@kernel
def weight_of(hands: HandsRecord, entry: int) -> float:
    """The ways to deal a hand of the list; none if the seat sees that it cannot hold it."""
    weights = weights_of(hands)
    return weights[entry] - weights[entry - 1] if entry else weights[entry]


@kernel
def count_possible(hands: HandsRecord) -> int:
    """The hands of the list that the seat can hold by what it sees."""
    count = 0
    for entry in range(hands["listed"]):
        count += weight_of(hands, entry) > 0.0
    return count


@kernel
def order_deck(states: States, i: Lane, number: int) -> None:
    """Put the deck's cards in the order of this number, of all orders of its cards."""
    state = states[i]
    deck, place = state["deck"], state["drawn"]
    kinds = state["deck_low"] | state["deck_high"]
    while kinds:
        card = lowest_bit(kinds)
        kinds &= kinds - 1
        for _ in range(count_matching(state["deck_low"], state["deck_high"], 1 << card)):
            deck[place] = card
            place += 1
    for first in range(state["drawn"], state["deck_size"]):
        choices = state["deck_size"] - first
        other = first + number % choices
        number //= choices
        deck[first], deck[other] = deck[other], deck[first]


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
