"""Games in progress whose seats have observed every move, for tests of what a search knows."""

from __future__ import annotations

import random

from kagiya import find_agent, parse_rules
from kagiya.engine.batch import make_move
from kagiya.engine.game import Game
from kagiya.engine.layout import GAME
from kagiya.lab.table.table import Table
from tests.strategies import any_choice, careful_choice


def followed(table: Table, game: Game, turns: int, rng: random.Random) -> None:
    """Play the same moves in a game with a log and at a table whose seats listen."""
    table.start_game(1)
    table.states[GAME] = game.states[0]
    choose = rng.choice([any_choice, careful_choice])
    for _ in range(turns):
        move = int(choose(game, rng))
        trial = game.copy()
        trial.make(move)
        if trial.is_over:
            break
        game.make(move)
        make_move(table.states, GAME, table.memory, table.params, table.observes, move)


def real_games(
    rng: random.Random, count: int, agent: str = "ris-mcts(iterations=1, rules=all)"
) -> list[tuple[Table, Game]]:
    found = []
    for rules in ("standard", "goodman", "standard(drawn_card=vacated)", "hle"):
        for players in (2, 3, 5):
            for _ in range(count):
                game = Game(parse_rules(rules, players), seed=rng.randrange(10**6))
                table = Table(game.rules, [find_agent(agent)])
                followed(table, game, rng.randrange(50), rng)
                found.append((table, game))
    return found
