"""A clock for competitions: how long a Python seat may think about a move, and what happens if it thinks longer.

Compiled seats answer in microseconds and are not timed. A game on the clock depends on the machine as well
as on its seed, so it is stored apart from games without one.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from kagiya.agents._base import Agent
from kagiya.engine.log import Log
from kagiya.lab.table.table import Results, Table
from kagiya.rules import MAX_PLAYERS, Rules

FORFEITED_BY = MAX_PLAYERS  # the column after the seats' overtimes: the seat that lost the game by it, from 1; or 0


class Late(StrEnum):
    """What happens to a move that took too long."""

    WARN = "warn"  # it counts, and so does the overtime
    RANDOM = "random"  # a random legal move is made instead
    FORFEIT = "forfeit"  # the game ends there and scores 0


@dataclass(frozen=True)
class Clock:
    """The time for one move, and the policy."""

    seconds: float
    late: Late = Late.WARN

    def __post_init__(self) -> None:
        if not self.seconds > 0:
            raise ValueError(f"the time for a move must be above 0 seconds, not {self.seconds:g}")

    def text(self) -> str:
        """One word for the store and the tables."""
        return f"{1000 * self.seconds:g}ms-{self.late}"


class _OvertimeError(Exception):
    """Ends a forfeited game."""


class TimedTable(Table):
    """A table with a clock; `overtime` counts the late moves of the last game by seat."""

    def __init__(self, rules: Rules, agents: Sequence[Agent], clock: Clock) -> None:
        super().__init__(rules, agents)
        self.clock = clock
        self.overtime = np.zeros(MAX_PLAYERS + 1, np.uint8)

    def start_game(self, seed: int) -> Log:
        self.overtime[:] = 0
        return super().start_game(seed)

    def ask_python_seat(self, log: Log, seed: int) -> int:
        observation = self.observation(log)
        started = time.perf_counter()
        move = super().ask_python_seat(log, seed)
        if time.perf_counter() - started <= self.clock.seconds:
            return move
        self.overtime[observation.seat] += self.overtime[observation.seat] < 255
        if self.clock.late is Late.FORFEIT:
            self.overtime[FORFEITED_BY] = observation.seat + 1
            raise _OvertimeError
        if self.clock.late is Late.RANDOM:
            dice = random.Random(f"{seed} {observation.turn}")
            return int(dice.choice(observation.legal_moves))
        return move

    def play_game(self, seed: int) -> Log:
        try:
            return super().play_game(seed)
        except _OvertimeError:
            return self.log

    def play_with_moves(self, seed: int, games: int) -> tuple[Results, npt.NDArray[np.uint8]]:
        results, moves = super().play_with_moves(seed, games)
        if games == 1 and self.overtime[FORFEITED_BY]:
            results["score"] = 0
        return results, moves
