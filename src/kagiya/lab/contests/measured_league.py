"""The league as it was measured for the documents: the means that `kagiya agents` lists, and company for any agent."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from kagiya.agents.register import agent_types, find_agent
from kagiya.lab.contests.league import LeagueRow
from kagiya.lab.statistics.summary import Summary

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
    package = Path(__file__).parents[2]
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
