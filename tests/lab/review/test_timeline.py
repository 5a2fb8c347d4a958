"""The figures of a game agree with each other and with what is known of the game."""

import json

import pytest

from kagiya import Game, Rules
from kagiya.lab.review.source import games_of
from kagiya.lab.review.timeline import efficiency_words, pace_words, timeline
from kagiya.moves import Move
from tests.lab.review.games import played

TEAMS = (("random",), ("vdb",), ("smartbot", "random"), ("smartbot",))


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("agents", TEAMS)
def test_the_points_lost_explain_the_score(agents: tuple[str, ...], players: int) -> None:
    team = (agents * players)[:players]
    for seed in range(3):
        record = played(seed, team, Rules(players=players, lives=3))
        found = timeline(games_of(record))
        assert found.score == record.score
        assert found.start.attainable - found.score == sum(each.total for each in found.losses)
        assert sum(each.lost for each in found.turns) == sum(each.total for each in found.losses)
        assert [each.move for each in found.turns] == list(record.moves)
        for before, turn in zip((found.start, *(each.after for each in found.turns)), found.turns, strict=False):
            assert before.attainable - turn.after.attainable == turn.lost
            assert before.reachable - turn.after.reachable == turn.cost.direct


def test_the_worst_turns_come_first() -> None:
    found = timeline(games_of(played(1, ("vdb",))))
    losses = [each.lost for each in found.worst(len(found.turns))]
    assert losses == sorted(losses, reverse=True)
    assert len(found.worst()) <= 3
    assert {each.turn for each in found.worst(99)} == {each.turn for each in found.costly_turns}
    json.dumps(found.to_json())


def test_the_pace_in_words() -> None:
    game = Game(Rules(players=3), seed=1)
    assert pace_words(game, 13) == "13 discards to spare"
    assert pace_words(game, 1) == "1 discard to spare"
    assert pace_words(game, 0) == "no discard to spare"
    assert pace_words(game, -1) == "1 turn too few for all 25 reachable points"
    bombed = Game(Rules(players=2, lives=1), seed=1)
    while not bombed.is_over:
        bombed.make(Move.play(0))
    assert timeline([bombed]).start.pace_words == "the game is over"
    last = timeline(games_of(played())).turns[-2].after
    assert last.pace is None
    assert last.pace_words.startswith("the deck is empty: 1 turn left, ")


def test_the_efficiency_in_words() -> None:
    assert efficiency_words(None) == ""
    assert efficiency_words(0.0) == "all needed cards have been hinted at"
    assert efficiency_words(0.5) == "each hint must get 0.50 cards on average; one card per hint is enough"
    assert efficiency_words(1.25).endswith("one card per hint is not enough")
    start = timeline([Game(Rules(players=3))]).start
    assert start.required == 1.0
    assert start.efficiency is None
    assert start.risk == "low"
    assert start.pace == 13


def test_a_game_set_up_from_a_position_has_figures_too() -> None:
    middle = games_of(played())[20]
    begun = Game.from_position(middle.position())
    begun.make(begun.legal_moves[0])
    found = timeline(games_of(begun))
    assert [each.turn for each in found.turns] == [20]
    assert found.start == timeline(games_of(played())).turns[19].after
