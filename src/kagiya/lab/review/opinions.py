"""What every agent would have done at every turn of a game, whoever played it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kagiya.agents.api import Agent
from kagiya.agents.register import find_agent, prompt_agents
from kagiya.engine.batch_kernels import make_move
from kagiya.engine.layout import GAME, SEEN
from kagiya.engine.log import MAX_TURNS
from kagiya.lab.review.opinion_kernels import ask_along
from kagiya.lab.review.source import Reviewed, beginning_of, seed_of
from kagiya.lab.table.continuing import watch
from kagiya.lab.table.table import AgentError, SeatingError, Table
from kagiya.moves import MOVES, NO_MOVE, Move
from kagiya.view.kernels import censor


@dataclass(frozen=True)
class Opinions:
    """By agent its choice at every turn; None where it would have moved illegally."""

    choices: dict[str, tuple[Move | None, ...]]
    made: tuple[Move, ...]  # in the game itself
    left_out: dict[str, str] = field(default_factory=dict)  # agents that were not asked, and why
    marks: dict[str, str] = field(default_factory=dict)  # of agents that see what no player may

    @property
    def agents(self) -> tuple[str, ...]:
        return tuple(self.choices)

    def at(self, turn: int) -> dict[Move, tuple[str, ...]]:
        """Who would make which move at a turn, the most popular move first."""
        found: dict[Move, list[str]] = {}
        for agent, choices in self.choices.items():
            if (choice := choices[turn]) is not None:
                found.setdefault(choice, []).append(agent)
        return {move: tuple(found[move]) for move in sorted(found, key=lambda move: (-len(found[move]), move))}

    def otherwise(self, turn: int) -> int:
        """How many agents would not have made the move of this turn."""
        return sum(choices[turn] != self.made[turn] for choices in self.choices.values())

    def to_json(self) -> dict[str, Any]:
        """Plain data, turn by turn."""
        turns = [
            {
                "made": str(move),
                "otherwise": self.otherwise(turn),
                "moves": {str(choice): list(agents) for choice, agents in self.at(turn).items()},
            }
            for turn, move in enumerate(self.made)
        ]
        return {"agents": list(self.agents), "left_out": self.left_out, "marks": self.marks, "turns": turns}


def opinions(game: Reviewed, agents: Sequence[Agent | str] | None = None) -> Opinions:
    """Ask agents, or all that answer at once, what they would do at every turn of a game, recorded or not.

    Each is asked as if it sat in every seat and had heard the game's moves. What it keeps in mind by its own choices
    stays with it, so it may remember to have wanted something else. Agents that roll dice roll those of the record's
    seed. Agents that cannot play by the rules of the game, or fail, are left out.
    """
    asked = [find_agent(each) if isinstance(each, str) else each for each in agents or prompt_agents()]
    choices: dict[str, tuple[Move | None, ...]] = {}
    left_out: dict[str, str] = {}
    for agent in asked:
        try:
            choices[agent.text] = ask_throughout(game, agent)
        except (SeatingError, AgentError) as error:
            left_out[agent.text] = str(error)
    marks = {agent.text: agent.info.mark for agent in asked if agent.info.mark and agent.text in choices}
    return Opinions(choices, game.moves, left_out, marks)


def ask_throughout(game: Reviewed, agent: Agent) -> tuple[Move | None, ...]:
    """What one agent would do at every turn."""
    table, turns = Table(game.rules, [agent]), len(game.moves)
    watch(table, beginning_of(game), seed_of(game))
    if not table.is_compiled:
        return _ask_in_python(table, game)
    moves, choices = np.zeros(MAX_TURNS, np.uint8), np.zeros(MAX_TURNS, np.int64)
    moves[:turns] = game.moves
    ask_along(table.states, table.memory, table.params, table.rng, table.acts, table.observes, moves, turns, choices)
    table.check_memory()
    return tuple(None if choice == NO_MOVE else MOVES[choice] for choice in choices[:turns])


def _ask_in_python(table: Table, game: Reviewed) -> tuple[Move | None, ...]:
    now, choices = beginning_of(game), list[Move | None]()
    for move in game.moves:
        choice = table.ask_python_seat(table.log, seed_of(game))
        choices.append(None if now.why_illegal(choice) else MOVES[choice])
        make_move(table.states, GAME, table.memory, table.params, table.observes, int(move))
        now.make(move)
        table.log = now.log
        censor(table.states, GAME, SEEN, now.seat)
    return tuple(choices)
