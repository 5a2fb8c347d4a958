"""Which code an agent is: a stored game counts only for the agent that played it, not for its later edits."""

from __future__ import annotations

import hashlib
import inspect
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

from kagiya._jit.imports import import_closure
from kagiya.agents._base import Agent, CompiledAgent
from kagiya.engine import batch_kernels
from kagiya.lab.table import table_kernels

LENGTH = 12


def code_version(agents: Sequence[Agent]) -> str:
    """A hash over the code of these agents and of the table, whatever it imports included.

    Comments, docstrings and layout do not count: it is made from Python's byte code. A list of tactics counts by its
    text, which an agent has as its reasons.
    """
    files = {file for module in (batch_kernels, table_kernels) for file in import_closure(str(module.__file__))}
    digest = hashlib.sha256()
    for agent in agents:
        files.update(agent_files(agent))
        digest.update(repr([(part.text, part.reasons) for part in (agent, *agent.models)]).encode())
    for version in sorted(file_version(file) for file in files):
        digest.update(version.encode())
    return digest.hexdigest()[:LENGTH]


def agent_files(agent: Agent) -> list[str]:
    """The source files that an agent is made from, as far as they can be found."""
    kind = agent.type
    # What makes a search's workspace is where its settings and the rules of its tree stand.
    things: list[Any] = [kind.act, kind.observe, kind.workspace] if isinstance(kind, CompiledAgent) else [kind.make]
    things += [module for module in (inspect.getmodule(value) for value in agent.values.values()) if module]
    paths = [path for thing in things if (path := source_file(thing))]
    files = [file for path in [*paths, *tactic_files(agent)] for file in import_closure(path)]
    return files + [file for model in agent.models for file in agent_files(model)]


def tactic_files(agent: Agent) -> list[str]:
    """The tactics' files, for agents that take them by address: no import leads there."""
    from kagiya.agents import tactics

    home = Path(tactics.__path__[0])
    is_list = isinstance(agent.type, CompiledAgent) and agent.type.row is not None
    return [str(file) for file in sorted(home.glob("*.py"))] if is_list else []


def source_file(thing: Any) -> str | None:
    """Where a function, class or object was written; None for what was typed at a prompt."""
    plain = getattr(thing, "py_func", thing)
    try:
        path = inspect.getsourcefile(plain if callable(plain) or inspect.ismodule(plain) else type(plain))
    except TypeError:
        return None
    return path if path and os.path.exists(path) else None


@cache
def file_version(file: str) -> str:
    """A hash of what a file compiles to."""
    code = compile(Path(file).read_bytes(), "", "exec", optimize=2, dont_inherit=True)
    return hashlib.sha256(repr(_essence(code)).encode()).hexdigest()


def _essence(value: Any) -> Any:
    """A code object without its places in the file; in sets, which have no order, sorted."""
    if isinstance(value, CodeType):
        names = (value.co_name, value.co_names, value.co_varnames, value.co_freevars, value.co_flags)
        return value.co_code, names, [_essence(constant) for constant in value.co_consts]
    return sorted(map(repr, value)) if isinstance(value, frozenset) else value
