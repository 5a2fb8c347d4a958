"""A league: every agent in self-play for every number of players, ranked by its mean.

The league measured for the documents is read here too: `kagiya agents` lists its means.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

from kagiya.agents.api import Agent
from kagiya.agents.register import agent_types, find_agent
from kagiya.lab.deals import OWN
from kagiya.lab.match.match import Match
from kagiya.lab.match.runner import CountGames, MatchResult, OnError, Runner
from kagiya.lab.summary import Summary
from kagiya.rules import parse_rules

PYTHON_SHARE = 20  # a Python agent plays a twentieth of the games


@dataclass(frozen=True)
class LeagueRow:
    """One agent's results by number of players."""

    agent: Agent
    cells: dict[int, Summary]
    is_measured_before: bool = False  # and comes with Kagiya

    @property
    def mean(self) -> float:
        """The mean over the numbers of players, each counting alike."""
        return fmean(cell.mean for cell in self.cells.values())


@dataclass
class League:
    """What was played: all of it, or what was finished before an interruption."""

    rules: str
    games: int
    seed: int
    deals: str = OWN
    cells: dict[tuple[str, int], MatchResult] = field(default_factory=dict)
    interrupted: bool = False
    errors: list[str] = field(default_factory=list)
    others: list[LeagueRow] = field(default_factory=list)  # measured before, to be placed among

    @property
    def players(self) -> list[int]:
        return sorted({players for _, players in self.cells})

    def rows(self) -> list[LeagueRow]:
        """The agents with a result, best first."""
        found: dict[str, LeagueRow] = {}
        for (text, players), result in self.cells.items():
            row = found.setdefault(text, LeagueRow(result.match.agents[0], {}))
            row.cells[players] = result.summary
        return sorted([*found.values(), *self.others], key=lambda row: -row.mean)

    def caption(self) -> str:
        """The rules as far as they do not depend on the number of players."""
        return parse_rules(self.rules, 2).caption().split("; ", 1)[1]

    def to_json(self) -> dict[str, Any]:
        """Everything that the tables and figures need."""
        return {
            "rules": self.rules,
            "caption": self.caption(),
            "games": self.games,
            "seed": self.seed,
            "deals": self.deals,
            "interrupted": self.interrupted,
            "rows": [
                {
                    "agent": row.agent.text,
                    "family": row.agent.info.family,
                    "mark": row.agent.info.mark,
                    "mean": row.mean,
                    "measured_before": row.is_measured_before,
                    "players": {str(players): cell.to_json() for players, cell in sorted(row.cells.items())},
                }
                for row in self.rows()
            ],
        }


def league_matches(agents: Iterable[Agent], players: Sequence[int], league: League) -> list[Match]:
    """The matches of a league, those that the agents can play."""
    matches = []
    for agent in agents:
        games = league.games if agent.is_compiled else max(league.games // PYTHON_SHARE, 2)
        for count in players:
            rules = parse_rules(league.rules, count)
            if agent.why_not(rules) is None:
                matches.append(Match.of(rules, [agent], games, league.seed, deals=league.deals))
    return matches


def play_league(league: League, matches: Sequence[Match], runner: Runner) -> None:
    """Play the matches into the league; Ctrl-C keeps the finished matches, an agent's error ends only its own."""
    sink = CountGames()
    outcome = runner.play(matches, sink, OnError.GO_ON)
    league.interrupted = outcome.interrupted
    league.errors = [str(error) for error in outcome.errors]
    for number, totals in sorted(sink.totals.items()):
        match = matches[number]
        if totals.games == match.games or not outcome.interrupted:
            result = MatchResult(match, totals, outcome.seconds)
            league.cells[match.agents[0].text, match.rules.players] = result


PERFECT = 25


@dataclass(frozen=True)
class MeasuredLeague:
    """What every agent but the searches scored in self-play."""

    rules: str
    caption: str
    games: int
    seed: int
    date: str
    rows: dict[str, dict[int, Summary]]  # by agent and number of players

    def mean(self, agent: str) -> float | None:
        """An agent's mean over its numbers of players; None for one that was not measured."""
        cells = self.rows.get(agent)
        return None if not cells else sum(cell.mean for cell in cells.values()) / len(cells)

    def league_rows(self, players: list[int]) -> list[LeagueRow]:
        """The agents that are still there, with the cells of these numbers of players."""
        chosen = {agent: {n: cell for n, cell in cells.items() if n in players} for agent, cells in self.rows.items()}
        known = agent_types()
        return [
            LeagueRow(find_agent(agent), cells, is_measured_before=True)
            for agent, cells in chosen.items()
            if cells and agent in known
        ]


def league_file() -> Path | None:
    """What `make tables` measured: in the project's results, or in the package that a wheel installed; else None."""
    package = Path(__file__).parents[1]
    places = (package.parents[1] / "results/league.json", package / "league.json")
    return next((place for place in places if place.exists()), None)


@cache
def measured_league() -> MeasuredLeague:
    """The league of the documents; an empty one if its file did not come along."""
    if (file := league_file()) is None:
        return MeasuredLeague("standard", "not measured", 0, 1, "never", {})
    data = json.loads(file.read_text(encoding="utf-8"))
    rows = {
        row["agent"]: {int(players): _summary(cell) for players, cell in row["players"].items()} for row in data["rows"]
    }
    return MeasuredLeague(data["rules"], data["caption"], data["games"], data["seed"], data["made"]["date"], rows)


def _summary(cell: dict[str, Any]) -> Summary:
    games, mean, se = cell["games"], cell["mean"], cell["se"]
    unknown, uncounted = math.nan, (0,) * (PERFECT + 1)
    return Summary(games, mean, se, se * math.sqrt(games), unknown, unknown, unknown, unknown, uncounted)
