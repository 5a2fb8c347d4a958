"""The table that docs/rules.md explains, as the player to move sees it."""

from __future__ import annotations

from kagiya.cards import Seat
from kagiya.engine.game import Game
from kagiya.rules import Rules
from kagiya.view.notebook_pictures import game_svg

VIEWER = Seat(0)


def example_game() -> Game:
    """The game of docs/rules.md: six moves old, alice to move, a hint to her on the table."""
    game = Game(Rules(players=3), seed=7)
    for move in ("hint cathy 1", "discard 3", "play 1", "hint cathy 2", "hint alice blue"):
        game.make(move)
    game.make("discard 5")
    return game


def example_picture() -> str:
    """That table through alice's eyes; her own cards show their backs."""
    return game_svg(example_game(), VIEWER)
