"""The two calls that a batch makes: begin games in all lanes, and step all of them, vectors and masks included."""

from kagiya._jit import kernel
from kagiya.cards import each_seat
from kagiya.dice import Streams
from kagiya.engine.kernels import is_over, score
from kagiya.engine.layout import Lane, Memory, States
from kagiya.engine.memory_kernels import Words
from kagiya.rl.batch_kernels import (
    AT_ONCE,
    EVERY_SEAT,
    FAULT,
    IS_OVER,
    NEXT_GAME,
    NO_FAULT,
    NO_TURN,
    LaneFacts,
    Numbers,
    TeamParams,
    Teams,
    Weights,
    begin_episode,
    first_illegal,
    play_partners,
    seat_shown,
    step_lane,
)
from kagiya.rl.bits_kernels import Bits, Colors, Last
from kagiya.rl.output_kernels import Bytes, Floats, write_mask, write_vector

MOST_PASSED_OVER = 10_000  # games in a row that partners end before the learner's turn; then there will be no other


@kernel
def write_vectors(
    states: States,
    i: Lane,
    last: Last,
    colors: Colors,
    lanes: LaneFacts,
    words: Bits,
    style: Words,
    vectors: Bytes,
    floats: Floats,
) -> None:
    """The vectors of one game: of the seat that the learner sees with, or of all."""
    if not style[EVERY_SEAT]:
        seat = seat_shown(states, i, lanes)
        write_vector(states, i, seat, last, colors, words, style, vectors, floats, i)
        return
    players = states[i]["players"]
    for seat in each_seat(players):
        write_vector(states, i, seat, last, colors, words, style, vectors, floats, i * players + seat)


@kernel
def write_lane(
    states: States,
    i: Lane,
    last: Last,
    colors: Colors,
    lanes: LaneFacts,
    words: Bits,
    style: Words,
    vectors: Bytes,
    floats: Floats,
    masks: Bytes,
    seats: Words,
) -> None:
    """What the learner sees of one game: vectors, masks and whose they are."""
    write_vectors(states, i, last, colors, lanes, words, style, vectors, floats)
    seats[i] = seat_shown(states, i, lanes)
    if not style[EVERY_SEAT]:
        write_mask(states, i, seats[i], colors, masks, i)
        return
    players = states[i]["players"]
    for seat in each_seat(players):
        write_mask(states, i, seat, colors, masks, i * players + seat)


@kernel
def begin_until_learner(
    states: States,
    i: Lane,
    memory: Memory,
    params: TeamParams,
    rng: Streams,
    acts: Teams,
    observes: Teams,
    extents: Words,
    last: Last,
    colors: Colors,
    lanes: LaneFacts,
    style: Words,
    weights: Weights,
) -> None:
    """Begin the lane's next game. One that partners end before the learner has moved is passed over."""
    for _ in range(MOST_PASSED_OVER):
        begin_episode(states, i, memory, rng, extents, last, colors, lanes, style, weights)
        play_partners(states, i, memory, params, rng, acts, observes, last, lanes)
        if not is_over(states, i) or lanes[i, FAULT] != NO_FAULT:
            return
    lanes[i, FAULT] = NO_TURN


@kernel
def begin_all(
    states: States,
    memory: Memory,
    params: TeamParams,
    rng: Streams,
    acts: Teams,
    observes: Teams,
    extents: Words,
    last: Last,
    colors: Colors,
    lanes: LaneFacts,
    words: Bits,
    style: Words,
    weights: Weights,
    vectors: Bytes,
    floats: Floats,
    masks: Bytes,
    seats: Words,
    which: Bytes,
) -> None:
    """Begin a game in every lane that is marked in `which`."""
    for i in range(len(lanes)):
        if not which[i, 0]:
            continue
        begin_until_learner(
            states, i, memory, params, rng, acts, observes, extents, last, colors, lanes, style, weights
        )
        write_lane(states, i, last, colors, lanes, words, style, vectors, floats, masks, seats)


@kernel
def step_all(
    states: States,
    memory: Memory,
    params: TeamParams,
    rng: Streams,
    acts: Teams,
    observes: Teams,
    extents: Words,
    last: Last,
    colors: Colors,
    lanes: LaneFacts,
    words: Bits,
    style: Words,
    weights: Weights,
    vectors: Bytes,
    floats: Floats,
    masks: Bytes,
    seats: Words,
    actions: Words,
    rewards: Numbers,
    ended: Bytes,
    final_vectors: Bytes,
    final_floats: Floats,
    finals: Words,
) -> int:
    """Step every game; of those that end the last vectors and scores are kept, and the next is dealt when it is due.
    Returns the first lane whose action is illegal, no game having moved then, or -1."""
    illegal = first_illegal(states, colors, lanes, style, actions)
    if illegal >= 0:
        return illegal
    for i in range(len(lanes)):
        was_over = lanes[i, IS_OVER]
        if was_over:
            rewards[i], ended[i, 0] = 0, 0
        else:
            step_lane(
                states, i, memory, params, rng, acts, observes, last, colors, lanes, style, actions[i], rewards, ended
            )
        if ended[i, 0]:
            finals[i] = score(states, i)
            write_vectors(states, i, last, colors, lanes, words, style, final_vectors, final_floats)
        if was_over or (ended[i, 0] and style[NEXT_GAME] == AT_ONCE):
            begin_until_learner(
                states, i, memory, params, rng, acts, observes, extents, last, colors, lanes, style, weights
            )
        write_lane(states, i, last, colors, lanes, words, style, vectors, floats, masks, seats)
    return -1
