"""The policies that other seats may follow: how they are written, and the record that the kernels read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kagiya._jit import address, array_address
from kagiya.agents.api import Agent, Parameter
from kagiya.agents.register import agent_types, prompt_agents, rebuild_agent
from kagiya.cards import Seat
from kagiya.engine.calls import ACT, NO_KERNEL, OBSERVE
from kagiya.rules import Rules
from kagiya.search.allies.layout import MOST_POLICIES, new_allies
from kagiya.spec import Spec, SpecError, near

# Goodman 2019, Table VII of the report: eight of the competition framework, and two by his evaluation function.
FRAMEWORK = ("random", "cautious", "iggi", "flawed", "piers", "risky(threshold=0.6)", "outer", "vdb")
LISTS = {"framework": FRAMEWORK, "goodman": (*FRAMEWORK, "evalfn", "evalfn(convention=playable-now)")}
ZOO, LIST = "zoo", "list"
WORTH_NAMING = 0.01  # a posterior below this is not shown


@dataclass(frozen=True, slots=True)
class PoliciesParameter(Parameter):
    """The agents that other players may be: a named list, ``list(agent, ...)``, or the whole zoo.

    The zoo grows with the register, so it is not among the choices, of which each has its games in the signature.
    """

    def parse(self, value: Spec, agent: str) -> Any:
        if value.name == LIST and value.values:
            return tuple(checked_policy(str(item), agent) for item in value.values)
        if value.name not in (*self.choices, ZOO) or value.values:
            known = near(value.name, (*self.choices, ZOO))
            raise SpecError(f"{agent}: {self.name}={value} is not known; {known} (or list(agent, ...))")
        return value.name

    def range_text(self) -> str:
        return " or ".join((*self.choices, ZOO, "list(agent, ...)"))


def checked_policy(text: str, search: str) -> Agent:
    """An agent that can be asked in the middle of a search; a sentence says why another cannot."""
    found = rebuild_agent(text)
    if not found.is_compiled:
        raise SpecError(f"{search}: the policy {text} is written in Python; a search needs compiled agents")
    if found.is_search:
        raise SpecError(f"{search}: the policy {text} is a search itself; give agents that answer at once")
    if found.info.mark:
        raise SpecError(f"{search}: the policy {text} {found.info.mark}, which nobody at the table does")
    return found


def named_policies(value: Any, rules: Rules | None = None) -> list[Agent]:
    """The agents of a list; of a named list those that can play by the rules."""
    if not isinstance(value, str):
        return list(value)
    texts = zoo() if value == ZOO else LISTS[value]
    return [agent for agent in map(rebuild_agent, texts) if rules is None or agent.why_not(rules) is None]


def zoo() -> list[str]:
    """Every compiled agent of the register that answers at once and sees no more than a player does."""
    kinds = agent_types()
    prompt = [kinds[name] for name in prompt_agents()]
    able = [kind.info for kind in prompt if kind.is_compiled and not kind.info.mark]
    return [info.id for info in able if info.id != "rules"]  # which is nothing without its tactics


@dataclass(frozen=True)
class Policies:
    """What a search is told of the others when it sits down: the policies, their prior and how they are weighed."""

    agents: Sequence[Agent]
    prior: Sequence[float]  # log weights
    settings: Mapping[str, float]  # by field of the record
    network: Sequence[float] = (0.0,)  # as `network_row` writes it, if one guesses the policy


@dataclass(frozen=True)
class AllyBelief:
    """Who a search takes another player for: policies and their probabilities, the likeliest first."""

    seat: Seat
    policies: tuple[tuple[str, float], ...]

    def likely(self, most: int) -> str:
        """The likeliest policies in words, as far as they count: ``vdb (92 %), iggi (7 %)``."""
        named = [pair for pair in self.policies[:most] if pair[1] >= WORTH_NAMING] or self.policies[:1]
        return ", ".join(f"{text} ({100 * chance:.0f} %)" for text, chance in named)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"seat": int(self.seat), "policies": dict(self.policies)}


class Allies:
    """The policies of a search at one table: their kernels and parameters, and the posterior of every seat."""

    def __init__(self, rules: Rules, policies: Policies) -> None:
        self.players, self.agents = rules.players, list(policies.agents)
        if not 1 <= len(self.agents) <= MOST_POLICIES:
            raise SpecError(f"a search can tell 1 to {MOST_POLICIES} policies apart, not {len(self.agents)}")
        self._array = new_allies()
        self.record: Any = self._array[0]
        rows = [agent.parameters for agent in self.agents]
        self.rows = np.zeros((MOST_POLICIES, max(1, *map(len, rows))))
        for place, (agent, row) in enumerate(zip(self.agents, rows, strict=True)):
            self._write_policy(place, agent, row, rules)
        self.network = np.array([policies.network], np.float64)
        self._write_settings(policies)

    @property
    def address(self) -> int:
        """Where the kernels find the record."""
        return array_address(self._array)

    @property
    def memory_words(self) -> int:
        """The most words that a policy needs."""
        return max(agent.memory_words for agent in self.agents)

    def beliefs(self, seat: Seat) -> tuple[AllyBelief, ...]:
        """The posterior of every other seat, as the last search of this seat left it."""
        others = [Seat(other) for other in range(self.players) if other != seat]
        return tuple(AllyBelief(other, self._posterior(other)) for other in others)

    def _posterior(self, seat: Seat) -> tuple[tuple[str, float], ...]:
        chances = [float(chance) for chance in self.record["posterior"][seat, : len(self.agents)]]
        pairs = zip((agent.text for agent in self.agents), chances, strict=True)
        return tuple(sorted(pairs, key=lambda pair: -pair[1]))

    def _write_policy(self, place: int, agent: Agent, row: Sequence[float], rules: Rules) -> None:
        if reason := agent.why_not(rules):
            raise SpecError(f"a search cannot take others for {agent.text} here: {reason}")
        kind = agent.compiled
        self.rows[place, : len(row)] = row
        self.record["acts"][place] = address(kind.act, ACT)
        self.record["observes"][place] = NO_KERNEL if kind.observe is None else address(kind.observe, OBSERVE)
        self.record["is_uniform"][place] = agent.info.id == "random"

    def _write_settings(self, policies: Policies) -> None:
        count = len(self.agents)
        self.record["policies"] = count
        self.record["prior"][:count] = policies.prior
        self.record["listening"] = any(self.record["observes"][:count] != NO_KERNEL)
        self.record["remembering"] = any(agent.info.memory_words for agent in self.agents)
        self.record["rows_address"], self.record["rows_words"] = array_address(self.rows), self.rows.shape[1]
        self.record["network_address"] = array_address(self.network)
        self.record["network_words"] = self.network.shape[1]
        for name, value in policies.settings.items():
            self.record[name] = value
