"""Compiled agents that write where they may not, each in its own way: ``tests.lab.table.trespassers:FORGETFUL``.

All play as `careful` does but for what their memory tells them, so that a corrupted memory would show in the score.
"""

from typing import Any

from kagiya import AgentInfo, CompiledAgent, Parameter, kernel
from kagiya.agents.api import Hooks
from kagiya.agents.careful import act as careful_move
from kagiya.agents.rule_list import rule_agent
from kagiya.cards import Slot
from kagiya.moves import FIRST_HINT
from kagiya.view.view_kernels import possible_kinds


def trespasser(name: str, act: Any, observe: Any = None, memory_words: int = 0) -> CompiledAgent:
    label = AgentInfo(id=name, summary="for tests", family="tests", paper="none", memory_words=memory_words)
    return CompiledAgent(label, act, observe)


@kernel
def count_moves(states, i, seat, memory, params, move):
    memory[i, seat, 0] += 1


@kernel
def count_many(states, i, seat, memory, params, move):
    for word in range(40):
        memory[i, seat, word] += 1


@kernel
def act_on_count(states, i, seat, memory, params, rng):
    """Careful as long as the count is right; else it plays its oldest card."""
    return careful_move(states, i, seat, memory, params, rng) if memory[i, seat, 0] == states[i]["turn"] else 0


@kernel
def keep_far(states, i, seat, memory, params, move):
    memory[i, seat, 20_000_000] = move


@kernel
def keep_before(states, i, seat, memory, params, move):
    memory[i, seat, -50] = move


@kernel
def keep_last(states, i, seat, memory, params, move):
    memory[i, seat, -1] = move


@kernel
def keep_next_door(states, i, seat, memory, params, move):
    memory[i, (seat + 1) % states[i]["players"], 0] = move


@kernel
def note(memory, i, seat, word, value):
    memory[i, seat, word] = value


@kernel
def keep_by_helper(states, i, seat, memory, params, move):
    note(memory, i, seat, 5, move)


@kernel
def keep_late(states, i, seat, memory, params, move):
    """Only after a long game, so that a first game shows nothing."""
    if states[i]["turn"] > 66 and move < FIRST_HINT:
        memory[i, seat, 2] = move


@kernel
def act_and_set_params(states, i, seat, memory, params, rng):
    params[seat, 0] = 0.25
    return careful_move(states, i, seat, memory, params, rng)


@kernel
def act_and_roll(states, i, seat, memory, params, rng):
    rng[i, 0, 0] += 1
    return careful_move(states, i, seat, memory, params, rng)


@kernel
def act_and_change_tokens(states, i, seat, memory, params, rng):
    move = careful_move(states, i, seat, memory, params, rng)
    states[i]["tokens"] = states[i]["max_tokens"]
    return move


@kernel
def act_on_sixth_slot(states, i, seat, memory, params, rng):
    return careful_move(states, i, seat, memory, params, rng) if states[i]["hands"][1, 5 + seat] else 0


@kernel
def believe_too_much(states, i, seat, memory, params, move):
    memory[i, seat, 3] = move


BELIEVER = CompiledAgent(
    AgentInfo("believer", "for tests", "tests", "none", memory_words=1),
    careful_move,
    hooks=Hooks(believe=believe_too_much),
)
RULES = rule_agent(AgentInfo("listed", "for tests", "tests", "none"), "play-safe", "discard-oldest", "tell-anything")
FORGETFUL = trespasser("forgetful", act_on_count, count_moves)
GREEDY = trespasser("greedy", act_on_count, count_many, memory_words=1)
FAR = trespasser("far", careful_move, keep_far, memory_words=1)
BEFORE = trespasser("before", careful_move, keep_before, memory_words=1)
LAST = trespasser("last", careful_move, keep_last, memory_words=1)
NEIGHBOUR = trespasser("neighbour", careful_move, keep_next_door, memory_words=1)
BY_HELPER = trespasser("by-helper", careful_move, keep_by_helper, memory_words=2)
LATE = trespasser("late", careful_move, keep_late, memory_words=1)
PARAMS = CompiledAgent(
    AgentInfo("params", "for tests", "tests", "none", parameters=(Parameter("courage", 0.5, "for tests"),)),
    act_and_set_params,
)
DICE = trespasser("dice", act_and_roll)
CHEAT = trespasser("cheat", act_and_change_tokens)
SIXTH = trespasser("sixth", act_on_sixth_slot)
HONEST = trespasser("honest", act_on_count, count_moves, memory_words=1)


@kernel
def ask_about_slot_70(states, i, seat, memory, params, rng):
    """The kernel of ours that it calls reads outside the hand, without being handed any memory."""
    kinds = possible_kinds(states, i, seat, seat, Slot(70))
    move = careful_move(states, i, seat, memory, params, rng)
    return move if kinds >= 0 else 0


@kernel
def call_itself(depth):
    return call_itself(depth + 1) + 1 if depth < 1 << 60 else 1


@kernel
def act_without_an_end(states, i, seat, memory, params, rng):
    return call_itself(states[i]["turn"])


FAR_CALL = trespasser("far-call", ask_about_slot_70)
RECURSIVE = trespasser("recursive", act_without_an_end)
