"""Games that do not begin with a seed: a given deck, a game in progress or a position, played on by agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kagiya.agents.api import Agent
from kagiya.agents.register import as_agent
from kagiya.engine.batch_kernels import make_move
from kagiya.engine.game import LANE, Game
from kagiya.engine.layout import GAME, SEEN
from kagiya.lab.table.past import Written
from kagiya.lab.table.table import Table
from kagiya.view.kernels import censor

NOTHING_WRITTEN: Mapping[int, Written] = {}
Agents = object  # an agent for all seats, or a sequence with one for each: texts, and what `as_agent` takes


def play_from(game: Game | str, agents: Agents, seed: int = 0) -> Game:
    """Let agents, one for all seats or one for each, play a game to its end from where it stands.

    The game may begin with a given deck (``Game(rules, deck=...)``), be in progress, or be a position, also as
    text. It stays as it is; the one returned is over. A game played from its deal is told to every seat move by
    move. A position has no history, so agents that remember begin with nothing. The agents' dice follow from `seed`.
    """
    begun = Game.from_position(game) if isinstance(game, str) else game
    table = Table(begun.rules, as_agents(agents))
    watch(table, begun, seed)
    table.play_on(seed)
    return table.game()


def watch(table: Table, game: Game, seed: int, written: Mapping[int, Written] = NOTHING_WRITTEN) -> None:
    """Bring the table to where the game stands, every seat having heard of each move that is known.

    What compiled agents wrote down as they thought, by turn, is written again.
    """
    table.start_game(seed)
    table.log, table.beginning = game.log.copy(), game.beginning()
    table.states[GAME] = table.beginning.states[LANE]
    for turn, move in enumerate(game.moves, game.log.first):
        for word, value in written.get(turn, ()):
            table.memory[GAME, table.states[GAME]["seat"], word] = value
        make_move(table.states, GAME, table.memory, table.params, table.observes, int(move))
    censor(table.states, GAME, SEEN, game.seat)  # for a player in Python


def as_agents(agents: Agents) -> list[Agent]:
    """One agent or several, each a text or what `as_agent` takes."""
    given = agents if isinstance(agents, Sequence) and not isinstance(agents, str) else [agents]
    return [as_agent(each) for each in given]
