"""A process that the server starts: lines of JSON come back, and whoever waits for one can be told to give up."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import IO, Any

from kagiya.runtime.jobs import NotWantedError
from kagiya.web.views import RefusedError

INHERITED: Mapping[str, str] = {}  # what a child's environment has besides the server's own: nothing
LOOK = 0.02  # seconds between two looks at whether the answer is still wanted
LONGEST_STEP = 600.0  # seconds of the compiler; the longest take about 20 on an idle machine


class ChildEndedError(Exception):
    """The process ended without an answer; says how."""


class NoAnswerError(Exception):
    """The process did not answer in time, and was killed."""


class Child:
    """One process, ``python -m module words``. It does not hear the terminal's Ctrl-C and ends with its parent."""

    def __init__(self, module: str, *words: str, environment: Mapping[str, str] = INHERITED) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(["", *sys.path]), **environment},
            start_new_session=True,
        )
        assert self._process.stdout is not None
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=_read, args=(self._process.stdout, self._lines), daemon=True).start()

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def say(self, words: bytes) -> None:
        """Send a question, with its length in front."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(len(words).to_bytes(4, "big") + words)
            self._process.stdin.flush()
        except OSError:
            raise ChildEndedError(self._end()) from None

    def hear(self, seconds: float, is_wanted: Callable[[], bool] = lambda: True) -> dict[str, Any]:
        """The next answer; if it takes longer, or is not wanted any more, the process is killed."""
        end = time.monotonic() + seconds
        while True:
            with suppress(queue.Empty):
                line = self._lines.get(timeout=LOOK)
                break
            if not is_wanted():
                self.kill()
                raise NotWantedError
            if time.monotonic() > end:
                self.kill()
                raise NoAnswerError
        if not line:
            raise ChildEndedError(self._end())
        answer: dict[str, Any] = json.loads(line)
        return answer

    def kill(self) -> None:
        """End it, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()

    def _end(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        code = self._process.poll()
        self.kill()
        return (
            f"its process was ended by signal {-code}" if code and code < 0 else f"its process ended with code {code}"
        )


@contextmanager
def compiler(module: str, *words: str) -> Iterator[Child]:
    """A process that compiles, until the block ends; what becomes of it otherwise is refused in a sentence."""
    child = Child(module, *words)
    try:
        yield child
    except NoAnswerError:
        raise RefusedError(f"The compiler has not come further for {LONGEST_STEP:g} s and was stopped.") from None
    except ChildEndedError as error:
        raise RefusedError(f"The compiler crashed: {error}.") from None
    finally:
        child.kill()


def _read(stream: IO[bytes], lines: queue.SimpleQueue[bytes]) -> None:
    with stream:
        for line in stream:
            lines.put(line)
    lines.put(b"")
