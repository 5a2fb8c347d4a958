"""The settings of searches: parameters as written on the command line, and what all flat searches share.

Flat searches share parameters, the race between moves, lines cut off and valued, and `flat_agent`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

from kagiya._jit import HAS_CLOCK
from kagiya.agents.api import Agent, AgentInfo, Hooks, Kernel, Parameter, SearchAgent, Values
from kagiya.agents.register import rebuild_agent
from kagiya.agents.rule_list import candidate_row, parts_of, rule_uses
from kagiya.agents.tactics.vocabulary import TacticUse, parse_use
from kagiya.cards import Seat
from kagiya.engine.layout import MAX_TURNS
from kagiya.learn.evalfn import network_place
from kagiya.learn.networks import load, network_file, network_row
from kagiya.rules import Rules
from kagiya.search import search_layout as layout
from kagiya.search.deals import history, sampling
from kagiya.search.workspace import SearchSetup, SearchWorkspace
from kagiya.spec import A_DURATION, Spec, SpecError, near, parse_spec, read_seconds

MAX_NODES = 1 << 19  # 32 MB, and only what is used of it; a full tree is searched on without growing
ITERATIONS_PER_SECOND = 500_000  # more than any search makes: how large a tree can grow in a given time
MAX_ITERATIONS = 10_000_000
BUDGETS = ("iterations", "deals", "steps", "time")
EVALFN = "evalfn"
MAX_SECONDS = 3600.0  # seconds a search may be given for one move
Parser = Callable[[Spec], dict[str, Any]]


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
    """A duration; 0 for no limit."""

    def parse(self, value: Spec, agent: str) -> Any:
        try:
            seconds = read_seconds(str(value))
        except ValueError:
            seconds = math.nan
        if not 0 <= seconds <= MAX_SECONDS:
            raise SpecError(f"{agent}: {self.name} must be {self.range_text()}, not {value}")
        if seconds and not HAS_CLOCK:
            raise SpecError(f"{agent}: this system has no clock for compiled code; give iterations instead of a time")
        return seconds

    def range_text(self) -> str:
        return f"{A_DURATION}, at most {MAX_SECONDS:g}s"


@dataclass(frozen=True, slots=True)
class RulesParameter(Parameter):
    """The moves that the tree considers: all of them, a named list, or ``list(tactic, ...)``."""

    def parse(self, value: Spec, agent: str) -> Any:
        if value.name == "list" and value.values:
            return tuple(tree_rule(item, agent) for item in value.values)
        if value.name not in self.choices:
            known = near(value.name, self.choices)
            raise SpecError(f"{agent}: {self.name}={value} is not known; {known} (or list(tactic, ...))")
        return value.name

    def range_text(self) -> str:
        return " or ".join((*self.choices, "list(tactic, ...)"))


def yes_no(name: str, default: str, meaning: str) -> Parameter:
    """A parameter that is yes or no."""
    return Parameter(name, default, meaning, choices=("no", "yes"))


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


def budget_parser(info: AgentInfo) -> Parser:
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
        "iterations": MAX_ITERATIONS if time or steps else tries,
        "nanoseconds": int(time * 1e9),
        "steps": steps,
        "sampler": sampling.DEALS.index(values["deal"]),
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


FORECAST = "forecast"
PLAYERS = (2, 3, 4, 5)  # that there are forecasts for

SAMPLES = Parameter("deals", 1000, "deals in which each move is tried, at most", 1, 10_000_000, whole=True)
TIME = TimeParameter("time", 0, "time for each move, instead of deals")
RACING = yes_no("racing", "yes", "whether moves that are surely no better are dropped")
SURE = Parameter(
    "confidence", 3, "standard errors for being sure that a move is no better, before it is dropped", 0, 100
)
LEAF_PARAMETERS = (
    Parameter("plies", MAX_TURNS, "moves after which a line of play is cut off", 0, MAX_TURNS, whole=True),
    LeafParameter("leaf", "none", "what values a line that was cut off", choices=("none", FORECAST)),
)


def tree_agent(
    info: AgentInfo, act: Kernel, observe: Kernel, workspace: Callable[..., SearchWorkspace], parse: Parser
) -> SearchAgent:
    """A search whose tree considers what a list of rules proposes, as an agent."""
    return SearchAgent(
        info,
        act,
        observe,
        hooks=Hooks(parse=parse, parts=lambda values: parts_of(rule_uses(all_values(info, values)["rules"]))),
        workspace=workspace,
        models=lambda values: model_agents(all_values(info, values)),
    )


# Of all parameters, the seat and the agents at the table.
FlatSetup = Callable[[Values, Seat, Sequence[Agent]], SearchSetup]


def flat_agent(info: AgentInfo, act: Kernel, setup: FlatSetup) -> SearchAgent:
    """A search that tries every move on the same samples, as an agent; what values its leaves is added to its setup."""

    @wraps(setup)  # the code of a search is where its settings stand
    def workspace(values: Values, rules: Rules, seat: Seat, seated: Sequence[Agent]) -> SearchWorkspace:
        chosen = all_values(info, values)
        leaf_row, leaf, rule_row = leaf_setup(chosen["leaf"], rules)
        plain = setup(chosen, seat, seated)
        settings = {**plain.settings, **leaf}
        return SearchWorkspace(rules, replace(plain, settings=settings, leaf_row=leaf_row, rule_row=rule_row))

    return SearchAgent(
        info,
        act,
        history.remember,
        hooks=Hooks(parse=budget_parser(info), parts=leaf_parts, files=leaf_files),
        workspace=workspace,
        models=lambda values: model_agents(all_values(info, values)),
    )


def race_settings(chosen: Values) -> dict[str, float]:
    """The fields of a search's record for moves that are tried on the same samples, and for the race between them."""
    return {
        "algorithm": layout.FLAT,
        "plies": int(chosen["plies"]),
        "confidence": chosen["confidence"] if chosen["racing"] == "yes" else math.inf,
    }


def leaf_setup(leaf: Agent | str, rules: Rules) -> tuple[list[float], dict[str, float], list[float]]:
    """The numbers of the learned function, the fields of the record for it, and the rules that propose moves to it."""
    if leaf == FORECAST:
        return network_row(load(forecast_file(rules.players), FORECAST)), {"leaf": layout.BY_POSITION}, [0.0]
    if isinstance(leaf, str):
        return [0.0], {}, [0.0]
    row = leaf.parameters
    fields: dict[str, float] = {"leaf": layout.BY_MOVES, "leaf_start": network_place(row)}
    return row, fields, candidate_row(rule_uses("goodman"), "none")


def forecast_file(players: int) -> str:
    """The network that comes with Kagiya for this number of players."""
    return str(network_file(f"forecast-{players}"))


def leaf_files(values: dict[str, Any]) -> list[str]:
    """The files that a learned function is read from."""
    return list(map(forecast_file, PLAYERS)) if values.get("leaf") == FORECAST else []


def leaf_parts(values: dict[str, Any]) -> list[Callable[..., Any]]:
    """The kernels of the rules that propose moves to an evaluation function."""
    return parts_of(rule_uses("goodman")) if isinstance(values.get("leaf"), Agent) else []
