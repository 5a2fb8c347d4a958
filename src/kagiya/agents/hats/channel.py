"""Hints as numbers: how many messages a hint can carry, the hint for a message, and the message of a hint.

Which messages exist must be known to everybody, the receiver who does not see its hand included. Three codes:

- ANY_HINT, where empty hints are legal: receiver and value, (colors + ranks) * (players - 1) messages;
- KIND: receiver, and rank or color; the value named is that of the receiver's first card, so it is always legal;
- TOUCH: receiver, and one of three: the first card's rank, its color, or a hint that does not touch the first card.
  Only a hand of identical cards has no hint of the third class.
"""

from typing import NewType

from kagiya._jit import kernel, lowest_bit
from kagiya.cards import MAX_COLORS, NO_CARD, Card, Offset, Seat, each_slot
from kagiya.engine.kernels import hint_kinds, hint_receiver, legal_hints
from kagiya.engine.layout import Lane, States
from kagiya.kinds import color_of, rank_of
from kagiya.move_kernels import (
    hint_color_of,
    hint_move,
    hint_offset,
    hint_rank_of,
    hint_value,
    is_color_hint,
)
from kagiya.moves import NO_MOVE, MoveNumber
from kagiya.rules import Rules

Code = NewType("Code", int)

ANY_HINT, KIND, TOUCH = Code(0), Code(1), Code(2)
KIND_CLASSES, TOUCH_CLASSES = 2, 3
FIRST_RANK, FIRST_COLOR, PAST_FIRST = range(TOUCH_CLASSES)


def most_messages(rules: Rules) -> int:
    """How many messages the best of these codes has: ANY_HINT where empty hints are legal, else TOUCH."""
    return (rules.players - 1) * (rules.colors + rules.ranks if rules.empty_hints else TOUCH_CLASSES)


@kernel
def capacity(states: States, i: Lane, code: Code) -> int:
    """How many messages a hint can carry."""
    receivers = states[i]["players"] - 1
    if code == ANY_HINT:
        return receivers * (states[i]["colors"] + states[i]["ranks"])
    return receivers * (KIND_CLASSES if code == KIND else TOUCH_CLASSES)


@kernel
def hint_for(states: States, i: Lane, seat: Seat, message: int, code: Code) -> MoveNumber:
    """The hint that carries a message; NO_MOVE if the receiver's hand has none for it."""
    state = states[i]
    if code == ANY_HINT:
        values = state["colors"] + state["ranks"]
        value = message % values
        if value >= state["colors"]:
            value += MAX_COLORS - state["colors"]
        return hint_move(Offset(message // values + 1), value)
    receivers = state["players"] - 1
    offset, touch = Offset(message % receivers + 1), message // receivers
    receiver = (seat + offset) % state["players"]
    card = first_card(states, i, receiver)
    if card < 0:
        return NO_MOVE
    if touch == FIRST_RANK:
        return hint_rank_of(offset, card)
    if touch == FIRST_COLOR:
        return hint_color_of(offset, card)
    values = values_past(states, i, receiver, card)
    return hint_move(offset, lowest_bit(values)) if values else NO_MOVE


@kernel
def first_card(states: States, i: Lane, owner: Seat) -> Card:
    """The card in the first slot that is not empty; NO_CARD if all are."""
    for slot in each_slot(states[i]["hand_size"]):
        card: Card = states[i]["hands"][owner, slot]
        if card != NO_CARD:
            return card
    return NO_CARD


@kernel
def values_past(states: States, i: Lane, receiver: Seat, card: Card) -> int:
    """The colors and ranks that a hint may name without touching cards like this one, as a mask of values."""
    return legal_hints(states, i, receiver) & ~(1 << color_of(card)) & ~(1 << MAX_COLORS + rank_of(card))


@kernel
def message_of(states: States, i: Lane, move: MoveNumber, code: Code) -> int:
    """The message that a hint carries, in the position in which it is given."""
    state = states[i]
    before = hint_offset(move) - 1
    if code == ANY_HINT:
        value = hint_value(move)
        if not is_color_hint(move):
            value -= MAX_COLORS - state["colors"]
        return before * (state["colors"] + state["ranks"]) + value
    touch = FIRST_COLOR if is_color_hint(move) else FIRST_RANK
    if code == TOUCH:
        first = first_card(states, i, hint_receiver(states, i, move))
        if first < 0 or not hint_kinds(states, i, move) >> first & 1:
            touch = PAST_FIRST
    return touch * (state["players"] - 1) + before
