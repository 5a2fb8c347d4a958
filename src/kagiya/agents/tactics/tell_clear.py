"""Tactics that choose the hint a player would best understand as "play this". All need a token.

They are Canaan et al.'s of 2018 ("TellUnambiguous"). What the receiver sees of the teller's hand the teller does not
know, so in the receiver's chances the teller's cards count as unseen.
"""

from kagiya._jit import kernel, popcount
from kagiya.agents.tactics._tactic import tactic
from kagiya.agents.tactics.hints import count_receivers
from kagiya.agents.tactics.modes import FRAMEWORK
from kagiya.agents.tactics.slots import known_slots, slots_of
from kagiya.cards import Card, Kinds, Seat, Slots, each_color, each_offset, each_rank, each_slot
from kagiya.dice import Streams
from kagiya.engine.layout import Lane, States
from kagiya.kinds import color_kinds, color_of, rank_kinds, rank_of
from kagiya.move_kernels import hint_color, hint_color_of, hint_rank, hint_rank_of
from kagiya.moves import NO_MOVE, MoveNumber
from kagiya.rules import MAX_HAND
from kagiya.view.kernels import slot_chance, unseen_planes

MORE_THAN_A_HAND = MAX_HAND + 1
WORST = -100.0  # less than any sum of chances with their weights


@kernel
def count_first(more: int, fewer: int) -> int:
    """A number that grows with the first count and, where that is equal, shrinks with the second."""
    return more * MORE_THAN_A_HAND + MAX_HAND - fewer


@kernel
def clarity(fits: Slots, touched: Slots, fitting_first: bool) -> int:
    """How clear a hint is: by the cards it touches that fit and then by the others, or the other way round."""
    good, bad = popcount(touched & fits), popcount(touched & ~fits)
    return count_first(good, bad) if fitting_first else count_first(MAX_HAND - bad, MAX_HAND - good)


@kernel
def clearest_hint(states: States, i: Lane, seat: Seat, fitting_first: bool) -> MoveNumber:
    """To the first seat that holds a card that fits and lacks a part of it: the clearest hint of such a part.

    Of the cards touched only those count that did not know the part before.
    """
    state = states[i]
    for offset in each_offset(1, count_receivers(states, i, FRAMEWORK) + 1):
        receiver = (seat + offset) % state["players"]
        fits = slots_of(states, i, receiver, state["playable"])
        colors, ranks = known_slots(states, i, receiver, FRAMEWORK)
        best, most = NO_MOVE, -1
        for slot in each_slot(state["hand_size"]):
            if not (fits & ~(colors & ranks)) >> slot & 1:
                continue
            card: Card = state["hands"][receiver, slot]
            if not ranks >> slot & 1:
                touched = slots_of(states, i, receiver, rank_kinds(rank_of(card))) & ~ranks
                if clarity(fits, touched, fitting_first) > most:
                    best, most = hint_rank_of(offset, card), clarity(fits, touched, fitting_first)
            if not colors >> slot & 1:
                touched = slots_of(states, i, receiver, color_kinds(color_of(card))) & ~colors
                if clarity(fits, touched, fitting_first) > most:
                    best, most = hint_color_of(offset, card), clarity(fits, touched, fitting_first)
        if best != NO_MOVE:
            return best
    return NO_MOVE


@kernel
def worth_of_hint(states: States, i: Lane, seat: Seat, receiver: Seat, named: Kinds, weight: float) -> float:
    """The chances to fit that the receiver would see after a hint: of cards that fit, less `weight` times the others'.

    `named` are the kinds of the color or rank that the hint names; WORST if it touches nothing.
    """
    state = states[i]
    low, high = unseen_planes(states, i, seat, receiver)
    touched = slots_of(states, i, receiver, named)
    if touched == 0:
        return WORST
    fits = slots_of(states, i, receiver, state["playable"])
    worth = 0.0
    for slot in each_slot(state["hand_size"]):
        possible = state["possible"][receiver, slot] & (named if touched >> slot & 1 else ~named)
        if possible != 0:
            chance = slot_chance(low, high, possible, state["playable"])
            worth += chance if fits >> slot & 1 else -weight * chance
    return worth


@tactic("tell-most-playable")
def tell_most_playable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """Of the hints about a seat's cards that fit, in turn order: news for most of these, then for fewest others."""
    return clearest_hint(states, i, seat, True)


@tactic("tell-least-unplayable")
def tell_least_unplayable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """Of the hints about a seat's cards that fit, in turn order: news for fewest others, then for most of these."""
    return clearest_hint(states, i, seat, False)


@tactic("tell-clearest", value="what the chance of a card that does not fit counts against one that does")
def tell_clearest(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """To the first seat with a card that fits: the hint after which it sees high chances where cards fit."""
    state = states[i]
    for offset in each_offset(1, count_receivers(states, i, FRAMEWORK) + 1):
        receiver = (seat + offset) % state["players"]
        if slots_of(states, i, receiver, state["playable"]) == 0:
            continue
        best, most = NO_MOVE, WORST
        for rank in each_rank(state["ranks"]):
            worth = worth_of_hint(states, i, seat, receiver, rank_kinds(rank), value)
            if worth > most:
                best, most = hint_rank(offset, rank), worth
        for color in each_color(state["colors"]):
            worth = worth_of_hint(states, i, seat, receiver, color_kinds(color), value)
            if worth > most:
                best, most = hint_color(offset, color), worth
        return best
    return NO_MOVE
