"""Osawa's self-recognition: asks under which hands its partner would have given the hint that it gave.

Source
    Osawa 2015: the outer strategy, and before its last step an inference. Enumerate its own hands that agree with
    what is known; keep those under which the partner, playing the outer strategy, would have moved as it did; if a
    slot's most frequent card is more than 2.5 times as frequent as the second, take it for that card.
Published
    15.85, deviation 2.26, 100 games of two players. How a bomb scores is not said; here about one game in a hundred
    ends in one, and counting it 0 costs 0.1. The rules entered keep the points.
Where the source is silent
    Only hints are reasoned about: before a play, a useless discard or a discard without tokens the outer strategy
    does not look at the partner's hand. The partner is taken to have had nothing sure to play or discard. What it
    leaves to a coin weighs half. Hands with two equal cards are left out and the copies of a card counted once (with
    copies counted 15.9 as well, but nearly three times as many bombs). All kept hands count: a card that fits in each
    of them is played, whichever it is (by the frequencies alone: 15.5). The player must itself hint as it thinks that
    others do; with hints at random where no card fits it scores 15.4. Reasoning before hinting: 16.1; no coins, rank
    before color: 16.1; guesses kept for later turns: 16.2.
"""

from kagiya._jit import kernel, lowest_bit
from kagiya.agents.api import AgentInfo, CompiledAgent, Parameter
from kagiya.agents.osawa import LAST_REASONS, NEWS_REASONS, tell_news
from kagiya.agents.tactics.play_or_discard import discard_random
from kagiya.agents.tactics.vocabulary import first_slot, occupied_slots, random_move
from kagiya.cards import MAX_HAND, MAX_KINDS, NO_MOVE, Kinds, MoveNumber, Seat, Slots, each_slot
from kagiya.engine.game_kernels import discard_of, hint_kinds, is_hint, play_move, told_part, touched_slots
from kagiya.engine.layout import REASON, TOLD_BOTH, TOLD_COLOR, TOLD_RANK, Lane, Memory, Params, States, Streams
from kagiya.view.view_kernels import DEAL_TABLE, NOTHING, SUBSETS, DealTable, deals_through, unseen_planes

# A hand is kept if the partner, playing the outer strategy, may have given the hint that it gave. All kept hands are
# counted through masks: a case says which slot is the first that fits, so that each slot has a set of kinds of its own,
# and `deals_through` counts the hands of different cards that those sets allow.
GUESSES = 1  # first of a word for each slot: the kinds the card is taken to be one of, 0 for no guess
TABLE = GUESSES + MAX_HAND  # room for `deals_through`
TALLY = TABLE + DEAL_TABLE  # for each slot and kind, the weight of the hands kept
MEMORY_WORDS = TALLY + MAX_HAND * MAX_KINDS

SURE, BY_COIN = 2, 1  # weights of a hint that the strategy gives, and of one that it gives every other time


@kernel
def hint_weight(states: States, i: Lane, seat: Seat, move: MoveNumber, first: int) -> int:
    """How readily the partner gives this hint if the slot `first` is the first that fits and is not told in full.

    With no such slot (`first` is the hand size) it names what is missing of the first card not told in full, the
    rank before the color.
    """
    state = states[i]
    touched, part = touched_slots(states, i, move), told_part(move)
    if first < state["hand_size"]:
        told = state["told"][seat, first]
        if not touched >> first & 1 or told & part:
            return 0
        return SURE if told else BY_COIN
    for slot in each_slot(state["hand_size"]):
        told = state["told"][seat, slot]
        if occupied_slots(states, i, seat) >> slot & 1 and told != TOLD_BOTH:
            expected = TOLD_COLOR if told & TOLD_RANK else TOLD_RANK
            return SURE if touched >> slot & 1 and expected == part else 0
    return 0


@kernel
def write_case(states: States, i: Lane, seat: Seat, move: MoveNumber, first: int, table: DealTable) -> None:
    """Write to the table's sets of one what each slot may be after the hint, if `first` is the first slot that fits."""
    state = states[i]
    touched, named = touched_slots(states, i, move), hint_kinds(states, i, move)
    for slot in each_slot(state["hand_size"]):
        kinds = state["possible"][seat, slot] & (named if touched >> slot & 1 else state["kinds"] & ~named)
        if slot < first and state["told"][seat, slot] != TOLD_BOTH:
            kinds &= ~state["playable"]
        elif slot == first:
            kinds &= state["playable"]
        table[1 << slot] = kinds


@kernel
def count_hands(kinds: Kinds, occupied: Slots, unseen: Kinds, table: DealTable) -> int:
    """Complete the table from its sets of one: the kinds common to each set of slots, and the hands for them."""
    table[0], table[SUBSETS] = kinds, 1
    for number in range(1, occupied + 1):
        subset = Slots(number)
        if subset & ~occupied:
            continue
        table[subset] = table[subset & (subset - 1)] & table[subset & -subset]
        table[SUBSETS + subset] = deals_through(unseen, NOTHING, subset, lowest_bit(subset), kinds, table)
    return table[SUBSETS + occupied]


@kernel
def tally_hands(states: States, i: Lane, seat: Seat, memory: Memory, move: MoveNumber) -> None:
    """Add up, for each slot and kind, the weight of the hands under which the partner may have given this hint."""
    state = states[i]
    table, tally = memory[i, seat, TABLE:TALLY], memory[i, seat, TALLY:MEMORY_WORDS]
    occupied = occupied_slots(states, i, seat)
    low, high = unseen_planes(states, i, seat, seat)
    for place in range(MAX_HAND * MAX_KINDS):
        tally[place] = 0
    for first in range(state["hand_size"] + 1):
        weight = hint_weight(states, i, seat, move, first)
        if weight == 0:
            continue
        write_case(states, i, seat, move, first, table)
        if count_hands(state["kinds"], occupied, low | high, table) == 0:
            continue
        for slot in each_slot(state["hand_size"]):
            kinds = table[1 << slot] if occupied >> slot & 1 else 0
            while kinds:
                kind = lowest_bit(kinds)
                kinds &= kinds - 1
                ways = deals_through(low | high, NOTHING, occupied, slot, 1 << kind, table)
                tally[slot * MAX_KINDS + kind] += weight * ways


@kernel
def guess_hand(states: States, i: Lane, seat: Seat, memory: Memory, ratio: float) -> None:
    """Take each card for one of the kinds that the kept hands leave, or for the one that outweighs all others."""
    for slot in each_slot(states[i]["hand_size"]):
        left, most, second, likely = 0, 0, 0, 0
        for kind in range(MAX_KINDS):
            weight = memory[i, seat, TALLY + slot * MAX_KINDS + kind]
            left |= (weight > 0) << kind
            if weight > most:
                second, most, likely = most, weight, 1 << kind
            elif weight > second:
                second = weight
        memory[i, seat, GUESSES + slot] = likely if most > ratio * second else left


@kernel
def guessed_slots(states: States, i: Lane, seat: Seat, memory: Memory, kinds: Kinds) -> Slots:
    """The own slots that, by what is guessed of them, can only be one of `kinds`, as a mask."""
    state = states[i]
    low, high = unseen_planes(states, i, seat, seat)
    slots = Slots(0)
    for slot in each_slot(state["hand_size"]):
        guess = memory[i, seat, GUESSES + slot] & state["possible"][seat, slot] & (low | high)
        slots |= (guess != 0 and guess & ~kinds == 0) << slot
    return slots


RATIO = 0  # its place in the row of parameters
REASONS = (
    *NEWS_REASONS,
    "plays {slot}, which its partner's hint must have meant",
    "discards {slot}, which its partner's hint must have meant",
    *LAST_REASONS,
)
PLAYS_GUESS, DISCARDS_GUESS, DISCARDS, AT_A_LOSS = range(len(NEWS_REASONS), len(REASONS))


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The outer strategy; before a card is thrown away at random, what was inferred is acted on."""
    state = states[i]
    move, reason = tell_news(states, i, seat, rng)
    if move == NO_MOVE:
        move, reason = play_move(first_slot(guessed_slots(states, i, seat, memory, state["playable"]))), PLAYS_GUESS
    if move == NO_MOVE:
        useless = first_slot(guessed_slots(states, i, seat, memory, state["useless"]))
        move, reason = discard_of(states, i, useless), DISCARDS_GUESS
    if move == NO_MOVE:
        move, reason = discard_random(states, i, seat, rng, 0.0), DISCARDS
    if move == NO_MOVE:
        move, reason = random_move(states, i, seat, rng), AT_A_LOSS
    memory[i, seat, REASON] = reason
    return move


@kernel
def observe(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """The partner's last move is the only one that is reasoned about, and only if it is a hint."""
    if states[i]["seat"] == seat:
        return
    for slot in range(MAX_HAND):
        memory[i, seat, GUESSES + slot] = 0
    if is_hint(move):
        tally_hands(states, i, seat, memory, move)
        guess_hand(states, i, seat, memory, params[seat, RATIO])


AGENT = CompiledAgent(
    AgentInfo(
        id="osawa-self",
        summary="infers its hand from its partner's hints",
        family="Osawa",
        paper="Osawa2015",
        parameters=(
            Parameter("ratio", 2.5, "how many times the likeliest card must outweigh the second", low=1.0, high=1000.0),
        ),
        players=(2,),
        memory_words=MEMORY_WORDS,
        reasons=REASONS,
    ),
    act,
    observe,
)
