"""Agents that are a list of tactics: the first that has a move makes it. One kernel plays them all.

The list travels in the agent's row of parameters, so a new list compiles nothing, not even one written on the
command line. Searches read the rules of their trees from such a row, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from kagiya._jit import address, kernel, lowest_bit, popcount
from kagiya.agents._base import CompiledAgent
from kagiya.agents._info import AgentInfo
from kagiya.agents.tactics._tactic import ALWAYS, TacticUse, use
from kagiya.cards import Seat
from kagiya.dice import Streams, below
from kagiya.engine.calls import TACTIC, call_tactic
from kagiya.engine.kernels import legal_moves
from kagiya.engine.layout import REASON, Lane, Memory, Params, States
from kagiya.moves import NO_MOVE, MoveNumber

# A list as a row of numbers: how many tactics, then for each its address, its number and its limits.
WORDS_PER_USE = 5
ADDRESS, VALUE, LIVES, TOKENS, DECK = range(1, 1 + WORDS_PER_USE)  # of the first
NOTHING_APPLIED = "no rule applied: any legal move"


@kernel
def random_move(states: States, i: Lane, seat: Seat, rng: Streams) -> MoveNumber:
    """Any legal move, each as likely."""
    legal = legal_moves(states, i)
    for _ in range(below(rng, i, 1 + seat, popcount(legal))):
        legal &= legal - 1
    return lowest_bit(legal)


@kernel
def list_length(rows: Params, row: int) -> int:
    """How many tactics the list in a row of numbers has."""
    return int(rows[row, 0])


@kernel
def may_use(rows: Params, row: int, place: int, lives: int, tokens: int, deck_left: int) -> bool:
    """Whether lives, tokens and cards left are within the limits of a list's tactic.

    They are handed over, not read from the state: a caller reads them once for all tactics.
    """
    word = WORDS_PER_USE * place
    if lives < rows[row, word + LIVES] or tokens > rows[row, word + TOKENS]:
        return False
    return deck_left <= rows[row, word + DECK]


@kernel
def tactic_at(rows: Params, row: int, place: int) -> tuple[int, float]:
    """The address and the number of a list's tactic."""
    word = WORDS_PER_USE * place
    return int(rows[row, word + ADDRESS]), rows[row, word + VALUE]


@kernel
def act_by_list(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The first tactic of the list that may be used and has a move; a random legal move if none has."""
    state = states[i]
    lives, tokens, deck_left = state["lives"], state["tokens"], state["deck_size"] - state["drawn"]
    count = list_length(params, seat)
    for place in range(count):
        if not may_use(params, seat, place, lives, tokens, deck_left):
            continue
        tactic, value = tactic_at(params, seat, place)
        move = call_tactic(tactic, states, i, seat, rng, value)
        if move != NO_MOVE:
            memory[i, seat, REASON] = place
            return move
    memory[i, seat, REASON] = count
    return random_move(states, i, seat, rng)


def list_row(uses: Sequence[TacticUse]) -> list[float]:
    """The row of parameters that stands for a list of tactics; compiles those not compiled yet."""
    row = [float(len(uses))]
    for item in uses:
        number = item.tactic.stand_in or address(item.tactic.kernel, TACTIC)
        row += [float(number), item.value, item.lives, item.tokens, item.deck]
    return row


def replace_tactic(row: list[float], place: int, stand_in: int) -> None:
    """Put a number that is not an address in the place of a list's tactic, for whoever reads the list to know."""
    row[WORDS_PER_USE * place + ADDRESS] = float(stand_in)


def append_rule(row: list[float], stand_in: int) -> None:
    """Lengthen a list by such a number, without limits."""
    row[0] += 1
    row += [float(stand_in), 0.0, 0.0, ALWAYS, ALWAYS]


def parts_of(uses: Sequence[TacticUse]) -> list[Callable[..., Any]]:
    """The kernels of a list of tactics; those that read notes have theirs in the kernel that plays the list."""
    return [item.tactic.kernel for item in uses if not item.tactic.is_noted]


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
