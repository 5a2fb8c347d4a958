"""An experiment: agents, seatings, rules, players, games, seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from kagiya.agents.api import Agent
from kagiya.agents.register import find_agent
from kagiya.lab.contests.seatings import MOST_TEAMS, find_maker
from kagiya.lab.deals.live_deals import OWN
from kagiya.lab.match.match import Match
from kagiya.lab.table.clock import Clock, Late
from kagiya.rules import parse_rules

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
    time: float | None = None  # seconds for a move of a search or a Python seat
    on_timeout: str = "warn"
    name: str = ""
    deals: str = OWN

    def plan(self) -> list[PlannedMatch]:
        """Every match, checked."""
        entered = self.entrants()
        clock = None if self.time is None else Clock(self.time, Late(self.on_timeout))
        planned = []
        for rules in self.rules:
            for players in self.players:
                planned += self._plan_one(entered, rules, players, clock)
        if not planned:
            raise ExperimentError("nothing to play: none of the agents plays with that many players")
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
        wanted = min(self.teams, MOST_TEAMS + 1) if self.seatings == "random" else MOST_TEAMS + 1
        found = list(islice(seatings, wanted))
        if len(found) > MOST_TEAMS:
            raise ExperimentError(f"more than {MOST_TEAMS:,} teams; take fewer agents, or fewer random teams")
        return [
            PlannedMatch(
                Match.of(rules, s.team, s.games, self.seed + s.offset, clock, self.deals), text, players, s.cell
            )
            for s in found
        ]
