"""`kagiya warm`: compile everything ahead, so that no later command has to."""

from __future__ import annotations

from typing import Annotated

import typer

from kagiya.cli.compiling import all_steps, run_steps
from kagiya.cli.console import out


def warm(
    prune: Annotated[
        bool, typer.Option("--prune/--no-prune", help="Also delete the compiled code of older versions.")
    ] = True,
) -> None:
    """Compile the table and every agent ahead. Once compiled, code lies on disk until its source changes.

    [bold]Examples[/]
      kagiya warm
      KAGIYA_CACHE_DIR=cache kagiya warm --no-prune
    """
    from kagiya._jit import cache_root
    from kagiya.agents.register import agent_types, find_agent
    from kagiya.lab.table.warm import prune as prune_old

    steps = all_steps([find_agent(name) for name in agent_types()])
    fresh = sum(not step.is_done for step in steps)
    seconds = run_steps(steps)
    out.print(f"compiled {fresh} of {len(steps)} parts in {seconds:.1f} s; the others were ready", soft_wrap=True)
    if prune:
        out.print(f"deleted the compiled code of {prune_old()} older versions", soft_wrap=True)
    out.print(f"compiled code lies in {cache_root()}", style="dim", soft_wrap=True)
