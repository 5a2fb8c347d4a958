"""How games end: a settled game can score nothing more, and one that has nothing to gain is settled."""

import random

from hypothesis import given

from kagiya.engine.game import Game
from kagiya.engine.record import end_of, is_settled, why_not_end
from kagiya.rules import Rules
from tests.strategies import any_choice, any_game, careful_choice, examples


@given(game=any_game())
@examples(80)
def test_a_settled_game_scores_no_more(game: Game) -> None:
    if game.points == game.reachable_points:
        assert is_settled(game)
    if not is_settled(game):
        return
    for seed in range(3):
        rest, chooser = game.copy(), random.Random(seed)
        while not rest.is_over:
            rest.make((careful_choice if seed else any_choice)(rest, chooser))
        assert rest.points == game.points, f"seed {seed}"


def test_games_do_settle_before_their_end() -> None:
    settled, ends = 0, set()
    for seed in range(40):
        game, chooser = Game(Rules(players=2 + seed % 4), seed=seed), random.Random(seed)
        while not game.is_over and not is_settled(game):
            game.make(careful_choice(game, chooser))
        settled += not game.is_over
        ends.add(end_of(game))
    assert settled > 5
    assert {"unfinished", "finished"} <= ends


def test_an_end_must_fit_the_game() -> None:
    game = Game(Rules(), seed=3)
    assert why_not_end(game, "terminated") is why_not_end(game, "unfinished") is None
    assert why_not_end(game, "finished") == "its moves lead to a game that is not over"
    assert why_not_end(game, "settled") == "points can still be scored"
