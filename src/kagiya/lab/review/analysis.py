"""What recorded games come to, whoever played them: scores, who lost the points, pace and efficiency."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kagiya.engine.batch_kernels import RESULT
from kagiya.engine.game import Game
from kagiya.engine.record import GameRecord
from kagiya.lab.statistics.pace import bottom_deck_risks, efficiency, pace
from kagiya.lab.statistics.regret import SOURCES, move_costs
from kagiya.lab.statistics.summary import Summary, summarize, without_nan
from kagiya.rules import Rules

NOT_A_NUMBER = float("nan")


@dataclass(frozen=True)
class Figures:
    """What one game shows besides its score."""

    lowest_pace: int | None  # None if the game ended before anybody could discard
    efficiency: float | None  # at the end: cards gotten for each hint given or forgone
    bottom_deck_risks: int


@dataclass(frozen=True)
class Analysis:
    """Games by the same rules."""

    rules: Rules
    seats: tuple[str, ...]  # who sat there, if it was the same in all games
    summary: Summary
    ends: dict[str, int]  # games by how they ended
    games: tuple[Figures, ...]

    def mean(self, name: str) -> float:
        """The mean of a figure over the games that have it."""
        values = [value for game in self.games if (value := getattr(game, name)) is not None]
        return sum(values) / len(values) if values else NOT_A_NUMBER

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        means = {name: self.mean(name) for name in ("lowest_pace", "efficiency", "bottom_deck_risks")}
        told = {"rules": self.rules.to_json(), "seats": list(self.seats), "ends": self.ends}
        plain: dict[str, Any] = told | self.summary.to_json() | without_nan(means)
        return plain


def analyse(records: Iterable[GameRecord]) -> list[Analysis]:
    """The games by their rules, in the order in which these appear."""
    groups: dict[Rules, list[GameRecord]] = {}
    for record in records:
        groups.setdefault(record.rules, []).append(record)
    return [_analysis(rules, group) for rules, group in groups.items()]


def _analysis(rules: Rules, records: Sequence[GameRecord]) -> Analysis:
    results, figures = np.zeros(len(records), RESULT), []
    for row, record in zip(results, records, strict=True):
        games = [record.deal(), *record.replay()]
        _write_result(row, record, games)
        figures.append(_figures(games))
    seats = {record.seats for record in records}
    return Analysis(
        rules=rules,
        seats=seats.pop() if len(seats) == 1 else ("several",) * rules.players,
        summary=summarize(results, rules.perfect_score, rules.players),
        ends=dict(Counter(record.end for record in records).most_common()),
        games=tuple(figures),
    )


def _write_result(row: Any, record: GameRecord, games: Sequence[Game]) -> None:
    """The row of a game as a match would have written it; what a game broken off did not score is nobody's regret."""
    for name in ("score", "points", "lives", "turns"):
        row[name] = getattr(record, name)
    row["reachable"] = games[-1].reachable_points
    for before, cost in zip(games, move_costs(games), strict=False):
        row["indirect"][before.seat] += cost.indirect
        if cost.source is not None:
            row["regret"][before.seat, SOURCES.index(cost.source)] += cost.direct


def _figures(games: Sequence[Game]) -> Figures:
    paces = [now for game in games if (now := pace(game)) is not None]
    got = efficiency(games[-1])
    return Figures(min(paces, default=None), None if got is None else float(got), bottom_deck_risks(games))
