"""Evolved: a list of any of our tactics, with thresholds and limits, for each number of players.

Source
    Ours; found with `kagiya evolve --rule-set all` (docs/evolution.md). `evolved_lists.toml` has the commands.
Published
    Nothing.
Where the source is silent
    When no tactic has a move, a random legal one is made, as in every list.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from kagiya.agents.api import AgentInfo
from kagiya.agents.tactics.noted import MIN_PLAYERS, lists_agent
from kagiya.agents.tactics.vocabulary import TacticUse, use
from kagiya.cards import MAX_PLAYERS

FILE = "evolved_lists.toml"
NUMBERS = range(MIN_PLAYERS, MAX_PLAYERS + 1)  # of players


@dataclass(frozen=True)
class EvolvedList:
    """A list for one number of players, and where it comes from."""

    rules: tuple[str, ...]  # tactics as written in ``rules(...)``, first to last
    command: str
    commit: str
    games: int  # played to find it
    seconds: float  # of processor time

    @property
    def uses(self) -> list[TacticUse]:
        return [use(text) for text in self.rules]


@cache
def evolved_lists(agent: str) -> tuple[EvolvedList, ...]:
    """The lists of an agent, for two players first."""
    tables = tomllib.loads((files("kagiya.agents") / FILE).read_text(encoding="utf-8"))[agent]
    return tuple(_read(tables[str(number)]) for number in NUMBERS)


def _read(table: dict[str, Any]) -> EvolvedList:
    return EvolvedList(tuple(table["rules"]), table["command"], table["commit"], table["games"], table["seconds"])


AGENT = lists_agent(
    AgentInfo(
        id="evolved",
        summary="any tactics, thresholds and limits, found by evolution, for each number of players",
        family="evolved",
        paper="Kagiya",
    ),
    [each.uses for each in evolved_lists("evolved")],
)
