"""Printed scores of agents that play with copies of themselves, by agent: the self-play figures of all tables."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from kagiya.agents.register import find_agent, prompt_agents
from kagiya.lab.papers.distance import Distance
from kagiya.lab.papers.reading import shipped_tables, why_waiting
from kagiya.lab.papers.results import Measured
from kagiya.lab.papers.tables import Figure, PaperTable, Run
from kagiya.rules import Rules, parse_rules
from kagiya.spec import parse_spec

SCORE = "score"


@dataclass(frozen=True)
class PublishedFigure:
    """A score that somebody printed of an agent in self-play."""

    table: str  # the name of its table
    where: str  # document and table, in words
    figure: Figure
    run: Run

    @property
    def agent(self) -> str:
        """The agent as written on the command line."""
        return self.run.agents[0]

    @property
    def agent_id(self) -> str:
        return parse_spec(self.agent).name

    @property
    def rules(self) -> Rules:
        return parse_rules(self.run.rules, self.run.players)

    @property
    def error(self) -> float | None:
        """The standard error of the printed mean, if it is known."""
        if self.figure.error is None and self.figure.deviation is not None and self.figure.games is not None:
            return self.figure.deviation / math.sqrt(self.figure.games)
        return self.figure.error

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "agent": self.agent,
            "players": self.run.players,
            "rules": self.run.rules,
            "table": self.table,
            "where": self.where,
            "published": self.figure.value,
            "published_games": self.figure.games,
            "published_error": self.error,
        }

    def repeats(self, other: PublishedFigure) -> bool:
        """Whether this is the other figure printed again, perhaps with fewer digits."""
        decimals = min(self.figure.decimals, other.figure.decimals)
        is_near = abs(self.figure.value - other.figure.value) <= 0.5 * 10**-decimals + 1e-9
        return is_near and self.agent == other.agent and self.rules == other.rules


@dataclass(frozen=True)
class MeasuredFigure:
    """A printed figure beside ours."""

    published: PublishedFigure
    measured: Measured

    @property
    def distance(self) -> Distance:
        return Distance(self.published.figure, self.measured.estimates[SCORE])

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        ours, far = self.measured.estimates[SCORE], self.distance
        return {
            **self.published.to_json(),
            "mean": ours.mean,
            "se": ours.error,
            "games": ours.games,
            "code": self.measured.code,
            "made": dict(self.measured.made),
            "distance": far.in_errors,
            "is_close": far.is_close,
        }


def choose_figures(tables: Iterable[PaperTable], ids: Sequence[str] = ()) -> list[PublishedFigure]:
    """The figures of some agents, or of all that answer at once; each once, where it has the most digits.

    Searches must be named: their games take seconds.
    """
    return self_play_figures(tables, {find_agent(name).info.id for name in ids} or set(prompt_agents()))


def self_play_figures(tables: Iterable[PaperTable], ids: Collection[str]) -> list[PublishedFigure]:
    """Every figure of these agents that can be measured, by agent; none that only repeats another."""
    found = [figure for table in tables for figure in _figures_of(table, ids)]
    kept: dict[tuple[str, ...], list[PublishedFigure]] = {}
    for figure in sorted(found, key=lambda each: -each.figure.decimals):
        alike = kept.setdefault(figure.run.agents, [])
        if not any(figure.repeats(other) for other in alike):
            alike.append(figure)
    chosen = [figure for figure in found if figure in kept[figure.run.agents]]
    return sorted(chosen, key=lambda each: each.agent_id)


def _figures_of(table: PaperTable, ids: Collection[str]) -> Iterator[PublishedFigure]:
    for cell in table.cells():
        is_self_play = cell.column.quantity.kind == SCORE and len(set(cell.run.agents)) == 1
        is_wanted = is_self_play and parse_spec(cell.run.agents[0]).name in ids
        if cell.figure and is_wanted and not why_waiting(cell.run, table.planned):
            yield PublishedFigure(table.name, table.where, cell.figure, cell.run)


@cache
def published_figures(agent_id: str) -> tuple[PublishedFigure, ...]:
    """What the tables that come with Kagiya print of an agent, with whatever parameters."""
    return tuple(self_play_figures(shipped_tables(agent_id).values(), [agent_id]))
