"""Tactics that play a card: the competition framework's, then the Hanabi Learning Environment lineage's."""

from kagiya._jit import kernel
from kagiya.agents.tactics.vocabulary import (
    ANY_CHANCE,
    FRAMEWORK,
    NAMED,
    Mode,
    first_slot,
    known_slots,
    last_slot,
    likeliest_slots,
    sure_slots,
    sure_slots_by_hints,
    tactic,
)
from kagiya.cards import NO_MOVE, Kinds, MoveNumber, Seat, Slot
from kagiya.engine.game_kernels import play_move
from kagiya.engine.layout import Lane, States, Streams

CHANCE = "the least chance that the card fits"


@kernel
def known_slot(states: States, i: Lane, owner: Seat, kinds: Kinds, mode: Mode) -> Slot:
    """The first slot of which the owner knows both parts, if they are one of `kinds`."""
    slots = sure_slots_by_hints(states, i, owner, kinds)
    if slots:
        colors, ranks = known_slots(states, i, owner, mode)
        slots &= colors & ranks
    return first_slot(slots)


@tactic("play-known")
def play_known(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first slot whose color and rank are both known, and fit."""
    return play_move(known_slot(states, i, seat, states[i]["playable"], FRAMEWORK))


@tactic("play-safe")
def play_safe(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first slot that can only be a card that fits: hints, and the cards seen elsewhere, counted."""
    return play_move(first_slot(sure_slots(states, i, seat, states[i]["playable"])))


@tactic("play-probably-safe", value=CHANCE)
def play_probably_safe(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The slot most likely to fit, if likely enough; ties go to the last."""
    return play_move(last_slot(likeliest_slots(states, i, seat, states[i]["playable"], value)))


@tactic("play-likeliest-at-full-tokens")
def play_likeliest_at_full_tokens(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The slot most likely to fit, however unlikely, when no token is missing; ties go to the last."""
    state = states[i]
    if state["tokens"] < state["max_tokens"]:
        return NO_MOVE
    return play_move(last_slot(likeliest_slots(states, i, seat, state["playable"], ANY_CHANCE)))


@tactic("hle-play-known")
def hle_play_known(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first slot whose color and rank were both named by hints, and fit."""
    return play_move(known_slot(states, i, seat, states[i]["playable"], NAMED))


@tactic("hle-play-safe")
def hle_play_safe(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first slot that by the hints alone, no card counted, can only be a card that fits."""
    return play_move(first_slot(sure_slots_by_hints(states, i, seat, states[i]["playable"])))


@tactic("hle-play-probably-safe", value=CHANCE)
def hle_play_probably_safe(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The slot most likely to fit, if likely enough; ties go to the first."""
    return play_move(first_slot(likeliest_slots(states, i, seat, states[i]["playable"], value)))
