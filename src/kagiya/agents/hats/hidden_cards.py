"""A deal of the hidden cards that the player to move could be facing, uniform over all that fit its hand as studied."""

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents.hats.own_hand import OWN
from kagiya.cards import Card, Kinds, Seat, each_slot
from kagiya.dice import Streams, below
from kagiya.engine.layout import Lane, Memory, States
from kagiya.kinds import kind_bit
from kagiya.planes import add_bit, count_matching, remove_bit
from kagiya.view.kernels import unseen_planes

PATIENCE = 30  # hands begun before slots are filled one after another, which always ends but is not uniform


@kernel
def nth_card(low: Kinds, high: Kinds, kinds: Kinds, n: int) -> Card:
    """Card number `n` of the cards of these kinds in a multiset."""
    single = popcount(low & kinds)
    mask, steps = (low & kinds, n) if n < single else (high & kinds, (n - single) >> 1)
    for _ in range(steps):
        mask &= mask - 1
    return lowest_bit(mask)


@kernel
def deal_hidden_cards(states: States, i: Lane, seat: Seat, memory: Memory, rng: Streams, dealt: States) -> None:
    """Write into `dealt[1]` the position with another hand of this seat's, which is to move, and another deck."""
    dealt[1] = states[i]
    for _ in range(PATIENCE):
        if try_hand(states, i, seat, memory, rng, dealt):
            shuffle_deck(dealt, i, seat, rng)
            return
    fill_hand(states, i, seat, memory, rng, dealt)
    shuffle_deck(dealt, i, seat, rng)


@kernel
def try_hand(states: States, i: Lane, seat: Seat, memory: Memory, rng: Streams, dealt: States) -> bool:
    """Let each slot pick any card it can be; False if two of them pick the same."""
    low, high = unseen_planes(states, i, seat, seat)
    left_low, left_high, hand_low, hand_high = low, high, Kinds(0), Kinds(0)
    for slot in each_slot(states[i]["hand_size"]):
        kinds = memory[i, seat, OWN + slot]
        if kinds == 0:
            continue
        # The cards that earlier slots have taken are numbered last: picking one of them is the clash.
        picked = below(rng, i, 1 + seat, count_matching(low, high, kinds))
        if picked >= count_matching(left_low, left_high, kinds):
            return False
        card = nth_card(left_low, left_high, kinds, picked)
        dealt[1]["hands"][seat, slot] = card
        left_low, left_high = remove_bit(left_low, left_high, kind_bit(card))
        hand_low, hand_high = add_bit(hand_low, hand_high, kind_bit(card))
    dealt[1]["hand_low"][seat], dealt[1]["hand_high"][seat] = hand_low, hand_high
    dealt[1]["deck_low"], dealt[1]["deck_high"] = left_low, left_high
    return True


@kernel
def fill_hand(states: States, i: Lane, seat: Seat, memory: Memory, rng: Streams, dealt: States) -> None:
    """Fill slot after slot with what is left, if need be with any card: for hands that hardly any deal fits."""
    low, high = unseen_planes(states, i, seat, seat)
    hand_low, hand_high = Kinds(0), Kinds(0)
    for slot in each_slot(states[i]["hand_size"]):
        kinds = memory[i, seat, OWN + slot]
        if kinds == 0:
            continue
        kinds = kinds if kinds & (low | high) else states[i]["kinds"]
        card = nth_card(low, high, kinds, below(rng, i, 1 + seat, count_matching(low, high, kinds)))
        dealt[1]["hands"][seat, slot] = card
        low, high = remove_bit(low, high, kind_bit(card))
        hand_low, hand_high = add_bit(hand_low, hand_high, kind_bit(card))
    dealt[1]["hand_low"][seat], dealt[1]["hand_high"][seat] = hand_low, hand_high
    dealt[1]["deck_low"], dealt[1]["deck_high"] = low, high


@kernel
def shuffle_deck(dealt: States, i: Lane, seat: Seat, rng: Streams) -> None:
    """Put the cards of the deck into any order."""
    state = dealt[1]
    deck, drawn, place = state["deck"], state["drawn"], state["drawn"]
    kinds = state["deck_low"] | state["deck_high"]
    while kinds:
        card = lowest_bit(kinds)
        kinds &= kinds - 1
        for _ in range(count_matching(state["deck_low"], state["deck_high"], kind_bit(card))):
            # Each card goes to any place so far, and what lay there to the end: a shuffle that grows.
            other = drawn + below(rng, i, 1 + seat, place - drawn + 1)
            deck[place] = deck[other]
            deck[other] = card
            place += 1
