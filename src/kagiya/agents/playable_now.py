"""The playable-now convention: a hint that touches one card says that this card fits now.

What each card has been called is public, a mask of kinds by the card's `order` (0: nothing was said). The seat
to move takes its own possible kinds narrowed by it, unless that leaves no card; hints that would be misread are
not given. PLAYABLE_NOW is the convention of Goodman's released program: a hint from anybody, remembered for the
whole game, the fireworks as they were at the time. NEXT_SEAT is the paper's: only from a seat to the next one,
and forgotten as soon as anybody plays a card.

DISCARDABLE is NEXT_SEAT with the addition that Goodman's report says did not improve play, and says no more of
(section V-B). An early public version of his program has it, switched off: a hint from a seat to the one before it that
touches one card says that its kind was played already. That stays true, so a play does not end it. With two players
the seat before is the next one, and there is no such hint. His program gave no other hint at one card to that seat;
here, as in the other conventions, a hint is left out only if its receiver could believe what is not so.
"""

from typing import NewType

import numpy as np
import numpy.typing as npt

from kagiya._jit import kernel, lowest_bit
from kagiya.agents.tactics.vocabulary import BITS, DIGIT, FRAMEWORK, count_touched, hint_at, single_hint, slots_of
from kagiya.cards import (
    MAX_COLORS,
    MAX_RANKS,
    NO_CARD,
    NO_MOVE,
    Kinds,
    MoveNumber,
    Offset,
    Seat,
    each_offset,
    each_slot,
)
from kagiya.engine import game_kernels as game
from kagiya.engine.layout import Lane, States
from kagiya.kinds import color_kinds, color_of, count_matching, rank_kinds, rank_of
from kagiya.view.view_kernels import unseen_planes

Convention = NewType("Convention", int)
GROUNDED, PLAYABLE_NOW, NEXT_SEAT, DISCARDABLE = Convention(0), Convention(1), Convention(2), Convention(3)
CONVENTIONS = ("none", "playable-now", "next-seat", "discardable")  # the same, as agents' parameters write them

Masks = npt.NDArray[np.int64]  # [order]: the kinds that the convention leaves for a card, 0 for all
NOBODY = -1


@kernel
def kinds_said(states: States, i: Lane, offset: Offset, convention: Convention) -> Kinds:
    """What a hint at one card alone says of it to the seat so many places on; no kinds if nothing."""
    state = states[i]
    if convention == PLAYABLE_NOW or (convention != GROUNDED and offset == 1):
        return Kinds(state["playable"])
    return Kinds(state["played"] if convention == DISCARDABLE and offset == state["players"] - 1 else 0)


@kernel
def pointed_order(states: States, i: Lane, move: MoveNumber, convention: Convention) -> int:
    """The `order` of the card of which a hint about to be given says something; NOBODY if it says nothing."""
    state = states[i]
    if not game.is_hint(move) or kinds_said(states, i, game.hint_offset(move), convention) == 0:
        return NOBODY
    touched = game.touched_slots(states, i, move)
    if touched == 0 or touched & (touched - 1):
        return NOBODY
    return state["order"][game.hint_receiver(states, i, move), lowest_bit(touched)]


@kernel
def said_now(before: Kinds, said: Kinds) -> Kinds:
    """What a card has been called after one more hint at it alone; the last hint counts if they contradict."""
    return before & said if before & said else said


@kernel
def forgets(move: MoveNumber, convention: Convention) -> bool:
    """Whether a move makes everybody forget which cards were called playable."""
    return convention in (NEXT_SEAT, DISCARDABLE) and game.is_play(move)


@kernel
def hear_hint(states: States, i: Lane, masks: Masks, convention: Convention, move: MoveNumber) -> None:
    """Keep what cards have been called up to date with a move about to be made."""
    if convention == GROUNDED:
        return
    state = states[i]
    if forgets(move, convention):
        for order in range(state["drawn"]):
            if convention == NEXT_SEAT or masks[order] & ~state["played"]:
                masks[order] = 0
        return
    order = pointed_order(states, i, move, convention)
    if order != NOBODY:
        masks[order] = said_now(Kinds(masks[order]), kinds_said(states, i, game.hint_offset(move), convention))


@kernel
def narrow_hand(states: States, i: Lane, seat: Seat, masks: Masks, saved: Masks) -> None:
    """Let the seat to move believe what the hints have said; `restore_hand` takes it back."""
    state = states[i]
    low, high = unseen_planes(states, i, seat, seat)
    for slot in each_slot(state["hand_size"]):
        possible = state["possible"][seat, slot]
        saved[slot] = possible
        order = state["order"][seat, slot]
        if order >= 0 and masks[order]:
            narrowed = possible & masks[order]
            if narrowed & (low | high):
                state["possible"][seat, slot] = narrowed


@kernel
def restore_hand(states: States, i: Lane, seat: Seat, saved: Masks) -> None:
    """The possible kinds as the hints alone leave them."""
    for slot in each_slot(states[i]["hand_size"]):
        states[i]["possible"][seat, slot] = saved[slot]


@kernel
def misleading_hints(states: States, i: Lane, seat: Seat, convention: Convention) -> int:
    """The hints that say what is not so of the card they touch, though for all its owner knows it could: a mask."""
    state = states[i]
    mask = 0
    for offset in each_offset(1, state["players"]):
        said = kinds_said(states, i, offset, convention)
        if said == 0:
            continue
        receiver = (seat + offset) % state["players"]
        hand_low, hand_high = state["hand_low"][receiver], state["hand_high"][receiver]
        low, high = unseen_planes(states, i, seat, receiver)
        for slot in each_slot(state["hand_size"]):
            card = state["hands"][receiver, slot]
            if card == NO_CARD or said >> card & 1:
                continue
            misread = state["possible"][receiver, slot] & (low | high) & said
            color, rank = color_kinds(color_of(card)), rank_kinds(rank_of(card))
            if misread & color and count_matching(hand_low, hand_high, color) == 1:
                mask |= 1 << game.hint_color_of(offset, card)
            if misread & rank and count_matching(hand_low, hand_high, rank) == 1:
                mask |= 1 << game.hint_rank_of(offset, card)
    return mask


@kernel
def single_playable_hint(states: States, i: Lane, seat: Seat, masks: Masks, convention: Convention) -> MoveNumber:
    """The first card in turn order that fits, is not yet called so, and can be hinted alone: rank, or else color."""
    state = states[i]
    receivers = state["players"] - 1 if convention == PLAYABLE_NOW else 1
    for offset in each_offset(1, receivers + 1):
        move = hint_alone(states, i, seat, offset, masks, state["playable"])
        if move != NO_MOVE:
            return move
    return NO_MOVE


@kernel
def single_played_hint(states: States, i: Lane, seat: Seat, masks: Masks) -> MoveNumber:
    """The first card of the seat before whose kind was played, is not yet called so, and can be hinted alone."""
    state = states[i]
    if state["players"] == 2:
        return NO_MOVE
    return hint_alone(states, i, seat, Offset(state["players"] - 1), masks, state["played"])


@kernel
def hint_alone(states: States, i: Lane, seat: Seat, offset: Offset, masks: Masks, kinds: Kinds) -> MoveNumber:
    """To one seat, the hint at its first card of these kinds that is not yet called so and can be hinted alone."""
    state = states[i]
    receiver = (seat + offset) % state["players"]
    found = slots_of(states, i, receiver, kinds) if state["tokens"] else 0
    while found:
        slot = lowest_bit(found)
        found &= found - 1
        card = state["hands"][receiver, slot]
        if masks[state["order"][receiver, slot]] >> card & 1:
            continue
        move = single_hint(states, i, receiver, offset, card)
        if move != NO_MOVE:
            return move
    return NO_MOVE


@kernel
def tell_most_allowed(states: States, i: Lane, seat: Seat, forbidden: int) -> MoveNumber:
    """The hint that is news for most cards among those not forbidden; ties go to the next seat, then to ranks."""
    state = states[i]
    best, most = NO_MOVE, -1
    if state["tokens"] == 0:
        return best
    for offset in each_offset(1, state["players"]):
        receiver = (seat + offset) % state["players"]
        counts = count_touched(states, i, receiver, FRAMEWORK)
        held = state["hand_low"][receiver] | state["hand_high"][receiver]
        for place in range(MAX_RANKS + MAX_COLORS):
            count = counts >> BITS * place & DIGIT
            if count <= most:
                continue
            move = hint_at(offset, place)
            kinds = game.value_kinds(game.hint_value(move))
            if held & kinds and not forbidden >> move & 1:
                best, most = move, count
    return best
