"""What is known about an agent before it plays: where it comes from, what can be set, what it sees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kagiya.spec import Spec, SpecError, near


@dataclass(frozen=True, slots=True)
class Parameter:
    """One setting of an agent: a number in a range, or one of several words."""

    name: str
    default: float | str
    meaning: str
    low: float = 0.0
    high: float = 1.0
    whole: bool = False  # only integers
    choices: tuple[str, ...] = ()

    def parse(self, value: Spec, agent: str) -> float | str:
        """The value written, checked."""
        if self.choices:
            if value.name not in self.choices:
                raise SpecError(f"{agent}: {self.name}={value} is not known; {near(value.name, self.choices)}")
            return value.name
        try:
            number = float(str(value))
        except ValueError:
            raise SpecError(f"{agent}: {self.name} must be a number {self.range_text()}, not {value}") from None
        if not self.low <= number <= self.high or (self.whole and number != int(number)):
            raise SpecError(f"{agent}: {self.name} must be a number {self.range_text()}, not {value}")
        return number

    def range_text(self) -> str:
        """The values allowed, in words."""
        if self.choices:
            return " or ".join(self.choices)
        if self.whole:
            return f"from {self.low:.0f} to {self.high:.0f}, whole"
        return f"from {self.low:g} to {self.high:g}"

    def encode(self, value: float | str) -> float:
        """The value as a compiled agent finds it in its row of parameters: a word becomes its place."""
        return float(self.choices.index(str(value))) if self.choices else float(value)


@dataclass(frozen=True, slots=True)
class AgentInfo:
    """The label on an agent."""

    id: str
    summary: str  # one line
    family: str  # the heading it is listed under
    paper: str  # key in docs/bibliography.md, or "Kagiya" for our own
    parameters: tuple[Parameter, ...] = ()
    players: tuple[int, ...] = (2, 3, 4, 5)
    memory_words: int = 0  # integers each seat needs to remember within a game
    reasons: tuple[str, ...] = ()  # if any, `act` leaves the place of its reason here in word 0 of its memory
    kept_words: int = 0  # of these, the first so many survive from game to game
    sees_own_hand: bool = False
    sees_deck: bool = False
    convention: str = ""  # what its hints mean beyond their words, for a person who plays with it

    def __post_init__(self) -> None:
        whole = isinstance(self.players, tuple) and all(type(each) is int and 2 <= each <= 5 for each in self.players)
        if not whole or not self.players:
            raise ValueError(
                f"{self.id}: players must be a tuple of numbers from 2 to 5, like (2, 3), not {self.players!r}"
            )
        if isinstance(self.reasons, str):
            raise ValueError(f"{self.id}: reasons must be a tuple of texts, like ({self.reasons!r},)")
        for name in ("memory_words", "kept_words"):
            if type(value := getattr(self, name)) is not int or value < 0:
                raise ValueError(f"{self.id}: {name} must be an integer of at least 0, not {value!r}")

    @property
    def mark(self) -> str:
        """What must stand beside a score of this agent, if it sees what no player may."""
        if self.sees_deck:
            return "sees the deck"
        return "sees its own hand" if self.sees_own_hand else ""

    def parse_values(self, spec: Spec) -> dict[str, Any]:
        """The parameters written in a spec, checked; positional ones in the order of declaration."""
        names = [parameter.name for parameter in self.parameters]
        if len(spec.values) > len(names):
            raise SpecError(f"{self.id} takes {len(names)} parameters, not {len(spec.values)}: {spec}")
        written = dict(zip(names, spec.values, strict=False))
        for key, value in spec.named:
            if key not in names:
                raise SpecError(f"{self.id} has no parameter {key!r}; {near(key, names)}")
            if key in written:
                raise SpecError(f"{self.id}: {key} is given twice")
            written[key] = value
        return {p.name: p.parse(written[p.name], self.id) for p in self.parameters if p.name in written}
