"""Questions to the store: opened, read and closed for each by a thread; answers are kept until the store changes."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

from kagiya.lab.store.journal import Journal, MissingStoreError, StoreError, UnreadableStoreError
from kagiya.lab.store.opening import StoreFolder, default_store
from kagiya.lab.store.store import Store
from kagiya.runtime.jobs import STORE, JobQueue, Remembered, Task
from kagiya.web.views import RefusedError

T = TypeVar("T")
log = logging.getLogger("kagiya.web")


@dataclass(frozen=True)
class Kept:
    """What was read from the store as it stood at a stamp."""

    stamp: object
    value: Any


class Question(ABC, Generic[T]):
    """Something to find out; questions that are equal have the same answer while the store stays as it is."""

    @abstractmethod
    def answer(self, store: Store) -> T:
        """Read it from an open store."""


class StoreReader:
    """One server's way to its store. No page holds the store open, and nothing here can write to it."""

    def __init__(self, path: Path | None, jobs: JobQueue) -> None:
        self.path = default_store() if path is None else path
        self._asked: Remembered[Question[Any], Kept] = Remembered(jobs)

    def ask(self, question: Question[T], visitor: str) -> Answer[T]:
        """Have a question answered; one that is being answered already is not asked twice."""
        before = self._asked.get(question)
        work = partial(self._read, question, None if before is None else before.result)
        return Answer(self._asked.ask_again(question, visitor, work, STORE))

    def _read(self, question: Question[Any], kept: Kept | None, task: Task[Kept]) -> Kept:
        stamp = newest_entry(self.path)
        if kept is not None and kept.stamp == stamp and stamp is not None:
            return kept
        try:
            return Kept(stamp, self._read_once(question, task))
        except UnreadableStoreError:  # perhaps files were merged in between, and the old ones deleted
            return Kept(stamp, self._read_once(question, task))

    def _read_once(self, question: Question[T], task: Task[Kept]) -> T:
        with Store.read(self.path) as store:
            task.on_stop = store.connection.interrupt
            try:
                return question.answer(store)
            finally:
                task.on_stop = None


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

    def __init__(self, task: Task[Kept]) -> None:
        self._task = task

    @property
    def is_there(self) -> bool:
        return self._task.is_over

    @property
    def problem(self) -> str | None:
        """Why there is no value, for people."""
        error = self._task.error
        if error is None:
            return "The store was not read; ask again." if self._task.has_no_result else None
        if isinstance(error, StoreError | RefusedError):
            return sentence(str(error))
        log.error("a question to the store could not be answered", exc_info=error)
        return f"Something went wrong inside Kagiya ({type(error).__name__}); the store is as it was."

    @property
    def is_store_missing(self) -> bool:
        """Whether there is no answer because there is no store yet."""
        return isinstance(self._task.error, MissingStoreError)

    @property
    def value(self) -> T:
        assert self._task.result is not None
        value: T = self._task.result.value
        return value

    def when_there(self, announce: Callable[[], None]) -> None:
        """Call `announce` when the answer is there, from any thread."""
        self._task.over.add_done_callback(lambda _: announce())

    async def wait(self, patience: float) -> None:
        """Until it is there, or `patience` seconds at most."""
        await asyncio.wait([asyncio.wrap_future(self._task.over)], timeout=patience)


def sentence(text: str) -> str:
    """The words of an error as a sentence; a path at the beginning stays as it is."""
    begun = text if text.startswith(("/", "~", ".")) else text[:1].upper() + text[1:]
    return begun if begun.endswith(".") else f"{begun}."
