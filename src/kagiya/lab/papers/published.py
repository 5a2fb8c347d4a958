"""Published self-play scores beside measured ones: is an agent the one that its paper describes?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kagiya.agents._info import Published
from kagiya.agents.register import agent_types, find_agent, prompt_agents
from kagiya.lab.match.match import Match, play_match
from kagiya.lab.papers.distance import WITHIN, errors_apart, paper_error
from kagiya.lab.statistics.summary import Summary
from kagiya.rules import parse_rules


@dataclass(frozen=True)
class MeasuredFigure:
    """One printed figure and ours."""

    agent: str
    family: str
    published: Published
    measured: Summary

    @property
    def difference(self) -> float:
        return self.measured.mean - self.published.score

    @property
    def distance(self) -> float:
        """The difference in combined standard errors, after what the paper's rounding may explain."""
        figure = self.published
        printed = paper_error(figure.standard_error, figure.games, self.measured.sd if figure.sd is None else figure.sd)
        return errors_apart(self.difference, figure.decimals, math.hypot(self.measured.se, printed))

    @property
    def is_close(self) -> bool:
        return abs(self.distance) <= WITHIN

    def to_json(self) -> dict[str, Any]:
        """Plain data for the result file."""
        return {
            "agent": self.agent,
            "family": self.family,
            "players": self.published.players,
            "rules": self.published.rules,
            "where": self.published.where,
            "published": self.published.score,
            "published_games": self.published.games,
            "published_sd": self.published.sd,
            "decimals": self.published.decimals,
            "mean": self.measured.mean,
            "se": self.measured.se,
            "sd": self.measured.sd,
            "games": self.measured.games,
            "bomb_rate": self.measured.bomb_rate,
            "distance": self.distance,
            "is_close": self.is_close,
        }


def published_figures(ids: Sequence[str] = ()) -> list[tuple[str, Published]]:
    """Every printed score that the register knows, or those of some agents: agent as written, and figure.

    Searches must be named: what is printed of them stands in `reproductions/`, with the budget it was measured at.
    """
    types = agent_types()
    chosen = [find_agent(name).info.id for name in ids] or prompt_agents()
    return [(figure.agent or name, figure) for name in chosen for figure in types[name].info.published]


def measure_figure(
    text: str, figure: Published, games: int, seed: int, progress: Callable[[int], None]
) -> MeasuredFigure | None:
    """Measure what was printed; None if interrupted."""
    agent = find_agent(text)
    match = Match.of(parse_rules(figure.rules, figure.players), [agent], games, seed)
    result = play_match(match, progress=progress)
    if result.error:
        raise result.error
    return None if result.interrupted else MeasuredFigure(text, agent.info.family, figure, result.summary)
