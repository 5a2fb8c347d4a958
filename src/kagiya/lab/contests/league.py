"""A league: every agent in self-play for every number of players, ranked by its mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from kagiya.agents._base import Agent
from kagiya.lab.match.match import Match, MatchResult, play_match
from kagiya.lab.statistics.summary import Summary
from kagiya.rules import parse_rules

PYTHON_SHARE = 20  # a Python agent plays so many times fewer games


@dataclass(frozen=True)
class LeagueRow:
    """One agent's results by number of players."""

    agent: Agent
    cells: dict[int, Summary]

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
    cells: dict[tuple[str, int], MatchResult] = field(default_factory=dict)
    interrupted: bool = False
    errors: list[str] = field(default_factory=list)

    @property
    def players(self) -> list[int]:
        return sorted({players for _, players in self.cells})

    def rows(self) -> list[LeagueRow]:
        """The agents with a result, best first."""
        found: dict[str, LeagueRow] = {}
        for (text, players), result in self.cells.items():
            row = found.setdefault(text, LeagueRow(result.match.agents[0], {}))
            row.cells[players] = result.summary
        return sorted(found.values(), key=lambda row: -row.mean)

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
            "interrupted": self.interrupted,
            "rows": [
                {
                    "agent": row.agent.text,
                    "family": row.agent.info.family,
                    "mark": row.agent.info.mark,
                    "mean": row.mean,
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
                matches.append(Match.of(rules, [agent], games, league.seed))
    return matches


def play_league(
    league: League, matches: Sequence[Match], progress: Callable[[Match, int], None] = lambda match, games: None
) -> None:
    """Play the matches into the league; stops at Ctrl-C, and goes on after an agent's error."""
    for match in matches:
        result = play_match(match, progress=lambda games, match=match: progress(match, games))  # type: ignore[misc]
        if result.error:
            league.errors.append(str(result.error))
        if result.interrupted:
            league.interrupted = True
            return
        if len(result.results):
            league.cells[match.agents[0].text, match.rules.players] = result
