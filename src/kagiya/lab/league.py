"""A league: every agent in self-play for every number of players, ranked by its mean.

The league measured for the documents is read here too: `kagiya agents` lists its means.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

from kagiya.agents.api import Agent
from kagiya.agents.register import agent_types, find_agent
from kagiya.lab.deals import OWN
from kagiya.lab.match.match import Match
from kagiya.lab.match.runner import CountGames, MatchResult, OnError, Runner
from kagiya.lab.provenance import code_version, read_result
from kagiya.lab.signature import Signature
from kagiya.lab.summary import Summary
from kagiya.rules import parse_rules

PYTHON_SHARE = 20  # a Python agent plays a twentieth of the games


@dataclass(frozen=True)
class PlayedBy:
    """What played an agent's games: the hash of its code, and what the agent did then, as written down."""

    code: str | None = None
    signature: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def today(cls, agent: Agent, written: Signature | None) -> PlayedBy:
        """The present code."""
        return cls(code_version([agent]), {} if written is None else written.marks([agent]))


@dataclass(frozen=True)
class LeagueRow:
    """One agent's results by number of players."""

    agent: Agent
    cells: dict[int, Summary]
    played_by: PlayedBy = PlayedBy()
    is_measured_before: bool = False

    def is_outdated(self, written: Signature | None) -> bool:
        """Whether the agent might play other games today; `written` is what all agents do now."""
        plays_the_same = written is not None and written.plays(self.played_by.signature)
        return not plays_the_same and self.played_by.code != code_version([self.agent])

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
    played_by: dict[str, PlayedBy] = field(default_factory=dict)  # by agent

    @property
    def players(self) -> list[int]:
        return sorted({players for row in self.rows() for players in row.cells})

    def rows(self) -> list[LeagueRow]:
        """The agents with a result, best first."""
        found: dict[str, LeagueRow] = {}
        for (text, players), result in self.cells.items():
            row = found.setdefault(text, LeagueRow(result.match.agents[0], {}, self.played_by.get(text, PlayedBy())))
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
                    **asdict(row.played_by),
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


@dataclass(frozen=True)
class MeasuredLeague:
    """What every agent but the searches scored in self-play."""

    rules: str
    caption: str
    games: int
    seed: int
    date: str
    rows: dict[str, dict[int, Summary]]  # by agent and number of players
    deals: str = OWN
    played_by: dict[str, PlayedBy] = field(default_factory=dict)  # by agent

    @property
    def players(self) -> list[int]:
        return sorted({players for cells in self.rows.values() for players in cells})

    def mean(self, agent: str) -> float | None:
        """An agent's mean over its numbers of players; None for one that was not measured."""
        cells = self.rows.get(agent)
        return None if not cells else sum(cell.mean for cell in cells.values()) / len(cells)

    @property
    def agents(self) -> list[Agent]:
        """Those that are still there; users' own are not loaded for what a file says."""
        known = agent_types()
        return [find_agent(name) for name in self.rows if name in known]

    def rows_of(self, agents: Iterable[Agent], players: list[int]) -> list[LeagueRow]:
        """What these agents scored, as far as it was measured, with these numbers of players."""
        chosen = {agent: self.rows.get(agent.text, {}) for agent in agents}
        cells = {agent: {n: cell for n, cell in found.items() if n in players} for agent, found in chosen.items()}
        return [LeagueRow(agent, each, self.played_by[agent.text], True) for agent, each in cells.items() if each]


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
    return read_league(file)


def read_league(file: Path) -> MeasuredLeague:
    """What `kagiya league --json-file` wrote."""
    data = read_result(file)
    try:
        rows = {
            row["agent"]: {int(players): Summary.from_json(cell) for players, cell in row["players"].items()}
            for row in data["rows"]
        }
        played_by = {row["agent"]: PlayedBy(row.get("code"), row.get("signature", {})) for row in data["rows"]}
        known = data["rules"], data["caption"], data["games"], data["seed"], data["made"]["date"]
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{file} is not the result file of a league, or an old one: {error!r}") from None
    return MeasuredLeague(*known, rows, data.get("deals", OWN), played_by)
