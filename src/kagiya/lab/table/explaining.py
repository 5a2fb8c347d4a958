"""Ask an agent about a game: what it would do, and why."""

from __future__ import annotations

from dataclasses import replace

from kagiya.cards import Seat
from kagiya.engine.game import Game
from kagiya.engine.record import GameRecord
from kagiya.lab.table.answering import Thought
from kagiya.lab.table.continuing import Agents, as_agents
from kagiya.lab.table.sitting import Sitting
from kagiya.moves import Move
from kagiya.runtime.interrupts import at_interrupt
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
    what happened. A position (a `Game` made from one, or its text) has no history: what its earlier hints meant by a
    convention is not known, and models with a memory play as if they had seen nothing.
    With `eyes`, the reason is put in words that show that seat none of its hidden cards.
    """
    thought = think(game, agent, seed, eyes)
    if thought.explanation is not None:
        return replace(thought.explanation, heard=thought.heard)
    words = thought.words or (NO_REASON if eyes is None else NO_SAFE_REASON)
    return explain_plainly(thought.seat, thought.players, thought.move, words, thought.heard)


def think(game: Game | GameRecord | str, agent: Agents, seed: int = 0, eyes: Seat | None = None) -> Thought:
    """What an agent of any kind decides as the seat to act in this game: its move, why in words, and how long it took.

    >>> thought = think(Game(Rules(players=3), seed=7), "vdb")
    >>> thought.move, thought.words

    A search's numbers are in `explanation`. The other arguments are those of `explain`. To look at a search while it
    thinks, or to stop it, use `Sitting.start`.
    """
    sitting = Sitting(game, as_agents(agent), seed)
    if sitting.is_over:
        raise ValueError("the game is over, so there is no move to ask for")
    with at_interrupt(sitting.close):
        return sitting.think(eyes)
