"""Tactics that tell about one card: the rules of the Hanabi Learning Environment's lineage. All need a token.

Here only what a hint has named counts as known.
"""

from kagiya.agents.tactics._tactic import tactic
from kagiya.agents.tactics.hints import hint_about
from kagiya.agents.tactics.modes import COLOR_FIRST, HALF_KNOWN, NAMED, NEXT_ONLY
from kagiya.agents.tactics.tell import dispensable_hint
from kagiya.cards import Seat
from kagiya.dice import Streams
from kagiya.engine.layout import Lane, States
from kagiya.moves import MoveNumber

NAMED_COLOR_FIRST = NAMED | COLOR_FIRST
NAMED_TO_NEXT = NAMED | COLOR_FIRST | NEXT_ONLY
HALF_NAMED = NAMED | HALF_KNOWN


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
