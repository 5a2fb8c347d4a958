"""The league as it was measured for the documents; it comes with Kagiya, so that any agent can be placed in it."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from kagiya.agents.register import agent_types, find_agent
from kagiya.lab.contests.league import LeagueRow
from kagiya.lab.statistics.summary import Summary

FILE = "measured_league.json"
PERFECT = 25
KEPT = ("games", "mean", "se")  # of each cell


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


@cache
def measured_league() -> MeasuredLeague:
    """The league that comes with this version."""
    data = json.loads((files("kagiya.lab.contests") / FILE).read_text(encoding="utf-8"))
    rows = {
        row["agent"]: {int(players): _summary(**cell) for players, cell in row["players"].items()}
        for row in data["rows"]
    }
    return MeasuredLeague(data["rules"], data["caption"], data["games"], data["seed"], data["made"]["date"], rows)


def _summary(games: int, mean: float, se: float) -> Summary:
    unknown = math.nan
    uncounted = (0,) * (PERFECT + 1)
    return Summary(games, mean, se, se * math.sqrt(games), unknown, unknown, unknown, unknown, uncounted)


def shipped_text(league: dict[str, Any]) -> str:
    """The file that comes with Kagiya, from what `kagiya league --json-file` wrote."""
    kept = {key: league[key] for key in ("made", "rules", "caption", "games", "seed")}
    rows = [
        {
            "agent": row["agent"],
            "players": {n: {key: cell[key] for key in KEPT} for n, cell in row["players"].items()},
        }
        for row in league["rows"]
    ]
    kept["agents"] = list(agent_types())  # for the shell, which cannot wait until they are imported
    lines = ",\n".join("  " + json.dumps(row) for row in rows)
    head = ",\n".join(f' "{key}": {json.dumps(value)}' for key, value in kept.items())
    return "{\n" + head + f',\n "rows": [\n{lines}\n ]\n}}\n'
