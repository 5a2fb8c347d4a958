"""The seats of a recorded game: who played it, with a stand-in for each person, and which moves cost points.

Persons are not asked by the table: their moves are made for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kagiya.agents.api import Agent, AgentInfo, PythonAgentType
from kagiya.agents.register import check_file_agent, find_agent
from kagiya.engine.game import Game
from kagiya.engine.record import GameRecord
from kagiya.lab.regret import MoveCost, move_costs
from kagiya.moves import Move
from kagiya.view.observation import Observation

PERSON = "human"  # in the seats of a record
INFO = AgentInfo(id=PERSON, summary="a person", family="people", paper="none")


class Absent:
    """Stands for a person who is not asked by the table."""

    def act(self, observation: Observation) -> Move:
        raise RuntimeError("this is a person's seat: the person's move is made, not asked for")


SEATED_PERSON = Agent(PERSON, PythonAgentType(INFO, Absent))


def is_person(agent: Agent) -> bool:
    """Whether a seat is a person's."""
    return agent.info.id == PERSON


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
