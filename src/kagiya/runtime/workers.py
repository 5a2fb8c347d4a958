"""Who does the work of matches, training and evolution: threads for kernels, a thread or processes for Python.

A Dask cluster is another pool (`lab/match/cluster`). Threads and processes never keep the program alive: a thread that
is stuck in a player's code is left behind, which those of `concurrent.futures` are not. Run as a program, this module
is a worker process, which may hang or crash.
"""

from __future__ import annotations

import base64
import math
import os
import pickle
import queue
import sys
import tempfile
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from kagiya.runtime.child import Child, ChildEndedError, Parent
from kagiya.runtime.interrupts import Cancelled, Stop, StoppedError, cancel_thread, end_with_parent, is_importing
from kagiya.runtime.timeouts import RETRY_SECONDS, Asked, be_watched

T = TypeVar("T")
Call = tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]

ONE_PROCESS_SECONDS = 4.0  # of Python play, before more processes are worth their start
SAY_SECONDS = 10.0  # between two words about an agent that does not answer
STOP_TIMEOUT = 0.4  # seconds that a call has to come to an end, once it is told to, before it is cancelled
_FINISHING: set[int] = set()  # threads whose calls were cancelled, and return what they have


class WorkItem(Generic[T]):
    """Something to be done anywhere: a thread, a process, another machine. All that it depends on is in it."""

    @property
    def is_python(self) -> bool:
        """Whether it holds the interpreter's lock, so that more threads do not help."""
        return False

    @property
    def is_portable(self) -> bool:
        """Whether another process of this machine can do it."""
        return False

    def stamped(self) -> Self:
        """The same for another process or machine, which refuses it if it has other code."""
        return self

    def run(self, stop: Stop) -> T:
        """Do it; once the word to stop is given, end soon."""
        raise NotImplementedError

    def parts(self) -> Iterator[T]:
        """Do it in parts, each of which counts once it is done, whatever happens in the next."""
        yield self.run(Stop())

    def joined(self, parts: Sequence[T], error: Exception | None = None) -> T:
        """What its parts come to, all of them or those before an error or a stop."""
        if error is not None or not parts:
            raise error or StoppedError
        return parts[-1]

    def fault(self, place: Sequence[int], reason: str) -> Exception:
        """The error of whoever was asked there: the game's seed, the seat, the turn."""
        raise NotImplementedError


class WorkerPool(ABC):
    """Does items of work, `capacity` of them at a time; left in an error, it breaks off what is in hand."""

    min_item_seconds = 0.0  # that an item should take at least, for the cost of sending it not to count
    capacity: int

    @abstractmethod
    def submit(self, item: WorkItem[T]) -> Future[T]:
        """Do an item some time soon."""

    @abstractmethod
    def stop(self) -> None:
        """Break off what is in hand, at once; nothing can be done afterwards."""

    @abstractmethod
    def close(self) -> None:
        """There is nothing more to do."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self.stop()
        self.close()


class LocalWorkers(WorkerPool):
    """This machine: kernels release the interpreter's lock, so threads do; Python holds it.

    With `processes`, Python that another process can load runs in processes of their own, from which it can be ended,
    and `say` is told of an agent that thinks for long. A module that plays while it is being imported does everything
    in its own thread.
    """

    def __init__(
        self, workers: int | None = None, processes: bool = False, say: Callable[[str], None] = lambda text: None
    ) -> None:
        self.capacity = workers or cores()
        self.stop_word = Stop()
        is_alone = is_importing()
        self.threads = WorkerThreads(0 if is_alone else self.capacity)
        self.single = WorkerThreads(0 if is_alone else 1)
        self.processes = WorkerProcesses(self.stop_word, say) if processes and not is_alone else None
        self.started: float | None = None

    def submit(self, item: WorkItem[T]) -> Future[T]:
        if self.stop_word.is_set():
            raise StoppedError("these workers were stopped; nothing can be done by them any more")
        if not item.is_python:
            return self.threads.submit(item.run, self.stop_word)
        if self.processes is None or not item.is_portable:
            return self.single.submit(item.run, self.stop_word)
        self.started = self.started or time.monotonic()
        if time.monotonic() - self.started < ONE_PROCESS_SECONDS:
            return self.processes.submit(item)
        self.processes.threads.count = self.capacity
        return self.processes.submit(item.stamped())

    def stop(self) -> None:
        self.stop_word.set()
        for threads in (self.threads, self.single, *([self.processes.threads] if self.processes else [])):
            threads.stop(STOP_TIMEOUT)

    def close(self) -> None:
        for threads in (self.threads, self.single):
            threads.close()
        if self.processes is not None:
            self.processes.close()


class WorkerProcesses:
    """Processes that do items part by part, one for each thread that waits for them; a dead one is replaced."""

    def __init__(self, stop: Stop, say: Callable[[str], None]) -> None:
        self.stop_word, self.say = stop, say
        self.threads = WorkerThreads(1)
        self.children: dict[int, WatchedChild] = {}  # by thread

    def submit(self, item: WorkItem[T]) -> Future[T]:
        """Do an item some time soon."""
        return self.threads.submit(self._do, item)

    def _do(self, item: WorkItem[T]) -> T:
        thread, parts = threading.get_ident(), list[T]()
        child = self.children.get(thread) or self.children.setdefault(thread, WatchedChild())
        try:
            child.begin(item)
            while (part := child.next_part(item, self.stop_word, self.say)) is not None:
                parts.append(part)
        except StoppedError:
            return item.joined(parts)
        except ChildEndedError as error:
            self.children.pop(thread).kill()
            return item.joined(parts, child.fault(item, error))
        return item.joined(parts)

    def close(self) -> None:
        """There is nothing more to do."""
        self.threads.close()
        for child in list(self.children.values()):
            child.kill()


class WatchedChild:
    """A worker process, and whom it asks."""

    def __init__(self) -> None:
        number, self._path = tempfile.mkstemp(prefix="kagiya-")
        with open(number, "wb") as file:
            file.write(bytes(8 * Asked.WORDS))
        self._asked, self._child = Asked(self._path), Child(__name__, self._path)
        self._seen, self._since, self._said = self._asked.read(), 0.0, 0.0

    def begin(self, item: WorkItem[Any]) -> None:
        """Hand it an item."""
        self._child.send(pickle.dumps(item))

    def next_part(self, item: WorkItem[T], stop: Stop, say: Callable[[str], None]) -> T | None:
        """What it has done next; None if that is all. It is told when somebody who is asked does not answer."""

        def look() -> bool:
            self._look(item, say)
            return not stop.is_set()

        answer = {
            key: pickle.loads(base64.b64decode(text)) for key, text in self._child.receive(math.inf, look).items()
        }
        if "error" in answer:
            raise answer["error"]
        return answer.get("part")

    def _look(self, item: WorkItem[Any], say: Callable[[str], None]) -> None:
        now, asked = time.monotonic(), self._asked.read()
        if asked != self._seen:
            self._seen, self._since, self._said = asked, now, now
        elif asked[0] % 2 and now - self._said >= SAY_SECONDS:
            self._said = now
            say(str(item.fault(asked[1:], f"no answer for {now - self._since:.0f} s")))

    def fault(self, item: WorkItem[Any], error: ChildEndedError) -> Exception:
        """Who is to blame for its end: the seat that was asked, if one was."""
        asked = self._asked.read()
        if asked[0] % 2:
            return item.fault(asked[1:], str(error))
        return ChildEndedError(f"a worker could not go on, perhaps for want of memory: {error}", error.code)

    def kill(self) -> None:
        """End it."""
        self._child.kill()
        with suppress(OSError):  # usually it has deleted it
            os.unlink(self._path)


def main() -> None:
    """In such a process: do items, and write down who is asked."""
    parent = Parent()
    end_with_parent()
    be_watched(sys.argv[1])
    with suppress(OSError):  # Windows keeps it as long as the parent does
        os.unlink(sys.argv[1])
    for question in parent.questions():
        try:
            for part in pickle.loads(question).parts():
                parent.answer(part=_as_text(part))
            parent.answer()
        except (Exception, SystemExit) as error:
            parent.answer(error=_as_text(error))


def _as_text(thing: Any) -> str:
    return base64.b64encode(pickle.dumps(thing)).decode()


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_alone(item: WorkItem[T]) -> T:
    """Do an item where there is no word to stop: to stop it, end the process."""
    return item.run(Stop())


class ThreadCache(threading.local, Generic[T]):
    """Each thread keeps what it made last, such as a table, as long as the same is wanted."""

    key: object = None
    value: T | None = None

    def get(self, key: object, make: Callable[[], T], is_usable: Callable[[T], bool] = lambda value: True) -> T:
        """What was made for this key, or a new one."""
        if self.value is None or self.key != key or not is_usable(self.value):
            self.value, self.key = make(), key
        return self.value


class WorkerThreads:
    """A few threads and a queue of calls; without any thread, a call is made at once where it is submitted."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.calls: queue.SimpleQueue[Call | None] = queue.SimpleQueue()
        self.threads: list[threading.Thread] = []
        self.busy: dict[int, Future[Any]] = {}  # by thread

    def submit(self, call: Callable[..., T], *words: Any) -> Future[T]:
        """Make a call some time soon."""
        future: Future[T] = Future()
        if not self.count:
            self._make(future, call, words)
            return future
        self.calls.put((future, call, words))
        if len(self.threads) < self.count:
            thread = threading.Thread(target=self._work, daemon=True)
            self.threads.append(thread)
            thread.start()
        return future

    def _work(self) -> None:
        with suppress(Cancelled):  # which comes too late for a call that has just ended
            while call := self.calls.get():
                self._make(*call)

    def _make(self, future: Future[Any], call: Callable[..., Any], words: tuple[Any, ...]) -> None:
        if not future.set_running_or_notify_cancel():
            return
        _FINISHING.discard(threading.get_ident())
        self.busy[threading.get_ident()] = future
        try:
            future.set_result(call(*words))
        except BaseException as error:
            if not future.done():
                future.set_exception(error)
            if not self.count and not isinstance(error, Exception):  # Ctrl-C is for the caller
                raise
        finally:
            self.busy.pop(threading.get_ident(), None)

    def stop(self, seconds: float) -> None:
        """Make no more calls; wait that long for those being made, then cancel them."""
        while not self.calls.empty():
            if call := self.calls.get():
                call[0].cancel()
        self.close()
        wait(list(self.busy.values()), timeout=seconds)
        self.cancel(seconds)

    def cancel(self, seconds: float) -> None:
        """Interrupt the calls being made, again and again: a finalizer or a player may swallow an error."""
        end = time.monotonic() + seconds
        while calls := {thread: future for thread, future in list(self.busy.items()) if not future.done()}:
            for thread in set(calls) - _FINISHING:
                cancel_thread(thread)
            wait(calls.values(), timeout=min(RETRY_SECONDS, seconds))
            if time.monotonic() >= end:
                return

    def close(self) -> None:
        """Let the threads end when they have made all calls."""
        for _ in self.threads:
            self.calls.put(None)


def finish_call() -> None:
    """Said by a call that has caught Cancelled and is about to return what it has: it is not interrupted again."""
    _FINISHING.add(threading.get_ident())


if __name__ == "__main__":
    main()
