"""Endings: with few cards left to draw, every hand of the list and every order of the deck is tried, not a sample.

The value of a move is then the exact expectation if all play as modeled from there on.
"""

from kagiya._jit import kernel, lowest_bit
from kagiya.cards import Seat
from kagiya.engine.layout import Lane, States
from kagiya.planes import count_matching
from kagiya.search.flat.flat_search import try_all
from kagiya.search.flat.shared_deals import settle_dice
from kagiya.search.hands.drawing import lay_entry
from kagiya.search.hands.layout import NOT_LISTED, HandsRecord, weights_of
from kagiya.search.layout import DEALT, KNOWN, SearchRecord, states_of

MOST_TO_DRAW = 3  # cards whose orders are tried


@kernel
def count_endings(work: SearchRecord, hands: HandsRecord) -> int:
    """How many deals there are, hands and orders of the deck; 0 if they are not to be tried one by one."""
    state = states_of(work)[KNOWN]
    left = state["deck_size"] - state["drawn"]
    if not work["whole_history"] or hands["listed"] == NOT_LISTED or left > MOST_TO_DRAW:
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
