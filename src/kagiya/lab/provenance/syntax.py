"""A hash of what a Python source says, the same for every layout, comment and version of Python."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator

# Fields without influence on what a program does, and those that some versions of Python do not have.
IGNORED = frozenset({"type_comment", "kind", "type_ignores"})


def syntax_hash(source: bytes) -> str:
    """A hash of the syntax tree: positions, comments and docstrings do not count.

    Fields that are absent, None or empty are the same thing, because new versions of Python add such fields.
    """
    digest = hashlib.sha256()
    for word in _words(ast.parse(source)):
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
