"""Which code an agent is: a stored game counts only for the agent that played it, not for its later edits."""

from __future__ import annotations

import hashlib
import inspect
import os
import re
import secrets
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from kagiya._jit.imports import import_closure
from kagiya.agents.api import Agent, CompiledAgent, SearchAgent
from kagiya.engine import batch_kernels
from kagiya.lab.provenance.syntax import syntax_hash
from kagiya.lab.table import table_kernels

LENGTH = 12
NOT_CODE = re.compile(rb"\.pyc,|\.dist-info/|^\.\./")  # in the record of an installed package


def code_version(agents: Sequence[Agent]) -> str:
    """A hash over the code of these agents and of the table, whatever it imports included.

    Comments, docstrings and layout do not count, nor does the version of Python: it is made from the syntax. A list of
    tactics counts by its text, which an agent has as its reasons.
    """
    files = {file for module in (batch_kernels, table_kernels) for file in closure(str(module.__file__))}
    digest = hashlib.sha256()
    for agent in agents:
        files.update(agent_files(agent))
        digest.update(repr([(part.text, part.reasons) for part in (agent, *agent.models)]).encode())
        digest.update(repr(typed_parts(agent)).encode())
    for version in sorted(file_version(file) for file in files):
        digest.update(version.encode())
    return digest.hexdigest()[:LENGTH]


def agent_files(agent: Agent) -> list[str]:
    """The source files that an agent is made from, as far as they can be found."""
    things = [*origins(agent), *(module for module in map(inspect.getmodule, agent.values.values()) if module)]
    paths = [path for thing in things if (path := source_file(thing))]
    files = [file for path in [*paths, *tactic_files(agent), *agent.files] for file in closure(path)]
    return files + [file for model in agent.models for file in agent_files(model)]


@cache
def closure(path: str) -> tuple[str, ...]:
    """A file and all that it imports: the same as long as the process lives, and asked for by thousands of matches."""
    return tuple(import_closure(path))


def origins(agent: Agent) -> list[Any]:
    """The functions, classes or objects that an agent was made from, and the module that it is named by."""
    kind = agent.type
    named = sys.modules.get(agent.text.partition(":")[0]) if ":" in agent.text.partition("(")[0] else None
    if isinstance(kind, CompiledAgent):
        # What makes a search's workspace is where its settings and the rules of its tree stand.
        made = [kind.act, kind.observe, kind.hooks.believe, kind.workspace if isinstance(kind, SearchAgent) else None]
    else:
        made = [kind.make if kind.origin is None else kind.origin]
    return [thing for thing in (*made, named) if thing is not None]


def typed_parts(agent: Agent) -> list[str]:
    """Versions of those parts of an agent that stand in no file."""
    own = [typed_version(_function_or_class(thing)) for thing in origins(agent) if source_file(thing) is None]
    return own + [version for model in agent.models for version in typed_parts(model)]


def tactic_files(agent: Agent) -> list[str]:
    """The tactics' files, for agents that take them by address: no import leads there."""
    from kagiya.agents import tactics

    home = Path(tactics.__path__[0])
    has_list = agent.is_search or agent.hooks.row is not None
    return [str(file) for file in sorted(home.glob("*.py"))] if has_list else []


def source_file(thing: Any) -> str | None:
    """Where a function, class or object was written; None for what was typed at a prompt."""
    try:
        path = inspect.getsourcefile(_function_or_class(thing))
    except (TypeError, OSError):  # built in; a class without a file
        return None
    return path if path and os.path.exists(path) else None


def _function_or_class(thing: Any) -> Any:
    plain = inspect.unwrap(getattr(thing, "py_func", thing))
    is_code = inspect.isroutine(plain) or inspect.isclass(plain) or inspect.ismodule(plain)
    return plain if is_code else type(plain)


@cache
def file_version(file: str) -> str:
    """A hash of what a file says: of its syntax for Python, of its content for all else."""
    content = Path(file).read_bytes()
    if file.endswith(".py"):
        return syntax_hash(content)
    if os.path.basename(file) == "RECORD":
        content = _code_in_record(content)
    return hashlib.sha256(content).hexdigest()


def _code_in_record(content: bytes) -> bytes:
    """The lines of an installed package's record that are about its code, not about how it came here."""
    lines = sorted(content.splitlines())
    return b"\n".join(line for line in lines if not NOT_CODE.search(line))


@cache
def typed_version(thing: Any) -> str:
    """For what was typed at a prompt: a code that no other session has, since nobody can tell if it was the same."""
    return secrets.token_hex(LENGTH)
