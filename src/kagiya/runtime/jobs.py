"""Work that takes longer than a page may wait: a queue with lanes, fair to all visitors, and answers that are kept."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from typing import Any, Generic, TypeAlias, TypeVar

from kagiya.runtime.interrupts import StoppedError

T = TypeVar("T")
Key = TypeVar("Key", bound=Hashable)
Announce: TypeAlias = Callable[[], None]  # called, from any thread, whenever a task gets further

WAITING, RUNNING, DONE, STOPPED, FAILED = "waiting", "running", "done", "stopped", "failed"
MAX_WAITING_PER_VISITOR = 20
MAX_WAITING = 400
MAX_KEPT = 64  # answers of one `Remembered`
# Lanes: moves that are long in kernels, moves at once, moves made in another process, what reviews ask, more samples
# for a game that was judged, and questions to the store.
SEARCH, QUICK, SUBPROCESS = "search", "quick", "subprocess"
REVIEW, SECOND_PASS, STORE = "review", "second pass", "store"
LOW_PRIORITY = (SEARCH, REVIEW, SECOND_PASS, STORE)
SUBPROCESS_THREADS, STORE_THREADS = 4, 2


class QueueFullError(ValueError):
    """There is no room for one more task; the text is a sentence for the visitor."""


class Task(Generic[T]):
    """One piece of work: its progress, the signal to stop it, and its result."""

    def __init__(self, work: Callable[[Task[T]], T], announce: Announce) -> None:
        self._work, self._announce = work, announce
        self._lock = threading.Lock()  # of the step from waiting to running or stopped
        self.state, self.progress, self.words = WAITING, 0.0, ""
        self.result: T | None = None
        self.error: BaseException | None = None
        self.stopped = threading.Event()
        self.on_stop: Callable[[], None] | None = None  # wakes work that does not look at `stopped` by itself
        self.over: Future[None] = Future()  # to wait for it, in a thread or in a coroutine; cannot be cancelled
        self.over.set_running_or_notify_cancel()

    @property
    def is_over(self) -> bool:
        """Whether its state is final."""
        return self.state in (DONE, STOPPED, FAILED)

    @property
    def has_no_result(self) -> bool:
        """It failed, or was stopped too early."""
        return self.state in (STOPPED, FAILED) and self.result is None

    def report(self, progress: float, words: str = "") -> None:
        """How far the work is, from 0 to 1; pages that show it are redrawn."""
        self.progress, self.words = progress, words
        self._announce()

    def stop(self) -> None:
        """Do not begin it, or end it soon; what it has found so far may still become its result."""
        self.stopped.set()
        with self._lock:
            before = self.state
            if before == WAITING:
                self.state = STOPPED
        if before == WAITING:
            self.over.set_result(None)
        elif before == RUNNING and self.on_stop is not None:
            self.on_stop()
        self._announce()

    def run(self) -> None:
        """Do the work, in the thread that calls."""
        with self._lock:
            if self.state != WAITING:
                return
            self.state = RUNNING
        try:
            self.result = self._work(self)
            self.state = STOPPED if self.stopped.is_set() else DONE
        except StoppedError:
            self.state = STOPPED
        except BaseException as error:  # whatever it was, SystemExit of a user's agent too, the page shows it
            self.error, self.state = error, FAILED
        self.over.set_result(None)
        self._announce()


class JobQueue:
    """Threads that take the work of one visitor after the other, so that no visitor waits for all of another's.

    Each lane has threads of its own: a rule agent's move does not wait for two searches to end, a search does not
    wait for a user's agent that hangs in its process, and no table waits for a game that is judged.
    """

    def __init__(self, threads: int = 2, refusal: type[Exception] = QueueFullError) -> None:
        counts = {SEARCH: threads, QUICK: 1, SUBPROCESS: SUBPROCESS_THREADS}
        counts |= {REVIEW: threads, SECOND_PASS: 1, STORE: STORE_THREADS}
        self._lanes = {name: Lane(name, count, refusal) for name, count in counts.items()}

    def start(self, visitor: str, work: Callable[[Task[T]], T], announce: Announce, lane: str = SEARCH) -> Task[T]:
        """Put work in the queue of this visitor."""
        task = Task(work, announce)
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

    def __init__(self, name: str, threads: int, refusal: type[Exception] = QueueFullError) -> None:
        self._name, self._max_threads, self._refusal = name, threads, refusal
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
            self._check_room(queue)
            queue.append(task)
            self._waiting[visitor] = queue
            if len(self._threads) < min(self._max_threads, len(self._running) + self._length):
                self._add_thread()
            self._ready.notify()

    @property
    def _length(self) -> int:
        return sum(map(len, self._waiting.values()))

    def _check_room(self, queue: deque[Task[Any]]) -> None:
        if len(queue) >= MAX_WAITING_PER_VISITOR:
            raise self._refusal(f"{len(queue)} of your questions are waiting already; stop one, or wait for it.")
        if self._length >= MAX_WAITING:
            raise self._refusal("The server has too much to think about at the moment; try again in a while.")
        if self._is_closed:
            raise self._refusal("The server is about to end.")

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
        """A task that was stopped before it began holds no place in the queue."""
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
        if self._name in LOW_PRIORITY:
            lower_priority()
        while (task := self._next()) is not None:
            task.run()
            with self._ready:
                self._running.discard(task)
            del task  # while it waits for the next, the thread holds nothing of the last

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


class Remembered(Generic[Key, T]):
    """Questions that pages ask of a queue, each with its task, which holds the answer once there is one.

    Equal keys are one question, even from two visitors. The questions asked longest ago are stopped and forgotten.
    """

    def __init__(self, jobs: JobQueue, announce: Announce = lambda: None) -> None:
        self._jobs, self._announce = jobs, announce
        self._lock = threading.RLock()  # a task may ask the next question
        self._tasks: OrderedDict[Key, Task[T]] = OrderedDict()

    def ask(self, key: Key, visitor: str, work: Callable[[Task[T]], T], lane: str = SEARCH) -> Task[T]:
        """The task of a question; a new one unless it has an answer or is at work."""
        with self._lock:
            task = self._tasks.get(key)
            return self._start(key, visitor, work, lane) if task is None or task.has_no_result else task

    def ask_again(self, key: Key, visitor: str, work: Callable[[Task[T]], T], lane: str = SEARCH) -> Task[T]:
        """The same, whatever was answered before; a task that is at work is not begun twice."""
        with self._lock:
            return self._tasks[key] if self.is_busy(key) else self._start(key, visitor, work, lane)

    def _start(self, key: Key, visitor: str, work: Callable[[Task[T]], T], lane: str) -> Task[T]:
        task = self._jobs.start(visitor, work, self._announce, lane)
        self._tasks[key] = task
        self._tasks.move_to_end(key)
        while len(self._tasks) > MAX_KEPT:
            self._tasks.popitem(last=False)[1].stop()
        return task

    def get(self, key: Key) -> Task[T] | None:
        """What became of a question, if it was asked."""
        return self._tasks.get(key)

    def is_busy(self, key: Key) -> bool:
        """Whether a question waits for its answer."""
        task = self._tasks.get(key)
        return task is not None and not task.is_over

    def items(self) -> Iterator[tuple[Key, Task[T]]]:
        """All questions and their tasks, the one asked last first."""
        with self._lock:
            return reversed(tuple(self._tasks.items()))

    def stop(self, is_meant: Callable[[Key], bool] = lambda key: True) -> None:
        """Stop the tasks of these questions; what they have found until then is kept."""
        for key, task in self.items():
            if is_meant(key):
                task.stop()


def lower_priority() -> None:
    """Let the page go before this thread; Linux has a priority for each thread, elsewhere nothing is done."""
    if hasattr(os, "setpriority") and hasattr(threading, "get_native_id") and os.uname().sysname == "Linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
