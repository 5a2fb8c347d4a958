"""A Dask cluster as a pool of workers, which receive each agent's text and compile it themselves.

Workers may come and go. One that has other code, or cannot find an agent, is named and left out; a scheduler that does
not answer is waited for, and not for ever. Each way that connecting can fail has its own sentence, said at once.
"""

from __future__ import annotations

import logging
import pickle
import socket
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from kagiya.lab.match.chunk import ChunkError
from kagiya.runtime.workers import WorkerPool, WorkItem, run_alone

if TYPE_CHECKING:
    from distributed import Client, Security


KNOCK_SECONDS = 5.0
PROTOCOLS = ("tcp", "tls")
PLAIN: dict[str, str] = {}  # no certificates


class ClusterError(RuntimeError):
    """The cluster cannot be used; says why."""


def connect(address: str, seconds: float, tls: Mapping[str, str] = PLAIN) -> Client:
    """A client of the cluster at this address, which waits so long for a scheduler that has stopped answering.

    `tls` names the files of certificates as Dask's `Security` does.
    """
    host, port = read_address(address)
    try:
        socket.create_connection((host, port), KNOCK_SECONDS).close()  # Dask would try for long, whatever the reason
    except OSError as error:
        reason = error.strerror or str(error)
        raise ClusterError(f"there is no Dask scheduler at {address}: {reason}") from None
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError("a cluster needs dask: pip install 'kagiya[cluster]'") from None
    security = secured(address, tls)
    try:
        return Client(address, timeout=seconds, set_as_default=False, security=security)
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterError(f"there is no Dask scheduler at {address}: {error}") from None


def secured(address: str, tls: Mapping[str, str]) -> Security | None:
    """How Dask encrypts what goes to this address: with these files, or with those of its configuration."""
    from distributed import Security

    if not address.startswith("tls://"):
        if tls:
            raise ClusterError(
                f"--tls-ca, --tls-cert and --tls-key are for an address like tls://host:8786, not {address}"
            )
        return None
    security = Security(require_encryption=True, **tls)
    try:
        context = security.get_connection_args("client").get("ssl_context")
    except OSError as error:
        raise ClusterError(
            f"the certificates {', '.join(tls.values())} cannot be used: {error.strerror or error}"
        ) from None
    if context is None:
        raise ClusterError(f"{address} is encrypted: give --tls-ca, --tls-cert and --tls-key")
    return security


def read_address(text: str) -> tuple[str, int]:
    """Host and port of an address like tcp://host:8786."""
    protocol, _, place = text.rpartition("://")
    host, _, port = place.rpartition(":")
    if (protocol and protocol not in PROTOCOLS) or not host or not port.isdecimal() or int(port) > 65535:
        raise ClusterError(
            f"a cluster is named by the address of its Dask scheduler, like tcp://host:8786; not {text!r}"
        )
    return host.strip("[]"), int(port)


RETRIES = 5  # of an item whose worker died
WAIT_SECONDS = 30.0  # for a scheduler that does not answer, or for a worker that can play
LOOK_SECONDS = 1.0  # between two looks at the cluster
ANSWER_SECONDS = 10.0
CLOSE_SECONDS = 2.0
VERSION = "__import__('kagiya').__version__"  # for a worker to evaluate, whatever it has installed

Say = Callable[[str], None]
T = TypeVar("T")


@dataclass(frozen=True)
class Refusal:
    """A worker that cannot do an item, and why."""

    worker: str
    reason: str


def work_there(data: bytes) -> Any | Refusal:
    """What a worker of the cluster does with an item of work."""
    from distributed import get_worker

    worker = str(get_worker().address)
    try:
        item: WorkItem[Any] = pickle.loads(data)
    except Exception as error:  # whatever a user's module may raise
        return Refusal(worker, f"{type(error).__name__}: {error}")
    try:
        return run_alone(item)
    except ChunkError as error:
        return Refusal(worker, str(error))


@dataclass
class _Task:
    """An item on its way: what to send, who waits for it, and where it is now."""

    data: bytes
    future: Future[Any]
    remote: Any = None  # the cluster's own future; None while no worker has it
    allowed: frozenset[str] = frozenset()


class ClusterWorkers(WorkerPool):
    """The workers of a cluster; an item that raises ChunkError at one of them is given to another."""

    min_item_seconds = 0.25

    def __init__(self, address: str, say: Say = lambda text: None, tls: Mapping[str, str] = PLAIN) -> None:
        self.address, self.say = address, say
        self.client: Client = connect(address, WAIT_SECONDS, tls)
        for name in [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]:
            logging.getLogger(name).setLevel(logging.CRITICAL)  # whatever Dask would say is said here
        self.threads: dict[str, int] = {}  # of the workers that can play
        self.left_out: dict[str, str] = {}  # the others, and why
        self.tasks: list[_Task] = []
        self.lock = threading.RLock()
        self.closing, self.answered, self.able_at = threading.Event(), time.monotonic(), time.monotonic()
        self.watcher = threading.Thread(target=self._watch, daemon=True)
        self._look()
        if not self.threads:
            self.close()
            raise ClusterError(f"the cluster at {address} has no workers{self._reasons()}")
        self.watcher.start()

    @property
    def capacity(self) -> int:  # type: ignore[override]
        """Threads of the workers that can play, as of now."""
        return max(sum(self.threads.values()), 1)

    def submit(self, item: WorkItem[T]) -> Future[T]:
        task = _Task(pickle.dumps(item.stamped()), Future())
        with self.lock:
            self.tasks.append(task)
            self._send(task)
        return task.future

    def _send(self, task: _Task) -> None:
        """Give an item to those who can play; without any it waits."""
        task.remote, task.allowed = None, frozenset(self.threads)
        if task.allowed and self.client.status == "running":
            task.remote = self.client.submit(
                work_there, task.data, workers=list(task.allowed), pure=False, retries=RETRIES
            )
            task.remote.add_done_callback(lambda remote: self._take(task, remote))

    def _take(self, task: _Task, remote: Any) -> None:
        """What has become of an item. Called by a thread of Dask's."""
        try:
            answer = remote.result()
        except (Exception, CancelledError) as error:
            answer = error if remote.status == "error" else None
        with self.lock:
            if self.closing.is_set() or task not in self.tasks or task.remote is not remote:
                return
            if isinstance(answer, Refusal):
                self._leave_out(answer.worker, answer.reason)
                self._send(task)
            elif answer is None:  # the connection was lost: `_watch` sends it again
                task.remote = None
            elif isinstance(answer, BaseException):
                self._fail(task, answer)
            else:
                self.tasks.remove(task)
                task.future.set_result(answer)

    def _fail(self, task: _Task, error: BaseException) -> None:
        self.tasks.remove(task)
        task.future.set_exception(error)

    def _watch(self) -> None:
        """Follow the cluster until it is closed or lost."""
        while not self.closing.wait(LOOK_SECONDS):
            with suppress(Exception):  # whatever Dask raises where a connection breaks
                self._look()
            if self.closing.is_set():
                return
            with self.lock:
                for task in list(self.tasks):
                    if task.remote is None or not task.allowed & set(self.threads):
                        self._send(task)
                if problem := self._problem():
                    for task in list(self.tasks):
                        self._fail(task, ClusterError(problem))

    def _look(self) -> None:
        """Who is there now?"""
        scheduler = self.client.scheduler
        if self.client.status != "running" or scheduler is None:
            return
        cores = self.client.sync(scheduler.ncores, callback_timeout=ANSWER_SECONDS)
        self.answered = time.monotonic()
        new = [worker for worker in cores if worker not in self.threads and worker not in self.left_out]
        answers = self._versions(new)
        with self.lock:
            for worker, answer in answers.items():
                if isinstance(answer, Exception):
                    self._leave_out(worker, f"{type(answer).__name__}: {answer}")
            able = {worker for worker in cores if worker in self.threads or worker in answers}
            self.threads = {worker: cores[worker] for worker in able if worker not in self.left_out}
            if self.threads:
                self.able_at = self.answered

    def _versions(self, workers: list[str]) -> dict[str, Any]:
        """What each worker says when it is asked for its Kagiya; an error if it has none. Some may not answer yet."""
        asked = {worker: self.client.submit(eval, VERSION, workers=[worker], pure=False) for worker in workers}
        deadline = time.monotonic() + ANSWER_SECONDS
        answers: dict[str, Any] = {}
        for worker, remote in asked.items():
            try:
                answers[worker] = remote.result(timeout=max(deadline - time.monotonic(), 0.01))
            except TimeoutError:
                continue
            except Exception as error:
                answers[worker] = error
        return answers

    def _leave_out(self, worker: str, reason: str) -> None:
        self.threads.pop(worker, None)
        if worker not in self.left_out:
            self.left_out[worker] = reason
            self.say(f"worker {worker} is left out: {reason}")

    def _problem(self) -> str:
        """Why there is no use in waiting any longer; empty as long as there is."""
        now = time.monotonic()
        if self.client.status == "closed" or now - self.answered > WAIT_SECONDS:
            return f"the Dask scheduler at {self.address} is lost: no answer for {WAIT_SECONDS:g} s"
        if now - self.answered > 3 * LOOK_SECONDS:
            self._warn(f"the Dask scheduler at {self.address} does not answer; waiting {WAIT_SECONDS:g} s for it")
        elif not self.threads and now - self.able_at > WAIT_SECONDS:
            return f"no worker of the cluster at {self.address} could play for {WAIT_SECONDS:g} s{self._reasons()}"
        elif self.left_out and not self.threads:
            return f"no worker of the cluster at {self.address} can play{self._reasons()}"
        else:
            self.warned = False
        return ""

    warned = False

    def _warn(self, text: str) -> None:
        if not self.warned:
            self.say(text)
            self.warned = True

    def _reasons(self) -> str:
        listed = "; ".join(f"{worker}: {reason}" for worker, reason in self.left_out.items())
        return f" ({listed})" if listed else ""

    def stop(self) -> None:
        with self.lock:
            self.closing.set()
            for task in self.tasks:
                task.future.cancel()
            self.tasks.clear()

    def close(self) -> None:
        self.stop()
        with suppress(Exception):  # a lost scheduler cannot be taken leave of
            self.client.close(timeout=CLOSE_SECONDS)
        if self.watcher.is_alive():  # what it holds on to would be reported as leaked when Python ends
            self.watcher.join(CLOSE_SECONDS)
