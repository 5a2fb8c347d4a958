"""What is reviewed: a recorded game, or a game in progress or set up from a position."""

from __future__ import annotations

from collections.abc import Iterable

from kagiya.engine.game import Game
from kagiya.engine.record import GameRecord
from kagiya.moves import Move

Reviewed = GameRecord | Game


def beginning_of(source: Reviewed) -> Game:
    """The game where it was dealt or set up."""
    return source.deal() if isinstance(source, GameRecord) else source.beginning()


def seed_of(source: Reviewed) -> int:
    """The seed of the players' dice, as far as it is known."""
    return (source.seed or 0) if isinstance(source, GameRecord) else 0


def games_of(source: Reviewed) -> list[Game]:
    """The game before the first move, and after each."""
    return games_after(beginning_of(source), source.moves)


def games_after(beginning: Game, moves: Iterable[Move]) -> list[Game]:
    """A game, and the same after each of some moves."""
    games = [beginning.copy()]
    for move in moves:
        games.append(games[-1].copy())
        games[-1].make(move)
    return games
