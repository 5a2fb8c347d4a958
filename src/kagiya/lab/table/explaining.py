"""Ask an agent about a game: what it would do, and why."""

from __future__ import annotations

from dataclasses import replace

from kagiya.cards import Seat
from kagiya.engine.game import Game
from kagiya.lab.table.answering import answer
from kagiya.lab.table.continuing import Agents, as_agents, watch
from kagiya.lab.table.hearing import hear_move
from kagiya.lab.table.stopping import at_interrupt
from kagiya.lab.table.table import AgentError, Table
from kagiya.moves import MOVES, Move
from kagiya.search.explanation import Explanation, explain_plainly

NO_REASON = "gives no reason"
NO_SAFE_REASON = "gives no reason, or one that might show your cards"


def ask(game: Game | str, agent: Agents, seed: int = 0) -> Move:
    """The move that an agent, compiled or not, would make as the seat to act in this game.

    >>> game = Game(Rules(players=3), seed=7)
    >>> game.make(ask(game, "smartbot"))

    `agent` and `seed` are those of `explain`.
    """
    return explain(game, agent, seed).chosen


def explain(game: Game | str, agent: Agents, seed: int = 0, eyes: Seat | None = None) -> Explanation:
    """What an agent would do as the seat to act in this game, and why. Its dice follow from `seed`.

    A search tells what it found (`moves`, `line`), other agents their reason (`reason`), a hat player what the other
    seats hear (`heard`). `agent` is one agent for all seats, or one for each: a text, or what `as_agent` takes. A game
    that was played from its deal is told to every seat move by move, so that conventions and models with a memory know
    the story. A position (a `Game` made from one, or its text) has no story: what its earlier hints meant by a
    convention is not known, and models with a memory play as if they had seen nothing.
    With `eyes`, the reason is put in words that show that seat none of its hidden cards.
    """
    asked = Game.from_position(game) if isinstance(game, str) else game
    if asked.is_over:
        raise ValueError("the game is over, so there is no move to ask for")
    table = Table(asked.rules, as_agents(agent))
    watch(table, asked, seed)
    with at_interrupt(table.stop):
        move, reason = answer(table, seed, eyes)
    table.check_memory()
    if why := asked.why_illegal(move):
        raise AgentError(table.agents[asked.seat].text, asked.seat, asked.turn, seed, why)
    heard = hear_move(table.states, table.memory, table.params, table.agents, move)
    if isinstance(reason, Explanation):
        return replace(reason, heard=heard)
    words = reason or (NO_REASON if eyes is None else NO_SAFE_REASON)
    return explain_plainly(asked.seat, asked.rules.players, MOVES[move], words, heard)
