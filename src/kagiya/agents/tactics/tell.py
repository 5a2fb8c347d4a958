"""Tactics that tell about one card. All need a token.

Most are rules of the competition framework and of Goodman; those called `hle-` are of the Hanabi Learning Environment's
lineage, where only what a hint has named counts as known.
"""

from kagiya._jit import kernel, lowest_bit
from kagiya.agents.tactics._tactic import tactic
from kagiya.agents.tactics.discard import finished_kinds, last_copies, passed_kinds
from kagiya.agents.tactics.hints import (
    NEXT,
    count_receivers,
    hint_about,
    missing_hint,
    nth_offset,
)
from kagiya.agents.tactics.modes import (
    COLOR_FIRST,
    FIRST_OR_NONE,
    FRAMEWORK,
    HALF_KNOWN,
    NAMED,
    NEXT_ONLY,
    SEAT_ORDER,
    Mode,
)
from kagiya.agents.tactics.slots import (
    first_slot,
    known_slots,
    last_slot,
    occupied_slots,
    slots_of,
)
from kagiya.cards import Rank, Seat, each_offset
from kagiya.dice import Streams
from kagiya.engine.layout import Lane, States
from kagiya.kinds import RANK_KINDS, color_kinds, color_of, rank_kinds, rank_of
from kagiya.move_kernels import NO_SLOT, hint_color_of, hint_rank, hint_rank_of
from kagiya.moves import NO_MOVE, MoveNumber
from kagiya.planes import count_matching

COLOR_FIRST_TO_NEXT = COLOR_FIRST | NEXT_ONLY
NAMED_COLOR_FIRST = NAMED | COLOR_FIRST
NAMED_TO_NEXT = NAMED | COLOR_FIRST | NEXT_ONLY
HALF_NAMED = NAMED | HALF_KNOWN


@tactic("tell-playable")
def tell_playable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first card that fits and is not fully known, in turn order and by slot: its rank, or else its color."""
    return hint_about(states, i, seat, states[i]["playable"], FRAMEWORK)


@tactic("tell-next-playable")
def tell_next_playable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The next seat's first card that fits and is not fully known: its rank, or else its color."""
    return hint_about(states, i, seat, states[i]["playable"], NEXT_ONLY)


@tactic("tell-useless")
def tell_useless(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first useless card, in turn order and by slot: its rank, or else its color; nothing if it is fully known."""
    return hint_about(states, i, seat, states[i]["useless"], FIRST_OR_NONE)


@tactic("tell-playable-or-useless")
def tell_playable_or_useless(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first card not fully known that fits, or is useless if a token is missing: its rank, or else its color."""
    state = states[i]
    kinds = state["playable"]
    if state["tokens"] < state["max_tokens"]:
        kinds |= state["useless"]
    return hint_about(states, i, seat, kinds, FRAMEWORK)


@tactic("tell-next-unknown")
def tell_next_unknown(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The next seat's first card that is not fully known: its color, or else its rank."""
    return hint_about(states, i, seat, states[i]["kinds"], COLOR_FIRST_TO_NEXT)


@tactic("tell-next-one")
def tell_next_one(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The next seat's first card of the lowest rank that is not fully known: its rank, or else its color."""
    return hint_about(states, i, seat, states[i]["kinds"] & RANK_KINDS, NEXT_ONLY)


@tactic("tell-five")
def tell_five(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The highest rank to the first seat, in turn order, that has a card of it without knowing."""
    state = states[i]
    rank = Rank(state["ranks"] - 1)
    for offset in each_offset(1, count_receivers(states, i, FRAMEWORK) + 1):
        receiver = (seat + offset) % state["players"]
        _, ranks = known_slots(states, i, receiver, FRAMEWORK)
        if slots_of(states, i, receiver, rank_kinds(rank)) & ~ranks:
            return hint_rank(offset, rank)
    return NO_MOVE


@tactic("tell-anything")
def tell_anything(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """A hint to spend a turn: the rank of the next seat's first card."""
    receiver = (seat + 1) % states[i]["players"]
    slot = first_slot(occupied_slots(states, i, receiver))
    if slot == NO_SLOT or states[i]["tokens"] == 0:
        return NO_MOVE
    return hint_rank_of(NEXT, states[i]["hands"][receiver, slot])


@tactic("tell-rest-of-playable")
def tell_rest_of_playable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """What is missing of the first card that fits and is known by half, in turn order and by slot."""
    return hint_about(states, i, seat, states[i]["playable"], HALF_KNOWN)


@tactic("tell-rest-of-played")
def tell_rest_of_played(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """What is missing of the first card known by half whose kind is already played."""
    return hint_about(states, i, seat, states[i]["played"], HALF_KNOWN)


@tactic("tell-rest-of-unplayable")
def tell_rest_of_unplayable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """What is missing of the first card known by half that is too high now, or cut off."""
    state = states[i]
    return hint_about(states, i, seat, state["kinds"] & ~(state["playable"] | state["played"]), HALF_KNOWN)


@tactic("tell-last-copy")
def tell_last_copy(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first card, by seat number, not fully known of which no other copy is left: its rank, or else its color."""
    return hint_about(states, i, seat, last_copies(states, i), SEAT_ORDER)


@tactic("tell-dispensable")
def tell_dispensable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """What lets a seat, by seat number, see that its card is already played: a finished color, a low rank, the rest."""
    return dispensable_hint(states, i, seat, SEAT_ORDER)


@kernel
def dispensable_hint(states: States, i: Lane, seat: Seat, mode: Mode) -> MoveNumber:
    """The first hint by which the owner of a card already played learns, or gets nearer to learning, that it is."""
    state = states[i]
    finished, passed = finished_kinds(states, i), passed_kinds(states, i)
    for step in range(count_receivers(states, i, mode)):
        offset = nth_offset(states, i, seat, step, mode)
        receiver = (seat + offset) % state["players"]
        played = slots_of(states, i, receiver, state["played"])
        if played == 0:
            continue
        colors, ranks = known_slots(states, i, receiver, mode)
        by_color = slots_of(states, i, receiver, finished) & ~colors
        by_rank = slots_of(states, i, receiver, passed) & ~ranks
        found = by_color | by_rank | played & (colors ^ ranks)
        if found:
            slot = lowest_bit(found)
            card = state["hands"][receiver, slot]
            if (by_color | ranks) >> slot & 1:
                return hint_color_of(offset, card)
            return hint_rank_of(offset, card)
    return NO_MOVE


@tactic("tell-last-playable")
def tell_last_playable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """In turn order, a seat's last slot that fits: its color, or else its rank; if fully known, the next seat's."""
    state = states[i]
    for offset in each_offset(1, count_receivers(states, i, FRAMEWORK) + 1):
        receiver = (seat + offset) % state["players"]
        colors, ranks = known_slots(states, i, receiver, FRAMEWORK)
        slot = last_slot(slots_of(states, i, receiver, state["playable"]))
        if slot != NO_SLOT and not (colors & ranks) >> slot & 1:
            card = state["hands"][receiver, slot]
            return missing_hint(offset, card, colors >> slot & 1, ranks >> slot & 1, COLOR_FIRST)
    return NO_MOVE


@tactic("tell-next-single-playable")
def tell_next_single_playable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The next seat's first card that fits and that a hint of its rank, or else its color, touches alone."""
    state = states[i]
    if state["tokens"] == 0:
        return NO_MOVE
    receiver = (seat + 1) % state["players"]
    low, high = state["hand_low"][receiver], state["hand_high"][receiver]
    found = slots_of(states, i, receiver, state["playable"])
    while found:
        card = state["hands"][receiver, lowest_bit(found)]
        if count_matching(low, high, rank_kinds(rank_of(card))) == 1:
            return hint_rank_of(NEXT, card)
        if count_matching(low, high, color_kinds(color_of(card))) == 1:
            return hint_color_of(NEXT, card)
        found &= found - 1
    return NO_MOVE


@tactic("hle-tell-playable")
def hle_tell_playable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first card that fits and is not fully named, in turn order and by slot: its rank, or else its color."""
    return hint_about(states, i, seat, states[i]["playable"], NAMED)


@tactic("hle-tell-useless")
def hle_tell_useless(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first useless card that is not fully named, in turn order and by slot: its color, or else its rank."""
    return hint_about(states, i, seat, states[i]["useless"], NAMED_COLOR_FIRST)


@tactic("hle-tell-next-unknown")
def hle_tell_next_unknown(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The next seat's first card that is not fully named: its color, or else its rank."""
    return hint_about(states, i, seat, states[i]["kinds"], NAMED_TO_NEXT)


@tactic("hle-tell-dispensable")
def hle_tell_dispensable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """What lets a seat, in turn order, see that its card is already played: a finished color, a low rank, the rest."""
    return dispensable_hint(states, i, seat, NAMED)


@tactic("hle-tell-rest-of-playable")
def hle_tell_rest_of_playable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """What is missing of the first card that fits and is named by half, in turn order and by slot."""
    return hint_about(states, i, seat, states[i]["playable"], HALF_NAMED)


@tactic("hle-tell-rest-of-useless")
def hle_tell_rest_of_useless(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """What is missing of the first useless card named by half."""
    return hint_about(states, i, seat, states[i]["useless"], HALF_NAMED)


@tactic("hle-tell-rest-of-unplayable")
def hle_tell_rest_of_unplayable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """What is missing of the first card named by half that is still needed but does not fit now."""
    state = states[i]
    return hint_about(states, i, seat, state["kinds"] & ~(state["playable"] | state["useless"]), HALF_NAMED)
