"""Games made small, to keep or to send: a byte for each number, ten moves in a word of 64 bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.engine.batch_kernels import RESULT
from kagiya.engine.regret_kernels import SOURCES
from kagiya.lab.statistics.totals import Totals
from kagiya.lab.table.table import Results
from kagiya.moves import NUM_MOVES
from kagiya.rules import MAX_PLAYERS

SEATS = range(1, MAX_PLAYERS + 1)  # seats count from 1 wherever people read them
SOURCE_NAMES = tuple(name.split()[0] for name in SOURCES)  # discard, play, end
REGRETS = tuple(f"{source}_{seat}" for seat in SEATS for source in SOURCE_NAMES) + tuple(
    f"indirect_{seat}" for seat in SEATS
)
OUTCOMES = ("score", "points", "reachable", "lives", "turns")
NUMBERS = OUTCOMES + REGRETS  # of a game, in the order of RESULT after the seed
RESULT_WORDS = 1 + len(NUMBERS)
assert RESULT.itemsize == 8 * RESULT_WORDS

MOVE_BITS, MOVES_PER_WORD = 6, 10
MOVE_WORDS = 12  # no game by the usual rules has more moves; what is left of longer ones is kept as bytes
MOVE_COLUMNS = tuple(f"moves_{word}" for word in range(1, MOVE_WORDS + 1))
PACKED_MOVES = MOVE_WORDS * MOVES_PER_WORD
assert NUM_MOVES <= 1 << MOVE_BITS


@dataclass(frozen=True)
class PackedGames:
    """Games column by column."""

    numbers: npt.NDArray[np.uint8]  # a row for each of NUMBERS; regrets are to be read as signed
    moves: npt.NDArray[np.uint64]  # a row for each of MOVE_COLUMNS; without columns if nobody wants the moves
    more_moves: dict[int, bytes]  # of games longer than that, by their place


def pack_numbers(results: Results) -> npt.NDArray[np.uint8]:
    """Rows of RESULT without their seeds, a row for each of NUMBERS."""
    words = results.view(np.int64).reshape(len(results), RESULT_WORDS)[:, 1:]
    return np.ascontiguousarray(words.astype(np.uint8).T)


def pack_games(results: Results, moves: npt.NDArray[np.uint8]) -> PackedGames:
    """From rows of RESULT and rows of moves, of which each has as many as its game has turns."""
    turns = results["turns"]
    long = np.flatnonzero(turns > PACKED_MOVES)
    more = {int(game): moves[game, PACKED_MOVES : turns[game]].tobytes() for game in long}
    used = -(-min(int(turns.max(initial=0)), PACKED_MOVES) // MOVES_PER_WORD)
    return PackedGames(pack_numbers(results), _pack_moves(moves, used), more)


def pack_outcomes(results: Results) -> PackedGames:
    """The same without the moves."""
    return PackedGames(pack_numbers(results), np.zeros((MOVE_WORDS, 0), np.uint64), {})


def _pack_moves(moves: npt.NDArray[np.uint8], used: int) -> npt.NDArray[np.uint64]:
    packed = np.zeros((MOVE_WORDS, len(moves)), np.uint64)
    for word in range(used):
        for place in range(MOVES_PER_WORD):
            packed[word] |= moves[:, MOVES_PER_WORD * word + place].astype(np.uint64) << np.uint64(MOVE_BITS * place)
    return packed


def unpack_results(seeds: npt.NDArray[Any], numbers: npt.NDArray[np.uint8]) -> Results:
    """The rows of RESULT again."""
    words = np.empty((len(seeds), RESULT_WORDS), np.int64)
    words[:, 0] = seeds
    outcomes = len(OUTCOMES)
    words[:, 1 : 1 + outcomes] = numbers[:outcomes].T
    words[:, 1 + outcomes :] = numbers[outcomes:].view(np.int8).T
    return words.reshape(-1).view(RESULT)


def unpack_moves(words: tuple[int, ...], more: bytes | None, turns: int) -> bytes:
    """The moves of one game, a byte each."""
    mask = (1 << MOVE_BITS) - 1
    moves = [word >> MOVE_BITS * place & mask for word in words for place in range(MOVES_PER_WORD)]
    return (bytes(moves) + (more or b""))[:turns]


def add_to(totals: Totals, numbers: npt.NDArray[np.uint8]) -> None:
    """Count packed games."""
    score, points, _, lives, turns = numbers[: len(OUTCOMES)]
    totals.add_outcomes(score, points, lives, turns)
    regrets, direct = numbers[len(OUTCOMES) :].view(np.int8), MAX_PLAYERS * len(SOURCE_NAMES)
    totals.add_regret(regrets[:direct].reshape(MAX_PLAYERS, len(SOURCE_NAMES), len(score)), regrets[direct:])


def join(chunks: list[PackedGames]) -> PackedGames:
    """The games of several chunks, one after the other."""
    more: dict[int, bytes] = {}
    before = 0
    for chunk in chunks:
        more |= {before + game: moves for game, moves in chunk.more_moves.items()}
        before += chunk.numbers.shape[1]
    numbers = np.concatenate([chunk.numbers for chunk in chunks], axis=1)
    return PackedGames(numbers, np.concatenate([chunk.moves for chunk in chunks], axis=1), more)
