"""Compiling ahead: what is still to be compiled for some agents, step by step, so that it can be shown.

Helpers are processes that compile the same steps from the other end; each kernel is compiled by one process alone, and
the others load it. Run as a program, this module is such a helper.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from kagiya._jit import address, can_share_compiling, is_cached, kernels, prune_cache
from kagiya.agents.api import Agent, CompiledAgent, bind
from kagiya.agents.register import find_agent, is_users_own, rebuild_agent
from kagiya.cards import Seat
from kagiya.engine.batch import ACT, OBSERVE
from kagiya.engine.game import Game
from kagiya.lab.pace import position_metrics
from kagiya.lab.table.table import Table
from kagiya.rules import Rules, parse_rules
from kagiya.runtime.child import Child, ChildEndedError, Parent
from kagiya.runtime.timeouts import NoAnswerError
from kagiya.runtime.workers import cores
from kagiya.spec import Spec
from kagiya.view.observation import observe

Step = tuple[str, Any, Callable[[], None]]

MAX_HELPERS = 7
HELPER_SECONDS = 60.0  # to load the last kernels, when all are compiled


@dataclass(frozen=True)
class CompileStep:
    """One thing to compile or to load from disk."""

    label: str
    is_done: bool  # lies on disk already
    run: Callable[[], None]
    kernels: Sequence[Any] = ()  # that it compiles, with all that they call


def kernels_left(steps: Sequence[CompileStep]) -> int:
    """How many kernels these steps need that do not lie on disk, whoever is compiling them."""
    needed, todo = dict[int, Any](), [kernel for step in steps for kernel in step.kernels]
    while todo:
        kernel = todo.pop()
        if id(kernel) not in needed and hasattr(kernel, "kagiya_folder"):
            needed[id(kernel)] = kernel
            todo += _named_in(kernel.py_func, kernel.py_func.__code__)
    return sum(not is_cached(kernel) for kernel in needed.values())


def _named_in(function: Any, code: CodeType) -> Iterator[Any]:
    """What a function may call, by the names in its code; of a module that it names, what has another of the names."""
    names = set(code.co_names)
    for found in (function.__globals__.get(name) for name in names):
        yield from (getattr(found, name, None) for name in names) if isinstance(found, ModuleType) else (found,)
    yield from (cell.cell_contents for cell in function.__closure__ or ())


def compile_steps(agents: Sequence[Agent], for_chunks: bool = False) -> list[CompileStep]:
    """All that games between these agents need: the table itself, then each compiled agent.

    `for_chunks`: only what plays chunks of a match, not a game turn by turn with what a seat sees.
    """
    chosen = _chunk_steps() if for_chunks else [*_chunk_steps(), *_turn_steps()]
    steps = [CompileStep(label, is_cached(last), run, (last,)) for label, last, run in chosen]
    if for_chunks and all(step.is_done for step in steps):
        steps = steps[-1:]  # many games: what is on disk is loaded with them, and Python calls nothing else
    needed = [each for agent in agents for each in (*agent.models, agent)]
    for kind in dict.fromkeys(agent.compiled for agent in needed if agent.is_compiled):
        own = _kernels_of(kind)
        done = all(map(is_cached, own))
        steps.append(CompileStep(kind.info.id, done, partial(_compile_agent, kind), own))
    for agent in dict.fromkeys(agent for agent in agents if agent.is_search and agent.values):
        done = all(map(is_cached, agent.kernels))  # the rules of its tree are compiled when it sits down
        steps.append(CompileStep(agent.text, done, partial(_sit_down, agent), agent.kernels))
    return steps


@contextmanager
def helpers(agents: Sequence[Agent], steps: Sequence[CompileStep], for_chunks: bool = False) -> Iterator[list[Child]]:
    """Processes on the other processors that compile these agents' steps, from other ends, until the block ends."""
    undone = sum(not step.is_done for step in steps)
    count = min(cores() - 1, undone - 1, MAX_HELPERS) if undone and can_share_compiling() else 0
    texts = [agent.text for agent in agents if not any(map(_is_users_own, (agent, *agent.models)))]
    kind = "chunks" if for_chunks else "turns"
    started: list[Child] = []
    try:
        for place in range(count):
            with suppress(OSError):  # no more processes
                started.append(Child(__name__, str(place), str(count), kind, *texts, keep_errors=True))
        yield started
    finally:
        for child in started:
            child.kill()


def compiled_by(helper: Child) -> int:
    """How many kernels a helper has compiled, once it has seen the end of its steps."""
    with suppress(ChildEndedError, NoAnswerError):
        return int(helper.receive(HELPER_SECONDS)["compiled"])
    return 0


def _is_users_own(agent: Agent) -> bool:
    return not agent.is_compiled or is_users_own(agent.compiled)


def main() -> None:
    """Compile from an end of its own, and answer with the number of kernels compiled."""
    parent = Parent()
    place, count, kind, *texts = sys.argv[1:]
    steps = compile_steps([rebuild_agent(text) for text in texts], kind == "chunks")
    undone = [step for step in reversed(steps) if not step.is_done]
    first = int(place) * len(undone) // int(count)
    for step in undone[first:] + undone[:first]:
        step.run()
    parent.answer(compiled=compile_counts()[0])
    parent.finish()


def compile_counts() -> tuple[int, int]:
    """How many kernels this process has compiled so far, and how many it found on disk."""
    stats = [function.stats for function in kernels.values() if hasattr(function, "stats")]
    return sum(sum(each.cache_misses.values()) for each in stats), sum(sum(each.cache_hits.values()) for each in stats)


def prune() -> int:
    """Delete the compiled code of older versions; returns how many folders went."""
    folders = {Path(folder) for f in kernels.values() if (folder := getattr(f, "kagiya_folder", None))}
    return prune_cache(folders)


def _chunk_steps() -> list[Step]:
    """What plays chunks, in parts that take about as long: a label, the kernel compiled last, and what compiles it."""
    return [
        ("the deck", kernels["kagiya.engine.game_kernels.deal_hands"], lambda: _ignore(Game())),
        ("the moves", kernels["kagiya.engine.game_kernels.apply_move"], _compile_moves),
        ("many games", kernels["kagiya.engine.batch.play_games"], lambda: _ignore(_table().play_chunk(0, 1))),
    ]


def _turn_steps() -> list[Step]:
    """The same for what plays a game turn by turn and shows it."""
    return [
        ("one game", kernels["kagiya.lab.table.table.advance"], lambda: _ignore(_table().play_game(0))),
        ("the pace", kernels["kagiya.engine.regret_kernels.pace"], lambda: _ignore(position_metrics(Game()))),
        ("the view", kernels["kagiya.view.view_kernels.hand_chances"], _compile_view),
    ]


def _table() -> Table:
    return Table(Rules(), [find_agent("random")])


def _sit_down(agent: Agent) -> None:
    """Where the search and all that it thinks with can play; where none can, the table of the match will say so."""
    tables = (parse_rules(name, players) for name in ("standard", "bouzy") for players in agent.info.players)
    rules = next((rules for rules in tables if not any(each.why_not(rules) for each in (agent, *agent.models))), None)
    if rules is not None:
        agent.new_workspace(rules, Seat(0), [agent, *[find_agent("random")] * (rules.players - 1)])


def _compile_moves() -> None:
    game = Game()
    game.make(game.legal_moves[0])


def _compile_view() -> None:
    observe(Game(), Seat(0)).mine.playable_chance(0)


def _ignore(result: Any) -> None:
    """For the sake of what it compiled."""


def _default_values(kind: CompiledAgent) -> dict[str, Any]:
    return bind(kind, Spec(kind.info.id)).values


def _kernels_of(kind: CompiledAgent) -> list[Any]:
    parts = kind.hooks.parts(_default_values(kind)) if kind.hooks.parts else []
    return [kind.act, *([kind.observe] if kind.observe else []), *parts]


def _compile_agent(kind: CompiledAgent) -> None:
    kind.parameter_row(_default_values(kind))  # compiles the tactics of a list
    address(kind.act, ACT)
    if kind.observe is not None:
        address(kind.observe, OBSERVE)


if __name__ == "__main__":
    main()
