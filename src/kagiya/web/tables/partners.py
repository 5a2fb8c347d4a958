"""Who may be asked to sit down: the agents of this server, how strong they are, and why some text names none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from kagiya.agents.api import Agent, AgentType
from kagiya.agents.register import agent_types, load_agent_type, rebuild_agent
from kagiya.lab.contests.measured_league import measured_league
from kagiya.lab.table.demands import why_refused
from kagiya.lab.table.persons import PERSON
from kagiya.rules import Rules
from kagiya.spec import SpecError
from kagiya.web.views import RefusedError, sentence

LONGEST = 2_000  # characters of an agent's text
FALLBACK = "careful"


@dataclass(frozen=True)
class Offer:
    """An agent that can be chosen, and its mean score in self-play by the standard rules."""

    id: str
    kind: AgentType
    mean: float | None

    @property
    def label(self) -> str:
        """As it stands in a list."""
        mark = f", {self.kind.info.mark}" if self.kind.info.mark else ""
        pace = ", thinks" if self.kind.is_search else ""
        return f"{self.id}{'' if self.mean is None else f' ({self.mean:.1f} points)'}{pace}{mark}"


class Partners:
    """The agents that visitors may choose: those of Kagiya, and those that `--agent` names."""

    def __init__(self, own: Sequence[str] = (), think: float = 2.0) -> None:
        self.own, self.think = tuple(own), think
        self._loaded: set[str] = set()
        self._found: dict[str, Agent] = {}

    def find(self, text: str) -> Agent:
        """The agent of a text; modules that nobody named with `--agent` are refused and not imported."""
        if text in self._found:
            return self._found[text]
        agent = named_agent(text, self.think, self.own)
        if len(self._found) < 1_000:
            self._found[text] = agent
        return agent

    def convention(self, text: str) -> str:
        """What an agent's hints mean beyond their words; nothing if there is no such agent any more."""
        try:
            return self.find(text).info.convention
        except RefusedError:
            return ""

    def check(self, text: str, rules: Rules) -> Agent:
        """The agent of a text, if it can play by these rules."""
        return check_rules(self.find(text), rules)

    def is_quick(self, text: str) -> bool:
        """Whether it surely answers so soon that the page can wait for it: rules of ours, not a user's module."""
        agent = self.find(text)
        return agent.is_compiled and not agent.is_search and ":" not in text

    def loaded(self, seats: Sequence[str]) -> None:
        """These agents have sat at a table of this process, so that nothing of theirs must be loaded or compiled."""
        self._loaded.update(seats)

    def are_loaded(self, seats: Sequence[str]) -> bool:
        """Whether all of them have."""
        return all(seat == PERSON or seat in self._loaded for seat in seats)

    def offers(self, players: int) -> list[Offer]:
        """All that play with this number of players, the strongest first."""
        found = [Offer(name, kind, strength(name, players)) for name, kind in self._types().items()]
        found = [offer for offer in found if players in offer.kind.info.players]
        return sorted(found, key=lambda offer: (-(offer.mean or 0), offer.id))

    def _types(self) -> dict[str, AgentType]:
        return {**agent_types(), **{name: load_agent_type(name) for name in self.own}}

    def suggestion(self, players: int) -> str:
        """Who fits a person best: a careful partner whose hints mean what they say."""
        return FALLBACK


def named_agent(text: str, think: float, own: Sequence[str]) -> Agent:
    """The agent of a text, if this server lets it think as long as it asks for; nothing that is refused is imported."""
    if len(text) > LONGEST:
        raise RefusedError(f"An agent's text has at most {LONGEST:,} characters.")
    try:
        if reason := why_refused(text, think, own):
            raise RefusedError(f"{text}: {reason}.")
        return rebuild_agent(text)
    except SpecError as error:
        raise RefusedError(sentence(error)) from None


def check_rules(agent: Agent, rules: Rules) -> Agent:
    """The agent, if it and its models can play by these rules."""
    if reason := next(filter(None, (each.why_not(rules) for each in (agent, *agent.models))), None):
        raise RefusedError(f"{reason}.")
    return agent


@cache
def strength(name: str, players: int) -> float | None:
    """The mean score that this agent was measured with, in self-play with this number of players."""
    cell = measured_league().rows.get(name, {}).get(players)
    return None if cell is None or math.isnan(cell.mean) else cell.mean
