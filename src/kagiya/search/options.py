"""What can be set of a search, as written on the command line: agents, durations, lists of rules, integers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kagiya._jit import HAS_CLOCK
from kagiya.agents.api import Agent, AgentInfo, Parameter
from kagiya.agents.register import rebuild_agent
from kagiya.agents.tactics._tactic import TacticUse, parse_use
from kagiya.search.deals.sampling import DEALS
from kagiya.spec import Spec, SpecError, near, parse_spec

DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s)")
MOST_NODES = 1 << 19  # 32 MB, and only what is used of it; a full tree is searched on without growing
ITERATIONS_PER_SECOND = 500_000  # more than any search makes: how large a tree can grow in a given time
MOST_ITERATIONS = 10_000_000
BUDGETS = ("iterations", "deals", "steps", "time")
EVALFN = "evalfn"
LONGEST = 3600.0  # seconds a search may be given for one move


@dataclass(frozen=True, slots=True)
class ModelParameter(Parameter):
    """An agent that the search plays with in its thoughts."""

    def parse(self, value: Spec, agent: str) -> Any:
        if value.name in self.choices:
            return value.name
        found = rebuild_agent(str(value))
        if not found.is_compiled:
            raise SpecError(f"{agent}: {self.name}={value} is written in Python; a search needs a compiled agent")
        if found.is_search:
            raise SpecError(f"{agent}: {self.name}={value} is a search itself; give an agent that answers at once")
        return found

    def range_text(self) -> str:
        return " or ".join(("a compiled agent", *self.choices))


@dataclass(frozen=True, slots=True)
class BlueprintParameter(ModelParameter):
    """An agent that other seats are taken to play: what it does must follow from what it sees."""

    def parse(self, value: Spec, agent: str) -> Any:
        found = super(BlueprintParameter, self).parse(value, agent)
        if isinstance(found, Agent) and found.info.mark:
            raise SpecError(f"{agent}: {self.name}={value} {found.info.mark}, which no player may; give another agent")
        return found


@dataclass(frozen=True, slots=True)
class LeafParameter(ModelParameter):
    """An agent whose learned values stand in for rollouts."""

    def parse(self, value: Spec, agent: str) -> Any:
        found = super(LeafParameter, self).parse(value, agent)
        if isinstance(found, Agent) and found.info.id != EVALFN:
            raise SpecError(f"{agent}: {self.name}={value} has no learned values; give {EVALFN}(...)")
        if isinstance(found, Agent) and "convention" in found.values:
            raise SpecError(f"{agent}: {self.name}={value}: the convention of the search counts; leave out this one")
        return found

    def range_text(self) -> str:
        return " or ".join((EVALFN, *self.choices))


@dataclass(frozen=True, slots=True)
class JudgeParameter(ModelParameter):
    """An agent that is asked whether a hand explains what other seats did."""

    def parse(self, value: Spec, agent: str) -> Any:
        found = super(JudgeParameter, self).parse(value, agent)
        if isinstance(found, Agent):
            check_judge(found, f"{agent}: {self.name}={value}")
        return found


@dataclass(frozen=True, slots=True)
class TimeParameter(Parameter):
    """A duration such as 100ms or 1.5s; 0 for no limit."""

    def parse(self, value: Spec, agent: str) -> Any:
        found = DURATION.fullmatch(str(value))
        seconds = float(found[1]) / (1000 if found[2] == "ms" else 1) if found else 0.0
        if str(value) != "0" and not 0 < seconds <= LONGEST:
            raise SpecError(f"{agent}: {self.name} must be {self.range_text()}, not {value}")
        if seconds and not HAS_CLOCK:
            raise SpecError(f"{agent}: this system has no clock for compiled code; give iterations instead of a time")
        return seconds

    def range_text(self) -> str:
        return "a duration such as 100ms or 1.5s"


@dataclass(frozen=True, slots=True)
class RulesParameter(Parameter):
    """The moves that the tree considers: all of them, a named list, or ``list(tactic, ...)``."""

    def parse(self, value: Spec, agent: str) -> Any:
        if value.name == "list" and value.values:
            return tuple(tree_rule(item, agent) for item in value.values)
        if value.name not in self.choices:
            raise SpecError(
                f"{agent}: {self.name}={value} is not known; {near(value.name, self.choices)} (or list(tactic, ...))"
            )
        return value.name

    def range_text(self) -> str:
        return " or ".join((*self.choices, "list(tactic, ...)"))


def tree_rule(spec: Spec, agent: str) -> TacticUse:
    """A tactic as a rule of a tree, which keeps no notes of hints."""
    found = parse_use(spec)
    if found.tactic.is_noted:
        raise SpecError(f"{agent}: {found.tactic.name} reads notes of hints, which a tree does not keep; leave it out")
    return found


def all_values(info: AgentInfo, values: dict[str, Any]) -> dict[str, Any]:
    """The parameters given and the defaults of the others."""
    defaults = {p.name: p.parse(parse_spec(str(p.default)), info.id) for p in info.parameters if p.name not in values}
    return defaults | values


def budget_parser(info: AgentInfo) -> Callable[[Spec], dict[str, Any]]:
    """Reads the parameters of a search, which is given one budget: time, iterations, deals or steps."""

    def parse(spec: Spec) -> dict[str, Any]:
        values = info.parse_values(spec)
        given = [budget for budget in BUDGETS if values.get(budget)]
        if len(given) > 1:
            raise SpecError(f"{info.id}: both {given[0]} and {given[1]} are given; choose one of them")
        return values

    return parse


def budget_settings(values: dict[str, Any]) -> dict[str, float]:
    """The fields of a search's record for its budget and its sampler."""
    time, steps = values["time"], int(values.get("steps", 0))
    tries = int(values.get("iterations") or values["deals"])
    return {
        "iterations": MOST_ITERATIONS if time or steps else tries,
        "nanoseconds": int(time * 1e9),
        "steps": steps,
        "sampler": DEALS.index(values["deal"]),
    }


def check_models(agents: Sequence[Agent], search: str) -> None:
    """Refuse to think ahead with seats that cannot be asked in a rollout: searches, and players in Python."""
    for agent in agents:
        if agent.is_search or not agent.is_compiled:
            kind = "searches itself" if agent.is_search else "is written in Python"
            raise SpecError(f"{search}: model=seated does not work with {agent.text} at the table, which {kind}")


def check_judge(agent: Agent, where: str) -> None:
    """Refuse to read past moves by an agent whose moves do not depend on what it was told."""
    if sees_too_much(agent):
        raise SpecError(
            f"{where} sees its own hand or the deck, so its moves tell nothing; give an agent that sees neither"
        )


def sees_too_much(agent: Agent) -> bool:
    """Whether an agent sees its own hand or the deck."""
    return agent.info.sees_own_hand or agent.info.sees_deck


def model_agents(values: dict[str, Any]) -> list[Agent]:
    """The agents among the parameters."""
    return [value for value in values.values() if isinstance(value, Agent)]
