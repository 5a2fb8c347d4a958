"""What all convention bots share: their label, sets of kinds, ages of cards, the hint that only spends a token.

What a bot remembers of a card stands at a word of memory for its hand and slot, and moves with the card. HolmesBot
and SmartBot keep what the whole table knows of each card as a set of kinds, every seat the same copy. A set of no
kinds stands for a card just drawn, and for one whose partner did not keep to the conventions, so that what was
concluded contradicts itself. Both are what the hints say literally.
"""

from typing import NewType

from kagiya._jit import kernel
from kagiya.agents.api import AgentInfo, Parameter
from kagiya.agents.tactics.discard import may_discard
from kagiya.agents.tactics.vocabulary import oldest_slot
from kagiya.cards import MAX_HAND, MAX_PLAYERS, NO_MOVE, Kinds, MoveNumber, Rank, Seat, Slot, each_seat, each_slot
from kagiya.engine.game_kernels import (
    NO_SLOT,
    hint_kinds,
    hint_rank_of,
    hint_receiver,
    is_color_hint,
    play_move,
    slot_of,
    touched_slots,
)
from kagiya.engine.layout import Lane, Memory, States
from kagiya.kinds import is_single, remove_bit
from kagiya.view.view_kernels import public_planes

CardTable = NewType("CardTable", int)  # where a table with a word for every card begins in a seat's memory
CARD_WORDS = MAX_PLAYERS * MAX_HAND

# Words of memory: the last move's reason (REASON), the turn up to which all is thought through, then the tables.
SETTLED = 1
SETS, NOTES = CardTable(2), CardTable(2 + CARD_WORDS)
SETS_ONLY, SETS_AND_NOTES = 2 + CARD_WORDS, 2 + 2 * CARD_WORDS

BELOW_UNKNOWN = Rank(-2)  # lower than any rank, and than UNKNOWN_RANK

SAFE = Parameter("safe", "no", "never plays a mystery card with its last life", choices=("no", "yes"))


VALUE_CONVENTION = (
    "A hint says that every card it touches can be played now, but for one: a rank hint that touches the next player's "
    "next discard (the oldest card not told of) warns that this card is a last copy and must be kept."
)


def convention_bot(name: str, summary: str, reasons: tuple[str, ...], words: int, convention: str = "") -> AgentInfo:
    """The label of a bot; `words` is what it remembers."""
    return AgentInfo(
        id=name,
        summary=summary,
        family="convention bots",
        paper="Quuxplusone",
        memory_words=words,
        reasons=reasons,
        convention=convention,
    )


@kernel
def card_word(table: CardTable, owner: Seat, slot: Slot) -> int:
    """The word of memory that stands for the card in a slot."""
    return table + owner * MAX_HAND + slot


@kernel
def forget_card(states: States, i: Lane, seat: Seat, memory: Memory, table: CardTable, move: MoveNumber) -> None:
    """A card is about to leave the actor's hand: what is known of the others moves with them."""
    state = states[i]
    word = card_word(table, state["seat"], slot_of(move))
    last = word if state["draw_into_vacated"] else card_word(table, state["seat"], state["hand_size"] - 1)
    while word < last:
        memory[i, seat, word] = memory[i, seat, word + 1]
        word += 1
    memory[i, seat, word] = 0


@kernel
def reclaim(states: States, i: Lane, seat: Seat) -> MoveNumber:
    """All tokens are there, so none can be won: spend one on the rank of the right neighbor's oldest card.

    Only hands of a single card can leave that neighbor none; then playing is the one move sure to be legal.
    """
    state = states[i]
    if may_discard(states, i):
        return NO_MOVE
    offset = state["players"] - 1
    right = (seat + offset) % state["players"]
    slot = oldest_slot(states, i, right)
    if slot == NO_SLOT:
        return play_move(oldest_slot(states, i, seat))
    return hint_rank_of(offset, state["hands"][right, slot])


@kernel
def is_reclaim(states: States, i: Lane, move: MoveNumber) -> bool:
    """Whether all take a hint for one that only spends a token."""
    state = states[i]
    receiver = hint_receiver(states, i, move)
    to_the_right = (receiver + 1) % state["players"] == state["seat"]
    if is_color_hint(move) or may_discard(states, i) or not to_the_right:
        return False
    oldest = oldest_slot(states, i, receiver)
    return oldest != NO_SLOT and touched_slots(states, i, move) >> oldest & 1 == 1


@kernel
def get_kinds(memory: Memory, i: Lane, seat: Seat, owner: Seat, slot: Slot) -> Kinds:
    """The kinds that a card can be by what the whole table knows."""
    return memory[i, seat, card_word(SETS, owner, slot)]


@kernel
def put_kinds(memory: Memory, i: Lane, seat: Seat, owner: Seat, slot: Slot, kinds: Kinds) -> None:
    """From now on a card can be these kinds."""
    memory[i, seat, card_word(SETS, owner, slot)] = kinds


@kernel
def narrow(memory: Memory, i: Lane, seat: Seat, owner: Seat, slot: Slot, kinds: Kinds) -> None:
    """From now on a card is one of these kinds as well as of those known before."""
    memory[i, seat, card_word(SETS, owner, slot)] &= kinds


@kernel
def narrow_by_hint(states: States, i: Lane, seat: Seat, memory: Memory, move: MoveNumber) -> None:
    """What a hint says literally: touched cards are of the kinds named, the others are not."""
    receiver, touched = hint_receiver(states, i, move), touched_slots(states, i, move)
    kinds = hint_kinds(states, i, move)
    for slot in each_slot(states[i]["hand_size"]):
        narrow(memory, i, seat, receiver, slot, kinds if touched >> slot & 1 else ~kinds)


@kernel
def settle_sets(states: States, i: Lane, seat: Seat, memory: Memory) -> None:
    """Before a turn, once: from cards not known strike kinds whose copies are all gone or known, until none is left."""
    state = states[i]
    if memory[i, seat, SETTLED] == state["turn"] + 1:
        return
    memory[i, seat, SETTLED] = state["turn"] + 1
    low, high = public_planes(states, i)
    doubtful = Kinds(0)
    for owner in each_seat(state["players"]):
        for slot in each_slot(state["hand_size"]):
            kinds = get_kinds(memory, i, seat, owner, slot)
            if kinds == 0:
                kinds = state["possible"][owner, slot]
                put_kinds(memory, i, seat, owner, slot, kinds)
            if not is_single(kinds):
                doubtful |= kinds
            elif kinds & (low | high):
                low, high = remove_bit(low, high, kinds)
    accounted = state["kinds"] & ~(low | high)
    while doubtful & accounted:
        doubtful = Kinds(0)
        for word in range(SETS, SETS + state["players"] * MAX_HAND):
            kinds = Kinds(memory[i, seat, word])
            left = kinds & ~accounted
            if is_single(kinds) or left == 0:
                continue
            memory[i, seat, word] = left
            if not is_single(left):
                doubtful |= left
            elif left & (low | high):
                low, high = remove_bit(low, high, left)
        accounted = state["kinds"] & ~(low | high)
