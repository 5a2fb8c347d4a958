"""A seat of an inspected game: one compiled agent with arrays that nobody else uses, compared after every call."""

from __future__ import annotations

import inspect
import re
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kagiya._jit import compile_kernel, interpreted, with_bounds_checks
from kagiya.agents.api import Agent, CompiledAgent
from kagiya.agents.register import is_users_own
from kagiya.cards import SEAT_NAMES
from kagiya.engine.calls import ACT, OBSERVE
from kagiya.engine.layout import GAME, LANES, SEEN, STATE, States
from kagiya.engine.memory_kernels import CANARY
from kagiya.lab.table.answering import reason_of
from kagiya.lab.table.reasons import ReasonError
from kagiya.rules import MAX_PLAYERS
from kagiya.runtime.timeouts import KernelWatch

MARGIN = 4096  # words before and behind the memory that must stay as they are
MOST_ADVISED = 10_000  # a larger index is a mistake in itself
OUT_OF_BOUNDS = re.compile(r"index (-?\d+) is out of bounds for axis \d+ with size (\d+)")

Words = npt.NDArray[Any]


class AccessError(Exception):
    """An agent read or wrote where it may not; says what and where."""


@dataclass(frozen=True)
class Inspection:
    """How closely to look, and who is waiting."""

    watch: KernelWatch
    with_ours: bool = False  # whether indices are checked in the kernels of ours too that a user's agent calls


class Snapshot(NamedTuple):
    """All arrays that an agent is handed, as they were."""

    memory: Words  # margins included
    params: Words
    rng: Words
    states: Words


class InspectedSeat:
    """One agent in its seat. What it may write: its own row of memory and its own dice, in the lane of the game."""

    def __init__(self, agent: Agent, seat: int, states: States, rng: Words, how: Inspection) -> None:
        self.agent, self.seat, self.states, self.rng, self.watch = agent, seat, states, rng, how.watch
        self.words, self.params = agent.memory_words, np.zeros((MAX_PLAYERS, len(agent.parameters)))
        self.params[seat] = agent.parameters
        self._memory = np.full(LANES * MAX_PLAYERS * self.words + 2 * MARGIN, CANARY, np.int64)
        self.memory = self._memory[MARGIN : len(self._memory) - MARGIN].reshape(LANES, MAX_PLAYERS, self.words)
        self.memory[GAME, seat] = 0
        self._checked = _checked_kernels(agent.compiled, how.with_ours)

    def act(self) -> int:
        """The agent's move."""
        move = int(self._call(self.agent.compiled.act, GAME, self.rng))
        try:
            reason_of(self.agent, self.states, self.memory, move)
        except ReasonError as error:
            raise AccessError(str(error)) from None
        return move

    def observe(self, move: int) -> None:
        """Tell the agent of a move; a `believe` is told in a lane where it may write."""
        if self.agent.compiled.observe is not None:
            self._call(self.agent.compiled.observe, GAME, move)
        if self.agent.hooks.believe is not None:
            self.states[SEEN] = self.states[GAME]
            self.memory[SEEN, self.seat] = self.memory[GAME, self.seat]
            self._call(self.agent.hooks.believe, SEEN, move)

    def _call(self, kernel: Callable[..., Any], lane: Any, last: Any) -> Any:
        arguments = (self.states, lane, self.seat, self.memory, self.params, last)
        before = self._snapshot()
        turn = int(self.states[GAME]["turn"])
        try:
            with self.watch.calling(self.seat, turn, kernel.__name__):
                result = self._checked[kernel](*arguments)
        except IndexError:
            self._restore(before)
            raise AccessError(self._out_of_bounds(kernel, arguments)) from None
        self._compare(before, lane)
        return result

    def _snapshot(self) -> Snapshot:
        return Snapshot(self._memory.copy(), self.params.copy(), self.rng.copy(), self.states.copy())

    def _restore(self, before: Snapshot) -> None:
        self._memory[:], self.params[:], self.rng[:], self.states[:] = before

    def _compare(self, before: Snapshot, lane: Any) -> None:
        rows, changed = before.memory[MARGIN : MARGIN + self.memory.size].reshape(self.memory.shape), self._snapshot()
        rows[lane, self.seat] = self.memory[lane, self.seat]
        before.rng[lane, 1 + self.seat] = self.rng[lane, 1 + self.seat]
        if lane == SEEN:
            before.states[SEEN] = self.states[SEEN]
        if not np.array_equal(before.memory, changed.memory):
            raise AccessError(self._foreign_memory(np.flatnonzero(before.memory != changed.memory)))
        if before.params.tobytes() != changed.params.tobytes():
            raise AccessError("changed params, which are fixed; what an agent remembers belongs in memory[i, seat]")
        if not np.array_equal(before.rng, changed.rng):
            raise AccessError("rolled dice that are not its own; its stream is rng[i, 1 + seat]")
        if before.states.tobytes() != changed.states.tobytes():
            raise AccessError(f"changed the game itself: {_changed_fields(before.states, changed.states)}")

    def _foreign_memory(self, places: npt.NDArray[np.intp]) -> str:
        value, inside = self._memory[places[0]], int(places[0]) - MARGIN
        if not 0 <= inside < self.memory.size:
            return f"wrote {value} outside all memory; it declares memory_words={self.words}"
        lane, seat, word = (int(part) for part in np.unravel_index(inside, self.memory.shape))
        whose = SEAT_NAMES[seat] if lane == GAME else "another lane"
        return f"wrote {value} to memory[{lane}, {seat}, {word}], which belongs to {whose}; its own is memory[i, seat]"

    def _out_of_bounds(self, kernel: Callable[..., Any], arguments: tuple[Any, ...]) -> str:
        """Which line it was: interpreted, the same call says so, unless it depends on how machine integers overflow."""
        try:
            interpreted(kernel)(*arguments)
        except IndexError as error:
            frame = _users_frame(traceback.extract_tb(error.__traceback__), kernel)
            where = f"{Path(frame.filename).name}, line {frame.lineno}: `{frame.line}`: {error}"
            return f"{where}{self._advice(str(error), frame.line or '')}"
        except Exception as error:  # whatever the interpreter makes of a kernel; the index was wrong all the same
            return f"used an index out of bounds ({error}); it declares memory_words={self.words}"
        return f"used an index out of bounds; it declares memory_words={self.words}"

    def _advice(self, message: str, line: str) -> str:
        """What to declare, where the array may be its memory; nothing about memory where it is not."""
        declared, is_memory = f"; it declares memory_words={self.words}", "memory[" in line
        found = OUT_OF_BOUNDS.search(message)
        if not found or int(found[2]) != self.words or not self.words <= int(found[1]) < MOST_ADVISED:
            return declared if is_memory else ""
        condition = "" if is_memory else "if this is its memory, "
        return f"{declared}; {condition}declare memory_words={int(found[1]) + 1} or more in its AgentInfo"


def _users_frame(frames: list[traceback.FrameSummary], kernel: Any) -> traceback.FrameSummary:
    """The innermost line of the agent's own file, or of any if it has none."""
    own = inspect.unwrap(getattr(kernel, "py_func", kernel)).__code__.co_filename
    return next((frame for frame in reversed(frames) if frame.filename == own), frames[-1])


def _checked_kernels(kind: CompiledAgent, with_ours: bool) -> dict[Callable[..., Any], Callable[..., Any]]:
    """The kernels of a user's agent with their indices checked, compiled; those of an agent of ours as they are."""
    signatures = {kind.act: ACT, kind.observe: OBSERVE, kind.hooks.believe: OBSERVE}
    kernels = {kernel: signature for kernel, signature in signatures.items() if kernel is not None}
    if not is_users_own(kind):
        return {kernel: kernel for kernel in kernels}
    # Compiled ahead, so that the time of a call is not that of the compiler.
    return {kernel: compile_kernel(with_bounds_checks(kernel, with_ours), s) for kernel, s in kernels.items()}


def _changed_fields(before: States, after: States) -> str:
    assert STATE.names is not None
    names = [name for name in STATE.names if not np.array_equal(before[name], after[name])]
    return f"states[i][{names[0]!r}]" if names else "states"
