"""Who lost the points: what was still possible before and after each move, charged to the seat that moved.

Direct regret is Brooks's (2020, chapter 4): the most points that the discards still allowed, before less
after; by source: a discard, a play that cost a life, the play that cost the last one. Indirect regret, ours,
is what else became impossible because too few turns are left. Together they explain every missing point:
score = what the deal allowed - direct - indirect.
"""

from typing import Any

from kagiya._jit import kernel, popcount
from kagiya.cards import MoveNumber, Seat
from kagiya.engine.game_kernels import points, reachable_points, score
from kagiya.engine.layout import Lane, States
from kagiya.moves import FIRST_DISCARD, FIRST_HINT

BY_DISCARD, BY_PLAY, BY_END = 0, 1, 2
SOURCES = ("discard", "play", "end game")


@kernel
def reachable_score(states: States, i: Lane) -> int:
    """The most that the discards allow; after a bomb, what the bomb rule leaves."""
    return score(states, i) if states[i]["lives"] == 0 else reachable_points(states, i)


@kernel
def attainable_score(states: States, i: Lane) -> int:
    """A bound on the final score that knows all cards: the discards allow it, and turns are left for it.

    Every card to come takes a play, and plays are turns: one for each card of the deck, then one for each
    seat; in the last round only for seats that have a turn left and a card that is of use.
    """
    state = states[i]
    most = reachable_score(states, i)
    if state["lives"] == 0:
        return most
    left = state["deck_size"] - state["drawn"]
    plays = left + state["players"]
    if left == 0:
        plays = 0
        for turn in range(state["turns_left"]):
            seat = (state["seat"] + turn) % state["players"]
            held = state["hand_low"][seat] | state["hand_high"][seat]
            plays += (held & ~state["useless"]) != 0
    return min(most, points(states, i) + plays)


@kernel
def is_free(states: States, i: Lane, move: MoveNumber) -> bool:
    """Whether a move about to be made can cost nothing: a hint, while the deck is not empty."""
    return move >= FIRST_HINT and states[i]["drawn"] < states[i]["deck_size"]


@kernel
def regret_source(states: States, i: Lane, move: MoveNumber) -> int:
    """What kind of loss it is when the move just made has cost something."""
    if move >= FIRST_DISCARD:
        return BY_DISCARD
    return BY_END if states[i]["lives"] == 0 else BY_PLAY


@kernel
def charge_regret(
    states: States, i: Lane, results: Any, game: int, seat: Seat, move: MoveNumber, reachable: int, attainable: int
) -> tuple[int, int]:
    """Note what the move just made has cost, given what was possible before; returns what is now."""
    row = results[game]
    reachable_now, attainable_now = reachable_score(states, i), attainable_score(states, i)
    direct = reachable - reachable_now
    if direct != 0:
        row["regret"][seat, regret_source(states, i, move)] += direct
    row["indirect"][seat] += attainable - attainable_now - direct
    return reachable_now, attainable_now


@kernel
def pace(states: States, i: Lane) -> int:
    """Discards that can still be afforded if all that is reachable shall be played, as hanab.live counts them."""
    state = states[i]
    left = state["deck_size"] - state["drawn"]
    return popcount(state["played"]) + left + state["players"] - reachable_points(states, i)
