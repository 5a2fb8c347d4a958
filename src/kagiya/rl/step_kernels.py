"""The two calls that a batch makes: begin games in all lanes, and step all of them, vectors and masks included.

Both take their arrays as plain tuples, in the order of `Games`, `Shown` and `Stepped`: to hand over a named tuple costs
a call from Python a microsecond more.
"""

from typing import Any, NamedTuple

from kagiya._jit import kernel
from kagiya.cards import each_seat
from kagiya.engine.kernels import is_over, score
from kagiya.engine.layout import Lane
from kagiya.engine.memory_kernels import Words
from kagiya.rl.batch_kernels import (
    AT_ONCE,
    EVERY_SEAT,
    FAULT,
    IS_OVER,
    NEXT_GAME,
    NO_FAULT,
    NO_TURN,
    Games,
    Numbers,
    begin_episode,
    first_illegal,
    play_partners,
    seat_shown,
    step_lane,
)
from kagiya.rl.bits_kernels import Bits
from kagiya.rl.output_kernels import Bytes, Floats, write_mask, write_vector

MOST_PASSED_OVER = 10_000  # games in a row that partners end before the learner's turn; then there will be no other


class Shown(NamedTuple):
    """What the learner sees, and the words in which a vector's bits are put together."""

    words: Bits
    vectors: Bytes
    floats: Floats
    masks: Bytes
    seats: Words


class Stepped(NamedTuple):
    """What a step is given, and what came of it; vectors and scores are those of games that ended."""

    actions: Words
    rewards: Numbers
    ended: Bytes
    vectors: Bytes
    floats: Floats
    scores: Words


@kernel
def write_vectors(games: Games, i: Lane, words: Bits, vectors: Bytes, floats: Floats) -> None:
    """The vectors of one game: of the seat that the learner sees with, or of all."""
    states, last, colors, style = games.states, games.last, games.colors, games.style
    if not style[EVERY_SEAT]:
        seat = seat_shown(states, i, games.lanes)
        write_vector(states, i, seat, last, colors, words, style, vectors, floats, i)
        return
    players = states[i]["players"]
    for seat in each_seat(players):
        write_vector(states, i, seat, last, colors, words, style, vectors, floats, i * players + seat)


@kernel
def write_lane(games: Games, i: Lane, shown: Shown) -> None:
    """What the learner sees of one game: vectors, masks and whose they are."""
    states, colors, seats = games.states, games.colors, shown.seats
    write_vectors(games, i, shown.words, shown.vectors, shown.floats)
    seats[i] = seat_shown(states, i, games.lanes)
    if not games.style[EVERY_SEAT]:
        write_mask(states, i, seats[i], colors, shown.masks, i)
        return
    players = states[i]["players"]
    for seat in each_seat(players):
        write_mask(states, i, seat, colors, shown.masks, i * players + seat)


@kernel
def begin_until_learner(games: Games, i: Lane) -> None:
    """Begin the lane's next game. One that partners end before the learner has moved is passed over."""
    for _ in range(MOST_PASSED_OVER):
        begin_episode(games, i)
        play_partners(games, i)
        if not is_over(games.states, i) or games.lanes[i, FAULT] != NO_FAULT:
            return
    games.lanes[i, FAULT] = NO_TURN


@kernel
def begin_all(game_arrays: tuple[Any, ...], shown_arrays: tuple[Any, ...], which: Bytes) -> None:
    """Begin a game in every lane that is marked in `which`."""
    games, shown = Games(*game_arrays), Shown(*shown_arrays)
    for i in range(len(games.lanes)):
        if not which[i, 0]:
            continue
        begin_until_learner(games, i)
        write_lane(games, i, shown)


@kernel
def step_all(game_arrays: tuple[Any, ...], shown_arrays: tuple[Any, ...], step_arrays: tuple[Any, ...]) -> int:
    """Step every game; of those that end the last vectors and scores are kept, and the next is dealt when it is due.
    Returns the first lane whose action is illegal, no game having moved then, or -1."""
    games, shown, step = Games(*game_arrays), Shown(*shown_arrays), Stepped(*step_arrays)
    states, lanes, rewards, ended = games.states, games.lanes, step.rewards, step.ended
    illegal = first_illegal(states, games.colors, lanes, games.style, step.actions)
    if illegal >= 0:
        return illegal
    for i in range(len(lanes)):
        was_over = lanes[i, IS_OVER]
        if was_over:
            rewards[i], ended[i, 0] = 0, 0
        else:
            step_lane(games, i, step.actions[i], rewards, ended)
        if ended[i, 0]:
            step.scores[i] = score(states, i)
            write_vectors(games, i, shown.words, step.vectors, step.floats)
        if was_over or (ended[i, 0] and games.style[NEXT_GAME] == AT_ONCE):
            begin_until_learner(games, i)
        write_lane(games, i, shown)
    return -1
