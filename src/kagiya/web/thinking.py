"""Work that takes longer than a page may wait: done by threads of lower priority, fairly for all visitors."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from kagiya.web.notifier import Notifier
from kagiya.web.views import RefusedError

T = TypeVar("T")

WAITING, RUNNING, DONE, STOPPED, FAILED = "waiting", "running", "done", "stopped", "failed"
MOST_OF_A_VISITOR = 20
MOST_OF_ALL = 400
# Lanes: moves that are long in kernels, moves at once, moves made in another process, what reviews want to know, and
# the closer look at a game that was judged.
SEARCH, QUICK, ELSEWHERE, STUDY, CLOSER = "search", "quick", "elsewhere", "study", "closer"
MOST_ELSEWHERE = 4


class NotWantedError(Exception):
    """Raised by work that was stopped before there was anything to tell."""


class Task(Generic[T]):
    """One piece of work: how far it is, the word to stop, and what came of it."""

    def __init__(self, work: Callable[[Task[T]], T], changes: Notifier) -> None:
        self._work, self._changes = work, changes
        self._lock = threading.Lock()  # of the step from waiting to running or stopped
        self.state, self.progress, self.words = WAITING, 0.0, ""
        self.result: T | None = None
        self.error: BaseException | None = None
        self.stopped = threading.Event()
        self.on_stop: Callable[[], None] | None = None  # wakes work that does not look at `stopped` by itself

    @property
    def is_over(self) -> bool:
        """Nothing more will come of it."""
        return self.state in (DONE, STOPPED, FAILED)

    @property
    def came_to_nothing(self) -> bool:
        """It is over without a result: it failed, or was stopped too early."""
        return self.is_over and self.result is None

    def tell(self, progress: float, words: str = "") -> None:
        """How far the work is, from 0 to 1; whoever looks at it is shown."""
        self.progress, self.words = progress, words
        self._changes.announce()

    def stop(self) -> None:
        """Do not begin it, or end it soon; what it has found so far may still become its result."""
        self.stopped.set()
        with self._lock:
            if self.state == WAITING:
                self.state = STOPPED
            is_running = self.state == RUNNING
        if is_running and self.on_stop is not None:
            self.on_stop()
        self._changes.announce()

    def run(self) -> None:
        """Do the work, in the thread that calls."""
        with self._lock:
            if self.state != WAITING:
                return
            self.state = RUNNING
        try:
            self.result = self._work(self)
            self.state = STOPPED if self.stopped.is_set() else DONE
        except NotWantedError:
            self.state = STOPPED
        except BaseException as error:  # whatever it was, SystemExit of a user's agent too, the page says it
            self.error, self.state = error, FAILED
        self._changes.announce()


class Thinking:
    """Threads that take the work of one visitor after the other, so that nobody waits for all of somebody else's.

    Each lane has threads of its own: a rule agent's move does not wait for two searches to end, and a search does not
    wait for a user's agent that hangs in its process, and no table waits for a game that is judged.
    """

    def __init__(self, threads: int = 2) -> None:
        counts = {SEARCH: threads, QUICK: 1, ELSEWHERE: MOST_ELSEWHERE, STUDY: threads, CLOSER: 1}
        self._lanes = {name: Lane(name, count) for name, count in counts.items()}

    def start(self, visitor: str, work: Callable[[Task[T]], T], changes: Notifier, lane: str = SEARCH) -> Task[T]:
        """Put work in the queue of this visitor; the changes are announced whenever it gets further."""
        task = Task(work, changes)
        self._lanes[lane].put(visitor, task)
        return task

    @property
    def waiting(self) -> int:
        """How many tasks have not begun."""
        return sum(lane.waiting for lane in self._lanes.values())

    def close(self) -> None:
        """Stop everything that waits or runs."""
        for lane in self._lanes.values():
            lane.close()


class Lane:
    """One queue and its threads, which are started when they are first needed."""

    def __init__(self, name: str, threads: int) -> None:
        self._name, self._most = name, threads
        self._waiting: OrderedDict[str, deque[Task[Any]]] = OrderedDict()
        self._running: set[Task[Any]] = set()
        self._ready = threading.Condition()
        self._is_closed = False
        self._threads: list[threading.Thread] = []

    @property
    def waiting(self) -> int:
        """How many tasks have not begun; those that were stopped do not count."""
        with self._ready:
            return sum(not task.is_over for queue in self._waiting.values() for task in queue)

    def put(self, visitor: str, task: Task[Any]) -> None:
        """At the end of the visitor's queue, unless too much waits already."""
        with self._ready:
            self._drop_stopped()
            queue = self._waiting.get(visitor, deque())
            if len(queue) >= MOST_OF_A_VISITOR:
                raise RefusedError(f"{len(queue)} of your questions are waiting already; stop one, or wait for it.")
            if sum(map(len, self._waiting.values())) >= MOST_OF_ALL:
                raise RefusedError("The server has too much to think about at the moment; try again in a while.")
            if self._is_closed:
                raise RefusedError("The server is about to end.")
            queue.append(task)
            self._waiting[visitor] = queue
            if len(self._threads) < min(self._most, len(self._running) + sum(map(len, self._waiting.values()))):
                self._add_thread()
            self._ready.notify()

    def close(self) -> None:
        """Stop everything that waits or runs."""
        with self._ready:
            self._is_closed = True
            tasks = [*self._running, *(task for queue in self._waiting.values() for task in queue)]
            self._waiting.clear()
            self._ready.notify_all()
        for task in tasks:
            task.stop()

    def _drop_stopped(self) -> None:
        """What was stopped before it began holds no place in the queue."""
        for visitor, queue in tuple(self._waiting.items()):
            left = deque(task for task in queue if not task.is_over)
            if left:
                self._waiting[visitor] = left
            else:
                del self._waiting[visitor]

    def _add_thread(self) -> None:
        name = f"{self._name}-{len(self._threads)}"
        self._threads.append(threading.Thread(target=self._work, daemon=True, name=name))
        self._threads[-1].start()

    def _work(self) -> None:
        if self._name in (SEARCH, STUDY, CLOSER):
            lower_priority()
        while (task := self._next()) is not None:
            task.run()
            with self._ready:
                self._running.discard(task)

    def _next(self) -> Task[Any] | None:
        with self._ready:
            while not self._waiting and not self._is_closed:
                self._ready.wait()
            if self._is_closed:
                return None
            visitor, queue = self._waiting.popitem(last=False)
            task = queue.popleft()
            if queue:
                self._waiting[visitor] = queue  # behind the other visitors
            self._running.add(task)
            return task


def lower_priority() -> None:
    """Let the page go before this thread; Linux has a priority for each thread, elsewhere nothing is done."""
    if hasattr(os, "setpriority") and hasattr(threading, "get_native_id") and os.uname().sysname == "Linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
