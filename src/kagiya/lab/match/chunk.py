"""A chunk of a match: some seeds in a row, played anywhere (a thread, a process, another machine) with one result.

Chunks are a pure function of what they hold, so they can be played again after a crash. A `ChunkCutter` decides their
size by the speed of the match. Their games are made small, to keep or to send: a byte for each number, ten moves in a
word of 64 bits.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from kagiya.agents.api import Agent
from kagiya.cards import MAX_PLAYERS
from kagiya.engine.batch import RESULT
from kagiya.engine.layout import MAX_TURNS
from kagiya.engine.regret_kernels import SOURCES
from kagiya.lab.match.match import Interval, Match
from kagiya.lab.provenance import code_version
from kagiya.lab.summary import Totals
from kagiya.lab.table.table import AgentError, GameResults, Table
from kagiya.moves import NUM_MOVES
from kagiya.runtime.interrupts import Cancelled, Stop
from kagiya.runtime.workers import ThreadCache, WorkItem, finish_call

SEATS = range(1, MAX_PLAYERS + 1)  # seats count from 1 wherever people read them
SOURCE_NAMES = tuple(name.split()[0] for name in SOURCES)  # discard, play, end
REGRETS = tuple(f"{source}_{seat}" for seat in SEATS for source in SOURCE_NAMES) + tuple(
    f"indirect_{seat}" for seat in SEATS
)
OUTCOMES = ("score", "points", "reachable", "lives", "turns")
NUMBERS = OUTCOMES + REGRETS  # of a game, in the order of RESULT after the seed
RESULT_WORDS = 1 + len(NUMBERS)
assert RESULT.itemsize == 8 * RESULT_WORDS

FIRST_CHUNK, MAX_CHUNK = 20, 20_000  # games: before the speed of a match is known, and at most
MOVE_BITS, MOVES_PER_WORD = 6, 10
MOVE_WORDS = 12  # no game by the usual rules has more moves; what is left of longer ones is kept as bytes
MOVE_COLUMNS = tuple(f"moves_{word}" for word in range(1, MOVE_WORDS + 1))
PACKED_MOVES = MOVE_WORDS * MOVES_PER_WORD
assert NUM_MOVES <= 1 << MOVE_BITS
Bytes = npt.NDArray[np.uint8]
Outcome = tuple[
    GameResults, Bytes, Bytes, AgentError | None
]  # results, moves and overtime of the games, what ended them
TABLES: ThreadCache[Table] = ThreadCache()
NO_OVERTIME = np.zeros((0, MAX_PLAYERS + 1), np.uint8)


@dataclass(frozen=True)
class PackedGames:
    """Games column by column."""

    numbers: npt.NDArray[np.uint8]  # a row for each of NUMBERS; regrets are to be read as signed
    moves: npt.NDArray[np.uint64]  # a row for each of MOVE_COLUMNS; without columns if the moves are not wanted
    more_moves: dict[int, bytes]  # of games longer than that, by their place


def pack_numbers(results: GameResults) -> npt.NDArray[np.uint8]:
    """Rows of RESULT without their seeds, a row for each of NUMBERS."""
    words = results.view(np.int64).reshape(len(results), RESULT_WORDS)[:, 1:]
    return np.ascontiguousarray(words.astype(np.uint8).T)


def pack_games(results: GameResults, moves: npt.NDArray[np.uint8]) -> PackedGames:
    """From rows of RESULT and rows of moves, of which each has as many as its game has turns."""
    turns = results["turns"]
    long = np.flatnonzero(turns > PACKED_MOVES)
    more = {int(game): moves[game, PACKED_MOVES : turns[game]].tobytes() for game in long}
    used = -(-min(int(turns.max(initial=0)), PACKED_MOVES) // MOVES_PER_WORD)
    return PackedGames(pack_numbers(results), _pack_moves(moves, used), more)


def pack_outcomes(results: GameResults) -> PackedGames:
    """The same without the moves."""
    return PackedGames(pack_numbers(results), np.zeros((MOVE_WORDS, 0), np.uint64), {})


def _pack_moves(moves: npt.NDArray[np.uint8], used: int) -> npt.NDArray[np.uint64]:
    packed = np.zeros((MOVE_WORDS, len(moves)), np.uint64)
    for word in range(used):
        for place in range(MOVES_PER_WORD):
            packed[word] |= moves[:, MOVES_PER_WORD * word + place].astype(np.uint64) << np.uint64(MOVE_BITS * place)
    return packed


def unpack_results(seeds: npt.NDArray[Any], numbers: npt.NDArray[np.uint8]) -> GameResults:
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


NOTHING_PLAYED = pack_outcomes(np.zeros(0, RESULT))


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


class ChunkError(RuntimeError):
    """Games that must not be played here: the code is not that of the process that wants them."""


def check_code(agents: Sequence[Agent], code: str) -> None:
    """Refuse games of other code; none is given for games of this process."""
    if code and code_version(agents) != code:
        names = ", ".join(dict.fromkeys(agent.text for agent in agents))
        raise ChunkError(f"the code of {names} or of the table differs here from where the run was started")


@dataclass(frozen=True)
class PlayedChunk:
    """The games of a chunk: all of them, or those before an agent's error or a stop."""

    first: int
    packed: PackedGames
    overtime: Bytes  # moves that took too long, a row for each game, as in `TimedTable.overtime`; empty without a clock
    seconds: float
    error: AgentError | None = None
    cpu_seconds: float | None = None  # of the thread that played it; None if it was not played now

    @property
    def games(self) -> int:
        return int(self.packed.numbers.shape[1])


@dataclass(frozen=True)
class Chunk(WorkItem[PlayedChunk]):
    """Games `first`, `first` + 1, ... of a match; `skip` earlier ones are played too, for what players remember."""

    match: Match
    first: int
    games: int
    skip: int = 0
    code: str = ""  # of the agents where the chunk was cut; other code must not play it
    with_moves: bool = True

    @property
    def is_python(self) -> bool:
        return not self.match.is_compiled

    @property
    def is_portable(self) -> bool:
        return self.match.is_portable

    def stamped(self) -> Self:
        return replace(self, code=self.match.code)

    def run(self, stop: Stop) -> PlayedChunk:
        return play_chunk(self, stop)

    def parts(self) -> Iterator[PlayedChunk]:
        check_code(self.match.agents, self.code)
        table = table_for(self.match)
        for game in range(self.first - self.skip, self.first + self.games):
            played = play_chunk(replace(self, first=game, games=1, skip=0, code=""), table=table)
            if game >= self.first or played.error is not None:
                yield played
            if played.error is not None:
                return

    def joined(self, parts: Sequence[PlayedChunk], error: Exception | None = None) -> PlayedChunk:
        if error is not None and not isinstance(error, AgentError):
            raise error
        played = [part for part in parts if part.games]
        packed = join([NOTHING_PLAYED, *(part.packed for part in played)])
        overtime = np.concatenate([NO_OVERTIME, *(part.overtime for part in played)])
        errors = [part.error for part in parts if part.error is not None]
        seconds = sum(part.seconds for part in parts)
        used = sum(part.cpu_seconds or 0.0 for part in parts)
        return PlayedChunk(self.first, packed, overtime, seconds, error or next(iter(errors), None), used)

    def fault(self, place: Sequence[int], reason: str) -> AgentError:
        seed, seat, turn = place
        return AgentError(self.match.agents[seat].text, seat, turn, seed, reason)


class ChunkCutter:
    """Cuts the missing seeds of one match into chunks that take about `seconds` each."""

    def __init__(self, number: int, match: Match, gaps: Sequence[Interval], with_moves: bool, seconds: float) -> None:
        self.number, self.match, self.with_moves, self.seconds = number, match, with_moves, seconds
        self.gaps, self.size, self.failed = deque(gaps), first_size(match), False

    def next(self) -> Chunk | None:
        """The next chunk; None if all are cut, or one of them failed."""
        if not self.gaps or self.failed:
            return None
        first, end = self.gaps.popleft()
        start, after = self._bounds(first, end)
        if after < end:
            self.gaps.appendleft((after, end))
        return Chunk(self.match, first, after - first, first - start, with_moves=self.with_moves)

    def _bounds(self, first: int, end: int) -> Interval:
        """Where play begins, and where the chunk ends: with memory, at the bounds of the memory."""
        horizon = self.match.horizon
        if not horizon:
            return first, min(end, first + self.size)
        start = first - (first - self.match.seed) % horizon
        return start, min(end, start + horizon)

    def learn(self, played: PlayedChunk) -> None:
        """Take the size from the speed."""
        rate = played.games / max(played.seconds, 1e-6)
        self.size = int(min(max(rate * self.seconds, 1), 4 * self.size, MAX_CHUNK))


def first_size(match: Match) -> int:
    """How many games to play before their speed is known."""
    return 1 if match.has_searches else FIRST_CHUNK


def play_chunk(chunk: Chunk, stop: Stop | None = None, table: Table | None = None) -> PlayedChunk:
    """Play a chunk. An agent's error ends it before the game of the error."""
    check_code(chunk.match.agents, chunk.code)
    started = time.perf_counter()
    table = table or table_for(chunk.match)
    with (stop or Stop()).heard_by(table):
        play = play_at_once if table.is_compiled and not table.has_searches else play_one_by_one
        began = time.thread_time()
        results, moves, overtime, error = play(table, chunk)
        used = time.thread_time() - began
    results, moves = results[chunk.skip :], moves[chunk.skip :]
    packed = pack_games(results, moves) if chunk.with_moves else pack_outcomes(results)
    return PlayedChunk(chunk.first, packed, overtime[chunk.skip :], time.perf_counter() - started, error, used)


def play_at_once(table: Table, chunk: Chunk) -> Outcome:
    """The games of compiled seats that answer at once; they are played again up to an error."""
    seed = chunk.first - chunk.skip
    try:
        return *table.play_with_moves(seed, chunk.skip + chunk.games), NO_OVERTIME, None
    except AgentError as error:
        afresh = chunk.match.new_table()  # agents that remember have seen these games already
        before = 0 if error.is_refusal else error.seed - seed
        return *afresh.play_with_moves(seed, before), NO_OVERTIME, error


def play_one_by_one(table: Table, chunk: Chunk) -> Outcome:
    """The games of Python seats and searches: those that are finished when an agent errs or the table is stopped."""
    parts, error = [], None
    for game in range(chunk.first - chunk.skip, chunk.first + chunk.games):
        if table.stopped:
            break
        try:
            results, moves = table.play_with_moves(game, 1)
        except AgentError as raised:
            error = raised
            break
        except Cancelled:
            finish_call()
            break
        if not table.stopped:
            parts.append((results, moves, overtime_of(table)))
    empty = np.zeros(0, RESULT), np.zeros((0, MAX_TURNS), np.uint8), NO_OVERTIME
    results, moves, overtime = (np.concatenate(rows) for rows in zip(empty, *parts, strict=True))
    return results, moves, overtime, error


def overtime_of(table: Table) -> Bytes:
    """How often each seat was late in the last game, if the table has a clock."""
    counts = getattr(table, "overtime", None)
    return NO_OVERTIME if counts is None else np.asarray([counts], np.uint8)


def table_for(match: Match) -> Table:
    """A table for this match: this thread's last one, unless players might remember or it was stopped."""
    kinds = tuple(id(agent.type) for agent in match.agents)  # the table holds them, so that no other takes their place
    key = match.rules, match.clock, match.deals, match.agents, kinds
    return TABLES.get(key, match.new_table, lambda table: not (table.stopped or match.keeps_memory))
