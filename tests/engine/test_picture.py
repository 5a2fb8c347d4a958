"""What games, views and results look like when they are printed, or are the last line of a notebook's cell."""

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from kagiya import Game, Match, Rules, Seat, explain, find_agent, observe, play_match
from kagiya.cards import NO_CARD, card_color

POSITION = "moves 1; tokens 7; lives 2; fireworks R1; discards R1 B2; alice R2(R!) Y2 G3 W4 B5; bob R3 R4(4!) G1 W2 B3"
PRINTED = """turn 2, bob to move: 1 of 25 points, 7 tokens, 2 lives, 37 cards in the deck
  fireworks  R1 Y0 G0 W0 B0
  alice   R2(R!)  Y2      G3  W4  B5
> bob     R3      R4(4!)  G1  W2  B3
  discards  R1 B2"""


def test_a_printed_game_is_the_table_and_its_repr_the_position() -> None:
    game = Game.from_position(POSITION)
    assert str(game) == PRINTED
    assert repr(game).startswith("Game.from_position('rules standard players=2; moves 1; tokens 7; lives 2; ")
    again = eval(repr(game), {"Game": Game})
    assert again.position() == game.position()


def test_a_printed_observation_hides_the_own_hand() -> None:
    game = Game.from_position(POSITION)
    view = observe(game, Seat(1))
    assert str(view) == PRINTED.replace("R3      R4(4!)  G1  W2  B3", "??      ??(4!)  ??  ??  ??")
    assert repr(view) == "<Observation of bob, turn 2: 1 points, 7 tokens, 2 lives, 37 cards in the deck>"
    assert repr(view.mine) == "<bob's own hand: ?? ??(4!) ?? ?? ??>"
    assert repr(view.hand(1)) == "<alice's hand: R2(R!) Y2 G3 W4 B5>"


def test_a_card_knows_its_age_and_a_hint_its_receiver() -> None:
    game = Game(Rules(players=3), seed=7)
    game.make("play 2")
    hint = next(move for move in game.legal_moves if move.is_hint and move.offset == 2)
    game.make(hint)
    played, told = game.events
    assert played.receiver is None
    assert told.receiver == 0
    hand = observe(game, Seat(2)).hand(1)
    assert [hand.order(slot) for slot in hand.slots] == [0, 2, 3, 4, 15]


def test_cards_that_are_not_seen_have_no_color() -> None:
    view = observe(Game(Rules(players=3), seed=7), Seat(0))
    with pytest.raises(ValueError, match="the color of a hidden card is not known"):
        card_color(view.mine.cards[0])
    with pytest.raises(ValueError, match="an empty slot has no color"):
        card_color(NO_CARD)


def test_a_result_is_one_line() -> None:
    result = play_match(Match.of(Rules(players=3), "careful", 50, seed=3))
    score = f"{result.summary.mean:.2f} ± {result.summary.se:.2f} points"
    assert repr(result) == f"<careful, 3 players, standard: {score}, 50 games from seed 3>"
    one = play_match(Match.of(Rules(players=2), ["careful", "random"], 1))
    assert repr(one).startswith("<careful + random, 2 players, standard: ")
    assert "±" not in repr(one)
    failed = play_match(Match.of(Rules(players=3), "tests.cli.players:Illegal", 5))
    assert "no of 5 games; alice (seat 1, " in repr(failed)
    assert repr(find_agent("vdb")) == "<Agent vdb>"


def test_a_result_goes_to_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    result = play_match(Match.of(Rules(players=2), "careful", 5))
    made: list[Any] = []
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=made.append))
    result.to_pandas()
    (columns,) = made
    assert list(columns)[:6] == ["seed", "score", "points", "reachable", "lives", "turns"]
    assert list(columns)[6:] == ["direct_alice", "indirect_alice", "direct_bob", "indirect_bob"]
    assert columns["score"].tolist() == result.results["score"].tolist()
    assert {len(column) for column in columns.values()} == {5}
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        result.to_pandas()


def test_an_explanation_is_one_line() -> None:
    found = explain(Game(Rules(players=3), seed=7), "iggi")
    assert repr(found).startswith("<Explanation: alice would ")
    assert repr(found).endswith(f"{found.reason}>")
