"""Where a result comes from: the hash of the code that played, its commit, the date, the command, the versions.

A stored game counts only for the code that played it, not for its later edits. The hash is the same for every layout,
comment and version of Python. Result files hold what documents show, with all this beside it.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import json
import os
import platform
import re
import secrets
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from kagiya import __version__
from kagiya._jit.cache import import_closure, parse
from kagiya.agents.api import Agent, CompiledAgent, SearchAgent
from kagiya.engine import batch
from kagiya.engine.record import write_whole
from kagiya.lab.table import table

# Fields without influence on what a program does, and those that some versions of Python do not have.
IGNORED = frozenset({"type_comment", "kind", "type_ignores"})


def syntax_hash(source: bytes) -> str:
    """A hash of the syntax tree: positions, comments and docstrings do not count.

    Fields that are absent, None or empty are the same thing, because new versions of Python add such fields.
    """
    digest = hashlib.sha256()
    for word in _words(parse(source)):
        digest.update(word.encode())
        digest.update(b"\0")
    return digest.hexdigest()


def _words(value: object) -> Iterator[str]:
    if isinstance(value, ast.JoinedStr):
        yield "JoinedStr"
        yield from _words(_joined_texts(value.values))
    elif isinstance(value, ast.AST):
        yield type(value).__name__
        for name in value._fields:
            part = getattr(value, name, None)
            is_constant = isinstance(value, ast.Constant) and name == "value"  # which may be None
            if is_constant or not (name in IGNORED or part is None or part == []):
                yield name
                yield from _words(part)
        yield ")"
    elif isinstance(value, list):
        for item in value:
            if not _is_bare_text(item):
                yield from _words(item)
        yield "]"
    else:
        yield f"{type(value).__name__} {hex(value) if type(value) is int else ascii(value)}"


def _joined_texts(parts: list[ast.expr]) -> list[ast.expr]:
    """The parts of an f-string with neighboring texts made one: versions of Python differ in where they cut."""
    found: list[ast.expr] = []
    for part in parts:
        last = found[-1] if found else None
        if not isinstance(part, ast.Constant):
            found.append(part)
        elif isinstance(last, ast.Constant):
            found[-1] = ast.Constant(str(last.value) + str(part.value))
        elif part.value:
            found.append(part)
    return found


def _is_bare_text(node: object) -> bool:
    """Whether this is a text that stands alone: a docstring, or as good as a comment."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


LENGTH = 12
NOT_CODE = re.compile(rb"\.pyc,|\.dist-info/|^\.\./")  # in the record of an installed package


def code_version(agents: Sequence[Agent]) -> str:
    """A hash over the code of these agents and of the table, whatever it imports included.

    Comments, docstrings and layout do not count, nor does the version of Python: it is made from the syntax. A list of
    tactics counts by its text, which an agent has as its reasons.
    """
    files = {file for module in (batch, table) for file in closure(str(module.__file__))}
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
    """For what was typed at a prompt: a code that no other session has, since it cannot be compared."""
    return secrets.token_hex(LENGTH)


SECONDS = 5  # then we do without
EDITED = "+"  # behind a commit that the files differ from


@cache
def commit_here() -> str | None:
    """The commit of the code that runs, with a + if it was edited since; None if it is in no repository."""
    return commit_of(Path(__file__).parents[1])


def commit_of(package: Path) -> str | None:
    """The commit that a package is of; None if the repository around it, if any, does not keep it.

    An installed package often lies in another project's repository, in a folder that is ignored there. Edits of other
    files, such as result files, do not count.
    """
    try:
        _git(package, "ls-files", "--error-unmatch", "__init__.py")
        commit = _git(package, "rev-parse", "--short=12", "HEAD")
        edited = _git(package, "status", "--porcelain", "--untracked-files=no", "--", ".")
    except (OSError, subprocess.SubprocessError):
        return None
    return f"{commit}{EDITED if edited else ''}"


def _git(folder: Path, *words: str) -> str:
    # Without its locks: git would leave one behind if the program is killed while it asks.
    command = ["git", "--no-optional-locks", "-C", str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=True).stdout.strip()


try:
    import fcntl
except ImportError:  # Windows, where two processes that write at the same moment may still lose a cell
    fcntl = None  # type: ignore[assignment]

LOCK = ".lock"
VERSION = __version__


def provenance(command: str) -> dict[str, Any]:
    """What it takes to make a result again."""
    return {
        "command": command,
        "date": datetime.now(UTC).date().isoformat(),
        "kagiya": VERSION,
        "commit": commit_here(),
        "python": platform.python_version(),
        "numba": metadata.version("numba"),
        "numpy": metadata.version("numpy"),
        "machine": f"{platform.system()} {platform.machine()}",
    }


def write_result(path: Path, data: dict[str, Any]) -> None:
    """Write a result file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, (json.dumps(data, indent=1) + "\n").encode())


@contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """While the block runs, no other process that asks for the same is in it: for files that are read, then written."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("a") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)  # until the file is closed, however that comes about
        yield


def read_result(path: Path) -> dict[str, Any]:
    """Read a result file; says which and why if it cannot."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not JSON: {error}") from None
    if not isinstance(data, dict):
        raise ValueError(f"{path} holds no result")
    return data
