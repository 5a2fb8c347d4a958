"""One game at a table that is being watched: a game broken off half way is kept as far as it went."""

from __future__ import annotations

from kagiya.engine.game import Game
from kagiya.engine.layout import GAME
from kagiya.engine.log import Log
from kagiya.engine.record import GameRecord
from kagiya.lab.table import Table


class Sitting(Table):
    """A table that remembers the story of the game on it."""

    log: Log

    def start_game(self, seed: int) -> Log:
        """Deal, and keep the log."""
        self.log = super().start_game(seed)
        return self.log

    def game(self, seed: int) -> Game:
        """The game of this seed as far as it has been played."""
        game = Game(self.rules, seed)
        for move in self.log.moves[: int(self.states[GAME]["turn"])]:
            game.make(int(move))
        return game

    def record(self, seed: int) -> GameRecord:
        """The same as plain data."""
        return GameRecord.of(self.game(seed), [agent.text for agent in self.agents], seed)
