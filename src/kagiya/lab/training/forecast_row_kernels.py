"""Games of one agent with one careless move, and the counts of positions after it, as rows for a forecast."""

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.dice import Streams, below
from kagiya.engine.batch_kernels import Addresses, make_move
from kagiya.engine.calls import call_act
from kagiya.engine.kernels import is_over, legal_moves, score
from kagiya.engine.layout import GAME, Memory, Params, States
from kagiya.learn.feature_kernels import Features
from kagiya.learn.forecast_kernels import FORECAST_FEATURES, POINTS, forecast_features, write_forecast_features
from kagiya.moves import MoveNumber

EVERY = 4  # moves between two rows of a game
LATEST = 56  # turn of the careless move, at most
MOST_ROWS = 24  # of a game


@kernel
def careless_move(states: States, dice: Streams) -> MoveNumber:
    """Any legal move."""
    moves = legal_moves(states, GAME)
    for _ in range(below(dice, 0, 0, popcount(moves))):
        moves &= moves - 1
    return MoveNumber(lowest_bit(moves))


@kernel
def play_careless_game(
    states: States,
    memory: Memory,
    params: Params,
    rng: Streams,
    acts: Addresses,
    observes: Addresses,
    dice: Streams,
    rows: Features,
    targets: Features,
) -> int:
    """Play the game in lane GAME with one careless move, and count every few moves after it; returns how many rows."""
    counts, found = forecast_features(), 0
    careless, phase = below(dice, 0, 0, LATEST), below(dice, 0, 0, EVERY)
    while not is_over(states, GAME):
        seat, turn = states[GAME]["seat"], states[GAME]["turn"]
        if turn > careless and (turn - careless) % EVERY == phase and found < MOST_ROWS:
            write_forecast_features(states, GAME, counts)
            for place in range(FORECAST_FEATURES):
                rows[found, place] = counts[place]
            found += 1
        move = call_act(acts[seat], states, GAME, seat, memory, params, rng)
        if turn == careless:
            move = careless_move(states, dice)
        make_move(states, GAME, memory, params, observes, move)
    for row in range(found):
        targets[row] = score(states, GAME) - rows[row, POINTS]
    return found
