"""The process in which a user's Python agent thinks: it may hang or crash, and the table says so and goes on."""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from kagiya.agents.api import Agent, Player, raised
from kagiya.agents.register import rebuild_agent
from kagiya.cards import Seat
from kagiya.engine.game import Game
from kagiya.rules import Rules
from kagiya.runtime.child import Parent
from kagiya.view.observation import Observation, observe


@dataclass(frozen=True)
class Started:
    """How a player was started: by which rules, in which seat, with its dice as they were then."""

    rules: Rules
    seat: Seat
    dice: Any  # of `random.Random.getstate`
    times: int  # that it was started by now


@dataclass(frozen=True)
class PlayerQuestion:
    """What a player is asked. One that is not known here is made first, and started."""

    player: int
    observation: Observation | None  # None: be started, and no more
    started: Started | None
    dice: Any  # as they are now
    left: tuple[int, ...] = ()  # players that are not needed any more


@dataclass
class SeatedPlayer:
    """A player that was made here."""

    player: Player
    dice: random.Random
    times: int = 0  # that it was started


class Seats:
    """The players of one agent, at any number of tables."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._seated: dict[int, SeatedPlayer] = {}

    def answer(self, question: PlayerQuestion) -> dict[str, Any]:
        """The move and what the player says about it, or what went wrong."""
        for left in question.left:
            self._seated.pop(left, None)
        try:
            seated = self._seat(question)
            if question.observation is None:
                return {}
            move = seated.player.act(question.observation)
        except (Exception, SystemExit) as error:
            return {"error": raised(error)}
        reason = str(getattr(seated.player, "reason", ""))
        return {**_move(move), "reason": reason, "dice": seated.dice.getstate()}

    def _seat(self, question: PlayerQuestion) -> SeatedPlayer:
        """The player that is asked, started for this game, its dice as they should be."""
        if question.player not in self._seated:
            self._seated[question.player] = SeatedPlayer(self._agent.new_player(), random.Random())
        seated, started = self._seated[question.player], question.started
        if started is None:
            return seated
        if seated.times != started.times:
            seated.times = started.times
            seated.dice.setstate(started.dice)
            if start := getattr(seated.player, "start", None):
                start(started.rules, started.seat, seated.dice)
        if question.dice != started.dice:
            seated.dice.setstate(question.dice)
        return seated


def _move(move: Any) -> dict[str, Any]:
    """A move as a number; anything else by its text, so that the table can say what was returned."""
    if isinstance(move, int | np.integer) and not isinstance(move, bool):
        return {"move": int(move)}
    return {"move": None} if move is None else {"returned": f"{move!r:.200}"}


def main() -> None:
    """Answer for the agent named by the argument until whoever asks ends."""
    parent = Parent()
    try:
        observe(Game(), Seat(0)).mine.playable_chance(0)  # loads what observations call, which is not the agent's time
        seats = Seats(rebuild_agent(sys.argv[1]))
    except Exception as error:
        parent.answer(error=str(error))
        return
    parent.answer(ready=True)
    for question in parent.questions():
        parent.answer(**seats.answer(question))


if __name__ == "__main__":
    main()
