"""Tactics that leave some of the hint to the dice. All need a token."""

from kagiya._jit import kernel, lowest_bit
from kagiya.agents.tactics._tactic import tactic
from kagiya.agents.tactics.hints import NEXT, count_receivers, missing_hint
from kagiya.agents.tactics.modes import FRAMEWORK, NAMED, NEXT_ONLY, Mode
from kagiya.agents.tactics.slots import known_slots, occupied_slots, random_bit, slots_of
from kagiya.cards import Card, Kinds, Offset, Seat, each_offset
from kagiya.dice import Streams, below
from kagiya.engine.layout import Lane, States
from kagiya.move_kernels import hint_color_of, hint_rank_of
from kagiya.moves import NO_MOVE, MoveNumber

SIDES = 2  # of the coin that decides between rank and color


@kernel
def coin_hint(i: Lane, offset: Offset, card: Card, seat: Seat, rng: Streams) -> MoveNumber:
    """The rank or the color of a card, by a coin of the seat's that tells."""
    if below(rng, i, 1 + seat, SIDES) == 0:
        return hint_rank_of(offset, card)
    return hint_color_of(offset, card)


@kernel
def coin_hint_about(states: States, i: Lane, seat: Seat, kinds: Kinds, mode: Mode, rng: Streams) -> MoveNumber:
    """The rank or the color, by a coin, of the first card of `kinds`, known or not."""
    state = states[i]
    for offset in each_offset(1, count_receivers(states, i, mode) + 1):
        receiver = (seat + offset) % state["players"]
        found = slots_of(states, i, receiver, kinds)
        if found:
            return coin_hint(i, offset, state["hands"][receiver, lowest_bit(found)], seat, rng)
    return NO_MOVE


@tactic("tell-next-at-random")
def tell_next_at_random(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """Any card of the next seat, its rank or its color by a coin, known or not."""
    state = states[i]
    receiver = (seat + 1) % state["players"]
    slots = occupied_slots(states, i, receiver)
    if state["tokens"] == 0 or slots == 0:
        return NO_MOVE
    return coin_hint(i, NEXT, state["hands"][receiver, random_bit(slots, i, seat, rng)], seat, rng)


@tactic("tell-next-playable-at-random")
def tell_next_playable_at_random(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The next seat's first card that fits: its rank or its color by a coin, known or not."""
    return coin_hint_about(states, i, seat, states[i]["playable"], NEXT_ONLY, rng)


@tactic("hle-tell-playable-at-random")
def hle_tell_playable_at_random(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first card that fits, in turn order and by slot: its rank or its color by a coin, known or not."""
    return coin_hint_about(states, i, seat, states[i]["playable"], FRAMEWORK, rng)


@kernel
def missing_or_coin_hint(states: States, i: Lane, seat: Seat, rng: Streams) -> MoveNumber:
    """The first card that fits and is not told in full, in turn order: what is missing, by a coin if it is both."""
    state = states[i]
    for offset in each_offset(1, count_receivers(states, i, FRAMEWORK) + 1):
        receiver = (seat + offset) % state["players"]
        colors, ranks = known_slots(states, i, receiver, NAMED)
        found = slots_of(states, i, receiver, state["playable"]) & ~(colors & ranks)
        if found:
            slot = lowest_bit(found)
            card = state["hands"][receiver, slot]
            if (colors | ranks) >> slot & 1:
                return missing_hint(offset, card, colors >> slot & 1, ranks >> slot & 1, NAMED)
            return coin_hint(i, offset, card, seat, rng)
    return NO_MOVE
