"""A process that answers in lines of JSON: it may hang or crash, and its parent says so and goes on.

`Child` is the parent's end, `Parent` the child's. A child does not hear the terminal's Ctrl-C and ends with its parent,
and with a child end the children that it has started.
"""

from __future__ import annotations

import json
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import IO, Any

from kagiya.runtime.interrupts import StoppedError
from kagiya.runtime.timeouts import NoAnswerError

INHERITED: Mapping[str, str] = {}  # what a child's environment has besides its parent's: nothing
POLL_SECONDS = 0.02  # between two looks at whether the answer is still wanted


class ChildEndedError(Exception):
    """A process ended without an answer; says how."""

    def __init__(self, reason: str, code: int | None = None, complaint: str = "") -> None:
        self.code, self.complaint = code, complaint  # the exit code, and what it wrote to stderr if that is kept
        super().__init__(reason)


class Child:
    """One process, ``python -m module words``; with `keep_errors`, what it writes to stderr is kept, not shown."""

    def __init__(
        self, module: str, *words: str, environment: Mapping[str, str] = INHERITED, keep_errors: bool = False
    ) -> None:
        self._has_group = not Parent.is_here and hasattr(os, "killpg")
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", module, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if keep_errors else None,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(_search_path()), **environment},
            start_new_session=self._has_group,
        )
        assert self._process.stdout is not None
        self._lines = _lines_of(self._process.stdout)
        self._errors = None if self._process.stderr is None else _lines_of(self._process.stderr)

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def send(self, question: Any) -> None:
        """Send a question: any object that the child can read."""
        words = pickle.dumps(question)
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(len(words).to_bytes(4, "big") + words)
            self._process.stdin.flush()
        except OSError:
            raise self._end() from None

    def receive(self, seconds: float, is_wanted: Callable[[], bool] = lambda: True) -> dict[str, Any]:
        """The next answer; if it takes longer, or is not wanted any more, the process is killed."""
        end = time.monotonic() + seconds
        while True:
            with suppress(queue.Empty):
                line = self._lines.get(timeout=POLL_SECONDS)
                break
            if not is_wanted():
                self.kill()
                raise StoppedError
            if time.monotonic() > end:
                self.kill()
                raise NoAnswerError
        if not line:
            raise self._end()
        answer: dict[str, Any] = json.loads(line)
        return answer

    def kill(self) -> None:
        """End it, whatever it is doing."""
        if self._has_group:
            with suppress(OSError):  # nobody is left
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()

    def _end(self) -> ChildEndedError:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        code = self._process.poll()
        self.kill()
        name = signal.strsignal(-code) if code and code < 0 else None
        how = f"was ended by a signal ({name or code})" if code and code < 0 else f"ended with code {code}"
        errors = b"" if self._errors is None else b"".join(iter(self._errors.get, b""))
        return ChildEndedError(f"its process {how}", code, errors.decode(errors="replace"))


def _search_path() -> list[str]:
    """Ours, with Python's own modules first: the parent has loaded them already, whatever lies beside an agent."""
    library = os.path.dirname(os.__file__)
    own = library, os.path.join(library, "lib-dynload")
    return [*sorted(filter(None, sys.path), key=lambda place: place not in own), *({""} & set(sys.path))]


def _lines_of(stream: IO[bytes]) -> queue.SimpleQueue[bytes]:
    """The lines of a stream as they come, then an empty one."""
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def read() -> None:
        with stream:
            for line in stream:
                lines.put(line)
        lines.put(b"")

    threading.Thread(target=read, daemon=True).start()
    return lines


class Parent:
    """Who asks. What the code that is run here prints goes to stderr, not among the answers; stdin is closed to it."""

    is_here = False

    def __init__(self) -> None:
        Parent.is_here = True
        self._answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        questions = os.fdopen(os.dup(0), "rb")
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        self._questions: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=self._read, args=[questions], daemon=True).start()

    def questions(self) -> Iterator[Any]:
        """One after the other, for ever: the process ends when the parent does, in the middle of an answer too."""
        while True:
            yield self._questions.get()

    def answer(self, **words: Any) -> None:
        """One line of JSON."""
        self._answers.write(json.dumps(words) + "\n")
        self._answers.flush()

    def finish(self) -> None:
        """End the process; taken apart the usual way, the thread that reads stdin would abort it."""
        self._answers.close()
        os._exit(0)

    def _read(self, stream: IO[bytes]) -> None:
        while size := stream.read(4):
            self._questions.put(pickle.loads(stream.read(int.from_bytes(size, "big"))))
        if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os._exit(0)
