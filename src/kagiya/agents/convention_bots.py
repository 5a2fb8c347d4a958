"""What all convention bots share: their label, the hint that only spends a token, sets of kinds, notes on cards.

What a bot remembers of a card stands at a word of memory for its hand and slot, and moves with the card, every seat
keeping the same copy of what the whole table knows.

HolmesBot and SmartBot keep a set of kinds for each card. A set of no kinds stands for a card just drawn, and for one
whose partner did not keep to the conventions, so that what was concluded contradicts itself. Both are what the hints
say literally.

SimpleBot, ValueBot and HolmesBot keep a note for each card, one word: color and rank as far as known, each plus one so
that zero stands for unknown, and three marks. How a hint may be given differs from bot to bot: SIMPLE, VALUE and HOLMES
name their conventions.
"""

from typing import TYPE_CHECKING, Any, NewType

from kagiya._jit import kernel
from kagiya.agents.api import AgentInfo, Parameter
from kagiya.agents.tactics.vocabulary import NEXT, occupied_slots, oldest_of, oldest_slot
from kagiya.cards import (
    MAX_COLORS,
    MAX_HAND,
    MAX_PLAYERS,
    MAX_RANKS,
    NO_MOVE,
    Card,
    Color,
    Kinds,
    MoveNumber,
    Rank,
    Seat,
    Slot,
    Slots,
    each_offset,
    each_seat,
    each_slot,
)
from kagiya.engine import game_kernels as game
from kagiya.engine.layout import Lane, Memory, States
from kagiya.kinds import (
    UNKNOWN_COLOR,
    UNKNOWN_RANK,
    add_bit,
    color_of,
    count_matching,
    is_single,
    kind_bit,
    only_rank,
    rank_kinds,
    rank_of,
    remove_bit,
)
from kagiya.moves import HINTS_PER_SEAT
from kagiya.view.view_kernels import last_copies, public_planes

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


def convention_bot(
    name: str, summary: str, reasons: tuple[str, ...], words: int, convention: str = "", **others: Any
) -> AgentInfo:
    """The label of a bot; `words` is what it remembers."""
    return AgentInfo(
        id=name,
        summary=summary,
        family="convention bots",
        paper="Quuxplusone",
        memory_words=words,
        reasons=reasons,
        convention=convention,
        **others,
    )


@kernel
def card_word(table: CardTable, owner: Seat, slot: Slot) -> int:
    """The word of memory that stands for the card in a slot."""
    return table + owner * MAX_HAND + slot


@kernel
def forget_card(states: States, i: Lane, seat: Seat, memory: Memory, table: CardTable, move: MoveNumber) -> None:
    """A card is about to leave the actor's hand: what is known of the others moves with them."""
    state = states[i]
    word = card_word(table, state["seat"], game.slot_of(move))
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
    if game.may_discard(states, i):
        return NO_MOVE
    offset = state["players"] - 1
    right = (seat + offset) % state["players"]
    slot = oldest_slot(states, i, right)
    if slot == game.NO_SLOT:
        return game.play_move(oldest_slot(states, i, seat))
    return game.hint_rank_of(offset, state["hands"][right, slot])


@kernel
def is_reclaim(states: States, i: Lane, move: MoveNumber) -> bool:
    """Whether all take a hint for one that only spends a token."""
    state = states[i]
    receiver = game.hint_receiver(states, i, move)
    to_the_right = (receiver + 1) % state["players"] == state["seat"]
    if game.is_color_hint(move) or game.may_discard(states, i) or not to_the_right:
        return False
    oldest = oldest_slot(states, i, receiver)
    return oldest != game.NO_SLOT and game.touched_slots(states, i, move) >> oldest & 1 == 1


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
    receiver, touched = game.hint_receiver(states, i, move), game.touched_slots(states, i, move)
    kinds = game.hint_kinds(states, i, move)
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
def marked_slots(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat, marks: Note) -> Slots:
    """The slots of a hand whose notes bear one of these marks."""
    slots = Slots(0)
    for slot in each_slot(states[i]["hand_size"]):
        slots |= (get_note(memory, i, seat, owner, slot) & marks != 0) << slot
    return slots


@kernel
def noted_chop(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat) -> Slot:
    """The card that a player would discard next: the oldest not marked valuable.

    NO_SLOT if one is marked playable or worthless, or all are marked valuable.
    """
    if marked_slots(states, i, seat, memory, owner, PLAYABLE | WORTHLESS):
        return game.NO_SLOT
    valuable = marked_slots(states, i, seat, memory, owner, VALUABLE)
    return oldest_of(states, i, owner, occupied_slots(states, i, owner) & ~valuable)


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
        chop = noted_chop(states, i, seat, memory, receiver) if convention != SIMPLE else game.NO_SLOT
        if chop != game.NO_SLOT:
            rank = rank_of(state["hands"][receiver, chop])
            if may_be_valuable(states, i, seat, memory, receiver, chop, rank, convention):
                not_by_rank |= rank_kinds(rank)
        for value in range(HINTS_PER_SEAT):
            kinds = game.value_kinds(value) & state["kinds"]
            worth = count_matching(low, high, kinds)
            if worth > best_worth and not kinds & (not_by_color if value < MAX_COLORS else not_by_rank):
                best, best_worth = game.hint_move(offset, value), worth
    return best


@kernel
def warn(states: States, i: Lane, seat: Seat, memory: Memory, convention: NoteConvention) -> MoveNumber:
    """If the next seat is about to discard a last copy: a hint that makes it play instead, or the rank of that card."""
    state = states[i]
    left = (seat + 1) % state["players"]
    chop = noted_chop(states, i, seat, memory, left)
    if state["tokens"] == 0 or chop == game.NO_SLOT or not last_copies(states, i) >> state["hands"][left, chop] & 1:
        return NO_MOVE
    move = tell(states, i, seat, memory, NEXT, convention)
    return game.hint_rank_of(NEXT, state["hands"][left, chop]) if move == NO_MOVE else move


@kernel
def warned_slot(
    states: States, i: Lane, seat: Seat, memory: Memory, move: MoveNumber, convention: NoteConvention
) -> Slot:
    """The receiver's next discard, if a rank hint that touches it warns that it is valuable; else NO_SLOT."""
    if game.is_color_hint(move):
        return game.NO_SLOT
    receiver = game.hint_receiver(states, i, move)
    chop = noted_chop(states, i, seat, memory, receiver)
    if chop == game.NO_SLOT or not game.touched_slots(states, i, move) >> chop & 1:
        return game.NO_SLOT
    warns = may_be_valuable(states, i, seat, memory, receiver, chop, game.named_rank(move), convention)
    return chop if warns else game.NO_SLOT


@kernel
def play_marked(states: States, i: Lane, seat: Seat, memory: Memory) -> MoveNumber:
    """A card marked playable: the lowest rank, an unknown one before all, ties go to the oldest."""
    state, best, best_rank = states[i], game.NO_SLOT, Rank(MAX_RANKS)
    for slot in each_slot(state["hand_size"]):
        note = get_note(memory, i, seat, seat, slot)
        rank = noted_rank(note)
        if not note & PLAYABLE or rank > best_rank:
            continue
        if rank < best_rank or state["order"][seat, slot] < state["order"][seat, best]:
            best, best_rank = slot, rank
    return game.play_move(best)


@kernel
def discard_valuable(states: States, i: Lane, seat: Seat, memory: Memory, table: CardTable) -> MoveNumber:
    """All cards being valuable, the highest rank known by the notes or by the sets; ties go to the oldest."""
    state = states[i]
    best, best_rank = game.NO_SLOT, BELOW_UNKNOWN
    for slot in each_slot(state["hand_size"]):
        if state["order"][seat, slot] < 0:
            continue
        if table == NOTES:
            rank = noted_rank(get_note(memory, i, seat, seat, slot))
        else:
            rank = only_rank(get_kinds(memory, i, seat, seat, slot))
        if rank > best_rank or (rank == best_rank and state["order"][seat, slot] < state["order"][seat, best]):
            best, best_rank = slot, rank
    return game.discard_move(best)


@kernel
def discard_by_notes(states: States, i: Lane, seat: Seat, memory: Memory) -> tuple[MoveNumber, int]:
    """A worthless card, else the one that all expect to go, else the least valuable; and which of the three, from 0."""
    worthless = marked_slots(states, i, seat, memory, seat, WORTHLESS)
    if worthless:
        return game.discard_move(oldest_of(states, i, seat, worthless)), 0
    move = game.discard_move(noted_chop(states, i, seat, memory, seat))
    if move != NO_MOVE:
        return move, 1
    return discard_valuable(states, i, seat, memory, NOTES), 2


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
