"""A clock for competitions: how long a Python seat may think about a move, and what happens if it thinks longer.

Compiled seats answer in microseconds and are not timed. A game on the clock depends on the machine as well
as on its seed, so it is stored apart from games without one. A player that does not answer at all is stopped and
replaced by a new one of its kind.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from kagiya.agents._base import Agent
from kagiya.cards import Seat
from kagiya.engine.kernels import points
from kagiya.engine.layout import GAME
from kagiya.engine.log import Log
from kagiya.engine.regret_kernels import BY_END, attainable_score
from kagiya.lab.table.patience import NoAnswerError, answer_within
from kagiya.lab.table.table import Table
from kagiya.rules import MAX_PLAYERS, Rules

GRACE = 1.0  # seconds over the time until a player is stopped whose move would not count any more
PATIENCE = 60.0  # the same, at least, where late moves count
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

    @property
    def longest(self) -> float:
        """Seconds after which a player that has not answered is stopped."""
        return max(PATIENCE, 10 * self.seconds) if self.late is Late.WARN else self.seconds + GRACE

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
        seat, started = observation.seat, time.perf_counter()
        move = self._answer(log, seed, seat)
        if move is not None and time.perf_counter() - started <= self.clock.seconds:
            return move
        self.overtime[seat] += self.overtime[seat] < 255
        if self.clock.late is Late.FORFEIT:
            self.overtime[FORFEITED_BY] = seat + 1
            raise _OvertimeError
        if self.clock.late is Late.RANDOM:
            dice = random.Random(f"{seed} {observation.turn}")
            return int(dice.choice(observation.legal_moves))
        if move is None:
            raise self._error(seed, f"has not answered within {self.clock.longest:g} s and was stopped")
        return move

    def _answer(self, log: Log, seed: int, seat: Seat) -> int | None:
        """The move of the player asked; None if it had to be stopped, after which another sits there."""
        try:
            return answer_within(self.clock.longest, lambda: super(TimedTable, self).ask_python_seat(log, seed))
        except NoAnswerError:
            self.replace_player(seat, seed)  # the old one may still be at it, or was interrupted anywhere
            return None

    def play_game(self, seed: int) -> Log:
        try:
            return super().play_game(seed)
        except _OvertimeError:
            self._charge_forfeit(int(self.overtime[FORFEITED_BY]) - 1)
            return self.log

    def _charge_forfeit(self, seat: int) -> None:
        """The seat loses the points made, directly, and whatever else was attainable for lack of turns."""
        made, attainable = int(points(self.states, GAME)), int(attainable_score(self.states, GAME))
        self.result[0]["regret"][seat, BY_END] += made
        self.result[0]["indirect"][seat] += attainable - made

    def write_result(self, seed: int) -> None:
        super().write_result(seed)
        if self.overtime[FORFEITED_BY]:
            self.result["score"] = 0
