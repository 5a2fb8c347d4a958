"""How agents, rules and tactics are written: ``name`` or ``name(value, key=value, ...)``, nested as need be."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

TOKEN = re.compile(r"\s*(?:([\w.:%/+\-]+)|([(),=]))")

DEEPEST = 20
MAX_LISTED = 25  # names in a message


class SpecError(ValueError):
    """Text that is not of the form name(key=value, ...), or names something unknown."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A name with positional values and named ones; a plain word or number is a name with neither."""

    name: str
    values: tuple[Spec, ...] = ()
    named: tuple[tuple[str, Spec], ...] = ()

    def __str__(self) -> str:
        inside = [str(value) for value in self.values] + [f"{key}={value}" for key, value in self.named]
        return f"{self.name}({', '.join(inside)})" if inside else self.name


def parse_spec(text: str) -> Spec:
    """The inverse of ``str(spec)``."""
    tokens = _tokens(text)
    spec, rest = _spec(tokens, 0, text)
    if rest != len(tokens):
        raise SpecError(f"{text!r}: unexpected {tokens[rest]!r} after {spec}")
    return spec


def near(word: str, known: Iterable[str]) -> str:
    """A half-sentence for error messages: the names most like `word`, or all of them if they are few."""
    names = sorted(known)
    close = get_close_matches(word, names, n=3, cutoff=0.6)
    if close:
        return f"did you mean {' or '.join(close)}?"
    if len(names) > MAX_LISTED:
        return f"the nearest of {len(names)} are {', '.join(get_close_matches(word, names, n=3, cutoff=0.0))}"
    return f"there {'is' if len(names) == 1 else 'are'} {', '.join(names)}" if names else "there are none"


def _tokens(text: str) -> list[str]:
    found, place = [], 0
    while place < len(text.rstrip()):
        match = TOKEN.match(text, place)
        if not match:
            raise SpecError(f"{text!r}: {text[place:].strip()[0]!r} cannot stand here; write name(key=value, ...)")
        found.append(match[1] or match[2])
        place = match.end()
    return found


def _spec(tokens: list[str], place: int, text: str, depth: int = 0) -> tuple[Spec, int]:
    if depth > DEEPEST:
        raise SpecError(f"more than {DEEPEST} parentheses inside each other")
    if place >= len(tokens) or tokens[place] in "(),=":
        raise SpecError(f"{text!r}: a name or value is missing; write name(key=value, ...)")
    name = tokens[place]
    place += 1
    if place >= len(tokens) or tokens[place] != "(":
        return Spec(name), place
    values: list[Spec] = []
    named: list[tuple[str, Spec]] = []
    place += 1
    while True:
        if place + 1 < len(tokens) and tokens[place + 1] == "=":
            key = tokens[place]
            value, place = _spec(tokens, place + 2, text, depth + 1)
            if key in dict(named):
                raise SpecError(f"{text!r}: {key} is given twice")
            named.append((key, value))
        else:
            value, place = _spec(tokens, place, text, depth + 1)
            values.append(value)
        if place < len(tokens) and tokens[place] == ")":
            return Spec(name, tuple(values), tuple(named)), place + 1
        if place >= len(tokens) or tokens[place] != ",":
            raise SpecError(f"{text!r}: a ')' is missing")
        place += 1
