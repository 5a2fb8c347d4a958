"""What a tactic is: a kernel of one fixed form under a name, and how a list of them is written."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import kagiya.agents.tactics
from kagiya._jit import kernel
from kagiya.spec import Spec, SpecError, near

F = TypeVar("F", bound=Callable[..., Any])

ALWAYS = 99.0  # a limit that never binds

_tactics: dict[str, Tactic] = {}


@dataclass(frozen=True)
class Tactic:
    """A rule that may have a move: ``kernel(states, i, seat, rng, value) -> move or NO_MOVE``."""

    name: str
    kernel: Callable[..., Any]
    meaning: str
    value: str = ""  # what its number means; empty if it takes none
    stand_in: int = 0  # below zero: it reads notes (`noted.py`), and stands in a list as this number, not as an address

    @property
    def is_noted(self) -> bool:
        """Whether it needs notes of the hints since the last turn."""
        return self.stand_in < 0


@dataclass(frozen=True)
class TacticUse:
    """A tactic in an agent's list: its number, and when it may be used at all."""

    tactic: Tactic
    value: float = 0.0
    lives: float = 0.0  # at least so many lives
    tokens: float = ALWAYS  # at most so many tokens
    deck: float = ALWAYS  # at most so many cards in the deck

    def __str__(self) -> str:
        limits = (("lives", self.lives, 0.0), ("tokens", self.tokens, ALWAYS), ("deck", self.deck, ALWAYS))
        inside = [f"{self.value:g}"] if self.tactic.value else []
        inside += [f"{key}={limit:g}" for key, limit, default in limits if limit != default]
        return f"{self.tactic.name}({', '.join(inside)})" if inside else self.tactic.name


def tactic(name: str, value: str = "") -> Callable[[F], F]:
    """Compile a function as a tactic and enter it under `name`; `value` says what its number means."""

    def enter(function: F) -> F:
        compiled = kernel(function)
        meaning = (function.__doc__ or "").strip().splitlines()[0]
        _tactics[name] = Tactic(name, compiled, meaning, value)
        return compiled

    return enter


def noted_tactic(name: str, stand_in: int, kernel: Callable[..., Any], meaning: str, value: str) -> None:
    """Enter a tactic that reads notes, by its number within the kernel that has all of them."""
    _tactics[name] = Tactic(name, kernel, meaning, value, stand_in)


@cache
def tactics() -> dict[str, Tactic]:
    """Every tactic of this folder by name."""
    for entry in pkgutil.iter_modules(kagiya.agents.tactics.__path__):
        importlib.import_module(f"kagiya.agents.tactics.{entry.name}")
    return dict(sorted(_tactics.items()))


def use(text: str) -> TacticUse:
    """A tactic as written in an agent's list: ``play-probably-safe(0.6, lives=2)``."""
    from kagiya.spec import parse_spec

    return parse_use(parse_spec(text))


def parse_use(spec: Spec) -> TacticUse:
    """The tactic, its number and its limits that a spec names."""
    known = _tactics if spec.name in _tactics else tactics()
    if spec.name not in known:
        raise SpecError(f"no tactic named {spec.name!r}; {near(spec.name, known)}")
    found = known[spec.name]
    if len(spec.values) != bool(found.value):
        wanted = f"one number, {found.value}" if found.value else "no number"
        raise SpecError(f"{spec.name} takes {wanted}; given: {spec}")
    limits = {key: _number(spec, value) for key, value in spec.named}
    if unknown := set(limits) - {"lives", "tokens", "deck"}:
        raise SpecError(f"{spec.name}: {unknown.pop()!r} is not a limit; the limits are lives, tokens and deck")
    value = _number(spec, spec.values[0]) if spec.values else 0.0
    return TacticUse(found, value, **limits)


def _number(spec: Spec, value: Spec) -> float:
    try:
        return float(str(value))
    except ValueError:
        raise SpecError(f"{spec.name}: {value} is not a number") from None
