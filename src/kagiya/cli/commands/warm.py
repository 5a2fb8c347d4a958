"""`kagiya warm`: compile everything ahead, so that no later command has to; `kagiya dev prune`: delete old code."""

from __future__ import annotations

from kagiya.cli.compiling import all_steps, run_steps
from kagiya.cli.console import out


def warm() -> None:
    """Compile the table and every agent ahead. Once compiled, code lies on disk until its source changes.

    [bold]Examples[/]
      kagiya warm
      KAGIYA_CACHE_DIR=cache kagiya warm
    """
    from kagiya._jit import cache_root
    from kagiya.agents.register import agent_types, find_agent
    from kagiya.lab.table.warm import compile_counts

    seconds = run_steps(all_steps([find_agent(name) for name in agent_types()]))
    compiled, loaded = compile_counts()
    out.print(f"compiled {compiled} kernels and loaded {loaded} from disk in {seconds:.1f} s", soft_wrap=True)
    out.print(f"compiled code lies in {cache_root()}", style="dim", soft_wrap=True)


def prune() -> None:
    """Delete the compiled code of older versions of the source, which `warm` and every command leave behind.

    [bold]Examples[/]
      KAGIYA_CACHE_DIR=cache kagiya dev prune
    """
    from kagiya._jit import cache_root
    from kagiya.agents.register import agent_types, find_agent
    from kagiya.lab.table.warm import prune as prune_old

    all_steps([find_agent(name) for name in agent_types()])  # to know every module that has compiled code
    out.print(f"deleted the compiled code of {prune_old()} older versions in {cache_root()}", soft_wrap=True)
