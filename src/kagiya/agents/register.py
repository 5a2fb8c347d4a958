"""The register: every agent by its id, found by looking into this folder, and agents from users' modules."""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from types import ModuleType
from typing import Any

from kagiya.agents import api
from kagiya.agents.api import Agent, AgentInfo, AgentType, CompiledAgent, PythonAgent, PythonAgentType, bind, raised
from kagiya.spec import Spec, SpecError, near, parse_spec

# Where agents are looked for. Networks and searches are found by name: they are built on the agents, not under them.
FOLDERS = ("kagiya.search", "kagiya.learn", "kagiya.agents")
NOT_AGENTS = {"api", "register", "rule_list", "convention_bots", "convention_reader", "playable_now"}
# Agents written for other programs, by the word around their name: found by name too, since an adapter stands on much.
GUESTS = {"hle": "kagiya.interop.hle.guests"}
MOST = 1e9  # the largest parameter of a class that sets no limit itself


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
    """The agent of this id. Modules are imported until it is found, first those that the id is named after.

    So one module is imported for nearly every agent; importing all of them takes half a second.
    """
    for module in sorted(agent_modules(), key=lambda module: -len(shared_name(module, name))):
        for kind in types_in(importlib.import_module(module)):
            if kind.info.id == name:
                return kind
    return None


def shared_name(module: str, agent: str) -> str:
    """The name of a module if the id of an agent begins with it, as `iggi2` and `vdb-useless` do; empty if not."""
    name = module.rpartition(".")[2].rstrip("_").replace("_", "-")
    return name if agent.startswith(name) else ""


def agent_modules() -> list[str]:
    """The names of the modules of these folders that may hold agents; searches first, which are few."""
    folders = [(folder, importlib.import_module(folder).__path__) for folder in FOLDERS]
    entries = [(folder, entry) for folder, path in folders for entry in pkgutil.iter_modules(path) if not entry.ispkg]
    return [f"{folder}.{entry.name}" for folder, entry in entries if entry.name not in NOT_AGENTS]


def prompt_agents() -> list[str]:
    """The ids of the agents that answer at once: all but the searches, whose games take seconds."""
    return [name for name, kind in agent_types().items() if not kind.is_search]


def is_users_own(kind: CompiledAgent) -> bool:
    """Whether a compiled agent comes from a user's module and not with Kagiya, in one of the forms that ours have."""
    homes = [getattr(each, "py_func", each).__module__ for each in (kind.act, kind.observe) if each is not None]
    if not all(home.startswith("kagiya.") for home in homes):
        return True
    ours = agent_type(kind.info.id)
    return ours is None or (kind is not ours and ours.hooks.variant is None)


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
    return bind(kind, Spec(label)) if kind.is_compiled else Agent(str(Spec(label, (), changed(thing))), kind)


def changed(thing: Any) -> tuple[tuple[str, Spec], ...]:
    """The parameters in which an object differs from a usual one of its class, as far as it keeps them by name."""
    pairs = [(each, getattr(thing, each.name, None)) for each in parameters_of(type(thing))]
    return tuple((each.name, Spec(str(value))) for each, value in pairs if is_number(value) and value != each.default)


def parameters_of(kind: type) -> tuple[api.Parameter, ...]:
    """What a class can be given: by its label, or without one the numbers that its `__init__` has defaults for."""
    if isinstance(info := getattr(kind, "info", None), AgentInfo):
        return info.parameters
    init = getattr(kind, "__init__", None)
    given = inspect.signature(init).parameters.values() if inspect.isfunction(init) else ()
    numbers = [(each.name, each.default) for each in given if is_number(each.default)]
    return tuple(
        api.Parameter(name, default, "", -MOST, MOST, whole=isinstance(default, int)) for name, default in numbers
    )


def is_number(value: Any) -> bool:
    """Whether this is a number; True and False are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def as_agent_type(thing: Any, name: str) -> AgentType:
    """Make an agent type of what a user's module holds; `name` becomes its id unless it brings a label."""
    if isinstance(thing, CompiledAgent | PythonAgentType):
        return thing
    if not callable(getattr(thing, "act", None)):
        raise SpecError(f"{name} is not an agent: it needs a method act(observation), or to be a CompiledAgent")
    info = getattr(thing, "info", None)
    if not isinstance(info, AgentInfo):
        summary = (inspect.getdoc(thing) or "an agent of your own").splitlines()[0]
        parameters = parameters_of(thing) if inspect.isclass(thing) else ()
        info = AgentInfo(name, summary, "your own", "yours", parameters)
    make: Callable[..., Any] = thing if inspect.isclass(thing) else lambda: thing
    return PythonAgentType(info, make, None if inspect.isclass(thing) else thing)


class _Trust:
    """Whether files may name modules; in this process, since others are handed agents that were accepted here."""

    given = False


def trust_modules_in_files() -> None:
    """From now on files may name agents of any module."""
    _Trust.given = True


def check_file_agent(text: str, source: object) -> None:
    """Refuse a text from a file that names a module, at any depth, unless files are trusted."""
    for name in module_names(parse_spec(text)):
        if not _Trust.given:
            raise SpecError(
                f"{source} names {name}, which runs the code of module {name.partition(':')[0]!r}; "
                "if you trust the file, say so: kagiya --trust-modules ..."
            )
        announce(name, str(source))


def announce_nested(spec: Spec) -> None:
    """Say which modules are imported because they stand inside another agent's parameters."""
    for name in module_names(spec):
        if name != spec.name:
            announce(name, spec.name)


def announce(name: str, where: str) -> None:
    """One line on stderr, unless the module is loaded already."""
    module = name.partition(":")[0]
    if module not in sys.modules:
        sys.stderr.write(f"kagiya: importing module {module!r}, named in {where}\n")


def module_names(spec: Spec) -> Iterator[str]:
    """Every ``module:name`` of a text, at any depth."""
    if ":" in spec.name:
        yield spec.name
    for value in (*spec.values, *(value for _, value in spec.named)):
        yield from module_names(value)


def import_module(name: str) -> tuple[ModuleType, str]:
    """The module of ``module:name``, and the name."""
    module_name, attribute = split_name(name)
    check_not_hidden(name, module_name)
    if "" not in sys.path:
        sys.path.insert(0, "")  # a module in the current folder, whichever way we were started
    try:
        return importlib.import_module(module_name), attribute
    except ModuleNotFoundError as error:
        if error.name and f"{module_name}.".startswith(f"{error.name}."):
            raise SpecError(f"{name}: there is no module {error.name!r} here or installed") from None
        raise SpecError(f"{name} cannot be imported: {raised(error)}") from error
    except Exception as error:
        raise SpecError(f"{name} cannot be imported: {raised(error)}") from error


def check_not_hidden(name: str, module: str) -> None:
    """Refuse a file whose module Python would take from its own library."""
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names and os.path.isfile(f"{top}.py"):
        raise SpecError(f"{name}: Python has a module {top!r} of its own, which hides {top}.py; rename the file")


def split_name(name: str) -> tuple[str, str]:
    """The two halves of ``module:name``, if they can be a module and a name."""
    module, _, attribute = name.partition(":")
    if "/" in module or module.endswith(".py"):
        raise SpecError(f"{name}: {module!r} is a path, not a module; {_as_module(module, attribute)}")
    if not all(module.split(".")):
        missing = "is relative" if module.startswith(".") else "lacks a name"
        raise SpecError(f"{name}: the module {module!r} {missing}; write module:name, like mine:AGENT")
    if not attribute.isidentifier():
        raise SpecError(f"{name}: {attribute!r} is not a name in a module; write module:name, like mine:AGENT")
    return module, attribute


def _as_module(path: str, attribute: str) -> str:
    dotted = path.removesuffix(".py").removeprefix("./").replace("/", ".")
    if all(part.isidentifier() for part in dotted.split(".")):
        return f"write {dotted}:{attribute or 'NAME'}"
    return "start Kagiya in the folder of the file, or put that folder on PYTHONPATH, and write module:name"
