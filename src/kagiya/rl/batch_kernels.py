"""Many games step by step, without Python in the loop and without allocation.

Lane n of `states` is game n; the lane behind the last game holds the template that games are dealt from, and those
behind it the games that were given to begin with. Entry k of `acts`, `observes` and `params` is the k-th team of the
pool of partners, of whose seats one is the learner's.
`lanes[i]` is what a batch knows of game i, `style` how vectors are written and episodes begun.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kagiya._jit import kernel
from kagiya.cards import Seat
from kagiya.dice import Streams, below, next_word, seed_stream
from kagiya.engine.batch_kernels import tell_observers
from kagiya.engine.calls import call_act
from kagiya.engine.kernels import apply_move, deal, is_legal, is_over, points, score
from kagiya.engine.layout import STREAMS, Lane, Memory, States
from kagiya.engine.memory_kernels import Words, clear_memory
from kagiya.moves import NO_MOVE
from kagiya.rl.bits_kernels import Colors, Last, forget_last_move, note_move, note_outcome
from kagiya.rl.output_kernels import Bytes, move_of

Teams = npt.NDArray[np.int64]  # [entry, seat] of addresses
TeamParams = npt.NDArray[np.float64]  # [entry, seat, parameter]
Weights = npt.NDArray[np.float64]  # [entry]: how likely it is, all being 1 together
LaneFacts = npt.NDArray[np.int64]  # [lane, fact]
Numbers = npt.NDArray[np.float32]  # [lane]

# The facts of a lane: the seed of its game and of its next one, the team, the learner's seat (ALL_SEATS if there are no
# partners), what had been earned at the learner's last move, the seat whose partner made an illegal move (or NO_FAULT,
# or NO_TURN if games end before the learner's turn again and again), whether the game is over and nothing was dealt
# since, the place of the next game in the list of those that were given, and how far its dice are ahead of the seed.
SEED, NEXT_SEED, TEAM, LEARNER, EARNED, FAULT, IS_OVER, NEXT_GIVEN, DICE = 0, 1, 2, 3, 4, 5, 6, 7, 8
LANE_FACTS = 9
ALL_SEATS = -1
NO_SEED = -1
NO_FAULT, NO_TURN = -1, -2

# The places of a style behind those of an encoding: from one seed of a lane to its next, whether colors are permuted,
# the learner's seat (or ALL_SEATS, or DRAWN), how rewards are counted, whether all seats' vectors are written, when a
# game that ended is followed by the next, how many games were given, and whether they begin anew after the last.
STRIDE, PERMUTED, LEARNERS_SEAT, REWARD, EVERY_SEAT, NEXT_GAME, GIVEN, AGAIN = 3, 4, 5, 6, 7, 8, 9, 10
DRAWN = -2
BY_SCORE, BY_POINTS, AT_THE_END = 0, 1, 2
AT_ONCE, BY_NEXT_STEP, BY_RESET = 0, 1, 2

DRAW_STREAM = STREAMS  # behind those of the deck and the seats


class Games(NamedTuple):
    """The arrays that the games of a batch are made of, which its kernels hand on to each other."""

    states: States
    memory: Memory
    params: TeamParams
    rng: Streams
    acts: Teams
    observes: Teams
    extents: Words
    last: Last
    colors: Colors
    lanes: LaneFacts
    style: Words
    weights: Weights


@kernel
def begin_episode(games: Games, i: Lane) -> None:
    """Begin the lane's next game, one of those given or of its next seed, and draw who plays in it."""
    lanes, style = games.lanes, games.style
    if lanes[i, NEXT_GIVEN] < style[GIVEN]:
        begin_given(games, i)
        return
    seed = lanes[i, NEXT_SEED]
    lanes[i, SEED], lanes[i, NEXT_SEED] = seed, seed + style[STRIDE]
    deal(games.states, len(lanes), i, games.rng, seed)
    seat_players(games, i)


@kernel
def begin_given(games: Games, i: Lane) -> None:
    """Begin the next of the given games. It takes none of the lane's seeds, but its dice are those of the seed that its
    turn would have; what was earned before it was given does not count."""
    states, lanes, style = games.states, games.lanes, games.style
    place = lanes[i, NEXT_GIVEN]
    states[i] = states[len(lanes) + 1 + place]
    lanes[i, SEED], lanes[i, DICE] = lanes[i, NEXT_SEED] + lanes[i, DICE], lanes[i, DICE] + style[STRIDE]
    for seat in range(states[i]["players"]):
        seed_stream(games.rng, i, 1 + seat, lanes[i, SEED])
    seat_players(games, i)
    lanes[i, SEED], lanes[i, EARNED] = NO_SEED, earned(states, i, style)
    lanes[i, NEXT_GIVEN] = place + style[STRIDE]
    if style[AGAIN]:
        lanes[i, NEXT_GIVEN] %= style[GIVEN]


@kernel
def seat_players(games: Games, i: Lane) -> None:
    """Draw the team, the learner's seat and the places of the colors for the game that stands in lane `i`."""
    states, rng, lanes, style = games.states, games.rng, games.lanes, games.style
    seed_stream(rng, i, DRAW_STREAM, lanes[i, SEED])
    clear_memory(games.memory, i, games.extents)
    forget_last_move(games.last, i)
    lanes[i, TEAM] = draw_team(rng, i, games.weights)
    lanes[i, LEARNER] = (
        below(rng, i, DRAW_STREAM, states[i]["players"]) if style[LEARNERS_SEAT] == DRAWN else style[LEARNERS_SEAT]
    )
    lanes[i, EARNED], lanes[i, FAULT], lanes[i, IS_OVER] = 0, NO_FAULT, 0
    if style[PERMUTED]:
        permute_colors(states, i, rng, games.colors)


@kernel
def draw_team(rng: Streams, i: Lane, weights: Weights) -> int:
    """An entry of the pool, by its weight."""
    left = next_word(rng, i, DRAW_STREAM) / 4294967296.0
    for entry in range(len(weights) - 1):
        left -= weights[entry]
        if left < 0:
            return entry
    return len(weights) - 1


@kernel
def permute_colors(states: States, i: Lane, rng: Streams, colors: Colors) -> None:
    """New places for the colors of this game, all orders being equally likely."""
    count = states[i]["colors"]
    for color in range(count):
        colors[i, color] = color
    for color in range(count - 1, 0, -1):
        other = below(rng, i, DRAW_STREAM, color + 1)
        colors[i, color], colors[i, other] = colors[i, other], colors[i, color]


@kernel
def play_partners(games: Games, i: Lane) -> None:
    """Let the partners move until the learner is to move, the game is over, or a partner's move is illegal."""
    states, params = games.states, games.params
    team, learner = games.lanes[i, TEAM], games.lanes[i, LEARNER]
    while learner != ALL_SEATS and states[i]["seat"] != learner and not is_over(states, i):
        seat = states[i]["seat"]
        move = call_act(games.acts[team, seat], states, i, seat, games.memory, params[team], games.rng)
        if not is_legal(states, i, move):
            games.lanes[i, FAULT] = seat
            return
        make_and_note(games, i, move)


@kernel
def make_and_note(games: Games, i: Lane, move: int) -> None:
    """Announce a legal move to the partners, make it, and keep what it showed."""
    states, team = games.states, games.lanes[i, TEAM]
    note_move(states, i, games.last, move)
    tell_observers(states, i, games.memory, games.params[team], games.observes[team], move)
    apply_move(states, i, move)
    note_outcome(states, i, games.last)


@kernel
def first_illegal(states: States, colors: Colors, lanes: LaneFacts, style: Words, actions: Words) -> int:
    """The first lane whose action is not legal; -1 if all are. Where the next game is due, any action will do."""
    for i in range(len(actions)):
        if lanes[i, IS_OVER] and style[NEXT_GAME] == BY_NEXT_STEP:
            continue
        move = move_of(states, i, colors, actions[i])
        if move == NO_MOVE or not is_legal(states, i, move):
            return i
    return -1


@kernel
def earned(states: States, i: Lane, style: Words) -> int:
    """What the game is worth so far, as rewards are counted."""
    if style[REWARD] == BY_POINTS:
        return points(states, i)
    if style[REWARD] == AT_THE_END and not is_over(states, i):
        return 0
    return score(states, i)


@kernel
def step_lane(games: Games, i: Lane, action: int, rewards: Numbers, ended: Bytes) -> None:
    """Make the learner's move and the partners' after it; what was earned meanwhile is the reward."""
    states, lanes = games.states, games.lanes
    make_and_note(games, i, move_of(states, i, games.colors, action))
    play_partners(games, i)
    worth = earned(states, i, games.style)
    rewards[i], lanes[i, EARNED] = worth - lanes[i, EARNED], worth
    ended[i, 0] = lanes[i, IS_OVER] = is_over(states, i)


@kernel
def seat_shown(states: States, i: Lane, lanes: LaneFacts) -> Seat:
    """The seat whose vector is written: the learner's, or that of the seat to move."""
    return states[i]["seat"] if lanes[i, LEARNER] == ALL_SEATS else lanes[i, LEARNER]
