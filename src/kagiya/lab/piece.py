"""A piece of a match: some seeds in a row, played anywhere (a thread, a process, another machine) with one result.

Pieces are a pure function of what they hold, so they can be played again after a crash.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kagiya.engine.batch_kernels import RESULT
from kagiya.engine.log import MAX_TURNS
from kagiya.lab.code_version import code_version
from kagiya.lab.match import Match
from kagiya.lab.packing import PackedGames, pack_games
from kagiya.lab.table import AgentError, Results, Table
from kagiya.rules import MAX_PLAYERS

Bytes = npt.NDArray[np.uint8]
NO_OVERTIME = np.zeros((0, MAX_PLAYERS + 1), np.uint8)


class PieceError(RuntimeError):
    """A piece that must not be played here."""


@dataclass(frozen=True)
class Piece:
    """Games `first`, `first` + 1, ... of a match; `skip` earlier ones are played too, for what players remember."""

    match: Match
    first: int
    games: int
    skip: int = 0
    code: str = ""  # of the agents where the piece was cut; other code must not play it

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.first, self.first + self.games))


@dataclass(frozen=True)
class Played:
    """The games of a piece: all of them, or those before an agent's error or a stop."""

    first: int
    packed: PackedGames
    overtime: Bytes  # moves that took too long, a row for each game, as in `TimedTable.overtime`; empty without a clock
    seconds: float
    error: AgentError | None = None

    @property
    def games(self) -> int:
        return int(self.packed.numbers.shape[1])


class _Last(threading.local):
    """Each thread keeps the table of the match that it played last."""

    table: Table | None = None
    match: Match | None = None


_LAST = _Last()
_SEATING = threading.Lock()  # two threads must not compile the same agent


def play_piece(piece: Piece, stop: threading.Event | None = None) -> Played:
    """Play a piece. An agent's error ends it before the game of the error."""
    if piece.code and code_version(piece.match.agents) != piece.code:
        names = ", ".join(dict.fromkeys(agent.text for agent in piece.match.agents))
        raise PieceError(f"the code of {names} or of the table differs here from where the experiment was started")
    started = time.perf_counter()
    error = None
    try:
        results, moves, overtime = play_games(piece, piece.skip + piece.games, stop)
    except AgentError as raised:
        error = raised
        results, moves, overtime = play_games(piece, raised.seed - (piece.first - piece.skip), stop)
    packed = pack_games(results[piece.skip :], moves[piece.skip :])
    return Played(piece.first, packed, overtime[piece.skip :], time.perf_counter() - started, error)


def play_games(piece: Piece, games: int, stop: threading.Event | None) -> tuple[Results, Bytes, Bytes]:
    """The first so many games from the piece's beginning: results, moves, overtime."""
    table = table_for(piece.match)
    seed = piece.first - piece.skip
    if table.is_compiled:
        return *table.play_with_moves(seed, games), NO_OVERTIME
    parts = []
    for game in range(seed, seed + games):
        if stop is not None and stop.is_set():
            break
        parts.append((*table.play_with_moves(game, 1), overtime_of(table)))
    empty = np.zeros(0, RESULT), np.zeros((0, MAX_TURNS), np.uint8), NO_OVERTIME
    results, moves, overtime = (np.concatenate(rows) for rows in zip(empty, *parts, strict=True))
    return results, moves, overtime


def overtime_of(table: Table) -> Bytes:
    """How often each seat was late in the last game, if the table has a clock."""
    counts = getattr(table, "overtime", None)
    return NO_OVERTIME if counts is None else np.asarray([counts], np.uint8)


def table_for(match: Match) -> Table:
    """A table for this match: this thread's last one, unless players might remember."""
    last = _LAST.match
    if match.keeps_memory or last is None or _LAST.table is None or not _same(last, match):
        with _SEATING:
            _LAST.table, _LAST.match = match.new_table(), match
    return _LAST.table


def _same(first: Match, second: Match) -> bool:
    pairs = zip(first.agents, second.agents, strict=False)
    return first.rules == second.rules and all(a == b and a.type is b.type for a, b in pairs)
