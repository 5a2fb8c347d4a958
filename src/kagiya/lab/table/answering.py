"""One seat of a table is asked for its move, compiled or not, and says why it makes it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kagiya.agents.api import Agent
from kagiya.agents.conventions.convention_reader import Heard
from kagiya.cards import SEAT_NAMES, Seat
from kagiya.engine.kernels import is_legal
from kagiya.engine.layout import GAME, REASON, Memory, States
from kagiya.lab.table.hearing import hear_move
from kagiya.lab.table.reasons import ReasonError, fill
from kagiya.moves import MOVES, Move, move_name

if TYPE_CHECKING:
    from kagiya.lab.table.table import Table
    from kagiya.search.explanation import Explanation


@dataclass(frozen=True)
class Thought:
    """What an agent decided to do, and why."""

    seat: Seat
    players: int
    turn: int
    agent: str  # as written
    move: Move
    words: str  # why, in a sentence; empty if the agent gives no reason
    seconds: float
    explanation: Explanation | None = None  # what a search found; None for other agents
    heard: tuple[Heard, ...] = ()  # what the seats hear in the move by their conventions
    is_stopped: bool = False  # whether a search was told to answer before its budget was used up

    def __str__(self) -> str:
        """``alice would play 1: it fits``."""
        why = f": {self.words}" if self.words else ""
        return f"{SEAT_NAMES[self.seat]} would {move_name(int(self.move), self.seat, self.players)}{why}"

    def to_json(self) -> dict[str, Any]:
        """Plain data; the move is written as in the record of a game."""
        return {
            "seat": int(self.seat),
            "players": self.players,
            "turn": self.turn,
            "agent": self.agent,
            "move": str(self.move),
            "words": self.words,
            "seconds": self.seconds,
            "explanation": None if self.explanation is None else self.explanation.to_json(),
            "heard": [each.to_json() for each in self.heard],
            "is_stopped": self.is_stopped,
        }


def think(table: Table, seed: int, eyes: Seat | None = None, is_stopped: Callable[[], bool] = lambda: False) -> Thought:
    """The decision of the seat to act, which is not carried out; an illegal move is an `AgentError`.

    Whether it was told to answer at once is asked when it has.
    """
    started, position = time.perf_counter(), table.states[GAME]
    move, reason = answer(table, seed, eyes)
    seconds = time.perf_counter() - started
    table.check_memory()
    if not is_legal(table.states, GAME, move):
        raise table.error(seed, table.why_illegal(move))
    seat = Seat(int(position["seat"]))
    return Thought(
        seat=seat,
        players=table.rules.players,
        turn=int(position["turn"]),
        agent=table.agents[seat].text,
        move=MOVES[move],
        words=str(reason),
        seconds=seconds,
        explanation=None if isinstance(reason, str) else reason,
        heard=hear_move(table.states, table.memory, table.params, table.agents, move),
        is_stopped=is_stopped(),
    )


def answer(table: Table, seed: int, eyes: Seat | None = None) -> tuple[int, Any]:
    """The move of the seat to act, legal or not, and why: words, or a search's explanation.

    With `eyes`, words that show that seat none of its hidden cards; a Python agent's may, so there are none.
    """
    seat = int(table.states[GAME]["seat"])
    agent, player = table.agents[seat], table.players[seat]
    if player is not None:
        move = table.ask_python_seat(table.log, seed)
        return move, str(getattr(player, "reason", "")) if eyes is None else ""
    started, workspace, dice = time.perf_counter(), table.workspaces[seat], table.rng.copy()
    move = act(table, agent, seat, seed)
    if workspace is not None:
        return move, workspace.explain(time.perf_counter() - started)
    if agent.hooks.explain_move is not None and eyes is None:
        asked = table.states, GAME, seat, table.memory, table.params, dice
        template, other = agent.hooks.explain_move(move, asked)
        told = "" if other is None else fill("", table.states, GAME, other, ())
        return move, fill(template.replace("{other}", told), table.states, GAME, move, ())
    try:
        return move, reason_of(agent, table.states, table.memory, move, eyes)
    except ReasonError as error:
        raise table.error(seed, str(error)) from None


def act(table: Table, agent: Agent, seat: int, seed: int) -> int:
    """The move of a compiled agent; what its kernel raises is the agent's error."""
    try:
        return int(agent.compiled.act(table.states, GAME, seat, table.memory, table.params, table.rng))
    except (IndexError, ArithmeticError, ValueError) as error:
        raise table.error(seed, f"raised {type(error).__name__}: {error}") from error


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
