"""Rule agents of the Java competition framework, as it is and as it was in January 2017.

In that first program an agent took a card from those it had not seen when another seat drew it, but never when it
played or discarded one of its own: what it had held itself stayed possible for the rest of the game. Of these agents
`forgets_own=yes` counts so. It costs the others nothing: only then is a move observed.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kagiya._jit import kernel
from kagiya.agents._base import CompiledAgent
from kagiya.agents._info import AgentInfo, Parameter
from kagiya.agents._rule_list import act_by_list, adjustable_rule_agent, rule_agent
from kagiya.cards import Seat
from kagiya.dice import Streams
from kagiya.engine.layout import REASON, Lane, Memory, Params, States
from kagiya.kinds import kind_bit
from kagiya.move_kernels import is_hint, slot_of
from kagiya.moves import MoveNumber
from kagiya.planes import add_bit, add_planes

OWN_LOW, OWN_HIGH, WORDS = range(REASON + 1, REASON + 4)  # planes in the memory that count its own cards that are gone
FORGETS_OWN = Parameter(
    "forgets_own", "no", "yes: own cards that are gone stay among the unseen, as in January 2017", choices=("no", "yes")
)


@kernel
def observe_own(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """Note the card that this seat is about to play or discard."""
    if not is_hint(move) and states[i]["seat"] == seat:
        bit = kind_bit(states[i]["hands"][seat, slot_of(move)])
        low, high = add_bit(memory[i, seat, OWN_LOW], memory[i, seat, OWN_HIGH], bit)
        memory[i, seat, OWN_LOW], memory[i, seat, OWN_HIGH] = low, high


@kernel
def act_forgetting_own(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The list's move with its own cards that are gone counted to the deck; the state is left as it was."""
    state = states[i]
    low, high = state["deck_low"], state["deck_high"]
    own_low, own_high = memory[i, seat, OWN_LOW], memory[i, seat, OWN_HIGH]
    state["deck_low"], state["deck_high"] = add_planes(low, high, own_low, own_high)
    move = act_by_list(states, i, seat, memory, params, rng)
    state["deck_low"], state["deck_high"] = low, high
    return move


def framework_agent(info: AgentInfo, *texts: str) -> CompiledAgent:
    """An agent of the framework that follows a fixed list of tactics."""
    return _with_option(rule_agent(info, *texts))


def adjustable_framework_agent(info: AgentInfo, uses_of: Callable[[dict[str, Any]], list[str]]) -> CompiledAgent:
    """An agent of the framework whose list depends on its parameters."""
    return _with_option(adjustable_rule_agent(info, uses_of))


def _with_option(agent: CompiledAgent) -> CompiledAgent:
    info = replace(agent.info, parameters=(*agent.info.parameters, FORGETS_OWN))
    usual = replace(agent, info=info)
    label = replace(info, memory_words=WORDS)
    forgetful = replace(usual, info=label, act=act_forgetting_own, observe=observe_own)
    return replace(usual, variant=lambda values: forgetful if values.get(FORGETS_OWN.name) == "yes" else None)
