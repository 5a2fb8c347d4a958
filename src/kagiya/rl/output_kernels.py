"""Bits become what a learner wants: bytes, floats or packed bytes, and masks of the moves that are legal.

The numbers of moves are the Hanabi Learning Environment's: discards, plays, color hints, rank hints, then perhaps the
no-op of seats that are not to move.
"""

import numpy as np
import numpy.typing as npt

from kagiya._jit import kernel
from kagiya.cards import (
    MAX_COLORS,
    MAX_RANKS,
    NO_CARD,
    Color,
    Kinds,
    Offset,
    Rank,
    Seat,
    Slot,
    each_color,
    each_offset,
    each_slot,
)
from kagiya.engine.kernels import legal_moves
from kagiya.engine.layout import Lane, States
from kagiya.engine.memory_kernels import Words
from kagiya.move_kernels import discard_move, hint_color, hint_rank, play_move
from kagiya.moves import NO_MOVE, MoveNumber
from kagiya.rl.bits_kernels import WORD_BITS, Bits, Colors, Last, write_bits
from kagiya.rl.layout import BELIEF

Bytes = npt.NDArray[np.int8]  # [row, entry]: vectors as bytes, one for each entry or for eight; masks too
Floats = npt.NDArray[np.float32]  # [row, entry]: vectors as floats

# How a vector is written.
AS_BYTES, AS_FLOATS, AS_BITS = 0, 1, 2

# The places of a style.
KIND, OWN_HAND, NUMBERS = 0, 1, 2


@kernel
def unpack(words: Bits, row: int, out: Bytes, target: int) -> None:
    """A byte for every bit."""
    size = out.shape[1]
    for word in range((size + WORD_BITS - 1) // WORD_BITS):
        bits, first = words[row, word], word * WORD_BITS
        for bit in range(min(WORD_BITS, size - first)):
            out[target, first + bit] = bits >> bit & 1


@kernel
def unpack_floats(words: Bits, row: int, out: Floats, target: int) -> None:
    """A float for every bit."""
    size = out.shape[1]
    for word in range((size + WORD_BITS - 1) // WORD_BITS):
        bits, first = words[row, word], word * WORD_BITS
        for bit in range(min(WORD_BITS, size - first)):
            out[target, first + bit] = bits >> bit & 1


@kernel
def pack(words: Bits, row: int, out: Bytes, target: int) -> None:
    """Eight bits in a byte, the first one lowest, as `numpy.unpackbits(bitorder="little")` reads them."""
    for byte in range(out.shape[1]):
        value = words[row, byte >> 2] >> 8 * (byte & 3) & 255
        out[target, byte] = value - 256 if value > 127 else value


@kernel
def write_vector(
    states: States,
    i: Lane,
    observer: Seat,
    last: Last,
    colors: Colors,
    words: Bits,
    style: Words,
    out: Bytes,
    floats: Floats,
    target: int,
) -> None:
    """One seat's vector into row `target` of `out`, or of `floats`, in the style of an `Encoding`."""
    write_bits(states, i, observer, words, 0, last, colors, style[KIND], style[OWN_HAND])
    if style[NUMBERS] == AS_BYTES:
        unpack(words, 0, out, target)
    elif style[NUMBERS] == AS_BITS:
        pack(words, 0, out, target)
    else:
        unpack_floats(words, 0, floats, target)
        if style[KIND] == BELIEF:
            write_beliefs(states, i, observer, colors, floats, target)


@kernel
def write_beliefs(states: States, i: Lane, observer: Seat, colors: Colors, out: Floats, target: int) -> None:
    """In place of the cards that hints leave open, at the end of a vector, their chances: as many copies of each as are
    not on the table, hands being left out of account (JaxMARL's and SAD's "v0 belief")."""
    state = states[i]
    players, hand_size, ranks = state["players"], state["hand_size"], state["ranks"]
    of_slot = state["colors"] * ranks + state["colors"] + ranks
    place = out.shape[1] - players * hand_size * of_slot
    for offset in range(players):
        seat = (observer + offset) % players
        for slot in each_slot(hand_size):
            if state["hands"][seat, slot] != NO_CARD:
                write_belief(states, i, state["possible"][seat, slot], colors, out, target, place)
            place += of_slot


@kernel
def write_belief(
    states: States, i: Lane, possible: Kinds, colors: Colors, out: Floats, target: int, place: int
) -> None:
    """The chances of one slot."""
    state = states[i]
    total = 0
    for card in range(MAX_COLORS * MAX_RANKS):
        if possible >> card & 1:
            total += copies_off_the_table(states, i, card)
    for card in range(MAX_COLORS * MAX_RANKS):
        if possible >> card & 1:
            at = place + colors[i, card // MAX_RANKS] * state["ranks"] + card % MAX_RANKS
            out[target, at] = copies_off_the_table(states, i, card) / total


@kernel
def copies_off_the_table(states: States, i: Lane, card: int) -> int:
    """Copies of a card that were neither played nor discarded."""
    state = states[i]
    copies = (state["copies_low"] >> card & 1) + 2 * (state["copies_high"] >> card & 1)
    lost = (state["discard_low"] >> card & 1) + 2 * (state["discard_high"] >> card & 1)
    return copies - lost - (state["played"] >> card & 1)


@kernel
def write_own_hand(states: States, i: Lane, observer: Seat, colors: Colors, out: Bytes, target: int) -> None:
    """The own cards as numbers among colors times ranks, -1 for an empty slot: what a belief is to learn."""
    state = states[i]
    for slot in each_slot(state["hand_size"]):
        card = state["hands"][observer, slot]
        number = colors[i, card // MAX_RANKS] * state["ranks"] + card % MAX_RANKS if card >= 0 else -1
        out[target, slot] = number


@kernel
def write_mask(states: States, i: Lane, observer: Seat, colors: Colors, out: Bytes, target: int) -> None:
    """1 for every legal move. A seat that is not to move has the no-op alone, if the mask has a place for it."""
    state = states[i]
    hand_size, others = state["hand_size"], state["players"] - 1
    legal = legal_moves(states, i) if observer == state["seat"] else 0
    for slot in each_slot(hand_size):
        out[target, slot] = legal >> discard_move(slot) & 1
        out[target, hand_size + slot] = legal >> play_move(slot) & 1
    first_rank = 2 * hand_size + others * state["colors"]
    for offset in each_offset(1, state["players"]):
        for color in each_color(state["colors"]):
            place = 2 * hand_size + (offset - 1) * state["colors"] + colors[i, color]
            out[target, place] = legal >> hint_color(offset, color) & 1
        for rank in range(state["ranks"]):
            out[target, first_rank + (offset - 1) * state["ranks"] + rank] = legal >> hint_rank(offset, Rank(rank)) & 1
    no_op = first_rank + others * state["ranks"]
    if no_op < out.shape[1]:
        out[target, no_op] = observer != state["seat"]


@kernel
def move_of(states: States, i: Lane, colors: Colors, number: int) -> MoveNumber:
    """Our move for a number of theirs; NO_MOVE if they have none with it."""
    state = states[i]
    hand_size, others, ranks = state["hand_size"], state["players"] - 1, state["ranks"]
    if number < 0:
        return NO_MOVE
    if number < 2 * hand_size:
        return discard_move(Slot(number)) if number < hand_size else play_move(Slot(number - hand_size))
    hint = number - 2 * hand_size
    if hint < others * state["colors"]:
        for color in each_color(state["colors"]):
            if colors[i, color] == hint % state["colors"]:
                return hint_color(Offset(1 + hint // state["colors"]), Color(color))
    hint -= others * state["colors"]
    if hint < others * ranks:
        return hint_rank(Offset(1 + hint // ranks), Rank(hint % ranks))
    return NO_MOVE
