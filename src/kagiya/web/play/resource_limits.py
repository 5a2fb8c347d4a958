"""Limits for agents' texts: the agents, modules, files and thinking time that one asks for, found without running it.

For a server, which is sent texts by strangers: to name ``module:name`` is to run that module's code.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from kagiya.agents.api import AgentInfo, Parameter
from kagiya.agents.register import advice_on, agent_types
from kagiya.learn.networks import NetworkParameter
from kagiya.search.search_options import BUDGETS, TimeParameter
from kagiya.spec import Spec, SpecError, parse_spec, read_seconds

# What a table that is open to strangers lets an agent do for one move, by parameter; the defaults are well below.
MAX_WORK: Mapping[str, float] = {
    "iterations": 100_000,
    "deals": 100_000,
    "steps": 10_000_000,
    "hands": 1_000,
    "draws": 20,
    "proposals": 20,
    "endings": 20_000,
    "cap": 200_000,
    "unprune": 100_000,
}


@dataclass(frozen=True)
class AgentBudget:
    """What one search may use for a move, as written or by default."""

    agent: str
    unit: str  # "time" (seconds), "iterations", "deals" or "steps"
    amount: float


@dataclass
class AgentLimits:
    """What an agent's text asks for, at any depth."""

    agents: list[str] = field(default_factory=list)  # ids of the register, in the order written
    modules: list[str] = field(default_factory=list)  # each a module:name
    files: list[str] = field(default_factory=list)  # networks that do not come with Kagiya
    budgets: list[AgentBudget] = field(default_factory=list)  # of the searches
    work: dict[str, float] = field(default_factory=dict)  # by parameter that costs time, the most that is asked for

    @property
    def seconds(self) -> float:
        """The longest time that a search is given for a move; 0 if none is given a time."""
        return max((budget.amount for budget in self.budgets if budget.unit == "time"), default=0.0)

    def add(self, spec: Spec) -> None:
        """Note what a name, and everything inside its parentheses, asks for."""
        kind = agent_types().get(spec.name)
        if ":" in spec.name:
            self.modules.append(spec.name)
        elif kind is not None:
            self.agents.append(spec.name)
            self._add_parameters(kind.info, spec, kind.is_search)
        for value in (*spec.values, *(value for _, value in spec.named)):
            self.add(value)

    def _add_parameters(self, info: AgentInfo, spec: Spec, searches: bool) -> None:
        given: dict[str, float] = {}
        for parameter, value in written_parameters(info, spec):
            if isinstance(parameter, NetworkParameter) and str(value) not in parameter.choices:
                self.files.append(str(value))
            if (amount := amount_of(parameter, value)) is not None:
                given[parameter.name] = amount
        for name, amount in given.items():
            self.work[name] = max(amount, self.work.get(name, 0.0))
        if searches:
            self.budgets.append(budget_of(info, given))


def demands_of(text: str) -> AgentLimits:
    """What the text of an agent asks for; a SpecError if it cannot be read or names no agent. Nothing is imported."""
    spec = parse_spec(text)
    if ":" not in spec.name and spec.name not in agent_types():
        raise SpecError(f"no agent named {spec.name!r}; {advice_on(spec.name, agent_types())}")
    found = AgentLimits()
    found.add(spec)
    return found


def why_refused(
    text: str, seconds: float, modules: Collection[str] = (), most: Mapping[str, float] = MAX_WORK
) -> str | None:
    """The reason why a table open to strangers refuses an agent's text; None if it need not.

    `seconds` is the longest time that a search may be given for a move, `modules` are those that may be named, each
    as ``module:name``, and `most` the largest values of parameters that cost time. A text that cannot be read is a
    SpecError, as with `demands_of`.
    """
    asked = demands_of(text)
    if foreign := [name for name in asked.modules if name not in modules]:
        return f"{foreign[0]} is code of a module, which this table does not run"
    if asked.files:
        return f"{asked.files[0]} is a file, which this table does not read"
    if asked.seconds > seconds:
        return f"time={asked.seconds:g}s is more than the {seconds:g} s that an agent may think about a move here"
    for name, amount in asked.work.items():
        if name in most and amount > most[name]:
            return f"{name}={amount:,.0f} is more than the {most[name]:,.0f} that are allowed here"
    return None


def written_parameters(info: AgentInfo, spec: Spec) -> Iterator[tuple[Parameter, Spec]]:
    """The parameters of an agent that a text gives, by place or by name; those it does not have are passed over."""
    by_name = {parameter.name: parameter for parameter in info.parameters}
    yield from zip(info.parameters, spec.values, strict=False)
    yield from ((by_name[key], value) for key, value in spec.named if key in by_name)


def amount_of(parameter: Parameter, value: Spec) -> float | None:
    """A number or a time in seconds; None for words, and for what the agent will refuse."""
    try:
        if isinstance(parameter, TimeParameter):
            return read_seconds(str(value))
        return None if parameter.choices else float(str(value))
    except ValueError:
        return None


def budget_of(info: AgentInfo, given: Mapping[str, float]) -> AgentBudget:
    """The budget that a search is given, or has by default."""
    defaults = {parameter.name: amount_of(parameter, Spec(str(parameter.default))) for parameter in info.parameters}
    for amounts in (given, defaults):
        for unit in BUDGETS:
            if amount := amounts.get(unit):
                return AgentBudget(info.id, unit, amount)
    raise RuntimeError(f"{info.id} has no budget")
