"""EvalFn: of the moves that Goodman's rules propose, the one whose learned value is highest.

Source
    Goodman 2019, section VI of the paper and of the report: a network of 38 features and one hidden layer of 30 units
    predicts the score at the end, trained on the trees of RIS-MCTS games. Three iterations: the first learns from
    games with random rollouts, the next two from games whose rollouts the one before played.
Published
    Table IV of the paper, Table VI of the report.
Where the source is silent
    Whether the rows named EvalFn use the convention. Their scores are far above those of the searches without it that
    they were trained on, so they do: there `convention=playable-now`, and the rows without it are ours. The networks
    are our own, trained by `kagiya dev goodman` (docs/learning.md); Goodman's is not public in a form we could use.
    Ties go to the move with the lowest number: plays, then discards, then hints.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kagiya._jit import kernel, lowest_bit
from kagiya.agents.api import AgentInfo, CompiledAgent, Hooks, Kernel, MoveExplainer, Parameter, Values
from kagiya.agents.playable_now import CONVENTIONS, Convention, hear_hint
from kagiya.agents.rule_list import WORDS_PER_USE, candidate_moves, candidate_row, list_length, parts_of, rule_uses
from kagiya.cards import MoveNumber, Seat
from kagiya.engine.layout import Lane, Memory, Params, States, Streams
from kagiya.learn.networks import SHIPPED, NetworkParameter, load, network_file, network_row
from kagiya.learn.values import Values as MoveValues, best_move, move_values, value_moves
from kagiya.moves import NUM_MOVES
from kagiya.rules import MAX_DECK

# The row of parameters: the list of rules, then the convention, then the network. Memory: what cards have been called.
AFTER_THE_LIST = 1
ITERATIONS = 3
ABLATIONS = ("root-only", "narrow", "wide")  # the first without the penumbra; the third from 50 games, by C


@kernel
def convention_place(params: Params, row: int) -> int:
    """Where in a row the convention stands; the network begins after it."""
    return 1 + WORDS_PER_USE * list_length(params, row)


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The candidate with the highest value."""
    values = move_values()
    moves = weigh(states, i, seat, memory, params, rng, values)
    return best_move(moves, values) if moves & (moves - 1) else lowest_bit(moves)


@kernel
def weigh(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams, values: MoveValues) -> int:
    """The candidates, as a mask; their values are written unless there is only one."""
    masks = memory[i, seat, 0:MAX_DECK]
    place = convention_place(params, seat)
    convention = Convention(int(params[seat, place]))
    moves = candidate_moves(states, i, seat, params, seat, rng, masks, convention)
    if moves & (moves - 1):
        value_moves(states, i, seat, masks, convention, params, seat, place + AFTER_THE_LIST, moves, values)
    return moves


def say_values(move: int, asked: Any) -> tuple[str, int | None]:
    """The score that the network expects, and the second best candidate with its own."""
    arguments = (*asked, values := np.zeros(NUM_MOVES))
    moves = weigh(*arguments)
    others = [other for other in range(NUM_MOVES) if moves >> other & 1 and other != move]
    if not others:
        return "{does}: the only move that the rules propose", None
    second = max(others, key=lambda other: values[other])
    return (
        f"{{does}}: the network expects {values[move]:.1f} points; next best, {values[second]:.1f}: {{other}}",
        second,
    )


@kernel
def observe(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """Remember what a hint says by the convention."""
    convention = Convention(int(params[seat, convention_place(params, seat)]))
    hear_hint(states, i, memory[i, seat, 0:MAX_DECK], convention, move)


def network_place(row: Sequence[float]) -> int:
    """Where in a row of parameters the network begins."""
    return 1 + WORDS_PER_USE * int(row[0]) + AFTER_THE_LIST


def file_of(values: Values) -> str:
    """The file that the network is read from."""
    model = values.get("model", SHIPPED)
    if model == SHIPPED:
        return str(network_file(f"evalfn-{int(values.get('iteration', ITERATIONS))}"))
    return str(network_file(f"evalfn-{model}")) if model in ABLATIONS else str(model)


def network_agent(
    info: AgentInfo, act: Kernel, explain_move: MoveExplainer, file_of: Callable[[Values], str], kind: str
) -> CompiledAgent:
    """An agent with a network; without a convention it need not listen, and costs a search that plays with it less."""

    def row(values: Values) -> list[float]:
        convention = values.get("convention", CONVENTIONS[0])
        rules = candidate_row(rule_uses("goodman"), convention)
        return [*rules, float(CONVENTIONS.index(convention)), *network_row(load(file_of(values), kind))]

    grounded = CompiledAgent(
        info,
        act,
        hooks=Hooks(
            row=row,
            parts=lambda values: parts_of(rule_uses("goodman")),
            files=lambda values: [file_of(values)],
            explain_move=explain_move,
        ),
    )
    listening = replace(grounded, observe=observe)
    return grounded.with_hooks(variant=lambda values: listening if values.get("convention", "none") != "none" else None)


AGENT = network_agent(
    AgentInfo(
        id="evalfn",
        summary="plays the move whose score at the end a learned function puts highest",
        family="learned",
        paper="Goodman2019",
        parameters=(
            Parameter("iteration", ITERATIONS, "which of the three networks", 1, ITERATIONS, whole=True),
            Parameter("convention", "none", "what a hint that touches one card says besides", choices=CONVENTIONS),
            NetworkParameter("model", SHIPPED, "the network, instead of those three", choices=(SHIPPED, *ABLATIONS)),
        ),
        memory_words=MAX_DECK,
    ),
    act,
    say_values,
    file_of,
    kind="value",
)
