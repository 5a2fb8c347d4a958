"""Python agents that think in processes of their own, and not for ever; to the table they are players like others."""

from __future__ import annotations

import itertools
import random
import threading
import weakref
from collections import OrderedDict
from typing import Any

from kagiya.agents.api import Agent, PythonAgentType, ReportedError
from kagiya.cards import Seat
from kagiya.lab.table.player_process import PlayerQuestion, Started
from kagiya.moves import Move
from kagiya.rules import Rules
from kagiya.runtime.child import Child, ChildEndedError
from kagiya.runtime.timeouts import NoAnswerError
from kagiya.view.observation import Observation

IMPORT_TIMEOUT = 60.0  # seconds until a process must have imported the agent
OVERTIME_SECONDS = 1.0  # over the time, until one that has not answered is killed
MAX_PROCESSES = 4  # each has about 100 MB; the one that was not asked for longest goes first

numbers = itertools.count(1)


class LateError(ReportedError):
    """No answer came in time; the process has ended."""


class Players:
    """Processes in which agents think, one for each agent: those of a server, or those at tables with a clock."""

    def __init__(self, think: float, most: int = MAX_PROCESSES) -> None:
        self.think, self.most = think, most
        self._processes: OrderedDict[str, AgentProcess] = OrderedDict()
        weakref.finalize(self, _close_all, self._processes)
        self._lock = threading.Lock()
        self._is_closed = False

    def apart(self, agent: Agent) -> Agent:
        """The same agent, if it is written in Python, in a process of its own; others as they are."""
        if agent.is_compiled:
            return agent
        return Agent(agent.text, PythonAgentType(agent.info, lambda: RemotePlayer(self, agent.text)))

    def process_of(self, text: str) -> AgentProcess:
        """Where this agent thinks."""
        with self._lock:
            if self._is_closed:
                raise ReportedError("was not asked: the server is about to end")
            process = self._processes.pop(text, None) or AgentProcess(text)
            self._processes[text] = process
            if len(self._processes) > self.most:
                self._processes.popitem(last=False)[1].close()
            return process

    def close(self) -> None:
        """End all processes, whatever they are doing."""
        with self._lock:
            self._is_closed = True
            _close_all(self._processes)


def _close_all(processes: dict[str, AgentProcess]) -> None:
    for process in processes.values():
        process.close()


class AgentProcess:
    """One agent's process, which answers one question at a time; a new one is started when it has died."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lock = threading.Lock()
        self._child: Child | None = None
        self.left: list[int] = []  # players that their tables have dropped

    def ask(self, question: PlayerQuestion, seconds: float) -> dict[str, Any]:
        """The answer to a question; whatever goes wrong is a `ReportedError`, and the next question may go well."""
        with self._lock:
            try:
                child = self._seated()
                child.send(question)
                answer = child.receive(seconds + OVERTIME_SECONDS)
            except NoAnswerError:
                raise LateError(f"has not answered for {seconds + OVERTIME_SECONDS:g} s and was stopped") from None
            except ChildEndedError as error:
                raise ReportedError(f"crashed: {error}") from None
        if "error" in answer:
            raise ReportedError(answer["error"])
        return answer

    def _seated(self) -> Child:
        if self._child is None or not self._child.is_alive:
            child = self._child = Child("kagiya.lab.table.player_process", self._text)
            try:
                answer = child.receive(IMPORT_TIMEOUT)
            except NoAnswerError:
                raise ReportedError(f"could not be imported within {IMPORT_TIMEOUT:g} s and was stopped") from None
            if "error" in answer:
                child.kill()
                raise ReportedError(f"could not be imported: {answer['error']}")
        return self._child

    def close(self) -> None:
        """End the process; one that is being asked answers that it was ended."""
        if self._child is not None:
            self._child.kill()


class RemotePlayer:
    """A player whose thoughts are elsewhere. It is started there when it is first asked: that may hang, too."""

    def __init__(self, players: Players, text: str) -> None:
        self._players, self._text, self._number = players, text, next(numbers)
        self._started: Started | None = None
        self._dice: random.Random | None = None
        self.reason = ""
        weakref.finalize(self, players.process_of(text).left.append, self._number)

    def start(self, rules: Rules, seat: Seat, dice: random.Random) -> None:
        times = 1 if self._started is None else self._started.times + 1
        self._started, self._dice = Started(rules, seat, dice.getstate(), times), dice

    def get_ready(self) -> None:
        """Be started there now, so that to import the agent and to start it takes nobody's time."""
        dice = None if self._started is None else self._started.dice
        question = PlayerQuestion(self._number, None, self._started, dice)
        self._players.process_of(self._text).ask(question, IMPORT_TIMEOUT)

    def act(self, observation: Observation) -> Move:
        process = self._players.process_of(self._text)
        left, process.left[:] = tuple(process.left), []
        dice = None if self._dice is None else self._dice.getstate()
        answer = process.ask(PlayerQuestion(self._number, observation, self._started, dice, left), self._players.think)
        self.reason = answer["reason"]
        if self._dice is not None:
            version, words, gauss = answer["dice"]
            self._dice.setstate((version, tuple(words), gauss))
        if "returned" in answer:
            raise ReportedError(f"returned {answer['returned']}, which is not a move, like Move.play(0)")
        move: Move = answer["move"]
        return move
