"""Processes that tests start. None outlives its test, and none can take the machine's memory or run for ever."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).parents[1]
LONGEST = 900  # seconds until a child that hangs is killed: no test needs nearly as much, on a busy machine either
PIPE = subprocess.PIPE
INHERITED: Mapping[str, str] = {}  # what a child's environment has besides the tests' own: nothing

# What every child does first. A shell that starts us in the background has told us to ignore Ctrl-C, and the command
# under test must not. Linux kills the child when the tests die; processor time and memory have an end everywhere.
PRELUDE = """
import ctypes, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
try:
    import resource
    resource.setrlimit(resource.RLIMIT_CPU, (600, 600))
    resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30))
except (ImportError, ValueError):
    pass
"""


@dataclass
class _Child:
    process: subprocess.Popen[str]
    alarm: threading.Timer


_children: list[_Child] = []


def start_child(
    words: Sequence[str], folder: Path = PROJECT, environment: Mapping[str, str] = INHERITED
) -> subprocess.Popen[str]:
    """A process with pipes at all three ends, in a group of its own; it is killed when its test ends."""
    process = subprocess.Popen(
        list(words),
        cwd=folder,
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        text=True,
        env={**os.environ, **environment},
        start_new_session=True,
    )
    alarm = threading.Timer(LONGEST, _kill, [process])
    alarm.daemon = True
    alarm.start()
    _children.append(_Child(process, alarm))
    return process


def start_python(
    code: str, *words: str, folder: Path = PROJECT, environment: Mapping[str, str] = INHERITED
) -> subprocess.Popen[str]:
    """Python code in a process of its own, within the limits of PRELUDE."""
    return start_child([sys.executable, "-c", PRELUDE + code, *words], folder, environment)


def end_children() -> None:
    """Kill whatever is still running, the children's children too; called after every test."""
    while _children:
        child = _children.pop()
        child.alarm.cancel()
        _kill(child.process)
        for stream in (child.process.stdin, child.process.stdout, child.process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        child.process.wait()


def _kill(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def read_until(process: subprocess.Popen[str], word: str) -> None:
    """Wait for a line on the child's stderr that holds the word; fails if the child ends without it."""
    assert process.stderr is not None
    lines: list[str] = []
    while word not in (line := process.stderr.readline()):
        lines.append(line)
        assert line, f"the child ended ({process.wait()}) without saying {word!r}: {''.join(lines)}"


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Wait for the end of a child: its return code, and what it wrote to stdout and stderr."""
    output, errors = process.communicate()
    return process.returncode, output, errors


def run_python(code: str, *words: str, folder: Path = PROJECT, environment: Mapping[str, str] = INHERITED) -> str:
    """What Python code prints in a process of its own, which must succeed."""
    returned, output, errors = finish(start_python(code, *words, folder=folder, environment=environment))
    assert returned == 0, errors
    return output
