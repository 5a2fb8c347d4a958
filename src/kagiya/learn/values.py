"""Learned values in compiled code: a network's answer, the value of each move, and the value of a settled position.

A network's weights are in a row of numbers, its activations on the stack, and nothing is allocated. The row holds, from
some place on, how many layers there are, what the output is passed through, the widths, and layer by layer the weights
(the outputs of one input side by side) and the biases. Inputs are not normalised here: `networks.network_row`
has folded that into the first layer.

For moves the features (`features.py`) are computed once, as the seat to move sees the position, then what each move
changes. A sample of a search has all hands settled, so that what is held, and how much of it is known to its holders,
can simply be counted (`forecast`). What a count is worth changes in the course of a game, so that each comes twice: as
it is, and times the share of the deck that is left.
"""

import math

import numpy as np
import numpy.typing as npt

from kagiya._jit import kernel, lowest_bit, popcount, stack_array
from kagiya.agents.playable_now import Convention, Masks
from kagiya.cards import MAX_RANKS, NO_MOVE, Card, Kinds, MoveNumber, Seat, each_seat, each_slot
from kagiya.engine.game_kernels import hint_receiver, is_hint, points, reachable_points
from kagiya.engine.layout import Lane, Params, States
from kagiya.kinds import kind_bit
from kagiya.learn.features import (
    FEATURES,
    PER_PLAYER,
    PLAYERS,
    STATE_FEATURES,
    TOKENS,
    Features,
    write_move_features,
    write_state_features,
)
from kagiya.moves import NUM_MOVES
from kagiya.view.view_kernels import critical_kinds

MAX_LAYERS = 4  # of weights
MAX_WIDTH = 256
LAYERS, OUTPUT, WIDTHS = range(3)
HEADER = WIDTHS + MAX_LAYERS + 1
LINEAR, RECTIFIED_TANH, SCORE_TANH = range(3)  # output; the last holds the points on the table as well

other_activations = stack_array("float64", MAX_WIDTH)


@kernel
def width_of(rows: Params, row: int, start: int, layer: int) -> int:
    """How many numbers enter this layer; those that leave the last one, for the layer after it."""
    return int(rows[row, start + WIDTHS + layer])


@kernel
def start_layer(rows: Params, row: int, start: int, inputs: Features, count: int, out: Features) -> None:
    """The first layer before its activation: its biases, and what the first `count` inputs add."""
    width = width_of(rows, row, start, 1)
    weights = start + HEADER
    biases = weights + width_of(rows, row, start, 0) * width
    for unit in range(width):
        out[unit] = rows[row, biases + unit]
    for place in range(count):
        add_input(rows, row, start, place, inputs[place], out)


@kernel
def add_input(rows: Params, row: int, start: int, place: int, amount: float, out: Features) -> None:
    """Let one input of the first layer be larger by `amount`."""
    if amount == 0.0:
        return
    width = width_of(rows, row, start, 1)
    first = start + HEADER + place * width
    weights = rows[row, first : first + width]  # a slice, whose indices need no check: the loop is vectorised
    for unit in range(width):
        out[unit] += amount * weights[unit]


@kernel
def finish_network(rows: Params, row: int, start: int, units: Features) -> None:
    """From the first layer's sums, in `units`, to the network's outputs, in the same place."""
    others = other_activations()
    place = start + HEADER
    for layer in range(1, int(rows[row, start + LAYERS])):
        inputs, width = width_of(rows, row, start, layer), width_of(rows, row, start, layer + 1)
        place += (width_of(rows, row, start, layer - 1) + 1) * inputs
        for unit in range(width):
            others[unit] = rows[row, place + inputs * width + unit]
        for unit in range(inputs):
            if units[unit] > 0.0:
                weights, amount = rows[row, place + unit * width : place + (unit + 1) * width], units[unit]
                for other in range(width):
                    others[other] += amount * weights[other]
        for unit in range(width):
            units[unit] = others[unit]
    if rows[row, start + OUTPUT] != LINEAR:
        for unit in range(width_of(rows, row, start, int(rows[row, start + LAYERS]))):
            units[unit] = max(0.0, math.tanh(units[unit]))


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
    points, perfect = points_to_add(states, i, rows, row, start), popcount(states[i]["kinds"])
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
def points_to_add(states: States, i: Lane, rows: Params, row: int, start: int) -> int:
    """The points on the table, unless the network was trained to count them."""
    return 0 if rows[row, start + OUTPUT] == SCORE_TANH else popcount(states[i]["played"])


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
def value_position(states: States, i: Lane, seat: Seat, masks: Masks, rows: Params, row: int, start: int) -> float:
    """The final score that the network expects of a position, as this seat sees it; the features of a move are 0."""
    inputs, units = position_features(), position_sums()
    for place in range(FEATURES):
        inputs[place] = 0.0
    write_state_features(states, i, seat, masks, inputs)
    start_layer(rows, row, start, inputs, FEATURES, units)
    finish_network(rows, row, start, units)
    return points_to_add(states, i, rows, row, start) + popcount(states[i]["kinds"]) * units[0]


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


FORECAST_NAMES = (
    "points",
    "tokens",
    "lives",
    "deck",  # cards not drawn yet
    "turns_left",  # once the deck is empty; before, the players and one
    "reachable",  # points that discards still allow
    "kinds_playable",  # kinds in some hand that fit now
    "kinds_useful",  # kinds in some hand that will fit some time
    "chain",  # points that the hands alone would give if all knew what they hold
    "cards",  # in all hands
    "repeats",  # cards of a kind that another slot holds too
    "useless",
    "critical",
    "touched",  # cards that a hint has touched
    "useless_touched",
    "critical_touched",
    "playable_touched",
    "known_playable",  # by hints alone: no kind left that will fit only later
    "known_useless",
    "seats_that_can_play",  # that hold a card known to be playable
)
COUNTS = len(FORECAST_NAMES)
FORECAST_FEATURES = 2 * COUNTS
POINTS, TOKENS_LEFT, LIVES_LEFT, DECK_LEFT, TURNS_LEFT, REACHABLE, KINDS_PLAYABLE, KINDS_USEFUL, CHAIN = range(9)
CARDS, REPEATS, USELESS, CRITICAL, TOUCHED, USELESS_TOUCHED, CRITICAL_TOUCHED, PLAYABLE_TOUCHED = range(9, 17)
KNOWN_PLAYABLE, KNOWN_USELESS, SEATS_THAT_CAN_PLAY = range(17, COUNTS)

forecast_features = stack_array("float64", FORECAST_FEATURES)
forecast_units = stack_array("float64", MAX_WIDTH)


@kernel
def write_forecast_features(states: States, i: Lane, out: Features) -> None:
    """Count what there is to count in a position with all hands settled."""
    state = states[i]
    left = state["deck_size"] - state["drawn"]
    out[POINTS], out[DECK_LEFT] = points(states, i), left
    out[TOKENS_LEFT], out[LIVES_LEFT] = state["tokens"], state["lives"]
    out[TURNS_LEFT] = state["turns_left"] if left == 0 else state["players"] + 1
    out[REACHABLE] = reachable_points(states, i)
    held = count_cards(states, i, out)
    out[KINDS_PLAYABLE] = popcount(held & state["playable"])
    out[KINDS_USEFUL] = popcount(held & ~state["useless"])
    out[CHAIN] = chain_length(states, i, held)
    share = left / state["deck_size"]
    for place in range(COUNTS):
        out[COUNTS + place] = share * out[place]


@kernel
def count_cards(states: States, i: Lane, out: Features) -> Kinds:
    """The features that add up over cards; returns the kinds in all hands."""
    state, critical = states[i], critical_kinds(states, i)
    playable, useless = state["playable"] & ~state["useless"], state["useless"]
    for place in range(CARDS, COUNTS):
        out[place] = 0.0
    held = Kinds(0)
    for seat in each_seat(state["players"]):
        can_play = False
        for slot in each_slot(state["hand_size"]):
            card: Card = state["hands"][seat, slot]
            if card < 0:
                continue
            kind, possible = kind_bit(card), state["possible"][seat, slot]
            touched, seen = state["told"][seat, slot] != 0, held & kind != 0
            held |= kind
            out[CARDS] += 1.0
            out[REPEATS] += seen
            out[TOUCHED] += touched
            out[USELESS] += kind & useless != 0
            out[USELESS_TOUCHED] += touched and kind & useless != 0
            out[CRITICAL] += kind & critical != 0
            out[CRITICAL_TOUCHED] += touched and kind & critical != 0
            out[PLAYABLE_TOUCHED] += touched and kind & playable != 0
            out[KNOWN_USELESS] += possible & ~useless == 0
            if possible & playable and possible & ~(playable | useless) == 0:
                out[KNOWN_PLAYABLE] += 1.0
                can_play = True
        out[SEATS_THAT_CAN_PLAY] += can_play
    return held


@kernel
def chain_length(states: States, i: Lane, held: Kinds) -> int:
    """How many of these kinds can be played one after the other."""
    state, length = states[i], 0
    for color in range(state["colors"]):
        rank = state["fireworks"][color]
        while rank < state["ranks"] and held >> (MAX_RANKS * color + rank) & 1:
            length += 1
            rank += 1
    return length


@kernel
def forecast(states: States, i: Lane, rows: Params, row: int) -> float:
    """The final score that a network expects; its numbers begin with the row."""
    inputs, units = forecast_features(), forecast_units()
    write_forecast_features(states, i, inputs)
    start_layer(rows, row, 0, inputs, FORECAST_FEATURES, units)
    finish_network(rows, row, 0, units)
    return points(states, i) + units[0]
