"""One seat of a table is asked for its move, compiled or not, and says why it makes it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from kagiya.agents._base import Agent, CompiledAgent
from kagiya.cards import Seat
from kagiya.engine.kernels import is_legal
from kagiya.engine.layout import GAME, REASON, Memory, States
from kagiya.lab.table.reasons import ReasonError, fill

if TYPE_CHECKING:
    from kagiya.lab.table.table import Table


def answer(table: Table, seed: int, eyes: Seat | None = None) -> tuple[int, Any]:
    """The move of the seat to act, legal or not, and why: words, or a search's explanation.

    With `eyes`, words that show that seat none of its hidden cards; a Python agent's may, so there are none.
    """
    seat = int(table.states[GAME]["seat"])
    agent, player = table.agents[seat], table.players[seat]
    if player is not None:
        move = table.ask_python_seat(table.log, seed)
        return move, str(getattr(player, "reason", "")) if eyes is None else ""
    assert isinstance(agent.type, CompiledAgent)
    started, workspace = time.perf_counter(), table.workspaces[seat]
    move = int(agent.type.act(table.states, GAME, seat, table.memory, table.params, table.rng))
    if workspace is not None:
        return move, workspace.explain(time.perf_counter() - started)
    try:
        return move, reason_of(agent, table.states, table.memory, move, eyes)
    except ReasonError as error:
        raise table.error(seed, str(error)) from None


def reason_of(agent: Agent, states: States, memory: Memory, move: int, eyes: Seat | None = None) -> str:
    """The reason that the compiled agent to act has left for its move, filled in; what it does, if it gives none."""
    seat = int(states[GAME]["seat"])
    row, count = memory[GAME, seat, : agent.memory_words].tolist(), len(agent.reasons)
    if count and not 0 <= row[REASON] < count:
        number = row[REASON]
        raise ReasonError(f"left {number} in memory[i, seat, 0] as its reason, but declares {count}, 0 to {count - 1}")
    if not is_legal(states, GAME, move):
        return ""
    return fill(agent.reasons[row[REASON]] if count else "", states, GAME, move, row, eyes)
