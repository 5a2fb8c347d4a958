"""Agents that are a list of tactics: the first that has a move makes it. One kernel plays them all.

The list travels in the agent's row of parameters: its length, then for each tactic its address, its
number and its three limits. So a new list needs no compiling, on the command line neither.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from kagiya._jit import address, kernel, lowest_bit, popcount
from kagiya.agents._base import CompiledAgent
from kagiya.agents._info import AgentInfo
from kagiya.agents.tactics._tactic import TacticUse, use
from kagiya.cards import Seat
from kagiya.dice import Streams, below
from kagiya.engine.calls import TACTIC, call_tactic
from kagiya.engine.kernels import legal_moves
from kagiya.engine.layout import REASON, Lane, Memory, Params, States
from kagiya.moves import NO_MOVE, MoveNumber

WORDS_PER_USE = 5
NOTHING_APPLIED = "no rule applied: any legal move"


@kernel
def random_move(states: States, i: Lane, seat: Seat, rng: Streams) -> MoveNumber:
    """Any legal move, each as likely."""
    legal = legal_moves(states, i)
    for _ in range(below(rng, i, 1 + seat, popcount(legal))):
        legal &= legal - 1
    return lowest_bit(legal)


@kernel
def act_by_list(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The first tactic of the list that may be used and has a move; a random legal move if none has."""
    state = states[i]
    deck_left = state["deck_size"] - state["drawn"]
    count = int(params[seat, 0])
    for place in range(count):
        word = 1 + WORDS_PER_USE * place
        if state["lives"] < params[seat, word + 2] or state["tokens"] > params[seat, word + 3]:
            continue
        if deck_left > params[seat, word + 4]:
            continue
        move = call_tactic(int(params[seat, word]), states, i, seat, rng, params[seat, word + 1])
        if move != NO_MOVE:
            memory[i, seat, REASON] = place
            return move
    memory[i, seat, REASON] = count
    return random_move(states, i, seat, rng)


def list_row(uses: Sequence[TacticUse]) -> list[float]:
    """The row of parameters that stands for a list of tactics; compiles those not compiled yet."""
    row = [float(len(uses))]
    for item in uses:
        row += [float(address(item.tactic.kernel, TACTIC)), item.value, item.lives, item.tokens, item.deck]
    return row


def parts_of(uses: Sequence[TacticUse]) -> list[Callable[..., Any]]:
    """The kernels of a list of tactics."""
    return [item.tactic.kernel for item in uses]


def rule_agent(info: AgentInfo, *texts: str) -> CompiledAgent:
    """An agent that follows a fixed list of tactics, written as on the command line."""
    uses = [use(text) for text in texts]
    label = replace(info, reasons=(*map(str, uses), NOTHING_APPLIED))
    return CompiledAgent(label, act_by_list, row=lambda values: list_row(uses), parts=lambda values: parts_of(uses))


def adjustable_rule_agent(info: AgentInfo, uses_of: Callable[[dict[str, Any]], list[str]]) -> CompiledAgent:
    """The same where the list depends on the agent's parameters; `uses_of` gets all values, defaults included."""
    defaults = {parameter.name: parameter.default for parameter in info.parameters}
    label = replace(info, reasons=(*uses_of(defaults), NOTHING_APPLIED))

    def uses(values: dict[str, Any]) -> list[TacticUse]:
        return [use(text) for text in uses_of(defaults | values)]

    def reasons(values: dict[str, Any]) -> tuple[str, ...]:
        return (*uses_of(defaults | values), NOTHING_APPLIED)

    return CompiledAgent(
        label,
        act_by_list,
        row=lambda values: list_row(uses(values)),
        reasons=reasons,
        parts=lambda values: parts_of(uses(values)),
    )
