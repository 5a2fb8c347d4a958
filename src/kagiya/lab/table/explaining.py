"""Ask a search about a game: what it would do, and why."""

from __future__ import annotations

import time

from kagiya.agents._base import CompiledAgent
from kagiya.engine.game import Game
from kagiya.engine.layout import GAME
from kagiya.lab.table.continuing import Agents, as_agents, watch
from kagiya.lab.table.stopping import at_interrupt
from kagiya.lab.table.table import Table
from kagiya.search.explanation import Explanation
from kagiya.search.workspace import Workspace


def explain(game: Game | str, agent: Agents, seed: int = 0) -> Explanation:
    """What a search would do as the seat to move in this game, and why. The dice of the search follow from `seed`.

    `agent` is one search for all seats, or an agent for each. A game that was played from its deal is told to every
    seat move by move, so that conventions and models with a memory know the story. A position (a `Game` made from
    one, or its text) has no story: what its earlier hints meant by a convention is not known, and models with a
    memory play as if they had seen nothing.
    """
    asked = Game.from_position(game) if isinstance(game, str) else game
    if asked.is_over:
        raise ValueError("the game is over; there is no move to explain")
    table = Table(asked.rules, as_agents(agent))
    watch(table, asked, seed)
    seated, workspace = table.agents[asked.seat], table.workspaces[asked.seat]
    if not isinstance(workspace, Workspace):
        raise ValueError(f"{seated.text} does not search, so there is nothing to explain")
    assert isinstance(seated.type, CompiledAgent)
    started = time.perf_counter()
    with at_interrupt(table.stop):
        seated.type.act(table.states, GAME, int(asked.seat), table.memory, table.params, table.rng)
    table.check_memory()
    return workspace.explain(time.perf_counter() - started)
