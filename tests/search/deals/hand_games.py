"""Games in progress in which the others play a blueprint, and what a slow twin finds that a seat may hold there."""

from __future__ import annotations

import random
from collections.abc import Iterator

from kagiya import Rules, find_agent
from kagiya.engine.batch import make_move
from kagiya.engine.game import LANE, Game
from kagiya.engine.layout import GAME
from kagiya.lab.table.session import watch
from kagiya.lab.table.table import Table
from kagiya.search.sparta import MAX_UNEXPLAINED
from kagiya.search.workspace import SearchWorkspace
from tests.search.deals.hidden_hands import Hand, listed_hands
from tests.search.deals.test_past_moves import asked, unexplained_by_hand


def seats(agent: str, partner: str, players: int) -> list[str]:
    return [agent] + [partner] * (players - 1)


def decisions(agent: str, partner: str, rules: Rules, seed: int) -> Iterator[tuple[Table, Game, SearchWorkspace]]:
    """A game of one searching seat: every position in which it has just made up its mind."""
    table = Table(rules, [find_agent(each) for each in seats(agent, partner, rules.players)])
    game = Game(rules, seed)
    table.start_game(seed)
    while not game.is_over:
        seat = int(game.seat)
        move = asked(table)
        if seat == 0:
            workspace = table.workspaces[0]
            assert isinstance(workspace, SearchWorkspace)
            yield table, game, workspace
        tell_all(table, move)
        game.make(move)


def tell_all(table: Table, move: int) -> None:
    make_move(table.states, GAME, table.memory, table.params, table.observes, move)


def true_hand(game: Game, seat: int) -> Hand:
    return tuple(int(card) for card in game.states[LANE]["hands"][seat, : game.rules.hand_size])


def slow_list(game: Game, blueprint: str, surprise: float = 0) -> dict[Hand, float]:
    """The hands that fit the hints, and the ways to deal them, times the odds for every unexplained move of others."""
    found = {}
    for hand, ways in listed_hands(game, int(game.seat)).items():
        unexplained = unexplained_by_hand(game, hand, blueprint)
        if unexplained <= (MAX_UNEXPLAINED if surprise else 0):
            found[hand] = ways * surprise**unexplained
    return found


def at_turn(rules: Rules, seed: int, partner: str, turns: int, rng: random.Random) -> Game:
    """A game after some turns: the others play the blueprint, seat 0 now this, now that."""
    game = Game(rules, seed)
    while not game.is_over and (game.turn < turns or int(game.seat) != 0):
        player = rng.choice([partner, "random", "vdb"]) if int(game.seat) == 0 else partner
        table = Table(rules, [find_agent(player)])
        watch(table, game, rng.randrange(10**6))
        game.make(asked(table))
    return game
