"""How agents, rules and tactics are written: ``name`` or ``name(value, key=value, ...)``, nested as need be."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches

TOKEN = re.compile(r"\s*(?:([\w.:%/+\-]+)|([(),=]))")

DEEPEST = 20
MAX_LISTED = 25  # names in a message
ALIKE = 0.65  # of two words, by difflib: a typing error apart

NUMBER = re.compile(r"(-?(?:\d[\d_]*\.?\d*|\.\d+))(?:[eE]([+-]?\d{1,2}))?([kKM]?)", re.ASCII)
SCALES = {"": 0, "k": 3, "K": 3, "M": 6}  # powers of ten
A_DURATION = "a duration such as 40ms, 2s or 0.04"


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


def read_number(text: str) -> float:
    """A number as people write it: ``500``, ``0.7``, ``10k``, ``1.5M``, ``1e4``, ``10_000``."""
    return float(_decimal(text))


def read_integer(text: str, low: int | None = None, high: int | None = None) -> int:
    """An integer in a range, written in the same ways."""
    try:
        number = _decimal(text)
    except ValueError:
        number = Decimal("NaN")
    is_right = number == number.to_integral_value() and (low is None or low <= number)
    if not is_right or (high is not None and number > high):
        span = " of at least {low}" if high is None else " from {low} to {high}"
        raise ValueError(f"must be an integer{'' if low is None else span.format(low=low, high=high)}, not {text!r}")
    return int(number)


def read_seconds(text: str) -> float:
    """A duration: ``40ms``, ``2s``, or a number of seconds."""
    number, unit = (text[:-2], 1000) if text.endswith("ms") else (text.removesuffix("s"), 1)
    try:
        return read_number(number) / unit
    except ValueError:
        raise ValueError(f"must be {A_DURATION}, not {text!r}") from None


def _decimal(text: str) -> Decimal:
    found = NUMBER.fullmatch(text)
    if not found:
        raise ValueError(f"must be a number such as 0.7, 500, 10k or 1e4, not {text!r}")
    return Decimal(f"{found[1]}e{int(found[2] or 0) + SCALES[found[3]]}")


def meant(word: str, known: Iterable[str]) -> str:
    """What may follow in an error message: the names that `word` is like; nothing if there are none."""
    names = {name.lstrip("-"): name for name in sorted(known)}
    close = get_close_matches(word.lstrip("-"), names, n=3, cutoff=ALIKE)
    return f"; did you mean {' or '.join(names[each] for each in close)}?" if close else ""


def near(word: str, known: Iterable[str]) -> str:
    """A half-sentence for error messages: the names that `word` may have been meant for, or all if they are few."""
    names = sorted(known)
    if found := meant(word, names):
        return found.removeprefix("; ")
    if len(names) > MAX_LISTED:
        return f"none of the {len(names)} names is like it"
    return f"there {'is' if len(names) == 1 else 'are'} {', '.join(names)}" if names else "there are none"


def _tokens(text: str) -> list[str]:
    found, place = [], 0
    while place < len(text.rstrip()):
        match = TOKEN.match(text, place)
        if not match:
            raise SpecError(f"{text!r}: {text[place:].strip()[0]!r} cannot stand here; write name(key=value, ...)")
        found.append(_plain(match[1]) if match[1] else match[2])
        place = match.end()
    return found


def _plain(word: str) -> str:
    """The word; of a number the form in digits alone, so that an agent has one text however it is written."""
    is_short = NUMBER.fullmatch(word) and not word.replace(".", "").lstrip("-").isdecimal()
    return f"{_decimal(word):f}" if is_short else word


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
    if tokens[place : place + 1] == [")"]:
        return Spec(name), place + 1
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
