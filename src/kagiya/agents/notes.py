"""Notes that the whole table shares on every card, and the rules that need no more (SimpleBot, ValueBot, HolmesBot).

A note is one word: color and rank as far as known, each plus one so that zero stands for unknown, and three
marks. How a hint may be given differs from bot to bot: SIMPLE, VALUE and HOLMES name their conventions.
"""

from typing import TYPE_CHECKING, NewType

from kagiya._jit import kernel
from kagiya.agents.convention_bots import BELOW_UNKNOWN, NOTES, card_word, get_kinds
from kagiya.agents.tactics.discard import last_copies
from kagiya.agents.tactics.vocabulary import NEXT
from kagiya.cards import (
    MAX_COLORS,
    MAX_PLAYERS,
    MAX_RANKS,
    NO_CARD,
    NO_MOVE,
    Card,
    Color,
    Kinds,
    MoveNumber,
    Rank,
    Seat,
    Slot,
    each_offset,
    each_seat,
    each_slot,
)
from kagiya.engine.game_kernels import NO_SLOT, discard_move, hint_move, hint_rank_of, play_move, value_kinds
from kagiya.engine.layout import Lane, Memory, States
from kagiya.kinds import UNKNOWN_COLOR, UNKNOWN_RANK, add_bit, color_of, count_matching, kind_bit, rank_kinds, rank_of
from kagiya.moves import HINTS_PER_SEAT

if TYPE_CHECKING:
    from kagiya.cards import Mask

    class Note(Mask):
        """What the table knows of a card, in one word."""
else:
    Note = NewType("Note", int)

NoteConvention = NewType("NoteConvention", int)

NO_NOTE = Note(0)
RANK_SHIFT = 3
COLOR, RANK = Note(0b111), Note(0b111 << RANK_SHIFT)
PLAYABLE, VALUABLE, WORTHLESS = Note(1 << 6), Note(1 << 7), Note(1 << 8)
SIMPLE, VALUE, HOLMES = NoteConvention(0), NoteConvention(1), NoteConvention(2)
EVERYONE = MAX_PLAYERS - 1  # as far as hints reach


@kernel
def get_note(memory: Memory, i: Lane, seat: Seat, owner: Seat, slot: Slot) -> Note:
    """The note on a card."""
    return memory[i, seat, card_word(NOTES, owner, slot)]


@kernel
def put_note(memory: Memory, i: Lane, seat: Seat, owner: Seat, slot: Slot, note: Note) -> None:
    """Write the note on a card."""
    memory[i, seat, card_word(NOTES, owner, slot)] = note


@kernel
def noted_color(note: Note) -> Color:
    """The color, or UNKNOWN_COLOR."""
    return Color((note & COLOR) - 1)


@kernel
def noted_rank(note: Note) -> Rank:
    """The rank, or UNKNOWN_RANK."""
    return Rank(((note & RANK) >> RANK_SHIFT) - 1)


@kernel
def with_color(note: Note, color: Color) -> Note:
    """The note once the color is known."""
    return note & ~COLOR | (color + 1)


@kernel
def with_rank(note: Note, rank: Rank) -> Note:
    """The note once the rank is known."""
    return note & ~RANK | (rank + 1) << RANK_SHIFT


@kernel
def lowest_needed_rank(states: States, i: Lane) -> Rank:
    """The lowest rank that some firework lacks."""
    lowest = states[i]["ranks"]
    for color in range(states[i]["colors"]):
        lowest = min(lowest, states[i]["fireworks"][color])
    return lowest


@kernel
def noted_chop(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat) -> Slot:
    """The card that a player would discard next: the oldest not marked valuable.

    NO_SLOT if one is marked playable or worthless, or all are marked valuable.
    """
    state, chop = states[i], NO_SLOT
    for slot in each_slot(state["hand_size"]):
        note = get_note(memory, i, seat, owner, slot)
        if note & (PLAYABLE | WORTHLESS):
            return NO_SLOT
        place = state["order"][owner, slot]
        if place >= 0 and not note & VALUABLE and (chop == NO_SLOT or place < state["order"][owner, chop]):
            chop = slot
    return chop


@kernel
def may_be_valuable(
    states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat, slot: Slot, rank: Rank, convention: NoteConvention
) -> bool:
    """Whether a card could be a last copy, were it of this rank: by the table's counts, HolmesBot's also by its set."""
    kinds = last_copies(states, i) & rank_kinds(rank)
    if convention == HOLMES:
        kinds &= get_kinds(memory, i, seat, owner, slot)
    return kinds != 0


@kernel
def weigh_hand(
    states: States, i: Lane, seat: Seat, memory: Memory, receiver: Seat, convention: NoteConvention
) -> tuple[Kinds, Kinds, Kinds, Kinds]:
    """What there is to tell a seat: the planes of its cards that fit and are not marked so.

    Then the kinds that no color hint may touch lest it mislead, and those that no rank hint may.
    """
    state = states[i]
    low, high, not_by_color, not_by_rank = Kinds(0), Kinds(0), Kinds(0), Kinds(0)
    for slot in each_slot(state["hand_size"]):
        card: Card = state["hands"][receiver, slot]
        if card < 0:
            continue
        note, bit = get_note(memory, i, seat, receiver, slot), kind_bit(card)
        if not state["playable"] & bit:
            # A card that does not fit may be touched if its owner will then know better than to play it.
            is_worthless = convention == HOLMES and note & WORTHLESS != 0
            rank_known = convention != SIMPLE and noted_rank(note) != UNKNOWN_RANK
            color_known = convention == HOLMES and noted_color(note) != UNKNOWN_COLOR
            not_by_color |= 0 if rank_known or is_worthless else bit
            not_by_rank |= 0 if color_known or is_worthless else bit
        elif not note & PLAYABLE:
            low, high = add_bit(low, high, bit)
    return low, high, not_by_color, not_by_rank


@kernel
def tell(states: States, i: Lane, seat: Seat, memory: Memory, reach: int, convention: NoteConvention) -> MoveNumber:
    """The hint that makes most playable cards known, over the next `reach` seats, colors before ranks; or NO_MOVE."""
    state = states[i]
    best, best_worth = NO_MOVE, 0
    if state["tokens"] == 0:
        return best
    for offset in each_offset(1, min(reach, state["players"] - 1) + 1):
        receiver = (seat + offset) % state["players"]
        if not (state["hand_low"][receiver] | state["hand_high"][receiver]) & state["playable"]:
            continue
        low, high, not_by_color, not_by_rank = weigh_hand(states, i, seat, memory, receiver, convention)
        if low | high == 0:
            continue
        chop = noted_chop(states, i, seat, memory, receiver) if convention != SIMPLE else NO_SLOT
        if chop != NO_SLOT:
            rank = rank_of(state["hands"][receiver, chop])
            if may_be_valuable(states, i, seat, memory, receiver, chop, rank, convention):
                not_by_rank |= rank_kinds(rank)
        for value in range(HINTS_PER_SEAT):
            kinds = value_kinds(value) & state["kinds"]
            worth = count_matching(low, high, kinds)
            if worth > best_worth and not kinds & (not_by_color if value < MAX_COLORS else not_by_rank):
                best, best_worth = hint_move(offset, value), worth
    return best


@kernel
def endangered_card(states: States, i: Lane, seat: Seat, memory: Memory) -> Card:
    """The card that the next seat is about to discard, if it is a last copy and a hint can be given; or NO_CARD."""
    state = states[i]
    left = (seat + 1) % state["players"]
    chop = noted_chop(states, i, seat, memory, left)
    if state["tokens"] == 0 or chop == NO_SLOT or not last_copies(states, i) >> state["hands"][left, chop] & 1:
        return NO_CARD
    return state["hands"][left, chop]


@kernel
def warn(states: States, i: Lane, seat: Seat, memory: Memory, convention: NoteConvention) -> MoveNumber:
    """If the next seat is about to discard a last copy: a hint that makes it play instead, or the rank of that card."""
    card = endangered_card(states, i, seat, memory)
    if card == NO_CARD:
        return NO_MOVE
    move = tell(states, i, seat, memory, NEXT, convention)
    return hint_rank_of(NEXT, card) if move == NO_MOVE else move


@kernel
def play_marked(states: States, i: Lane, seat: Seat, memory: Memory) -> MoveNumber:
    """A card marked playable: the lowest rank, an unknown one before all, ties go to the oldest."""
    state, best, best_rank = states[i], NO_SLOT, Rank(MAX_RANKS)
    for slot in each_slot(state["hand_size"]):
        note = get_note(memory, i, seat, seat, slot)
        rank = noted_rank(note)
        if not note & PLAYABLE or rank > best_rank:
            continue
        if rank < best_rank or state["order"][seat, slot] < state["order"][seat, best]:
            best, best_rank = slot, rank
    return play_move(best)


@kernel
def discard_worthless(states: States, i: Lane, seat: Seat, memory: Memory) -> MoveNumber:
    """The oldest card marked worthless."""
    state, best = states[i], NO_SLOT
    for slot in each_slot(state["hand_size"]):
        if not get_note(memory, i, seat, seat, slot) & WORTHLESS:
            continue
        if best == NO_SLOT or state["order"][seat, slot] < state["order"][seat, best]:
            best = slot
    return discard_move(best)


@kernel
def discard_chop(states: States, i: Lane, seat: Seat, memory: Memory) -> MoveNumber:
    """The card that all expect to go next."""
    chop = noted_chop(states, i, seat, memory, seat)
    return discard_move(chop)


@kernel
def discard_valuable(states: States, i: Lane, seat: Seat, memory: Memory) -> MoveNumber:
    """All cards being valuable, the highest rank known, ties go to the oldest."""
    state = states[i]
    best, best_rank = NO_SLOT, BELOW_UNKNOWN
    for slot in each_slot(state["hand_size"]):
        if state["order"][seat, slot] < 0:
            continue
        rank = noted_rank(get_note(memory, i, seat, seat, slot))
        if rank > best_rank or (rank == best_rank and state["order"][seat, slot] < state["order"][seat, best]):
            best, best_rank = slot, rank
    return discard_move(best)


@kernel
def discard_by_notes(states: States, i: Lane, seat: Seat, memory: Memory) -> tuple[MoveNumber, int]:
    """A worthless card, else the one that all expect to go, else the least valuable; and which of the three, from 0."""
    move = discard_worthless(states, i, seat, memory)
    if move != NO_MOVE:
        return move, 0
    move = discard_chop(states, i, seat, memory)
    if move != NO_MOVE:
        return move, 1
    return discard_valuable(states, i, seat, memory), 2


@kernel
def unmark_duplicates(states: States, i: Lane, seat: Seat, memory: Memory, card: Card) -> None:
    """Once a card is played, no other that may be the same is sure to fit; but there is only one of each five."""
    state = states[i]
    for owner in each_seat(state["players"]):
        for slot in each_slot(state["hand_size"]):
            note = get_note(memory, i, seat, owner, slot)
            if not note & PLAYABLE:
                continue
            color, rank = noted_color(note), noted_rank(note)
            same = color in (UNKNOWN_COLOR, color_of(card)) and rank in (UNKNOWN_RANK, rank_of(card))
            if same and rank != state["ranks"] - 1:
                put_note(memory, i, seat, owner, slot, note & ~PLAYABLE)
