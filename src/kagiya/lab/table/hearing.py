"""What every seat hears in a move about to be made, each by its own agent's convention and from its own view."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kagiya.agents.api import Agent
from kagiya.agents.conventions.convention_reader import BEFORE, SEEN_AFTER, SEEN_BEFORE, SEEN_LITERALLY, Heard, Scene
from kagiya.cards import Seat
from kagiya.engine.kernels import apply_move, is_legal
from kagiya.engine.layout import GAME, Memory, Params, States, new_states
from kagiya.moves import MOVES
from kagiya.view.kernels import censor

LANES = 4


def hear_move(states: States, memory: Memory, params: Params, agents: Sequence[Agent], move: int) -> tuple[Heard, ...]:
    """What the seats hear whose agents can tell; nothing if the move is not legal."""
    if not any(agent.hooks.convention_reader for agent in agents):
        return ()
    if not is_legal(states, GAME, move):
        return ()
    found = (hear_as(states, memory, params, agent, Seat(seat), move) for seat, agent in enumerate(agents))
    return tuple(heard for heard in found if heard is not None)


def hear_as(states: States, memory: Memory, params: Params, agent: Agent, seat: Seat, move: int) -> Heard | None:
    """What one seat hears, on copies of the arrays."""
    reader = agent.hooks.convention_reader
    if reader is None or agent.compiled.observe is None:
        return None
    lanes, memories = new_states(LANES), np.repeat(memory[GAME : GAME + 1], LANES, axis=0)
    lanes[BEFORE] = states[GAME]
    agent.compiled.observe(lanes, BEFORE, seat, memories, params, move)
    memories[SEEN_AFTER], memories[BEFORE] = memories[BEFORE], memories[SEEN_BEFORE]
    censor(lanes, BEFORE, SEEN_BEFORE, seat)
    lanes[SEEN_LITERALLY] = lanes[BEFORE]
    if MOVES[move].is_hint:  # the words of a hint count; what a discard shows is not what it says
        apply_move(lanes, SEEN_LITERALLY, move)
    censor(lanes, SEEN_LITERALLY, SEEN_LITERALLY, seat)
    lanes[SEEN_AFTER] = lanes[SEEN_LITERALLY]
    return reader.read(Scene(lanes, memories, params, seat, move))
