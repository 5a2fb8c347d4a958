"""What an agent is: two kernels, or a Python object with `act`; and an agent with its parameters chosen."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, runtime_checkable

from kagiya.agents._hearing import Hearing
from kagiya.agents._info import AgentInfo
from kagiya.cards import Seat
from kagiya.moves import Move
from kagiya.rules import Rules
from kagiya.spec import Spec
from kagiya.view.observation import Observation


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
        raise NotImplementedError(f"{type(self).__name__} must define act(observation)")


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


# Of a move and the arguments of `act` before it: a template of its reason, and the move that this calls {other}.
# Asked for explanations only, so that the numbers which `act` compares need not be remembered.
Weighing = Callable[[int, tuple[Any, ...]], tuple[str, int | None]]


@dataclass(frozen=True)
class CompiledAgent:
    """Two kernels and a label. The kernels' signatures are fixed (ARCHITECTURE.md, "Agents"):

    ``act(states, i, seat, memory, params, rng) -> move``
    ``observe(states, i, seat, memory, params, move)``, for every seat, before each move takes effect

    A third, called as `observe` is, is for searches: ``believe`` narrows the possible kinds of the seat's own cards,
    in a lane made for that, to those that by the agent's convention the move says they are.
    """

    info: AgentInfo
    act: Callable[..., Any]
    observe: Callable[..., Any] | None = None
    row: Callable[[dict[str, Any]], list[float]] | None = None  # parameters to numbers, if not one to one
    parse: Callable[[Spec], dict[str, Any]] | None = None  # text to parameters, if not by the label
    parts: Callable[[dict[str, Any]], list[Callable[..., Any]]] | None = None  # kernels that `row` has addresses of
    reasons: Callable[[dict[str, Any]], tuple[str, ...]] | None = None  # if they depend on the parameters
    models: Callable[[dict[str, Any]], list[Agent]] | None = None  # agents that a search plays with in its thoughts
    believe: Callable[..., Any] | None = None
    workspace: Callable[..., Workspace] | None = None  # of (values, rules, seat, agents seated), for searches
    files: Callable[[dict[str, Any]], list[str]] | None = None  # besides its code, that its play depends on
    variant: Callable[[dict[str, Any]], CompiledAgent | None] | None = None  # other kernels for some parameters
    weighing: Weighing | None = None  # what it chose between, in words, for agents that weigh moves by numbers
    hearing: Hearing | None = None  # what a seat hears in a move by the agent's convention, in words
    why_not: Callable[[Rules], str | None] | None = None  # the reason why it cannot play by some rules

    def default_values(self) -> dict[str, Any]:
        """The parameters of the agent written without any."""
        return self.parse(Spec(self.info.id)) if self.parse else {}

    def parameter_row(self, values: dict[str, Any]) -> list[float]:
        """The row of numbers that the kernels are given in `params`."""
        if self.row is not None:
            return self.row(values)
        return [p.encode(values.get(p.name, p.default)) for p in self.info.parameters]


@dataclass(frozen=True)
class PythonAgentType:
    """A label and what makes a player from its parameters."""

    info: AgentInfo
    make: Callable[..., Player]
    origin: Any = None  # the object that `make` gives, if that is always the same


AgentType = CompiledAgent | PythonAgentType


@dataclass(frozen=True, repr=False)
class Agent:
    """An agent as written on the command line, its parameters checked: ``vdb`` or ``vdb(threshold=0.7)``."""

    text: str
    type: AgentType = field(compare=False)
    values: dict[str, Any] = field(default_factory=dict, compare=False)

    def __repr__(self) -> str:
        return f"<Agent {self.text}>"

    @property
    def info(self) -> AgentInfo:
        return self.type.info

    @property
    def is_compiled(self) -> bool:
        return isinstance(self.type, CompiledAgent)

    @property
    def is_search(self) -> bool:
        """Whether it thinks about a move for longer than an agent that follows rules."""
        return isinstance(self.type, CompiledAgent) and self.type.workspace is not None

    @property
    def models(self) -> list[Agent]:
        """The agents that a search plays with in its thoughts."""
        kind = self.type
        return kind.models(self.values) if isinstance(kind, CompiledAgent) and kind.models else []

    @property
    def kernels(self) -> list[Callable[..., Any]]:
        """All kernels that a compiled agent is made of."""
        kind = self.type
        if not isinstance(kind, CompiledAgent):
            return []
        own = [each for each in (kind.act, kind.observe, kind.believe) if each is not None]
        parts = kind.parts(self.values) if kind.parts else []
        return own + parts + [kernel for model in self.models for kernel in model.kernels]

    @property
    def parameters(self) -> list[float]:
        """The row of numbers that a compiled agent is given; may hold addresses, so it is made at the table."""
        return self.type.parameter_row(self.values) if isinstance(self.type, CompiledAgent) else []

    @property
    def files(self) -> list[str]:
        """The files besides its code that its play depends on, such as a network's."""
        kind = self.type
        return kind.files(self.values) if isinstance(kind, CompiledAgent) and kind.files else []

    @property
    def reasons(self) -> tuple[str, ...]:
        """What the number that a compiled agent leaves in word 0 of its memory stands for."""
        if isinstance(self.type, CompiledAgent) and self.type.reasons is not None:
            return self.type.reasons(self.values)
        return self.info.reasons

    @property
    def memory_words(self) -> int:
        """The words of memory that the agent may write: those it declares, and word 0 if it gives reasons."""
        return max(self.info.memory_words, 1 if self.reasons else 0)

    def new_workspace(self, rules: Rules, seat: Seat, seated: Sequence[Agent]) -> Workspace | None:
        """What a search works with in this seat of a table; None for other agents."""
        kind = self.type
        if not isinstance(kind, CompiledAgent) or kind.workspace is None:
            return None
        return kind.workspace(self.values, rules, seat, seated)

    def new_player(self) -> Player:
        """A fresh player, for agents in Python."""
        assert isinstance(self.type, PythonAgentType)
        return self.type.make(**self.values)

    def why_not(self, rules: Rules) -> str | None:
        """The reason why this agent cannot play by these rules; None if it can."""
        if rules.players not in self.info.players:
            able = ", ".join(map(str, self.info.players))
            return f"{self.info.id} plays with {able} players, not {rules.players}"
        kind = self.type
        reason = kind.why_not(rules) if isinstance(kind, CompiledAgent) and kind.why_not is not None else None
        return None if reason is None else f"{self.info.id} {reason}"

    def __reduce__(self) -> tuple[Callable[[str], Agent], tuple[str]]:
        # By its text: machine code has no place in a pickle, and another machine builds its own.
        from kagiya.agents.register import rebuild_agent

        return rebuild_agent, (self.text,)


def bind(kind: AgentType, spec: Spec) -> Agent:
    """An agent of this type with the parameters that the spec gives."""
    parse = kind.parse if isinstance(kind, CompiledAgent) and kind.parse else kind.info.parse_values
    values = parse(spec)
    other = kind.variant(values) if isinstance(kind, CompiledAgent) and kind.variant else None
    return Agent(str(spec), other or kind, values)
