"""Moves in compiled code: made from a slot or from what a hint names, and taken apart again."""

from kagiya._jit import kernel
from kagiya.cards import MAX_COLORS, Card, Color, Kinds, Offset, Rank, Slot
from kagiya.kinds import color_kinds, color_of, rank_kinds, rank_of
from kagiya.moves import FIRST_DISCARD, FIRST_HINT, HINTS_PER_SEAT, NO_MOVE, MoveNumber
from kagiya.rules import MAX_HAND

NO_SLOT = Slot(-1)


@kernel
def play_move(slot: Slot) -> MoveNumber:
    """The move that plays this slot; NO_MOVE for NO_SLOT, which is the same number."""
    return MoveNumber(slot)


@kernel
def discard_move(slot: Slot) -> MoveNumber:
    """The move that discards this slot, whether the rules allow it now or not; NO_MOVE for NO_SLOT."""
    return MoveNumber(FIRST_DISCARD + slot) if slot != NO_SLOT else NO_MOVE


@kernel
def hint_move(offset: Offset, value: int) -> MoveNumber:
    """The hint of this value to the seat `offset` places on: colors are the values 0-5, ranks 6-10."""
    return MoveNumber(FIRST_HINT + (offset - 1) * HINTS_PER_SEAT + value)


@kernel
def hint_color(offset: Offset, color: Color) -> MoveNumber:
    """The hint that names a color to the seat `offset` places on."""
    return hint_move(offset, color)


@kernel
def hint_rank(offset: Offset, rank: Rank) -> MoveNumber:
    """The hint that names a rank to the seat `offset` places on."""
    return hint_move(offset, MAX_COLORS + rank)


@kernel
def hint_color_of(offset: Offset, card: Card) -> MoveNumber:
    """The hint that names this card's color to the seat `offset` places on."""
    return hint_move(offset, color_of(card))


@kernel
def hint_rank_of(offset: Offset, card: Card) -> MoveNumber:
    """The hint that names this card's rank to the seat `offset` places on."""
    return hint_move(offset, MAX_COLORS + rank_of(card))


@kernel
def is_play(move: MoveNumber) -> bool:
    """Whether a move plays a card; NO_MOVE does not."""
    return 0 <= move < FIRST_DISCARD


@kernel
def is_discard(move: MoveNumber) -> bool:
    """Whether a move discards a card."""
    return FIRST_DISCARD <= move < FIRST_HINT


@kernel
def is_hint(move: MoveNumber) -> bool:
    """Whether a move is a hint."""
    return move >= FIRST_HINT


@kernel
def slot_of(move: MoveNumber) -> Slot:
    """The slot that a play or a discard takes a card from."""
    return Slot(move % MAX_HAND)


@kernel
def hint_offset(move: MoveNumber) -> Offset:
    """How many seats on the receiver of a hint sits."""
    return Offset((move - FIRST_HINT) // HINTS_PER_SEAT + 1)


@kernel
def hint_value(move: MoveNumber) -> int:
    """What a hint names: a color as 0-5, a rank as 6-10."""
    return (move - FIRST_HINT) % HINTS_PER_SEAT


@kernel
def is_color_hint(move: MoveNumber) -> bool:
    """Whether a hint names a color; it names a rank if not."""
    return hint_value(move) < MAX_COLORS


@kernel
def named_color(move: MoveNumber) -> Color:
    """The color that a color hint names."""
    return Color(hint_value(move))


@kernel
def named_rank(move: MoveNumber) -> Rank:
    """The rank that a rank hint names."""
    return Rank(hint_value(move) - MAX_COLORS)


@kernel
def value_kinds(value: int) -> Kinds:
    """All kinds that a hint of this value names, in games of six colors and five ranks."""
    return color_kinds(Color(value)) if value < MAX_COLORS else rank_kinds(Rank(value - MAX_COLORS))
