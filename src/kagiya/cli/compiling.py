"""The one door to compiled code: whatever is not on disk yet is compiled here, in sight of the user."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from kagiya.cli.console import err

if TYPE_CHECKING:
    from kagiya.agents.api import Agent
    from kagiya.lab.table.warm import CompileStep

KERNEL_CALLERS = str(Path("kagiya", "lab", "table"))


def make_ready(agents: Sequence[Agent], for_chunks: bool = False) -> None:
    """Load what these agents need; if some of it was never compiled, say so and show how far it is.

    `for_chunks`: to play chunks of a match, and nothing turn by turn.
    """
    from kagiya.runtime.interrupts import explain_crashes

    explain_crashes(users_own(agents), KERNEL_CALLERS)
    steps = all_steps(agents, for_chunks)
    if all(step.is_done for step in steps):
        for step in steps:
            step.run()
    else:
        err.print("compiling, once ...", style="dim")
        run_steps(steps)


def users_own(agents: Sequence[Agent]) -> list[str]:
    """The texts of compiled agents that did not come with Kagiya, models of searches included."""
    from kagiya.agents.register import is_users_own

    found = (each for agent in agents for each in (agent, *agent.models))
    return list(dict.fromkeys(each.text for each in found if each.is_compiled and is_users_own(each.compiled)))


def all_steps(agents: Sequence[Agent], for_chunks: bool = False) -> list[CompileStep]:
    """What to compile or load for games between these agents; nothing when the JIT is off."""
    from kagiya._jit import JIT_OFF
    from kagiya.lab.table.warm import compile_steps

    return [] if JIT_OFF else compile_steps(agents, for_chunks)


def run_steps(steps: Sequence[CompileStep]) -> float:
    """Compile or load, with a bar; returns the seconds it took."""
    started = time.perf_counter()
    counted = TextColumn("{task.completed:.0f}/{task.total:.0f}")
    columns = (SpinnerColumn("line"), BarColumn(24), counted, TimeElapsedColumn())
    with Progress(*columns, TextColumn("{task.description}"), console=err, transient=True) as progress:
        task = progress.add_task("", total=len(steps))
        for step in steps:
            progress.update(task, description=step.label)
            step.run()
            progress.advance(task)
    return time.perf_counter() - started
