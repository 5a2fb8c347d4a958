"""Compiling ahead: what is still to be compiled for some agents, step by step, so that it can be shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kagiya._jit import address, is_cached, kernels, prune_cache
from kagiya.agents._base import Agent, CompiledAgent
from kagiya.agents.register import find_agent
from kagiya.engine import batch_kernels
from kagiya.engine.calls import ACT, OBSERVE
from kagiya.engine.game import Game
from kagiya.lab import table_kernels
from kagiya.lab.table import Table
from kagiya.rules import Rules


@dataclass(frozen=True)
class CompileStep:
    """One thing to compile or to load from disk."""

    label: str
    is_done: bool  # lies on disk already
    run: Callable[[], None]


def compile_steps(agents: Sequence[Agent]) -> list[CompileStep]:
    """All that matches between these agents need: the table itself, then each compiled agent."""
    steps = [CompileStep("the table", _table_is_cached(), _compile_table)]
    for kind in dict.fromkeys(agent.type for agent in agents if isinstance(agent.type, CompiledAgent)):
        done = is_cached(kind.act) and (kind.observe is None or is_cached(kind.observe))
        steps.append(CompileStep(kind.info.id, done, lambda kind=kind: _compile_agent(kind)))  # type: ignore[misc]
    return steps


def prune() -> int:
    """Delete the compiled code of older versions; returns how many folders went."""
    folders = {Path(f.kagiya_folder) for f in kernels.values() if hasattr(f, "kagiya_folder")}
    return prune_cache(folders)


def _table_is_cached() -> bool:
    return is_cached(batch_kernels.play_games) and is_cached(table_kernels.advance)


def _compile_table() -> None:
    table = Table(Rules(), [find_agent("random")])
    table.play_chunk(0, 1)
    table.play_game(0)
    game = Game(Rules())
    game.make(game.legal_moves[0])


def _compile_agent(kind: CompiledAgent) -> None:
    address(kind.act, ACT)
    if kind.observe is not None:
        address(kind.observe, OBSERVE)
