"""Endings tried whole: the exact expectation over every hand and every order of the deck."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import pytest

from kagiya import find_agent, parse_rules
from kagiya._jit import JIT_OFF
from kagiya.engine.game import Game
from kagiya.engine.game_kernels import score
from kagiya.engine.layout import GAME
from kagiya.lab.table.session import explain, watch
from kagiya.lab.table.table import Table
from tests.search.deals.hand_games import at_turn, slow_list
from tests.search.deals.hidden_hands import unseen_cards
from tests.search.deals.test_past_moves import with_hand

Games = Callable[[int], int]

pytestmark = pytest.mark.skipif(JIT_OFF, reason="whole games of searches take minutes without the compiler")

SMALL = parse_rules("standard(colors=2, copies=2/1/1, hand_size=2, hint_tokens=3)", 2)


def outcome(game: Game, deck: list[int], move: int) -> int:
    """The score of a move if the game was dealt from this deck and all play on as the blueprint."""
    replay = Game(game.rules, deck=deck)
    for made in (*game.moves, move):
        replay.make(made)
    table = Table(game.rules, [find_agent("smartbot")])
    watch(table, replay, 1)
    table.play_on(1)
    return int(score(table.states, GAME))


def expectation(game: Game, move: int) -> float:
    """The mean over all hands of the slow twin, as often as they can be dealt, and all orders of the deck."""
    total = weight = 0.0
    for hand, ways in slow_list(game, "smartbot").items():
        deck = with_hand(game, hand)
        drawn = len(deck) - game.deck_left
        scores = [outcome(game, deck[:drawn] + list(rest), move) for rest in itertools.permutations(deck[drawn:])]
        total += ways * sum(scores) / len(scores)
        weight += ways
    return total / weight


@pytest.mark.parametrize("lines", ["", ", plies=0, leaf=forecast"])
def test_values_near_the_end_are_expectations(lines: str, games: Games, rng: random.Random) -> None:
    compared = 0
    for _ in range(games(40)):
        game = at_turn(SMALL, rng.randrange(10**6), "smartbot", rng.randrange(1, 9), rng)
        if game.is_over or game.deck_left > 2 or len(unseen_cards(game, 0)) > 4:
            continue
        found = explain(game, f"sparta(deals=1, threshold=0{lines})", seed=1)
        for each in found.moves:
            assert each.value == pytest.approx(expectation(game, int(each.move))), game.position()
            assert each.standard_error == 0
            compared += 1
    assert compared


def test_endings_that_are_too_many_are_sampled(games: Games, rng: random.Random) -> None:
    compared = 0
    for _ in range(games(40)):
        game = at_turn(SMALL, rng.randrange(10**6), "smartbot", rng.randrange(1, 9), rng)
        if game.is_over or game.deck_left > 1:
            continue
        hands = len(slow_list(game, "smartbot"))
        for endings, deals in ((0, 7), (hands - 1, 7), (hands, hands)):
            found = explain(game, f"sparta(deals=7, racing=no, endings={endings})", seed=1)
            assert found.iterations == deals, game.position()
        compared += 1
    assert compared
