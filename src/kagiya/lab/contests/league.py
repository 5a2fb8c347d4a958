"""A league: every agent in self-play for every number of players, ranked by its mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from kagiya.agents.api import Agent
from kagiya.lab.deals.live_deals import OWN
from kagiya.lab.match.match import Match
from kagiya.lab.match.match_result import CountGames, MatchResult
from kagiya.lab.match.runner import OnError, Runner
from kagiya.lab.statistics.summary import Summary
from kagiya.rules import parse_rules

PYTHON_SHARE = 20  # a Python agent plays so many times fewer games


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
