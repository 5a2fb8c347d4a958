"""Hands weighed by past moves before a tree search begins, so that its iterations are not slowed down by judging.

A tree search makes an iteration in the time that judging one hand takes. So it samples a number of hands first, weighs
each by what it leaves unexplained, and starts every iteration from one of them, drawn by weight (importance
resampling). A judge that rolls dice is asked once for each hand: the expected weight of a hand is then the product over
the moves of their expected weights, so dice are averaged over the hands.
"""

from kagiya._jit import kernel, now
from kagiya.agents.conventions.playable_now import GROUNDED
from kagiya.cards import Seat
from kagiya.dice import next_word
from kagiya.engine.layout import Lane, Memory
from kagiya.rules import MAX_DECK
from kagiya.search.deals.convention import sample_meant_hand
from kagiya.search.deals.past_moves import MANY, WORD_VALUES, count_unexplained
from kagiya.search.deals.sampling import hold_hand
from kagiya.search.layout import DEALT, KNOWN, SEARCH_STREAM, TRIAL, SearchRecord, rng_of, states_of, weighed_hands_of

TIME_SHARE = 3  # judging may take one part in so many of the time for a move


@kernel
def weigh_hands(i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> None:
    """Sample hands for the seat and weigh them, if the search asks past moves and knows all of them."""
    if not work["hands_weighed"] or not work["whole_history"] or not work["turns"]:
        return
    lanes, hands, fewest = states_of(work), weighed_hands_of(work), MANY
    while work["weighed"] < work["hands_weighed"] and not is_late(work):
        restore_masks(work)
        sample_meant_hand(lanes, KNOWN, seat, work)
        lanes[DEALT] = lanes[KNOWN]
        hold_hand(lanes, DEALT, seat, work)
        hand = hands[work["weighed"]]
        for slot in range(lanes[KNOWN]["hand_size"]):
            hand["cards"][slot] = work["hand"][slot]
        hand["unexplained"] = count_unexplained(i, seat, memory, work)
        fewest = min(fewest, hand["unexplained"])
        work["weighed"] += 1
    total = 0.0
    for place in range(work["weighed"]):
        total += work["unexplained_odds"] ** (hands[place]["unexplained"] - fewest)
        hands[place]["weight_so_far"] = total


@kernel
def is_late(work: SearchRecord) -> bool:
    """Whether to weigh no more hands: the search was stopped, or a share of its time is gone; one is always weighed."""
    if work["weighed"] == 0:
        return False
    limit = work["nanoseconds"]
    return work["stop"] != 0 or (limit > 0 and (now() - work["started"]) * TIME_SHARE >= limit)


@kernel
def restore_masks(work: SearchRecord) -> None:
    """What the convention has said in the real game."""
    if work["convention"] != GROUNDED:
        for order in range(MAX_DECK):
            work["convention_masks"][order] = work["root_convention_masks"][order]


@kernel
def draw_hand(seat: Seat, work: SearchRecord) -> None:
    """Write a hand that the seat could hold into the table `hand`: one of those weighed, or any that fits."""
    if work["weighed"] == 0:
        sample_meant_hand(states_of(work), KNOWN, seat, work)
        return
    hands, first, last = weighed_hands_of(work), 0, work["weighed"] - 1
    roll = next_word(rng_of(work), TRIAL, SEARCH_STREAM) / WORD_VALUES * hands[last]["weight_so_far"]
    while first < last:
        middle = (first + last) >> 1
        if hands[middle]["weight_so_far"] > roll:
            last = middle
        else:
            first = middle + 1
    for slot in range(states_of(work)[KNOWN]["hand_size"]):
        work["hand"][slot] = hands[first]["cards"][slot]
