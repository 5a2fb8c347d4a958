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
    from kagiya.lab.table.warm import compile_counts
    from kagiya.lab.table.warm import prune as prune_old

    seconds = run_steps(all_steps([find_agent(name) for name in agent_types()]))
    compiled, loaded = compile_counts()
    out.print(f"compiled {compiled} kernels and loaded {loaded} from disk in {seconds:.1f} s", soft_wrap=True)
    if prune:
        out.print(f"deleted the compiled code of {prune_old()} older versions", soft_wrap=True)
    out.print(f"compiled code lies in {cache_root()}", style="dim", soft_wrap=True)
