"""Questions to the store: opened, read and closed for each by a thread; answers are kept until the store changes."""

from __future__ import annotations

import asyncio
import logging
import threading
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Generic, TypeVar

from kagiya.lab.store.journal import Journal, MissingStoreError, StoreError, UnreadableStoreError
from kagiya.lab.store.opening import StoreFolder, default_store
from kagiya.lab.store.store import Store
from kagiya.web.thinking import lower_priority
from kagiya.web.views import RefusedError

T = TypeVar("T")
log = logging.getLogger("kagiya.web")

THREADS = 2
MOST_WAITING = 40
MOST_KEPT = 64


class Question(ABC, Generic[T]):
    """Something to find out; questions that are equal have the same answer while the store stays as it is."""

    @abstractmethod
    def answer(self, store: Store) -> T:
        """Read it from an open store."""


class StoreReader:
    """One server's way to its store. No page holds the store open, and nothing here can write to it."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = default_store() if path is None else path
        self._pool = ThreadPoolExecutor(THREADS, "reading", initializer=lower_priority)
        self._kept: OrderedDict[Hashable, tuple[object, Any]] = OrderedDict()
        self._asked: dict[Hashable, Future[Any]] = {}
        self._open: set[Store] = set()
        self._lock = threading.Lock()

    def ask(self, question: Question[T]) -> Future[T]:
        """Have a question answered; one that is being answered already is not asked twice."""
        with self._lock:
            waiting = self._asked.get(question)
            if waiting is not None:
                return waiting
            if len(self._asked) >= MOST_WAITING:
                raise RefusedError(f"{MOST_WAITING} questions to the store are waiting already; ask again in a moment.")
            future = self._pool.submit(self._read, question)
            self._asked[question] = future
        future.add_done_callback(lambda _: self._asked.pop(question, None))
        return future

    def close(self) -> None:
        """Answer nothing more; what is being read is given up."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for store in tuple(self._open):
            store.connection.interrupt()

    def _read(self, question: Question[T]) -> T:
        stamp = newest_entry(self.path)
        with self._lock:
            kept = self._kept.get(question)
            if kept is not None and kept[0] == stamp and stamp is not None:
                self._kept.move_to_end(question)
                answer: T = kept[1]
                return answer
        answer = self._read_anew(question)
        with self._lock:
            self._kept[question] = (stamp, answer)
            self._kept.move_to_end(question)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return answer

    def _read_anew(self, question: Question[T]) -> T:
        try:
            return self._read_once(question)
        except UnreadableStoreError:  # perhaps files were merged in between, and the old ones deleted
            return self._read_once(question)

    def _read_once(self, question: Question[T]) -> T:
        with Store.read(self.path) as store:
            self._open.add(store)
            try:
                return question.answer(store)
            finally:
                self._open.discard(store)


def newest_entry(path: Path) -> object:
    """What changes whenever something is stored: the newest entry of the journal. None where there is no journal."""
    journal = Journal(StoreFolder(path).journal)
    try:
        number = journal.last()
        return number, journal.path(number).stat().st_mtime_ns
    except (OSError, ValueError):
        return None


class Answer(Generic[T]):
    """An answer that may not be there yet: the value, or the sentence that says why there is none."""

    def __init__(self, future: Future[T]) -> None:
        self._future = future

    @property
    def is_there(self) -> bool:
        return self._future.done()

    @property
    def problem(self) -> str | None:
        """Why there is no value, for people."""
        error = self._future.exception() if self._future.done() and not self._future.cancelled() else None
        if error is None or isinstance(error, StoreError | RefusedError):
            return None if error is None else sentence(str(error))
        log.error("a question to the store could not be answered", exc_info=error)
        return f"Something went wrong inside Kagiya ({type(error).__name__}); the store is as it was."

    @property
    def is_store_missing(self) -> bool:
        """Whether there is no answer because there is no store yet."""
        return self.problem is not None and isinstance(self._future.exception(), MissingStoreError)

    @property
    def value(self) -> T:
        return self._future.result(0)

    def when_there(self, tell: Callable[[], None]) -> None:
        """Call `tell` when the answer is there, from any thread."""
        self._future.add_done_callback(lambda _: tell())

    async def wait(self, patience: float) -> None:
        """Until it is there, or `patience` seconds at most."""
        waiting = asyncio.wrap_future(self._future)
        waiting.add_done_callback(lambda done: done.cancelled() or done.exception())  # it is asked for later
        await asyncio.wait([waiting], timeout=patience)


def sentence(text: str) -> str:
    """The words of an error as a sentence; a path at the beginning stays as it is."""
    begun = text if text.startswith(("/", "~", ".")) else text[:1].upper() + text[1:]
    return begun if begun.endswith(".") else f"{begun}."
