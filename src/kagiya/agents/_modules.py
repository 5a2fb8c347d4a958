"""Agents of a user's own modules, ``module:name``: to name one is to run its code, so not every text may.

What a person typed may, on the command line or in Python. Inside the parameters of another agent it may too, and a
line on stderr says so. Texts from files may not, unless the user trusts them: whoever wrote the file chose the code.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from types import ModuleType

from kagiya.agents._raised import raised
from kagiya.spec import Spec, SpecError, parse_spec


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
