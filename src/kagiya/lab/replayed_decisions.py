"""The thoughts behind a game played before: the genuine ones where they can be had, else the agents asked again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kagiya.agents.api import Agent
from kagiya.agents.convention_reader import Heard
from kagiya.agents.register import check_file_agent, find_agent
from kagiya.cards import Seat
from kagiya.engine.record import GameRecord
from kagiya.lab.provenance import code_version
from kagiya.lab.table.decision import Decision
from kagiya.lab.table.session import GameSession
from kagiya.lab.table.table import PERSON, AgentError
from kagiya.moves import Move
from kagiya.search.explanation import Explanation

GENUINE, ASKED_AGAIN = "genuine", "asked again"
CODE = "code"  # among the versions of a record


@dataclass(frozen=True)
class ReplayedDecision:
    """A move of a game played before, and the thought behind it."""

    turn: int
    seat: Seat
    move: Move  # as it was made
    thought: Decision | None  # None if a person sat there, or the agent could not be asked
    is_genuine: bool  # what the agent thought when it made the move, not what it thinks when asked again
    heard: tuple[Heard, ...] = ()  # what the seats hear in the move
    problem: str = ""  # why the agent could not be asked

    @property
    def agrees(self) -> bool:
        """Whether the thought leads to the move that was made."""
        return self.thought is not None and self.thought.move == self.move

    @property
    def label(self) -> str:
        """What must stand beside the thought: "genuine", "asked again", or nothing if there is none."""
        return "" if self.thought is None else GENUINE if self.is_genuine else ASKED_AGAIN

    @property
    def why(self) -> str | Explanation:
        """Why the move was made, in words or as a search explains it; says so if that is not known."""
        if self.thought is None:
            return f"not known: {self.problem}" if self.problem else ""
        if not self.agrees:
            return "not known: asked again, the agent chooses another move"
        return self.thought.explanation or self.thought.words

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        thought = None if self.thought is None else self.thought.to_json()
        heard = [each.to_json() for each in self.heard]
        return {**vars(self), "seat": int(self.seat), "move": str(self.move), "thought": thought, "heard": heard}


class ReplayedDecisions:
    """The thoughts of a game played before, turn by turn as they come; searches take the time they took.

    `seats` are the agents of the record, None for a person and for an agent that cannot be asked. `code` is the code
    that played the game, as the store has it; without it, what the record says (`stamped`), if it does. `seed` is that
    of the dice if the record has none. A thought is genuine if the code is the same, the dice are known, and the agent
    has made every move of its seat up to this one; not if it is given a time, or remembers other games.
    """

    def __init__(
        self, record: GameRecord, seats: Sequence[Agent | None], code: str | None = None, seed: int | None = None
    ) -> None:
        self.record = record
        dice = record.seed if seed is None else seed
        self.session = GameSession(record.deal(), seats, dice or 0)
        self.code = code or record.versions.get(CODE)
        self.is_same_code = self.code is not None and self.code == seats_code(self.session.seats)
        self._has_dice = dice is not None
        self._doubtful = {seat for seat, agent in enumerate(self.session.seats) if agent and not is_repeatable(agent)}
        self._is_stopped = False

    def __iter__(self) -> Iterator[ReplayedDecision]:
        for move in self.record.moves:
            recalled = self._recall(move)
            if self._is_stopped:
                return
            yield recalled
            self.session.make(move)

    def stop(self) -> None:
        """End soon, from another thread: the thought in progress is thrown away."""
        self._is_stopped = True
        self.session.close()

    def _recall(self, move: Move) -> ReplayedDecision:
        session, thought, problem = self.session, None, ""
        if not session.is_person_to_move:
            try:
                thought = session.decide()
            except AgentError as error:
                problem = error.reason
        if thought is None or thought.move != move:
            self._doubtful.add(session.seat)
        is_known = self.is_same_code and self._has_dice and session.seat not in self._doubtful
        is_genuine = thought is not None and is_known
        return ReplayedDecision(session.turn, session.seat, move, thought, is_genuine, session.hear(move), problem)


def recall(
    record: GameRecord, seats: Sequence[Agent | None], code: str | None = None, seed: int | None = None
) -> list[ReplayedDecision]:
    """The thoughts behind every move of a game played before; see `ReplayedDecisions`, which gives them one by one."""
    return list(ReplayedDecisions(record, seats, code, seed))


def stamped(record: GameRecord, code: str) -> GameRecord:
    """The record with the code that played the game, which `seats_code` tells when it is played."""
    return replace(record, versions={**record.versions, CODE: code})


def seats_code(seats: Sequence[Agent | None]) -> str:
    """The code of the agents in some seats; without persons, what the store notes for their games."""
    return code_version([agent for agent in seats if agent is not None])


def is_repeatable(agent: Agent) -> bool:
    """Whether an agent's thoughts follow from the game and its dice: not from a clock or from other games."""
    return not agent.values.get("time") and not agent.info.kept_words


STAND_IN = "careful"  # sits where a person sat, and is never asked


def recorded_agents(record: GameRecord, source: object) -> list[Agent]:
    """The agents of a record, with a stand-in where a person sat; of modules only if files are trusted."""
    texts = [STAND_IN if text == PERSON else text for text in record.seats]
    for text in texts:
        check_file_agent(text, source)
    return [find_agent(text) for text in texts]
