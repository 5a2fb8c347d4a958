"""How the information players of hanabi.rs and O'Dwyer judge their own cards: what to play, to risk, to throw away."""

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents.hanabirs_cheat import has_time
from kagiya.agents.hats.knowledge import held_by_others, held_kinds, set_among, share
from kagiya.cards import MAX_RANKS, Card, Kinds, Rank, Seat, Slot, Slots, each_rank, each_seat, each_slot
from kagiya.engine.layout import Lane, Memory, States
from kagiya.kinds import is_single, kind_bit, rank_kinds, rank_of, within
from kagiya.move_kernels import NO_SLOT
from kagiya.planes import count_matching
from kagiya.rules import MAX_HAND
from kagiya.view.kernels import critical_kinds, public_planes, unseen_planes

REASONS = (
    "plays {slot}, which must fit",
    "plays {slot}, which probably fits and else is useless",
    "answers everybody's questions with a hint",
    "discards {slot}, which is useless, and answers questions by choosing it",
    "discards {slot}, which is useless",
    "discards {slot}, the card least needed",
    "has nothing better to do",
)
PLAYS, RISKS, HINTS, SIGNALS, DISCARDS_USELESS, DISCARDS, AT_A_LOSS = range(7)

RISK = 0.75  # a card that either fits or is useless is played if it fits with more than this chance
DUPLICATE, DISPENSABLE = 20.0, 10.0  # what a card's being held elsewhere, or not the last one, counts against its rank
WORTH_OF_A_ONE = 9.0


@kernel
def count_holders(states: States, i: Lane, seat: Seat, card: Card) -> int:
    """How many other seats hold this card."""
    count = 0
    for owner in each_seat(states[i]["players"]):
        if owner != seat:
            count += held_kinds(states, i, owner) >> card & 1
    return count


@kernel
def expected_value(states: States, i: Lane, seat: Seat, kinds: Kinds) -> float:
    """The mean worth of an own card: the lower the more, shared with those who hold the same card."""
    state = states[i]
    low, high = unseen_planes(states, i, seat, seat)
    deck_left = state["drawn"] < state["deck_size"]
    total, weight, left = 0.0, 0, kinds
    while left:
        card = lowest_bit(left)
        copies = count_matching(low, high, kind_bit(card))
        sharing = 1 + count_holders(states, i, seat, card) if deck_left else 1
        total += copies * (WORTH_OF_A_ONE - rank_of(card)) / sharing
        weight += copies
        left &= left - 1
    return total / max(weight, 1)


@kernel
def sure_play(states: States, i: Lane, seat: Seat, memory: Memory) -> Slot:
    """Of its own cards that must fit the most valuable, ties to the first slot; NO_SLOT if there is none."""
    best, highest = NO_SLOT, -1.0
    low, high = unseen_planes(states, i, seat, seat)
    for slot in each_slot(states[i]["hand_size"]):
        kinds = set_among(states, i, seat, memory, seat, slot, low | high)
        if within(kinds, states[i]["playable"]):
            value = expected_value(states, i, seat, kinds)
            if value > highest:
                best, highest = slot, value
    return best


@kernel
def risky_play(states: States, i: Lane, seat: Seat, memory: Memory) -> Slot:
    """An own card that either fits, probably, or is useless; NO_SLOT if there is none, or no life to spare."""
    state = states[i]
    if state["lives"] < 2 or not has_time(states, i):
        return NO_SLOT
    low, high = unseen_planes(states, i, seat, seat)
    best, highest = NO_SLOT, RISK
    for slot in each_slot(state["hand_size"]):
        kinds = set_among(states, i, seat, memory, seat, slot, low | high)
        if within(kinds, state["playable"] | state["useless"]):
            chance = share(low, high, kinds, state["playable"])
            if chance > highest:
                best, highest = slot, chance
    return best


@kernel
def useless_slots(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat, is_public: bool) -> Slots:
    """The slots that everybody, or their owner, knows to be useless or to hold the same useful card as another one."""
    low, high = public_planes(states, i) if is_public else unseen_planes(states, i, seat, seat)
    slots, alive = Slots(0), low | high
    for slot in each_slot(states[i]["hand_size"]):
        kinds = set_among(states, i, seat, memory, owner, slot, alive)
        if within(kinds, states[i]["useless"]):
            slots |= 1 << slot
        elif kinds != 0 and is_single(kinds):
            for earlier in each_slot(slot):
                if set_among(states, i, seat, memory, owner, earlier, alive) == kinds:
                    slots |= 1 << earlier | 1 << slot
                    break
    return slots


@kernel
def least_needed(states: States, i: Lane, seat: Seat, memory: Memory) -> Slot:
    """The own card that is most likely held elsewhere too, not the last of its kind, or high."""
    state = states[i]
    low, high = unseen_planes(states, i, seat, seat)
    elsewhere, dispensable = held_by_others(states, i, seat), ~critical_kinds(states, i)
    best, highest = NO_SLOT, -1.0
    for slot in each_slot(state["hand_size"]):
        kinds = set_among(states, i, seat, memory, seat, slot, low | high)
        if kinds == 0:
            continue
        rank = 0.0
        for number in range(1, MAX_RANKS):
            rank += share(low, high, kinds, kinds_from_rank(Rank(number)))
        score = DUPLICATE * share(low, high, kinds, elsewhere) + DISPENSABLE * share(low, high, kinds, dispensable)
        if score + rank > highest:
            best, highest = slot, score + rank
    return best


@kernel
def kinds_from_rank(lowest: Rank) -> Kinds:
    """The kinds of this rank or a higher one."""
    kinds = Kinds(0)
    for rank in each_rank(MAX_RANKS):
        kinds |= rank_kinds(rank) if rank >= lowest else 0
    return kinds


@kernel
def place_among(slots: Slots, slot: Slot) -> int:
    """How many of some slots come before this one: the message of discarding it rather than another."""
    return popcount(slots & ((1 << slot) - 1))


@kernel
def discard_message(useless: Slots, slot: Slot) -> tuple[int, int]:
    """The message of discarding a card, and of how many: one of several that everybody knows to be useless has one."""
    return (place_among(useless, slot), popcount(useless)) if useless >> slot & 1 else (0, 1)


@kernel
def nth_slot(slots: Slots, place: int) -> Slot:
    """The slot before which `place` others come; NO_SLOT if there are not so many."""
    for slot in each_slot(MAX_HAND):
        if slots >> slot & 1 and place_among(slots, slot) == place:
            return slot
    return NO_SLOT
