"""Hands drawn as likely as they are: by the ways to deal them from the list, or sampled, replayed and rejected."""

import math

from kagiya._jit import kernel, now
from kagiya.cards import NO_CARD, Seat
from kagiya.engine.dice import next_word
from kagiya.engine.layout import Lane, Memory, States
from kagiya.engine.memory import DECLARED
from kagiya.kinds import count_matching, kind_bit, remove_bit
from kagiya.rules import MAX_DECK
from kagiya.search.deals.hands_history import EXPLAINED, follow
from kagiya.search.deals.hands_layout import (
    EMPTY_SLOT,
    SLOT_BITS,
    HandsRecord,
    hands_of,
    load_row,
    rows_of,
    unexplained_of,
    weights_of,
)
from kagiya.search.deals.history import restart_game
from kagiya.search.deals.sampling import hold_hand, pool_of, sample_hand
from kagiya.search.search_layout import (
    DEALT,
    KNOWN,
    SEARCH_STREAM,
    TRIAL,
    SearchRecord,
    extents_of,
    memory_of,
    rng_of,
    states_of,
)

MAX_CLASHES = 20_000  # sampled hands after which the last one found is taken again
WORD_VALUES = 2.0**32
BETWEEN_LOOKS = 63  # sampled hands between two looks at the clock, less one
NEVER = MAX_DECK  # `oldest`: no answer counts


@kernel
def weigh_hands(work: SearchRecord, hands: HandsRecord) -> None:
    """Sum up the ways to deal each hand of the list from the cards that its owner does not see."""
    lanes, listed, weights = states_of(work), hands_of(hands), weights_of(hands)
    pool_low, pool_high = pool_of(lanes, KNOWN, hands["owner"])
    total, side, size = 0.0, hands["side"], lanes[KNOWN]["hand_size"]
    hands["possible"] = 0
    for entry in range(hands["listed"]):
        packed, low, high, ways = listed[side, entry], pool_low, pool_high, 1
        for _ in range(size):
            card = packed & EMPTY_SLOT
            packed >>= SLOT_BITS
            if card != EMPTY_SLOT:
                ways *= count_matching(low, high, kind_bit(card))
                if ways == 0:
                    break
                low, high = remove_bit(low, high, kind_bit(card))
        total += ways * hands["odds"] ** unexplained_of(hands)[side, entry]
        hands["possible"] += ways > 0
        weights[entry] = total
    hands["total"] = total


@kernel
def draw_entry(work: SearchRecord, hands: HandsRecord) -> int:
    """An entry of the list, as likely as it weighs."""
    dice, weights = rng_of(work), weights_of(hands)
    high_word = next_word(dice, TRIAL, SEARCH_STREAM)
    wanted = (high_word + next_word(dice, TRIAL, SEARCH_STREAM) / WORD_VALUES) / WORD_VALUES * hands["total"]
    first, last = 0, hands["listed"] - 1
    while first < last:
        middle = (first + last) // 2
        if weights[middle] > wanted:
            last = middle
        else:
            first = middle + 1
    return first


@kernel
def deal_listed_hand(states: States, i: Lane, seat: Seat, work: SearchRecord, hands: HandsRecord) -> None:
    """Lane DEALT becomes the known game under a hand drawn, with what everybody remembers then."""
    lay_entry(states, i, seat, work, hands, draw_entry(work, hands))


@kernel
def lay_entry(states: States, i: Lane, seat: Seat, work: SearchRecord, hands: HandsRecord, entry: int) -> None:
    """Lane DEALT becomes the known game under a hand of the list, with what everybody remembers then."""
    side = hands["side"]
    packed = hands_of(hands)[side, entry]
    for slot in range(states_of(work)[KNOWN]["hand_size"]):
        card = packed >> SLOT_BITS * slot & EMPTY_SLOT
        work["hand"][slot] = NO_CARD if card == EMPTY_SLOT else card
    lay_hand(states, i, seat, work)
    load_row(work, hands, side, rows_of(hands)[side, entry], DEALT)


@kernel
def lay_hand(states: States, i: Lane, seat: Seat, work: SearchRecord) -> None:
    """Lane DEALT becomes the known game with the hand in the record's table."""
    lanes = states_of(work)
    lanes[DEALT] = lanes[KNOWN]
    for slot in range(lanes[KNOWN]["hand_size"]):
        lanes[DEALT]["possible"][seat, slot] = states[i]["possible"][seat, slot]
    hold_hand(lanes, DEALT, seat, work)


@kernel
def propose_hand(states: States, i: Lane, seat: Seat, memory: Memory, work: SearchRecord, hands: HandsRecord) -> int:
    """Lane DEALT gets a hand that fits the hints; returns the turn at which it is given up, or EXPLAINED.

    If it explains all, but for as many moves as are allowed, lane TRIAL has what everybody remembers.
    """
    lanes = states_of(work)
    sample_hand(lanes, KNOWN, seat, work, rng_of(work))
    lay_hand(states, i, seat, work)
    oldest = lanes[DEALT]["deck_size"]
    for slot in range(lanes[DEALT]["hand_size"]):
        if lanes[DEALT]["order"][seat, slot] >= 0:
            oldest = min(oldest, lanes[DEALT]["order"][seat, slot])
    restart_game(i, seat, memory, work)
    hands["unexplained"] = 0
    return follow(work, hands, 0, work["turns"], oldest)


@kernel
def find_fewest(states: States, i: Lane, seat: Seat, memory: Memory, work: SearchRecord, hands: HandsRecord) -> None:
    """Find out how many moves even the best of some sampled hands leaves unexplained; so many tell nothing."""
    hands["fewest"] = hands["most_unexplained"]
    for _ in range(hands["probes"]):
        if hands["fewest"] == 0 or is_out_of_time(work):
            return
        hands["allowed"] = hands["fewest"] - 1
        if propose_hand(states, i, seat, memory, work, hands) == EXPLAINED:
            hands["fewest"] = hands["unexplained"]


@kernel
def roll_allowance(work: SearchRecord, hands: HandsRecord) -> None:
    """Roll how many moves the next sampled hand may leave unexplained, so that it is as likely as it weighs."""
    hands["allowed"] = hands["fewest"]
    if hands["odds"] > 0.0:
        roll = (next_word(rng_of(work), TRIAL, SEARCH_STREAM) + 1) / WORD_VALUES
        hands["allowed"] += min(hands["most_unexplained"], int(math.log(roll) / math.log(hands["odds"])))


@kernel
def is_out_of_time(work: SearchRecord) -> bool:
    """Whether the search must answer with what it has."""
    return work["stop"] or (work["nanoseconds"] > 0 and now() - work["started"] >= work["nanoseconds"])


@kernel
def probe(states: States, i: Lane, seat: Seat, memory: Memory, work: SearchRecord, hands: HandsRecord) -> None:
    """Find moves that hardly any hand explains, as of one that plays otherwise; nothing is concluded from them.

    The hand that explains the story furthest tells which move stands in the way. What was found once stands: to be
    asked again must not change it.
    """
    hands["allowed"] = hands["most_unexplained"]
    while hands["probed_turns"] < work["turns"]:
        furthest = 0
        for _ in range(hands["probes"]):
            turn = propose_hand(states, i, seat, memory, work, hands)
            keep_hand(work)
            if turn == EXPLAINED:
                hands["probed_turns"] = work["turns"]
            if turn == EXPLAINED or is_out_of_time(work):
                return
            furthest = max(furthest, turn)
        hands["skipped"][furthest] = 1


@kernel
def keep_hand(work: SearchRecord) -> None:
    """Note the hand in the record's table, to be taken again if no other is found."""
    for slot in range(states_of(work)[KNOWN]["hand_size"]):
        work["kept_hand"][slot] = work["hand"][slot]


@kernel
def deal_sampled_hand(
    states: States, i: Lane, seat: Seat, memory: Memory, work: SearchRecord, hands: HandsRecord
) -> None:
    """Lane DEALT becomes the known game under a sampled hand that explains the story, with what everybody remembers."""
    for trial in range(MAX_CLASHES):
        roll_allowance(work, hands)
        if propose_hand(states, i, seat, memory, work, hands) == EXPLAINED:
            keep_hand(work)
            break
        if trial == MAX_CLASHES - 1 or (trial & BETWEEN_LOOKS == 0 and is_out_of_time(work)):
            for slot in range(states_of(work)[KNOWN]["hand_size"]):
                work["hand"][slot] = work["kept_hand"][slot]
            lay_hand(states, i, seat, work)
            restart_game(i, seat, memory, work)
            follow(work, hands, 0, work["turns"], NEVER)
            break
    copy_others(work, hands, TRIAL, DEALT)


@kernel
def copy_others(work: SearchRecord, hands: HandsRecord, source: Lane, target: Lane) -> None:
    """What the seats that see the hand remember, from one lane into another."""
    memories, extents = memory_of(work), extents_of(work)
    for seat in range(hands["players"]):
        if seat != hands["owner"]:
            for word in range(extents[seat, DECLARED]):
                memories[target, seat, word] = memories[source, seat, word]
