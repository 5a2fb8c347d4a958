"""A network's answer in compiled code: weights in a row of numbers, activations on the stack, nothing allocated.

The row holds, from some place on, how many layers there are, what the output is passed through, the widths, and layer
by layer the weights (the outputs of one input side by side) and the biases. Inputs are not normalised here: whoever
writes the row has folded that into the first layer (`model_file.network_row`).
"""

import math

from kagiya._jit import kernel, stack_array
from kagiya.engine.layout import Params
from kagiya.learn.feature_kernels import Features

MAX_LAYERS = 4  # of weights
MAX_WIDTH = 256
LAYERS, OUTPUT, WIDTHS = range(3)
HEADER = WIDTHS + MAX_LAYERS + 1
LINEAR, RECTIFIED_TANH = 0, 1  # output

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
    if rows[row, start + OUTPUT] == RECTIFIED_TANH:
        for unit in range(width_of(rows, row, start, int(rows[row, start + LAYERS]))):
            units[unit] = max(0.0, math.tanh(units[unit]))
