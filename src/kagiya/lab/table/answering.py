"""One seat of a table is asked for its move, compiled or not, and says why it makes it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from kagiya.agents._base import Agent, CompiledAgent
from kagiya.engine.layout import GAME, REASON, Memory

if TYPE_CHECKING:
    from kagiya.lab.table.table import Table


def answer(table: Table, seed: int) -> tuple[int, Any]:
    """The move of the seat to act, legal or not, and why: words, or a search's explanation."""
    seat = int(table.states[GAME]["seat"])
    agent, player = table.agents[seat], table.players[seat]
    if player is not None:
        return table.ask_python_seat(table.log, seed), str(getattr(player, "reason", ""))
    assert isinstance(agent.type, CompiledAgent)
    started, workspace = time.perf_counter(), table.workspaces[seat]
    move = agent.type.act(table.states, GAME, seat, table.memory, table.params, table.rng)
    if workspace is not None:
        return int(move), workspace.explain(time.perf_counter() - started)
    if fault := wrong_reason(agent, table.memory, seat):
        raise table.error(seed, fault)
    return int(move), agent.reasons[table.memory[GAME, seat, REASON]] if agent.reasons else ""


def wrong_reason(agent: Agent, memory: Memory, seat: int) -> str | None:
    """What is wrong with the number of the reason that an agent has left, if anything is."""
    number, count = int(memory[GAME, seat, REASON]) if agent.reasons else 0, len(agent.reasons)
    if not agent.reasons or 0 <= number < count:
        return None
    return f"left {number} in memory[i, seat, 0] as its reason, but declares {count} reasons, 0 to {count - 1}"
