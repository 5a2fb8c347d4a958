"""What a move told a seat of its own cards: by its words alone, and by the convention of who made it."""

from __future__ import annotations

from dataclasses import dataclass

from kagiya.agents._base import Agent, CompiledAgent
from kagiya.lab.review.chances import has_convention, what_it_told
from kagiya.lab.review.plausible import plausible_game
from kagiya.lab.table.sitting import Sitting
from kagiya.view.observation import Observation
from kagiya.web.notifier import Notifier
from kagiya.web.seat.tells import Meaning
from kagiya.web.tables.bots import Workers
from kagiya.web.tables.partners import Partners
from kagiya.web.thinking import SEARCH, Task

MOST_KEPT = 50


@dataclass(frozen=True)
class Asked:
    """A move: its turn in a branch."""

    turn: int
    branch: int


class Meanings:
    """All that one seat has asked. Everything is worked out from what this seat sees."""

    def __init__(self, partners: Partners, workers: Workers, changes: Notifier) -> None:
        self._partners, self._workers, self._changes = partners, workers, changes
        self._tasks: dict[Asked, Task[tuple[Meaning, ...]]] = {}

    def ask(self, after: Observation, branch: int, agent: str, visitor: str) -> None:
        """What the last move before this view, by this agent (empty: a person), told its seat."""
        asked = Asked(after.turn - 1, branch)
        if asked in self._tasks and not self._tasks[asked].came_to_nothing:
            return
        while len(self._tasks) >= MOST_KEPT:
            self._tasks.pop(next(iter(self._tasks))).stop()
        partner = self._partners.find(agent) if agent else None
        needs_compiling = partner is not None and has_convention(partner)

        def work(task: Task[tuple[Meaning, ...]]) -> tuple[Meaning, ...]:
            if partner is not None and needs_compiling:
                self._workers.make_judge_ready(task, visitor, after.rules, partner)
            return meanings(after, partner)

        lane = self._workers.lane_of_judge(after.rules, partner) if partner and needs_compiling else SEARCH
        self._tasks[asked] = self._workers.thinking.start(visitor, work, self._changes, lane)

    def task(self, turn: int, branch: int) -> Task[tuple[Meaning, ...]] | None:
        """What was asked about a move, if it was."""
        return self._tasks.get(Asked(turn, branch))


def meanings(after: Observation, partner: Agent | None) -> tuple[Meaning, ...]:
    """What the last move told this seat, by its words and by the convention of the agent that made it."""
    literal = Meaning("its words alone", what_it_told(after), "")
    if partner is None:
        return (literal,)
    words = heard(after, partner)
    told = what_it_told(after, agent=partner) if has_convention(partner) else None
    return (literal, Meaning(f"{partner.text}'s convention", told, words)) if told or words else (literal,)


def heard(after: Observation, partner: Agent) -> str:
    """What this agent would have heard in the last move, in this seat and by what it sees."""
    if not isinstance(partner.type, CompiledAgent) or partner.type.hearing is None:
        return ""
    game = plausible_game(after)
    move = game.undo()
    words = [each.words() for each in Sitting(game, partner).hear(move) if each.seat == after.seat]
    return words[0] if words else ""
