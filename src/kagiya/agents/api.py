"""The interface of agents: what one is, what is known about it before it plays, and one with its parameters chosen.

An agent is two kernels (`CompiledAgent`), such kernels with a workspace (`SearchAgent`), or a Python object with `act`.
This module is part of every agent's code, so that a change here compiles all of them again: it imports little.
"""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, runtime_checkable

from kagiya.cards import Seat
from kagiya.moves import Move
from kagiya.rules import Rules
from kagiya.spec import Spec, SpecError, near
from kagiya.view.observation import Observation

if TYPE_CHECKING:
    from kagiya.agents.convention_reader import ConventionReader

PACKAGE = str(Path(__file__).resolve().parents[1])

Kernel = Callable[..., Any]
Values = dict[str, Any]  # parameters by name

# Of a move and the arguments of `act` before it: a template of its reason, and the move that this calls {other}.
# Asked for explanations only, so that the numbers which `act` compares need not be remembered.
MoveExplainer = Callable[[int, tuple[Any, ...]], tuple[str, int | None]]


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


def encode_values(parameters: Sequence[Parameter], values: Values) -> list[float]:
    """A row of numbers: the values of these parameters, the defaults of those not given."""
    return [each.encode(values.get(each.name, each.default)) for each in parameters]


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
    kept_words: int = 0  # how many of these, from the first on, survive from game to game
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


@runtime_checkable
class Player(Protocol):
    """Anything that can sit at the table: asked for a move when it is its turn."""

    def act(self, observation: Observation) -> Move:
        """The move to make. The observation carries the whole public history of the game."""
        ...


class PythonAgent:
    """A convenient base for agents in plain Python; an `act` method alone is enough to play.

    One object sits at one seat and plays many games; `start` is called before each. What the object
    keeps between games is its knowledge of its partners.
    """

    info: ClassVar[AgentInfo]

    def start(self, rules: Rules, seat: Seat, dice: random.Random) -> None:
        """A new game begins; `dice` is this seat's own seeded source of randomness."""
        self.rules, self.seat, self.dice = rules, seat, dice

    def act(self, observation: Observation) -> Move:
        """The move to make; every agent defines this."""
        raise NotImplementedError(f"{type(self).__name__} must define act(observation)")


@dataclass(frozen=True, repr=False)
class Hooks:
    """What an agent may define besides its kernels; most define none. Those about parameters are given the values."""

    parse: Callable[[Spec], Values] | None = None  # text to parameters, if not by the label
    row: Callable[[Values], list[float]] | None = None  # parameters to numbers, if not one to one
    variant: Callable[[Values], CompiledAgent | None] | None = None  # other kernels for some parameters
    parts: Callable[[Values], list[Kernel]] | None = None  # kernels that `row` has addresses of
    files: Callable[[Values], list[str]] | None = None  # besides its code, that its play depends on
    why_not: Callable[[Rules], str | None] | None = None  # the reason why it cannot play by some rules
    # A kernel called as `observe` is, for searches: it narrows the possible kinds of the seat's own cards, in a lane
    # made for that, to those that by the agent's convention the move says they are.
    believe: Kernel | None = None
    convention_reader: ConventionReader | None = None  # what a seat reads in a move by its convention, in words
    explain_move: MoveExplainer | None = None  # what it chose between, for agents that compare moves by numbers


NO_HOOKS = Hooks()


@dataclass(frozen=True)
class CompiledAgent:
    """Two kernels and a label. The kernels' signatures are fixed (ARCHITECTURE.md, "Agents"):

    ``act(states, i, seat, memory, params, rng) -> move``
    ``observe(states, i, seat, memory, params, move)``, for every seat, before each move takes effect
    """

    info: AgentInfo
    act: Kernel
    observe: Kernel | None = None
    reasons: Callable[[Values], tuple[str, ...]] | None = None  # if they depend on the parameters
    hooks: Hooks = NO_HOOKS
    is_compiled: ClassVar[bool] = True
    is_search: ClassVar[bool] = False

    def with_hooks(self, **hooks: Any) -> Self:
        """The same agent with some hooks set."""
        return replace(self, hooks=replace(self.hooks, **hooks))

    def parameter_row(self, values: Values) -> list[float]:
        """The row of numbers that the kernels are given in `params`."""
        return self.hooks.row(values) if self.hooks.row else encode_values(self.info.parameters, values)

    def kernels(self, values: Values) -> list[Kernel]:
        """All kernels that it is made of."""
        own = [each for each in (self.act, self.observe, self.hooks.believe) if each is not None]
        return own + (self.hooks.parts(values) if self.hooks.parts else [])


class Workspace(Protocol):
    """The arrays that a search works with at one seat of one table, which holds them."""

    @property
    def address(self) -> int:
        """What the search's row of parameters begins with, for its kernels to find the arrays."""
        ...

    def stop(self) -> None:
        """Let a search in progress, and all later ones, answer at once; from another thread."""
        ...

    def resume(self) -> None:
        """Let the next search think as long as its budget says, after a `stop`."""
        ...

    def damage(self) -> str | None:
        """What the search's models wrote where they may not, and what to do about it; None if nothing."""
        ...

    def explain(self, seconds: float | None = None) -> Any:
        """Why the last move was made, which took `seconds`: an object whose text is one sentence."""
        ...


@dataclass(frozen=True, kw_only=True)
class SearchAgent(CompiledAgent):
    """A compiled agent that thinks about a move for longer than one that follows rules, in a workspace of its own.

    Its row of parameters is the address of that workspace, which the table writes.
    """

    workspace: Callable[[Values, Rules, Seat, Sequence[Agent]], Workspace]  # the last: the agents at the table
    models: Callable[[Values], list[Agent]]  # agents that it plays with in its thoughts
    is_search: ClassVar[bool] = True

    def parameter_row(self, values: Values) -> list[float]:
        return [0.0]

    def kernels(self, values: Values) -> list[Kernel]:
        return super().kernels(values) + [kernel for model in self.models(values) for kernel in model.kernels]


@dataclass(frozen=True)
class PythonAgentType:
    """A label and what makes a player from its parameters."""

    info: AgentInfo
    make: Callable[..., Player]
    origin: Any = None  # the object that `make` gives, if that is always the same
    hooks: ClassVar[Hooks] = NO_HOOKS
    is_compiled: ClassVar[bool] = False
    is_search: ClassVar[bool] = False


AgentType = CompiledAgent | PythonAgentType


@dataclass(frozen=True, repr=False)
class Agent:
    """An agent as written on the command line, its parameters checked: ``vdb`` or ``risky(threshold=0.7)``."""

    text: str
    type: AgentType = field(compare=False)
    values: Values = field(default_factory=dict, compare=False)

    def __repr__(self) -> str:
        return f"<Agent {self.text}>"

    @property
    def info(self) -> AgentInfo:
        """The label of its type."""
        return self.type.info

    @property
    def hooks(self) -> Hooks:
        """What it defines besides its kernels; nothing, for agents in Python."""
        return self.type.hooks

    @property
    def is_compiled(self) -> bool:
        """Whether it is made of kernels, not written in plain Python."""
        return self.type.is_compiled

    @property
    def is_search(self) -> bool:
        """Whether it thinks about a move for longer than an agent that follows rules."""
        return self.type.is_search

    @property
    def compiled(self) -> CompiledAgent:
        """Its type, for callers that know it to be compiled."""
        assert isinstance(self.type, CompiledAgent), f"{self.text} is written in Python"
        return self.type

    @property
    def models(self) -> list[Agent]:
        """The agents that a search plays with in its thoughts."""
        return self.type.models(self.values) if isinstance(self.type, SearchAgent) else []

    @property
    def kernels(self) -> list[Kernel]:
        """All kernels that a compiled agent is made of."""
        return self.compiled.kernels(self.values) if self.is_compiled else []

    @property
    def parameters(self) -> list[float]:
        """The row of numbers that a compiled agent is given; may hold addresses, so it is made at the table."""
        return self.compiled.parameter_row(self.values) if self.is_compiled else []

    @property
    def files(self) -> list[str]:
        """The files besides its code that its play depends on, such as a network's."""
        return self.hooks.files(self.values) if self.hooks.files else []

    @property
    def reasons(self) -> tuple[str, ...]:
        """What the number that a compiled agent leaves in word 0 of its memory stands for."""
        by_values = self.compiled.reasons if self.is_compiled else None
        return by_values(self.values) if by_values else self.info.reasons

    @property
    def memory_words(self) -> int:
        """The words of memory that the agent may write: those it declares, and word 0 if it gives reasons."""
        return max(self.info.memory_words, 1 if self.reasons else 0)

    def new_workspace(self, rules: Rules, seat: Seat, seated: Sequence[Agent]) -> Workspace | None:
        """What a search works with in this seat of a table; None for other agents."""
        kind = self.type
        return kind.workspace(self.values, rules, seat, seated) if isinstance(kind, SearchAgent) else None

    def new_player(self) -> Player:
        """A fresh player, for agents in Python."""
        assert isinstance(self.type, PythonAgentType)
        whole = {parameter.name for parameter in self.info.parameters if parameter.whole}
        return self.type.make(**{name: int(value) if name in whole else value for name, value in self.values.items()})

    def why_not(self, rules: Rules) -> str | None:
        """The reason why this agent cannot play by these rules; None if it can."""
        if rules.players not in self.info.players:
            able = ", ".join(map(str, self.info.players))
            return f"{self.info.id} plays with {able} players, not {rules.players}"
        reason = self.hooks.why_not(rules) if self.hooks.why_not else None
        return None if reason is None else f"{self.info.id} {reason}"

    def __reduce__(self) -> tuple[Callable[[str], Agent], tuple[str]]:
        # By its text: machine code has no place in a pickle, and another machine builds its own.
        from kagiya.agents.register import rebuild_agent

        return rebuild_agent, (self.text,)


def bind(kind: AgentType, spec: Spec) -> Agent:
    """An agent of this type with the parameters that the spec gives."""
    values = (kind.hooks.parse or kind.info.parse_values)(spec)
    other = kind.hooks.variant(values) if kind.hooks.variant else None
    return Agent(str(spec), other or kind, values)


class ReportedError(Exception):
    """What went wrong with a user's agent, put in words already; the text follows the agent's name."""


def raised(error: BaseException) -> str:
    """``raised ZeroDivisionError: division by zero (mine.py, line 7: `return 1 / 0`)``."""
    if isinstance(error, ReportedError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    own = next((frame for frame in reversed(frames) if not frame.filename.startswith(PACKAGE)), None)
    words = f"raised {type(error).__name__}: {error}"
    return words if own is None else f"{words} ({Path(own.filename).name}, line {own.lineno}: `{own.line}`)"
