"""HTML and SVG put together from elements, so that every text is escaped unless it is markup already."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from html import escape
from typing import TypeAlias


class Markup(str):
    """Text that is markup already; whatever is not of this type is escaped."""

    __slots__ = ()


Child: TypeAlias = "str | int | float | Iterable[Child] | None"
Value: TypeAlias = "str | int | float | bool | None"

SPECIAL = re.compile("[&<>\"']")
# HTML elements that have no end tag.
VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})


def element(name: str, /, *children: Child, **attributes: Value) -> Markup:
    """An element. `class_="a"` is the attribute class, `data_turn=3` is data-turn; None and False leave one out, True
    writes it bare as an empty value, which is well-formed in HTML and in XML."""
    start = f"{name}{''.join(map(_attribute, attributes.items()))}"
    if name in VOID:
        return Markup(f"<{start}/>")
    return Markup(f"<{start}>{joined(*children)}</{name}>")


def joined(*children: Child) -> Markup:
    """Children one after the other; text is escaped, None is nothing, lists are flattened."""
    return Markup("".join(map(_child, children)))


def _child(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child
    if isinstance(child, str | int | float):
        return _escaped(str(child))
    return joined(*child)


def _attribute(item: tuple[str, Value]) -> str:
    name, value = item
    if value is None or value is False:
        return ""
    return f' {_attribute_name(name)}="{"" if value is True else _escaped(str(value))}"'


@lru_cache
def _attribute_name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def _escaped(text: str) -> str:
    """Most texts are numbers and colors, which need no escaping: a page has thousands of them. What Latin-1 lacks is
    written as a number, or Python would take two bytes for every letter of the page it stands on."""
    safe = escape(text) if SPECIAL.search(text) else text
    return safe if safe.isascii() else safe.encode("latin-1", "xmlcharrefreplace").decode("latin-1")
