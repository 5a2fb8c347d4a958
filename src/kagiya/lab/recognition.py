"""How soon a search knows who it plays with: the posterior of each partner's true policy, by the moves seen of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from kagiya.agents.api import Agent
from kagiya.cards import Seat
from kagiya.lab.experiment import one_among
from kagiya.lab.table.table import Table
from kagiya.rules import Rules
from kagiya.search.allies import AllyBelief
from kagiya.search.workspace import SearchWorkspace


class RecognitionError(ValueError):
    """An agent that does not infer who the others are."""


@dataclass
class Recognition:
    """By the moves seen of a partner: how often it was asked, the true policy's chances, how often it was first."""

    asked: list[int] = field(default_factory=list)
    chances: list[float] = field(default_factory=list)
    squares: list[float] = field(default_factory=list)
    first: list[int] = field(default_factory=list)

    def add(self, seen: int, belief: AllyBelief, truth: str) -> None:
        """Count one posterior of a partner that is really `truth`."""
        for column in (self.asked, self.chances, self.squares, self.first):
            column.extend([0] * (seen + 1 - len(column)))
        chance = dict(belief.policies)[truth]
        self.asked[seen] += 1
        self.chances[seen] += chance
        self.squares[seen] += chance * chance
        self.first[seen] += belief.policies[0][0] == truth

    def mean(self, seen: int) -> float:
        """The mean chance of the true policy after so many moves."""
        return self.chances[seen] / self.asked[seen]

    def error(self, seen: int) -> float:
        """The standard error of that mean, infinite for a single game."""
        count = self.asked[seen]
        if count < 2:
            return math.inf
        spread = max(self.squares[seen] / count - self.mean(seen) ** 2, 0.0)
        return math.sqrt(spread / (count - 1))


def play_recognition(
    agent: Agent, rules: Rules, games: int, seed: int, progress: Callable[[int], None] = lambda games: None
) -> Recognition:
    """Games with partners drawn from the agent's own policies, and what it took them for at each of its moves."""
    found, pool = Recognition(), policies_of(agent, rules)
    for seating in one_among(agent, pool, rules.players, games, games):
        table = Table(rules, seating.team)
        table.play_explained(seed + seating.offset)
        for turn, explanation in enumerate(table.explanations):
            for belief in explanation.allies if explanation is not None else ():
                truth = seating.team[belief.seat].text
                if belief.seat != explanation.seat and seating.team[belief.seat] in pool:
                    found.add(moves_before(turn, belief.seat, rules.players), belief, truth)
        progress(1)
    return found


def moves_before(turn: int, seat: Seat, players: int) -> int:
    """How many moves a seat has made before a turn."""
    return (turn - seat + players - 1) // players


def policies_of(agent: Agent, rules: Rules) -> list[Agent]:
    """The policies that an agent takes others for; a sentence if it has none."""
    workspace = agent.new_workspace(rules, Seat(0), [agent] * rules.players) if agent.is_search else None
    if not isinstance(workspace, SearchWorkspace) or workspace.allies is None:
        raise RecognitionError(f"{agent.text} does not infer who the others are; give ally or ally-flat")
    return workspace.allies.agents
