"""Hands that explain what the others did: what they would have told of a hand, and did not, makes it unlikely.

Every hand that fits the hints is as likely as any other only before anybody has moved. A judge, which is the evaluator
unless another agent is named, is asked what the other seats would have done had they seen the hand, at every move since
its oldest card was drawn; each move that it would not have made multiplies the likelihood by the search's
`unexplained_odds`. A flat search draws its hands by Metropolis's rule with the sampler as the proposal, so that any
sampler will do, and any judge that does not see its own hand.
Where moves are a code, many hands that fit what was decoded explain them all, so that a hand can be accepted or
rejected by itself (`is_accepted`): exact, independent of the hand before, and cheap, for a hand is given up at the
first move too many. With odds of 0 a hand is out that leaves more unexplained than any other.

A tree search makes an iteration in the time that judging one hand takes. So it samples a number of hands first, weighs
each by what it leaves unexplained (`weigh_hands`), and starts every iteration from one of them, drawn by weight
(importance resampling). A judge that rolls dice is asked once for each hand: the expected weight of a hand is then the
product over the moves of their expected weights, so dice are averaged over the hands.
"""

import math

from kagiya._jit import kernel, now
from kagiya.agents.playable_now import GROUNDED
from kagiya.cards import MoveNumber, Seat
from kagiya.engine.batch import call_act, make_move
from kagiya.engine.dice import next_word
from kagiya.engine.layout import Lane, Memory
from kagiya.rules import MAX_DECK
from kagiya.search.deals.beliefs import hear_move, narrow_possible, restore_possible, sample_meant_hand
from kagiya.search.deals.history import HISTORY_MOVES, restart_game
from kagiya.search.deals.sampling import hold_hand
from kagiya.search.search_layout import (
    DEALT,
    KNOWN,
    NO_HAND_KEPT,
    SEARCH_STREAM,
    TRIAL,
    SearchRecord,
    judge_acts_of,
    judge_observes_of,
    judge_params_of,
    memory_of,
    rng_of,
    states_of,
    weighed_hands_of,
)

WORD_VALUES = 2.0**32
MANY = 1000  # more moves than any game has


@kernel
def judge_again(i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> None:
    """Count again what the kept hand, still in lane DEALT, leaves unexplained.

    An evaluator that rolls dice may have been lucky with it, and it would stay for many deals. With this, and dice,
    the rule is only nearly Metropolis's.
    """
    if work["unexplained"] != NO_HAND_KEPT:
        work["unexplained"] = count_unexplained(i, seat, memory, work)


@kernel
def is_kept(i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> bool:
    """Whether the hand in lane DEALT takes the place of the one kept, by Metropolis's rule; if so it is kept."""
    unexplained = count_unexplained(i, seat, memory, work)
    more = unexplained - work["unexplained"]
    roll = next_word(rng_of(work), TRIAL, SEARCH_STREAM) / WORD_VALUES
    if work["unexplained"] != NO_HAND_KEPT and more > 0 and roll >= work["unexplained_odds"] ** more:
        return False
    work["unexplained"] = unexplained
    for slot in range(states_of(work)[DEALT]["hand_size"]):
        work["kept_hand"][slot] = work["hand"][slot]
    return True


@kernel
def is_accepted(i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> bool:
    """Whether the hand in lane DEALT is taken, with odds that fall with what it leaves unexplained; if so it is kept.

    Odds are set against the fewest unexplained moves of any hand so far. How many more may be left is rolled first, so
    that a hand is given up as soon as it leaves more.
    """
    roll = (next_word(rng_of(work), TRIAL, SEARCH_STREAM) + 1) / WORD_VALUES
    more = MANY
    if work["unexplained"] != NO_HAND_KEPT:
        odds = work["unexplained_odds"]
        more = work["unexplained"] + (int(math.log(roll) / math.log(odds)) if odds > 0.0 else 0)
    unexplained = count_up_to(i, seat, memory, work, more)
    if unexplained > more:
        return False
    if work["unexplained"] == NO_HAND_KEPT or unexplained < work["unexplained"]:
        work["unexplained"] = unexplained
    for slot in range(states_of(work)[DEALT]["hand_size"]):
        work["kept_hand"][slot] = work["hand"][slot]
    return True


@kernel
def count_unexplained(i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> int:
    """The moves of other seats that the judge would not have made, if the hand in lane DEALT is the true one."""
    return count_up_to(i, seat, memory, work, MANY)


@kernel
def count_up_to(i: Lane, seat: Seat, memory: Memory, work: SearchRecord, limit: int) -> int:
    """`count_unexplained`, given up as soon as it is more than `limit`; else lane TRIAL is left with all memories.

    With a convention the masks of the search follow the replay, and must be set again afterwards.
    """
    lanes, memories, params = states_of(work), memory_of(work), judge_params_of(work)
    oldest = lanes[DEALT]["deck_size"]
    for slot in range(lanes[DEALT]["hand_size"]):
        if lanes[DEALT]["order"][seat, slot] >= 0:
            oldest = min(oldest, lanes[DEALT]["order"][seat, slot])
    restart_game(i, seat, memory, work)
    speaks = work["convention"] != GROUNDED
    if speaks:
        for order in range(MAX_DECK):
            work["convention_masks"][order] = 0
    unexplained = 0
    for turn in range(work["turns"]):
        move, actor = memory[i, seat, HISTORY_MOVES + turn], lanes[TRIAL]["seat"]
        if actor != seat and lanes[TRIAL]["drawn"] > oldest:
            unexplained += judged_move(actor, work) != move
            if unexplained > limit:
                break
        if speaks:
            hear_move(lanes, TRIAL, work, move)
        make_move(lanes, TRIAL, memories, params, judge_observes_of(work), move)
    return unexplained


@kernel
def judged_move(actor: Seat, work: SearchRecord) -> MoveNumber:
    """What the judge in a seat would do in lane TRIAL; it believes the convention as the models of rollouts do."""
    lanes, believes = states_of(work), work["convention"] != GROUNDED and work["modeled"]
    if believes:
        narrow_possible(lanes, TRIAL, actor, work)
    move = call_act(
        judge_acts_of(work)[actor], lanes, TRIAL, actor, memory_of(work), judge_params_of(work), rng_of(work)
    )
    if believes:
        restore_possible(lanes, TRIAL, actor, work)
    return move


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
