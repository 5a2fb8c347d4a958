"""Ask an agent about a game: what it would do, and why."""

from __future__ import annotations

import time
from dataclasses import replace

from kagiya.agents._base import CompiledAgent
from kagiya.engine.game import Game
from kagiya.engine.layout import GAME, REASON
from kagiya.lab.table.continuing import Agents, as_agents, watch
from kagiya.lab.table.hearing import hear_move
from kagiya.lab.table.stopping import at_interrupt
from kagiya.lab.table.table import Table
from kagiya.moves import MOVES
from kagiya.search.explanation import Explanation, explain_plainly
from kagiya.search.workspace import Workspace


def explain(game: Game | str, agent: Agents, seed: int = 0) -> Explanation:
    """What an agent would do as the seat to move in this game, and why. Its dice follow from `seed`.

    A search tells what it found (`moves`, `line`), a hat player what the other seats hear (`heard`). `agent` is one
    agent for all seats, or one for each. A game that was played from its deal is told to every
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
    kind = seated.type
    if not isinstance(kind, CompiledAgent) or (not isinstance(workspace, Workspace) and kind.hearing is None):
        raise ValueError(
            f"{seated.text} does not search and has no convention in words, so there is nothing to explain"
        )
    started = time.perf_counter()
    with at_interrupt(table.stop):
        move = int(kind.act(table.states, GAME, int(asked.seat), table.memory, table.params, table.rng))
    table.check_memory()
    seconds = time.perf_counter() - started
    heard = hear_move(table.states, table.memory, table.params, table.agents, move)
    if isinstance(workspace, Workspace):
        return replace(workspace.explain(seconds), heard=heard)
    reason = seated.reasons[table.memory[GAME, asked.seat, REASON]]
    return explain_plainly(asked.seat, asked.rules.players, MOVES[move], reason, heard)
