"""An experiment as a small file or as options: agents, seatings, rules, players, games, seed."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path
from typing import Any

from kagiya.agents._base import Agent
from kagiya.agents._modules import check_file_agent
from kagiya.agents.register import find_agent
from kagiya.lab.contests.seatings import MOST_TEAMS, find_maker
from kagiya.lab.match.match import Match
from kagiya.lab.table.clock import Clock, Late
from kagiya.rules import parse_rules
from kagiya.spec import near

BUDGET = "{budget}"  # in an agent's text, stands for each of the budgets


class ExperimentError(ValueError):
    """An experiment that says nothing clear; names the key."""


@dataclass(frozen=True)
class PlannedMatch:
    """A match, and the cell of the experiment's table that it belongs to."""

    match: Match
    rules: str
    players: int
    cell: tuple[str, ...]


@dataclass(frozen=True)
class Experiment:
    """What to play. Lists mean: for each of them."""

    agents: tuple[str, ...]
    seatings: str = "self"
    rules: tuple[str, ...] = ("standard",)
    players: tuple[int, ...] = (3,)
    games: int = 1000  # for each team, or pair for seatings "one-of"
    seed: int = 1
    teams: int = 10  # for seatings "random"
    budgets: tuple[str, ...] = ()
    time: float | None = None  # seconds for a move of a Python seat
    late: str = "warn"
    name: str = ""

    def plan(self) -> list[PlannedMatch]:
        """Every match, checked."""
        entered = self.entrants()
        clock = None if self.time is None else Clock(self.time, Late(self.late))
        planned = []
        for rules in self.rules:
            for players in self.players:
                planned += self._plan_one(entered, rules, players, clock)
        if not planned:
            raise ExperimentError("nothing to play: none of the agents plays with so many players")
        return planned

    def entrants(self) -> list[Agent]:
        """The agents, once for each budget where they have one."""
        return [find_agent(text) for text in self.texts()]

    def texts(self) -> list[str]:
        """The same as they are written, the budgets filled in."""
        budgets = {text: self.budgets if BUDGET in text else ("",) for text in self.agents}
        texts = [text.replace(BUDGET, budget) for text, values in budgets.items() for budget in values]
        return list(dict.fromkeys(texts))

    def _plan_one(self, entered: Sequence[Agent], text: str, players: int, clock: Clock | None) -> list[PlannedMatch]:
        rules = parse_rules(text, players)
        able = [agent for agent in entered if agent.why_not(rules) is None]
        if not able:
            return []
        dice = random.Random(f"{self.seed} {players}")
        seatings = find_maker(self.seatings)(able, players, self.games, dice)
        found = list(islice(seatings, self.teams if self.seatings == "random" else MOST_TEAMS + 1))
        if len(found) > MOST_TEAMS:
            raise ExperimentError(f"more than {MOST_TEAMS:,} seatings; take fewer agents, or seatings = 'random'")
        return [
            PlannedMatch(Match.of(rules, s.team, s.games, self.seed + s.offset, clock), text, players, s.cell)
            for s in found
        ]


def read_experiment(path: Path) -> Experiment:
    """An experiment from a TOML file; whatever is wrong is named with its key."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ExperimentError(f"{path} is not TOML: {error}") from None
    try:
        experiment = experiment_from(data)
    except ExperimentError as error:
        raise ExperimentError(f"{path}: {error}") from None
    for text in experiment.texts():
        check_file_agent(text, path)
    return experiment


def experiment_from(data: dict[str, Any]) -> Experiment:
    """An experiment from plain data. One thing may stand for a list of one."""
    known = [field.name for field in fields(Experiment)]
    for key in data:
        if key not in known:
            raise ExperimentError(f"there is no {key!r} in an experiment; {near(key, known)}")
    if not data.get("agents"):
        raise ExperimentError("agents: name at least one")
    return Experiment(**{key: _checked(key, value) for key, value in data.items()})


_LISTS: dict[str, type] = {"agents": str, "rules": str, "players": int, "budgets": str}
_SINGLES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("games", "seed", "teams"), (int,)),
    **dict.fromkeys(("seatings", "late", "name"), (str,)),
    "time": (int, float),
}


def _checked(key: str, value: Any) -> Any:
    if key in _LISTS:
        items = value if isinstance(value, list) else [value]
        items = [str(item) if key == "budgets" else item for item in items]
        if not items or any(type(item) is not _LISTS[key] for item in items):
            raise ExperimentError(f"{key}: {value!r} is not what is expected there")
        return tuple(items)
    if type(value) not in _SINGLES[key]:
        raise ExperimentError(f"{key}: {value!r} is not what is expected there")
    if key in ("games", "teams") and value < 1:
        raise ExperimentError(f"{key} must be a whole number from 1 on, not {value}")
    if key == "late" and value not in list(Late):
        raise ExperimentError(f"late: {near(value, list(Late))}")
    return value
