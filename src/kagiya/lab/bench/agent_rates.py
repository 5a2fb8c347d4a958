"""How many games of self-play each agent makes in a second of one core's time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

from kagiya.agents.api import Agent
from kagiya.lab.table.table import Table
from kagiya.rules import Rules, parse_rules

COUNTS = (2, 3, 4, 5)
CHUNK = 200
FALLBACK = "bouzy"  # where the strict rules leave too few hints


def measure_agents(
    agents: Sequence[Agent], seconds: float, rounds: int, advance: Callable[[int], None]
) -> list[dict[str, Any]]:
    """For each agent the median of the rounds, which are taken in turn, by the number of players."""
    tables = {(agent.text, count): seat(agent, count) for agent in agents for count in COUNTS}
    rates: dict[tuple[str, int], list[float]] = {key: [] for key, table in tables.items() if table is not None}
    for _ in range(rounds):
        for key, found in rates.items():
            table = tables[key]
            assert table is not None
            found.append(games_per_second(table, seconds))
            advance(1)
    return [
        {
            "agent": agent.text,
            "family": agent.info.family,
            "games_per_second": {str(c): median(rates[agent.text, c]) for c in COUNTS if (agent.text, c) in rates},
            "rules": {str(c): table.rules.text() for c in COUNTS if (table := tables[agent.text, c]) is not None},
        }
        for agent in agents
    ]


def seat(agent: Agent, players: int) -> Table | None:
    """A table of this agent by the standard rules, or with empty hints if it needs them; None if it plays neither."""
    for rules in (Rules(players=players), parse_rules(FALLBACK, players)):
        if agent.why_not(rules) is None:
            return Table(rules, [agent])
    return None


def games_per_second(table: Table, seconds: float) -> float:
    """Self-play in CPU time; a table in Python plays game by game."""
    chunk = CHUNK if table.is_compiled else 2
    table.play_chunk(0, 2)
    games, started = 0, time.process_time()
    while (spent := time.process_time() - started) < seconds:
        table.play_chunk(1 + games, chunk)
        games += chunk
    return games / spent
