"""Compiled agents with the usual mistakes, each of which has its sentence: ``tests.jit.mistakes:PLAIN``."""

from typing import Any

import numpy as np

from kagiya import AgentInfo, CompiledAgent, kernel
from kagiya.agents.careful import act as careful_move
from kagiya.kernels import play_move


def agent(act: Any, **more: Any) -> CompiledAgent:
    return CompiledAgent(AgentInfo(act.__name__, "for tests", "tests", "none", **more), act)


def act_undecorated(states, i, seat, memory, params, rng):
    return 0


def helper(number):
    return number


@kernel
def act_with_helper(states, i, seat, memory, params, rng):
    return helper(0)


@kernel
def act_with_list(states, i, seat, memory, params, rng):
    moves = [1, 2, 3]
    return moves[0]


@kernel
def act_with_array(states, i, seat, memory, params, rng):
    counts = np.zeros(5)
    return int(counts[0])


@kernel
def act_with_too_many_indices(states, i, seat, memory, params, rng):
    return memory[i, seat, 0, 0]


@kernel
def act_with_too_few_indices(states, i, seat, memory, params, rng):
    return states[i]["hands"][seat]


@kernel
def act_with_unknown_field(states, i, seat, memory, params, rng):
    return states[i]["hand"][seat, 0]


@kernel
def act_with_five_parameters(states, i, seat, memory, params):
    return 0


@kernel  # noqa: RET503
def act_that_forgets_to_return(states, i, seat, memory, params, rng):
    if states[i]["turn"] > 3:
        return 0


@kernel
def act_that_returns_a_half(states, i, seat, memory, params, rng):
    return 0.5


@kernel
def act_that_plays_a_half(states, i, seat, memory, params, rng):
    return play_move(4 / 2)  # type: ignore[arg-type]


@kernel
def act_with_a_fifth_reason(states, i, seat, memory, params, rng):
    memory[i, seat, 0] = 5
    return careful_move(states, i, seat, memory, params, rng)


PLAIN = agent(act_undecorated)
HELPER = agent(act_with_helper)
LIST = agent(act_with_list)
ARRAY = agent(act_with_array)
TOO_MANY = agent(act_with_too_many_indices)
TOO_FEW = agent(act_with_too_few_indices)
FIELD = agent(act_with_unknown_field)
FIVE = agent(act_with_five_parameters)
FORGETFUL = agent(act_that_forgets_to_return)
HALF = agent(act_that_returns_a_half)
FRACTION = agent(act_that_plays_a_half)
REASONS = agent(act_with_a_fifth_reason, reasons=("plays", "discards"))
