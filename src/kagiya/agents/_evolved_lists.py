"""The lists that evolution found and that ship with the package, with what they were evolved by, from a data file."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from kagiya.agents._noted_list import FEWEST
from kagiya.agents.tactics._tactic import TacticUse, use
from kagiya.rules import MAX_PLAYERS

FILE = "evolved_lists.toml"
NUMBERS = range(FEWEST, MAX_PLAYERS + 1)  # of players


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
