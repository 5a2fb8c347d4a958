"""The other end of a `Child`: questions from stdin, answers to stdout; without a parent the process ends."""

from __future__ import annotations

import json
import os
import pickle
import queue
import sys
import threading
from collections.abc import Iterator
from typing import IO, Any


class Parent:
    """Who asks. What the code that is run here prints goes to stderr, so that it cannot be taken for an answer."""

    def __init__(self) -> None:
        self._answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        self._questions: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=self._read, args=[sys.stdin.buffer], daemon=True).start()

    def questions(self) -> Iterator[Any]:
        """One after the other, for ever: the process ends when the parent does, in the middle of an answer too."""
        while True:
            yield self._questions.get()

    def answer(self, **words: Any) -> None:
        """One line of JSON."""
        self._answers.write(json.dumps(words) + "\n")
        self._answers.flush()

    def _read(self, stream: IO[bytes]) -> None:
        while size := stream.read(4):
            self._questions.put(pickle.loads(stream.read(int.from_bytes(size, "big"))))
        os._exit(0)
