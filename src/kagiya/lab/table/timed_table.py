"""Tables with a clock for competitions, and tables with hanab.live's decks.

The clock is for players in Python and for searches; other compiled seats answer in microseconds and are not timed. A
game on the clock depends on the machine as well as on its seed, so it is stored apart from games without one. A player
that does not answer at all is stopped: one in Python is replaced by a new one of its kind, a search answers with what
it has. A user's player in Python thinks in a process of its own, for nothing else ends one that holds Python's lock.

With hanab.live's decks the seed decides the deal as there, the agents' dice as here.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.agents.api import Agent, Player, ReportedError, Workspace
from kagiya.cards import MAX_PLAYERS, Seat
from kagiya.engine.batch import NO_KERNEL
from kagiya.engine.game import LANE, Log
from kagiya.engine.game_kernels import points
from kagiya.engine.layout import GAME
from kagiya.engine.record import GameRecord
from kagiya.engine.regret_kernels import BY_END, attainable_score
from kagiya.lab.deals import LIVE, dealt_game, seed_text
from kagiya.lab.table import players
from kagiya.lab.table.decision import act
from kagiya.lab.table.players import LateError, Players, RemotePlayer
from kagiya.lab.table.table import AgentError, GameResults, Table
from kagiya.rules import Rules
from kagiya.runtime.timeouts import NoAnswerError, call_after, call_within
from kagiya.runtime.workers import ThreadCache

OVERTIME_SECONDS = 1.0  # over the time, until a player is stopped whose move would not count any more
MIN_LATE_SECONDS = 60.0  # until a player is stopped where late moves count
PLAYERS: ThreadCache[Players] = ThreadCache()
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
        return max(MIN_LATE_SECONDS, 10 * self.seconds) if self.late is Late.WARN else self.seconds + OVERTIME_SECONDS

    def text(self) -> str:
        """One word for the store and the tables."""
        return f"{1000 * self.seconds:g}ms-{self.late}"


class TimedTable(Table):
    """A table with a clock; `overtime` counts the late moves of the last game by seat.

    `now` reads the time in seconds; give another clock for the same games on every machine.
    """

    def __init__(
        self, rules: Rules, agents: Sequence[Agent], clock: Clock, now: Callable[[], float] | None = None
    ) -> None:
        self.clock, self.now = clock, now or time.perf_counter
        self._apart = PLAYERS.get(clock, lambda: Players(clock.longest - players.OVERTIME_SECONDS, MAX_PLAYERS))
        super().__init__(rules, agents)
        self.overtime = np.zeros(MAX_PLAYERS + 1, np.uint8)
        for seat, workspace in enumerate(self.workspaces):
            if workspace is not None:
                self.acts[seat] = NO_KERNEL  # it is asked move by move, as players in Python are

    @property
    def is_compiled(self) -> bool:
        """Whether no seat is timed, so that whole games run without Python."""
        return super().is_compiled and not self.has_searches

    def _new_player(self, agent: Agent) -> Player:
        return super()._new_player(self._apart.apart(agent) if ":" in agent.text else agent)

    def start_game(self, seed: int) -> Log:
        self.overtime[:] = 0
        return super().start_game(seed)

    def _start_player(self, seat: Seat, seed: int) -> None:
        super()._start_player(seat, seed)
        player = self.players[seat]
        if isinstance(player, RemotePlayer):
            try:
                player.get_ready()
            except ReportedError as error:
                raise AgentError(self.agents[seat].text, seat, 0, seed, f"{error} (in start)") from error

    def ask_python_seat(self, log: Log, seed: int) -> int:
        observation = self.observation(log)
        seat, workspace = observation.seat, self.workspaces[observation.seat]
        started = self.now()
        move = self._answer(log, seed, seat) if workspace is None else self._search(workspace, seed, seat)
        if move is not None and self.now() - started <= self.clock.seconds:
            return move
        self.overtime[seat] += self.overtime[seat] < 255
        if self.clock.late is Late.FORFEIT:
            self.overtime[FORFEITED_BY] = seat + 1
            raise NoAnswerError  # which ends the game
        if self.clock.late is Late.RANDOM:
            dice = random.Random(f"{seed} {observation.turn}")
            return int(dice.choice(observation.legal_moves))
        if move is None:
            raise self.error(seed, f"has not answered within {self.clock.longest:g} s and was stopped")
        return move

    def _answer(self, log: Log, seed: int, seat: Seat) -> int | None:
        """The move of the player asked; None if it had to be stopped, after which another sits there."""
        ask = super().ask_python_seat
        try:
            if isinstance(self.players[seat], RemotePlayer):
                return ask(log, seed)
            return call_within(self.clock.longest, lambda: ask(log, seed))
        except (NoAnswerError, AgentError) as error:
            if isinstance(error, AgentError) and not isinstance(error.__cause__, LateError):
                raise
            self.replace_player(seat, seed)  # the old one may still be at it, or was interrupted anywhere
            return None

    def _search(self, workspace: Workspace, seed: int, seat: Seat) -> int | None:
        """The move of a search; None if it had to be stopped."""
        with call_after(self.clock.longest, workspace.stop) as stopped:
            move = act(self, self.agents[seat], seat, seed)
        if not stopped.is_set():
            return move
        workspace.resume()
        if self.stopped:  # from outside, for good
            workspace.stop()
        return None

    def play_game(self, seed: int) -> Log:
        try:
            return super().play_game(seed)
        except NoAnswerError:
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


class LiveTable(Table):
    """Games are dealt one by one, in Python; how they are played is not changed."""

    def start_game(self, seed: int) -> Log:
        """Deal as hanab.live deals the game of this number."""
        log = super().start_game(seed)
        self.beginning = dealt_game(self.rules, seed, LIVE)
        self.states[GAME] = self.beginning.states[LANE]
        return log

    def _play_compiled(self, seed: int, results: GameResults, moves: npt.NDArray[Any]) -> int:
        return 0

    def record(self) -> GameRecord:
        """The game as plain data, with the name that the deal has on the site."""
        record = super().record()
        return replace(record, source={**record.source, "seed": seed_text(self.rules, self.seed)})


class TimedLiveTable(LiveTable, TimedTable):
    """The same with a clock."""
