"""Rows of a data set, written by compiled code: the moves of a game made again, its vectors taken on the way."""

import numpy as np
import numpy.typing as npt

from kagiya._jit import kernel
from kagiya.engine.kernels import apply_move, deal_hands, score
from kagiya.engine.layout import Lane, States
from kagiya.engine.memory_kernels import Words
from kagiya.rl.bits_kernels import Bits, Colors, Last, forget_last_move, note_move, note_outcome
from kagiya.rl.output_kernels import Bytes, Floats, write_mask, write_own_hand, write_vector

Numbers = npt.NDArray[np.int64]  # [row, field]

# The fields of a row's numbers.
TURN, SEAT, ACTION, REWARD, RETURN, MASK = 0, 1, 2, 3, 4, 5
FIELDS = 6


@kernel
def write_rows(
    states: States,
    template: Lane,
    deck: Words,
    moves: Words,
    actions: Words,
    last: Last,
    colors: Colors,
    words: Bits,
    style: Words,
    vectors: Bytes,
    floats: Floats,
    hands: Bytes,
    mask: Bytes,
    numbers: Numbers,
    row: int,
) -> int:
    """A row for each move of a game, from `row` on; returns its final score. `actions[m]` is HLE's number of move m."""
    states[0] = states[template]
    for place in range(len(deck)):
        states[0]["deck"][place] = deck[place]
    deal_hands(states, 0)
    forget_last_move(last, 0)
    for turn in range(len(moves)):
        at, seat, before = row + turn, states[0]["seat"], score(states, 0)
        write_vector(states, 0, seat, last, colors, words, style, vectors, floats, at)
        write_own_hand(states, 0, seat, colors, hands, at)
        write_mask(states, 0, seat, colors, mask, 0)
        numbers[at, TURN], numbers[at, SEAT], numbers[at, ACTION] = turn, seat, actions[moves[turn]]
        numbers[at, MASK] = packed_mask(mask)
        note_move(states, 0, last, moves[turn])
        apply_move(states, 0, moves[turn])
        note_outcome(states, 0, last)
        numbers[at, REWARD] = score(states, 0) - before
    left = 0
    for turn in range(len(moves) - 1, -1, -1):
        left += numbers[row + turn, REWARD]
        numbers[row + turn, RETURN] = left
    return score(states, 0)


@kernel
def packed_mask(mask: Bytes) -> int:
    """Bit n for action n."""
    bits = 0
    for action in range(mask.shape[1]):
        bits |= mask[0, action] << action
    return bits
