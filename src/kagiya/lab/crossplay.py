"""Cross-play: how well each agent does as a guest, one of it with copies of each other one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kagiya.lab.experiment import PlannedMatch
from kagiya.lab.store.queries import GameTally, tally_run
from kagiya.lab.store.recording import RunReport
from kagiya.lab.store.store import Store

Cell = tuple[str, int, tuple[str, ...]]  # rules, players, and who


@dataclass(frozen=True)
class Crossplay:
    """The matrix for one number of players: rows are guests, columns their hosts."""

    rules: str
    players: int
    agents: tuple[str, ...]
    cells: dict[tuple[str, str], GameTally]

    def to_json(self) -> dict[str, Any]:
        """Lists of rows, in the order of the agents; null for pairs not played."""
        found = [[self.cells.get((row, column)) for column in self.agents] for row in self.agents]
        data: dict[str, Any] = {"rules": self.rules, "players": self.players, "agents": list(self.agents)}
        for key in ("mean", "se", "games", "bomb_rate", "perfect_rate", "regret"):
            data[key] = [[None if cell is None else cell.to_json()[key] for cell in row] for row in found]
        return data


def team_of(cell: Sequence[str], players: int) -> list[str]:
    """Everybody at the table, from the cell of an experiment: an agent, a guest and its host, or a team."""
    if len(cell) == players:
        return list(cell)
    first, last = cell[0], cell[-1]
    return [first, *[last] * (players - 1)]


def tally_cells(store: Store, report: RunReport, planned: Sequence[PlannedMatch]) -> dict[Cell, GameTally]:
    """The games of a run by cell of the experiment, in its order; empty cells are left out."""
    tallies = tally_run(store, report.run, [plan.match.rules.perfect_score for plan in planned])
    cells: dict[Cell, GameTally] = {}
    for plan, tally in zip(planned, tallies, strict=True):
        if tally.games:
            key = (plan.rules, plan.players, plan.cell)
            cells[key] = cells.get(key, GameTally()) + tally
    return cells


def crossplay(cells: dict[Cell, GameTally]) -> list[Crossplay]:
    """A matrix for each rules and number of players."""
    tables: dict[tuple[str, int], dict[tuple[str, str], GameTally]] = {}
    for (rules, players, (one, others)), tally in cells.items():
        tables.setdefault((rules, players), {})[one, others] = tally
    return [
        Crossplay(rules, players, tuple(dict.fromkeys(one for one, _ in table)), table)
        for (rules, players), table in tables.items()
    ]
