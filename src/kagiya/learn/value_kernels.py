"""What a learned evaluation expects of each move: the features of the position once, then what each move changes."""

import numpy as np
import numpy.typing as npt

from kagiya._jit import kernel, lowest_bit, popcount, stack_array
from kagiya.agents.conventions.playable_now import Convention, Masks
from kagiya.cards import Seat
from kagiya.engine.kernels import hint_receiver
from kagiya.engine.layout import Lane, Params, States
from kagiya.learn.feature_kernels import (
    FEATURES,
    PER_PLAYER,
    PLAYERS,
    STATE_FEATURES,
    TOKENS,
    Features,
    write_move_features,
    write_state_features,
)
from kagiya.learn.network_kernels import MAX_WIDTH, add_input, finish_network, start_layer, width_of
from kagiya.move_kernels import is_hint
from kagiya.moves import NO_MOVE, NUM_MOVES, MoveNumber

Values = npt.NDArray[np.float64]  # [move]: points expected at the end

position_features = stack_array("float64", FEATURES)
move_features = stack_array("float64", FEATURES)
position_sums = stack_array("float64", MAX_WIDTH)
move_sums = stack_array("float64", MAX_WIDTH)
move_values = stack_array("float64", NUM_MOVES)


@kernel
def value_moves(
    states: States,
    i: Lane,
    seat: Seat,
    masks: Masks,
    convention: Convention,
    rows: Params,
    row: int,
    start: int,
    moves: int,
    values: Values,
) -> None:
    """Write the final score that the network expects after each of these moves; `start` is where its numbers begin."""
    before, after, sums, units = position_features(), move_features(), position_sums(), move_sums()
    for place in range(FEATURES):
        before[place] = 0.0
    write_state_features(states, i, seat, masks, before)
    for place in range(FEATURES):
        after[place] = before[place]
    start_layer(rows, row, start, before, FEATURES, sums)
    points, perfect = popcount(states[i]["played"]), popcount(states[i]["kinds"])
    while moves:
        move = MoveNumber(lowest_bit(moves))
        moves &= moves - 1
        for unit in range(width_of(rows, row, start, 1)):
            units[unit] = sums[unit]
        write_move_features(states, i, seat, masks, convention, move, after)
        add_changes(states, i, seat, rows, row, start, move, before, after, units)
        finish_network(rows, row, start, units)
        values[move] = points + perfect * units[0]


@kernel
def add_changes(
    states: States,
    i: Lane,
    seat: Seat,
    rows: Params,
    row: int,
    start: int,
    move: MoveNumber,
    before: Features,
    after: Features,
    units: Features,
) -> None:
    """Add to the first layer's sums what a move changes of the features, and take it back in `after`."""
    first, last = STATE_FEATURES, FEATURES
    if is_hint(move):
        first = PLAYERS + PER_PLAYER * ((hint_receiver(states, i, move) - seat) % states[i]["players"])
        last = first + PER_PLAYER
        add_input(rows, row, start, TOKENS, after[TOKENS] - before[TOKENS], units)
        after[TOKENS] = before[TOKENS]
    for place in range(first, last):
        add_input(rows, row, start, place, after[place] - before[place], units)
        after[place] = before[place]


@kernel
def best_move(moves: int, values: Values) -> MoveNumber:
    """The move of the highest value; ties go to the first."""
    best, highest = NO_MOVE, -1e300
    while moves:
        move = MoveNumber(lowest_bit(moves))
        moves &= moves - 1
        if values[move] > highest:
            best, highest = move, values[move]
    return best
