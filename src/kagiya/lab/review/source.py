"""What is reviewed: a recorded game, or a game in progress or set up from a position."""

from __future__ import annotations

from kagiya.engine.game import Game
from kagiya.engine.record import GameRecord

Reviewed = GameRecord | Game


def beginning_of(source: Reviewed) -> Game:
    """The game where it was dealt or set up."""
    return source.deal() if isinstance(source, GameRecord) else source.beginning()


def seed_of(source: Reviewed) -> int:
    """The seed of the players' dice, as far as it is known."""
    return (source.seed or 0) if isinstance(source, GameRecord) else 0


def games_of(source: Reviewed) -> list[Game]:
    """The game before the first move, and after each."""
    game = beginning_of(source)
    games = [game.copy()]
    for move in source.moves:
        game.make(move)
        games.append(game.copy())
    return games
