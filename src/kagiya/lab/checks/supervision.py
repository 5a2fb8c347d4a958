"""Check an agent in a process of its own, so that a crash or an endless loop is a finding like any other."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import IO

from kagiya.lab.checks.battery import Size, Step
from kagiya.lab.checks.finding import Finding, Stage
from kagiya.lab.table.watching import patience

SILENCE = 10  # times the patience with one kernel: a stage plays many games
LAST_WORDS = 2000  # characters of the child's complaint that are kept


def check_apart(text: str, size: Size) -> Iterator[Step]:
    """The steps of `check_agent`, made elsewhere; the last finding says if the process did not live to the end."""
    with subprocess.Popen(
        [sys.executable, "-X", "faulthandler", "-m", "kagiya.lab.checks.child", text, str(size.games), str(size.seed)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(["", *sys.path])},
    ) as process:
        try:
            yield from _listen(process)
        finally:
            process.kill()


def _listen(process: subprocess.Popen[str]) -> Iterator[Step]:
    assert process.stdout is not None
    assert process.stderr is not None
    lines, complaints = _lines_of(process.stdout), _lines_of(process.stderr)
    stage = Stage("starts")
    while True:
        try:
            line = lines.get(timeout=SILENCE * patience())
        except queue.Empty:
            reason = f"no answer for {SILENCE * patience():g} s; it may loop for ever (KAGIYA_PATIENCE allows more)"
            yield Finding(stage.check, False, _at(stage, reason))
            return
        if line is None:
            break
        step = _step(line)
        if isinstance(step, Stage):
            stage = step
        yield step
    if process.wait():
        yield Finding(stage.check, False, _at(stage, _end(process.returncode, complaints)))


def _at(stage: Stage, reason: str) -> str:
    return f"{stage.where}: {reason}" if stage.where else reason


def _step(line: str) -> Step:
    data = json.loads(line)
    return Finding(**data["finding"]) if "finding" in data else Stage(**data["stage"])


def _lines_of(stream: IO[str]) -> queue.SimpleQueue[str | None]:
    """The lines of a stream as they come, then None."""
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def read() -> None:
        for line in stream:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    return lines


def _end(code: int, complaints: queue.SimpleQueue[str | None]) -> str:
    """How a process ended that did not come to its end."""
    said = "".join(iter(complaints.get, None))[-LAST_WORDS:]
    if code < 0:
        name = signal.strsignal(-code) or f"signal {-code}"
        return f"it crashed in machine code ({name}), by an index far outside an array or by calling itself for ever"
    last = said.strip().splitlines()[-1:] or ["without a word"]
    return f"the process ended with code {code}: {last[0]}"
