"""A recorded game looked at again: who played it, and which moves cost points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kagiya.agents.api import Agent
from kagiya.agents.register import check_file_agent, find_agent
from kagiya.engine.game import Game
from kagiya.engine.record import GameRecord
from kagiya.lab.statistics.regret import MoveCost, move_costs
from kagiya.lab.table.persons import PERSON

STAND_IN = "careful"  # sits where a person sat, and is never asked


def recorded_agents(record: GameRecord, source: object) -> list[Agent]:
    """The agents of a record, with a stand-in where a person sat; of modules only if files are trusted."""
    texts = [STAND_IN if text == PERSON else text for text in record.seats]
    for text in texts:
        check_file_agent(text, source)
    return [find_agent(text) for text in texts]


@dataclass(frozen=True)
class CostlyTurn:
    """A move that made points impossible: the game before it, after it, and what it cost."""

    before: Game
    after: Game
    cost: MoveCost


def costly_turns(record: GameRecord, seat: int | None = None) -> Iterator[CostlyTurn]:
    """The moves of a seat, or of all, that cost points."""
    games = [record.deal(), *record.replay()]
    for before, after, cost in zip(games, games[1:], move_costs(games), strict=False):
        if cost.total > 0 and seat in (None, before.seat):
            yield CostlyTurn(before, after, cost)
