"""An agent's decision in progress: looked at while it runs, stopped from another thread, waited for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TYPE_CHECKING

from kagiya.cards import Seat
from kagiya.engine.layout import GAME, SEEN
from kagiya.lab.table.answering import Thought, think
from kagiya.lab.table.past import Written
from kagiya.runtime.timeouts import call_in_thread
from kagiya.search.explanation import Explanation
from kagiya.search.looking import look_at, share_of_budget
from kagiya.search.workspace import Workspace
from kagiya.view.kernels import censor

if TYPE_CHECKING:
    from kagiya.lab.table.table import Table


class Thinking:
    """What the agent to act at a table is thinking; `Sitting.start` makes one, which runs in a thread of its own.

    >>> thinking = sitting.start()
    >>> thinking.look()  # what a search has found so far; None before its first iteration is done
    >>> thinking.stop()  # it answers with what it has found
    >>> sitting.make(thinking.result().move)
    """

    def __init__(self, table: Table, seed: int, eyes: Seat | None, then: Callable[[Thinking], None]) -> None:
        """`then` is called when it is done, in the thread that it runs in, before anybody gets the result."""
        self.seat, self.turn = Seat(int(table.states[GAME]["seat"])), int(table.states[GAME]["turn"])
        self.thought: Thought | None = None  # once it is done, unless the agent failed
        self.written: Written = ()  # into its memory by a compiled agent, once it is done
        self.is_stopped = False
        self._table, self._seed, self._eyes, self._then = table, seed, eyes, then
        self._workspace = table.workspaces[self.seat]
        self._lock = threading.Lock()
        self._answer: Future[Thought] = Future()
        self._started, self._ended = time.perf_counter(), 0.0

    def start(self) -> None:
        """Run in a thread of its own."""
        call_in_thread(self.run, f"thinking about turn {self.turn + 1}")

    def run(self) -> None:
        """Run here; `result` has what comes of it."""
        try:
            thought = self._think()
        except BaseException as error:  # for whoever asks for the result
            self._end()
            self._answer.set_exception(error)
        else:
            self.finish(thought)

    def finish(self, thought: Thought) -> None:
        """It is decided; also without a run, if the agent has said before what it thinks."""
        self.thought = thought
        self._end()
        self._answer.set_result(thought)

    def _end(self) -> None:
        with self._lock:
            self._ended = time.perf_counter()
            if self._workspace is not None:
                self._workspace.resume()
        self._then(self)

    def _think(self) -> Thought:
        table, memory = self._table, self._table.memory[GAME, self.seat]
        before = memory.copy()
        censor(table.states, GAME, SEEN, self.seat)  # for a player in Python
        thought = think(table, self._seed, self._eyes, lambda: self.is_stopped)
        self.written = tuple((int(word), int(memory[word])) for word in (memory != before).nonzero()[0])
        return thought

    @property
    def seconds(self) -> float:
        """How long it has been thinking, or has thought."""
        return (self._ended or time.perf_counter()) - self._started

    @property
    def is_done(self) -> bool:
        return self._answer.done()

    @property
    def share(self) -> float | None:
        """How much of its budget a search has used, from 0 to 1; None for agents that do not search."""
        workspace = self._workspace
        if not isinstance(workspace, Workspace):
            return None
        if self.is_done:
            return 1.0
        return share_of_budget(workspace, self.seconds) if workspace.work["turns"] == self.turn else 0.0

    def look(self) -> Explanation | None:
        """What a search has found so far; None if it has nothing to show yet, or the agent does not search."""
        if self.thought is not None:
            return self.thought.explanation
        workspace = self._workspace
        return look_at(workspace, self.seat, self.turn, self.seconds) if isinstance(workspace, Workspace) else None

    def stop(self) -> None:
        """Let a search answer with what it has found; other agents cannot be stopped."""
        with self._lock:
            if self._workspace is not None and not self._ended:
                self.is_stopped = True
                self._workspace.stop()

    def result(self, timeout: float | None = None) -> Thought:
        """Wait for the decision; an agent that failed raises its `AgentError` here.

        A TimeoutError says that there was none after `timeout` seconds; it goes on.
        """
        if wait([self._answer], timeout).not_done:
            raise TimeoutError(f"still thinking after {self.seconds:.1f} s")
        return self._answer.result()
