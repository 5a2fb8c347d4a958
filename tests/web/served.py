"""`kagiya serve` as a process of its own, with a data folder of its own; it can be killed and started again."""

import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from tests.children import LONGEST, PRELUDE, PROJECT
from tests.cli.command import MAIN

PATIENCE = LONGEST  # until a server that says nothing is given up; with an empty cache it compiles first
READY = re.compile(r"Kagiya is at http://127\.0\.0\.1:(\d+)/ until Ctrl-C")


class Served:
    """One server. After `kill` and `start` it has the port it had before, as a restarted server would."""

    def __init__(self, folder: Path, *options: str, environment: Mapping[str, str] | None = None) -> None:
        self._options = options
        self._environment = {
            **os.environ,
            "KAGIYA_STORE": "",
            "XDG_DATA_HOME": str(folder),
            "PYTHONPATH": os.pathsep.join((str(PROJECT / "src"), str(PROJECT))),
            **(environment or {}),
        }
        self.port = 0
        self.start()

    @property
    def address(self) -> str:
        """Without a slash at its end."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Begin to serve; returns when it can be spoken to."""
        words = ("serve", "--port", str(self.port), "--no-browser", *self._options)
        self.process = subprocess.Popen(
            [sys.executable, "-c", PRELUDE + MAIN, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=self._environment,
            start_new_session=True,
        )
        self.lines: queue.Queue[str] = queue.Queue()  # what it wrote
        threading.Thread(target=_read, args=[self.process, self.lines], daemon=True).start()
        self.port = int(self._wait_for(READY)[1])
        self._wait_until_compiled()

    def kill(self) -> None:
        """As a power cut would."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self._end()

    def interrupt(self) -> int:
        """Ctrl-C; what the command returned."""
        self.process.send_signal(signal.SIGINT)
        self._end()
        return self.process.returncode

    def said(self) -> str:
        """All that it wrote since it was last asked."""
        lines = []
        with suppress(queue.Empty):
            while True:
                lines.append(self.lines.get_nowait())
        return "".join(lines)

    def _wait_until_compiled(self) -> None:
        """On a machine that never compiled anything the pages are not there yet."""
        while True:
            with urllib.request.urlopen(f"{self.address}/json/review", timeout=PATIENCE) as answer:
                if b'"getting_ready"' not in answer.read():
                    return
            time.sleep(0.2)

    def _end(self) -> None:
        self.process.wait(PATIENCE)

    def _wait_for(self, pattern: re.Pattern[str]) -> re.Match[str]:
        lines = []
        while line := self.lines.get(timeout=PATIENCE):
            if found := pattern.search(line):
                return found
            lines.append(line)
        raise AssertionError(f"the server ended ({self.process.wait(PATIENCE)}): {''.join(lines)}")


def _read(process: subprocess.Popen[str], lines: queue.Queue[str]) -> None:
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            lines.put(line)
    lines.put("")
