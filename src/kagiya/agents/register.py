"""The register: every agent by its id, found by looking into this folder, and agents from users' modules."""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from kagiya.agents._base import Agent, AgentType, CompiledAgent, PythonAgent, PythonAgentType, bind
from kagiya.agents._info import AgentInfo
from kagiya.agents._modules import announce_nested, import_module
from kagiya.spec import Spec, SpecError, near, parse_spec

# Where agents are looked for. Networks and searches are found by name: they are built on the agents, not under them.
FOLDERS = ("kagiya.agents", "kagiya.learn.agents", "kagiya.search.agents")
NOT_AGENTS = {"register"}
# Agents written for other programs, by the word around their name: found by name too, since an adapter stands on much.
GUESTS = {"hle": "kagiya.interop.hle.guests"}


@cache
def agent_types() -> dict[str, AgentType]:
    """Every agent that comes with Kagiya, by id, in the order of the ids."""
    found: dict[str, AgentType] = {}
    for module in agent_modules():
        for kind in types_in(importlib.import_module(module)):
            if kind.info.id in found:
                raise RuntimeError(f"two agents are called {kind.info.id!r}, one of them in {module}")
            found[kind.info.id] = kind
    return dict(sorted(found.items()))


@cache
def agent_type(name: str) -> AgentType | None:
    """The agent of this id; its own module is imported if the sources tell which that is, otherwise all of them.

    The sources are read in every process, which takes a millisecond; importing all modules takes half a second.
    """
    for module in modules_that_say(name):
        for kind in types_in(importlib.import_module(module)):
            if kind.info.id == name:
                return kind
    return agent_types().get(name)


def modules_that_say(name: str) -> list[str]:
    """The modules whose source has this id in quotes, first those that have it as an id."""
    sources = {module: source for module, source in module_sources().items() if f'"{name}"' in source}
    return sorted(sources, key=lambda module: f'id="{name}"' not in sources[module])


def prompt_agents() -> list[str]:
    """The ids of the agents that answer at once: all but the searches, whose games take seconds."""
    return [name for name, kind in agent_types().items() if not is_search(kind)]


def is_search(kind: AgentType) -> bool:
    """Whether agents of this type think about a move for longer than one that follows rules."""
    return isinstance(kind, CompiledAgent) and kind.workspace is not None


def is_users_own(kind: AgentType) -> bool:
    """Whether an agent comes from a user's module and not with Kagiya."""
    # Only what is loaded is looked at: an agent of Kagiya's exists because its module was imported.
    ours = [module for name, module in list(sys.modules.items()) if name.rpartition(".")[0] in FOLDERS]
    return not any(kind is each or is_variant(kind, each) for module in ours for each in vars(module).values())


def is_variant(kind: AgentType, usual: Any) -> bool:
    """Whether a type is what an agent of ours becomes with some parameters: other kernels, ours too, by its name."""
    if not isinstance(kind, CompiledAgent) or not isinstance(usual, CompiledAgent) or usual.variant is None:
        return False
    homes = [getattr(each, "py_func", each).__module__ for each in (kind.act, kind.observe) if each is not None]
    return kind.info.id == usual.info.id and all(home.startswith("kagiya.") for home in homes)


def agent_modules() -> Iterator[str]:
    """The names of the modules of these folders that may hold agents: those without an underscore in front."""
    for folder in FOLDERS:
        for entry in pkgutil.iter_modules(importlib.import_module(folder).__path__):
            if not entry.ispkg and not entry.name.startswith("_") and entry.name not in NOT_AGENTS:
                yield f"{folder}.{entry.name}"


@cache
def module_sources() -> dict[str, str]:
    """The source of each, as far as it is there; nothing is imported for it."""
    found = {}
    for name in agent_modules():
        folder, _, module = name.rpartition(".")
        for path in Path(sys.modules[folder].__path__[0]).glob(f"{module}.py"):
            found[name] = path.read_text(encoding="utf-8")
    return found


def types_in(module: ModuleType) -> Iterator[AgentType]:
    """The agents that a module defines: its CompiledAgent objects and its PythonAgent classes."""
    for value in vars(module).values():
        if isinstance(value, CompiledAgent | PythonAgentType):
            yield value
        elif inspect.isclass(value) and issubclass(value, PythonAgent) and value.__module__ == module.__name__:
            yield PythonAgentType(value.info, value)


def find_agent(text: str) -> Agent:
    """The agent that `text`, which a person wrote, names: an id of the register, or ``module:name`` of the user's own.

    For the text of a file, `check_file_agent` comes first.
    """
    announce_nested(parse_spec(text))
    return rebuild_agent(text)


def rebuild_agent(text: str) -> Agent:
    """The same for a text that was accepted before."""
    spec = parse_spec(text)
    if ":" in spec.name:
        return bind(load_agent_type(spec.name), spec)
    if spec.name in GUESTS:
        return importlib.import_module(GUESTS[spec.name]).guest_agent(spec)
    kind = agent_type(spec.name)
    if kind is None:
        raise SpecError(f"no agent named {spec.name!r}; {advice_on(spec.name, agent_types())}")
    return bind(kind, spec)


def advice_on(name: str, known: Iterable[str]) -> str:
    """What to write instead of a name that no agent has."""
    module = name.removesuffix(".py")
    if module.isidentifier() and os.path.isfile(f"{module}.py"):
        return f"an agent of the file {module}.py is written {module}:NAME"
    found = near(name, known)
    return f"{found}{'' if found.endswith('?') else ';'} see `kagiya agents`; your own agent is written module:name"


def load_agent_type(name: str) -> AgentType:
    """An agent from a module of the user's: a CompiledAgent, a class with `act`, or an object with `act`."""
    module, attribute = import_module(name)
    if not hasattr(module, attribute):
        agents = [key for key, value in vars(module).items() if _is_users_agent(value)]
        raise SpecError(f"{name}: module {module.__name__} has no agent {attribute!r}; {near(attribute, agents)}")
    return as_agent_type(getattr(module, attribute), name)


def _is_users_agent(thing: Any) -> bool:
    """Whether this could be meant by the name of an agent: not what a module imports from here."""
    is_ours = inspect.isclass(thing) and thing.__module__.startswith(__package__.partition(".")[0] + ".")
    return not is_ours and (isinstance(thing, PythonAgentType) or callable(getattr(thing, "act", None)))


def as_agent(thing: Any) -> Agent:
    """An agent from what is at hand in Python: a text, a compiled agent, or a class or object with `act`."""
    if isinstance(thing, Agent):
        return thing
    if isinstance(thing, str):
        return find_agent(thing)
    kind = as_agent_type(thing, "yours")
    label = kind.info.id if thing is kind else getattr(thing, "__name__", type(thing).__name__)
    return bind(kind, Spec(label)) if isinstance(kind, CompiledAgent) else Agent(label, kind)


def as_agent_type(thing: Any, name: str) -> AgentType:
    """Make an agent type of what a user's module holds; `name` becomes its id unless it brings a label."""
    if isinstance(thing, CompiledAgent | PythonAgentType):
        return thing
    if not callable(getattr(thing, "act", None)):
        raise SpecError(f"{name} is not an agent: it needs a method act(observation), or to be a CompiledAgent")
    info = getattr(thing, "info", None)
    if not isinstance(info, AgentInfo):
        summary = (inspect.getdoc(thing) or "an agent of your own").splitlines()[0]
        info = AgentInfo(id=name, summary=summary, family="your own", paper="yours")
    make: Callable[..., Any] = thing if inspect.isclass(thing) else lambda: thing
    return PythonAgentType(info, make, None if inspect.isclass(thing) else thing)
