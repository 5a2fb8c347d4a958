"""A crash in a user's machine code ends with a sentence: another process waits for it, since this one has no time left.

Python's faulthandler writes down a crash as it happens, but neither in words for people nor when a thread has used up
its stack. The process that waits says something if this one ends without having said goodbye.
"""

from __future__ import annotations

import atexit
import faulthandler
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from kagiya.cli.stuck import listen_for_interrupts

if TYPE_CHECKING:
    from kagiya.agents.api import Agent

GOODBYE = b"goodbye\n"
WAIT = f"""
import sys
report = sys.stdin.buffer.read()
if not report.endswith({GOODBYE!r}):
    head = report.partition(b"Fatal Python error: ")[2].partition(b"\\n")[0].decode("ascii", "replace")
    sys.stderr.write(sys.argv[1].replace("CAUSE", head or "no more stack, or killed from outside"))
"""


class _Watch:
    """The process that waits; one is enough."""

    process: subprocess.Popen[bytes] | None = None
    line: int = -1  # the descriptor that it listens to


def watch_for_crashes(agents: Sequence[Agent]) -> None:
    """Of a user's own compiled agents, see to it that a crash is explained and an endless loop can be ended."""
    names = users_own(agents)
    if not names or _Watch.process is not None or faulthandler.is_enabled():
        return
    text = (
        f"kagiya: crashed in machine code (CAUSE) while {', '.join(names)} played, probably by an index outside an "
        f"array or by a kernel that calls itself for ever; `kagiya check {names[0]}` finds out\n"
    )
    words = [sys.executable, "-I", "-S", "-c", WAIT, text]
    _Watch.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True)
    assert _Watch.process.stdin is not None
    _Watch.line = _Watch.process.stdin.fileno()
    faulthandler.enable(_Watch.process.stdin, all_threads=False)
    atexit.register(say_goodbye)
    if threading.current_thread() is threading.main_thread():
        listen_for_interrupts(names, say_goodbye)


def say_goodbye() -> None:
    """This process is about to end as it should; for those that end without ceremony, too."""
    if _Watch.process is not None:
        faulthandler.disable()
        with suppress(OSError):  # if the process that waits was killed
            os.write(_Watch.line, GOODBYE)


def users_own(agents: Sequence[Agent]) -> list[str]:
    """The texts of compiled agents that did not come with Kagiya, models of searches included."""
    from kagiya.agents.register import is_users_own

    found = (each for agent in agents for each in (agent, *agent.models))
    return list(dict.fromkeys(each.text for each in found if each.is_compiled and is_users_own(each.compiled)))
