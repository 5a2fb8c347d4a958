"""Lists of tactics some of which read notes of the hints since a seat's last turn, one list per number of players.

One kernel plays them all, as in `_rule_list.py`. The row of parameters begins with the places of the lists for 2, 3, 4
and 5 players; each is the number of its first reason, then the list as `list_row` writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from kagiya._jit import kernel
from kagiya.agents._base import CompiledAgent
from kagiya.agents._info import AgentInfo
from kagiya.agents._rule_list import (
    ADDRESS,
    DECK,
    LIVES,
    NOTHING_APPLIED,
    TOKENS,
    VALUE,
    WORDS_PER_USE,
    list_row,
    parts_of,
    random_move,
)
from kagiya.agents.tactics._tactic import TacticUse
from kagiya.agents.tactics.noted import WORDS, note_hint, noted_move
from kagiya.cards import Seat
from kagiya.dice import Streams
from kagiya.engine.calls import call_tactic
from kagiya.engine.layout import REASON, Lane, Memory, Params, States
from kagiya.moves import NO_MOVE, MoveNumber
from kagiya.rules import MAX_PLAYERS

FEWEST = 2  # players
PLACES = MAX_PLAYERS - FEWEST + 1  # words at the beginning of the row

Lists = Sequence[Sequence[TacticUse]]


@kernel
def observe_hints(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """Keep the notes."""
    note_hint(states, i, seat, memory, move)


@kernel
def act_by_noted_list(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The first tactic of the list for this number of players that may be used and has a move, or a random move."""
    state = states[i]
    lives, tokens, deck_left = state["lives"], state["tokens"], state["deck_size"] - state["drawn"]
    start = int(params[seat, state["players"] - FEWEST])
    count = int(params[seat, start + 1])
    for place in range(count):
        word = start + 1 + WORDS_PER_USE * place
        if lives < params[seat, word + LIVES] or tokens > params[seat, word + TOKENS]:
            continue
        if deck_left > params[seat, word + DECK]:
            continue
        number, value = int(params[seat, word + ADDRESS]), params[seat, word + VALUE]
        if number < 0:
            move = noted_move(states, i, seat, memory, number, value)
        else:
            move = call_tactic(number, states, i, seat, rng, value)
        if move != NO_MOVE:
            memory[i, seat, REASON] = int(params[seat, start]) + place
            return move
    memory[i, seat, REASON] = int(params[seat, start]) + count
    return random_move(states, i, seat, rng)


def noted_row(lists: Lists) -> list[float]:
    """The row of parameters: one list for all numbers of players, or one for each from two on."""
    row = [0.0] * PLACES
    reason = 0
    for number in range(PLACES):
        if number < len(lists):
            row[number] = float(len(row))
            row += [float(reason), *list_row(lists[number])]
            reason += len(lists[number]) + 1
        else:
            row[number] = row[number - 1]
    return row


def noted_reasons(lists: Lists) -> tuple[str, ...]:
    """What the numbers of reasons stand for."""
    return tuple(text for uses in lists for text in (*map(str, uses), NOTHING_APPLIED))


def noted_variant(plain: CompiledAgent, lists_of: Callable[[dict[str, Any]], Lists]) -> CompiledAgent:
    """A list agent that keeps notes when its list needs them, and is as before otherwise."""
    noted = replace(
        plain,
        info=replace(plain.info, memory_words=WORDS),
        act=act_by_noted_list,
        observe=observe_hints,
        row=lambda values: noted_row(lists_of(values)),
    )

    def variant(values: dict[str, Any]) -> CompiledAgent | None:
        return noted if any(use.tactic.is_noted for uses in lists_of(values) for use in uses) else None

    return replace(plain, variant=variant)


def lists_agent(info: AgentInfo, lists: Lists) -> CompiledAgent:
    """An agent that follows a fixed list for each number of players."""
    label = replace(info, memory_words=WORDS, reasons=noted_reasons(lists))
    return CompiledAgent(
        label,
        act_by_noted_list,
        observe_hints,
        row=lambda values: noted_row(lists),
        parts=lambda values: parts_of([use for uses in lists for use in uses]),
    )
