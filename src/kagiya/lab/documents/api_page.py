"""The reference page of the Python interface, written from the signatures and docstrings of `kagiya.__all__`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from kagiya.lab.documents.report import StaleError

HEAD = """# The Python interface

Written by `kagiya report` from signatures and docstrings; do not edit. Everything here is imported from `kagiya`
itself: `from kagiya import Game, Rules`. What compiled agents may call: [kernels.md](kernels.md).
"""
QUOTED_TYPE = re.compile(r"(: |-> )'([^']*)'")  # annotations are texts here
OBJECT = re.compile(r" = <.*?(?: at 0x[0-9a-f]+)?>(?=[,)])")  # a default that has no text of its own
SELF = re.compile(r"\((?:self|cls)(?:, |(?=\)))")


def api_page(package: ModuleType) -> str:
    """The whole page: functions and classes by name."""
    names = [name for name in sorted(package.__all__, key=str.lower) if not name.startswith("_")]
    return HEAD + "".join(section(name, getattr(package, name)) for name in names)


def section(name: str, value: Any) -> str:
    """What the page says of one public name."""
    if hasattr(value, "__supertype__"):
        return f"\n## {name}\n\nAn integer with a name of its own for type checkers; `{name}(n)` is n.\n"
    about = inspect.getdoc(value)
    if not about:
        raise StaleError(f"kagiya.{name} is public: it needs a docstring")
    members = "\n".join(member_rows(value)) if inspect.isclass(value) else ""
    table = f"\n\n| | |\n|---|---|\n{members}" if members else ""
    return f"\n## {name}\n\n`{call(name, value)}`\n\n{escaped(about)}{table}\n"


def escaped(about: str) -> str:
    """A docstring as Markdown: its sessions become blocks of code."""
    parts = [f"```text\n{part}\n```" if ">>>" in part else part for part in about.replace("``", "`").split("\n\n")]
    return "\n\n".join(parts)


def call(name: str, value: Any) -> str:
    """The name with its parameters, if it can be called."""
    try:
        written = QUOTED_TYPE.sub(r"\1\2", f"{name}{inspect.signature(value)}")
        return OBJECT.sub(" = ...", SELF.sub("(", written))
    except (TypeError, ValueError):
        return name


def member_rows(kind: type) -> Iterator[str]:
    """The public methods and properties that a class defines, in the order of its source."""
    for name, member in vars(kind).items():
        function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        target = getattr(member, "fget", None) or getattr(member, "func", None) or function
        if not name.startswith("_") and inspect.isfunction(target):
            about = (inspect.getdoc(target) or "").split("\n")[0]
            shown = call(name, target) if target is function else name
            yield "| `{}` | {} |".format(*(text.replace("|", "\\|") for text in (shown, about)))
