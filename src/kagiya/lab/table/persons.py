"""Seats of persons, as the table knows them: nobody asks them, their moves are made for them."""

from __future__ import annotations

from kagiya.agents.api import Agent, AgentInfo, PythonAgentType
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
