"""Transcripts: a whole game for people to read."""

from __future__ import annotations

import random

import pytest

from kagiya.cards import parse_cards
from kagiya.engine.game import Game
from kagiya.engine.record import GameRecord
from kagiya.engine.transcript import transcript
from kagiya.rules import Rules
from tests.strategies import careful_choice

RULES = Rules(colors=2, copies=(2, 1, 1), hand_size=2, hint_tokens=3, lives=2)
DECK = parse_cards("R1 R2 Y1 R3 Y2 R1 Y1 Y3")
MOVES = ("play 1", "hint alice 2", "play 1", "discard 1", "hint bob red", "play 1", "play 1", "hint alice red")

EXPECTED = """\
alice   R1 R2  vdb
bob     Y1 R3  careful

  1  alice   plays slot 1: R1 fits, draws Y2                      tokens 3  lives 2  score 1
  2  bob     hints alice 2: slots 1 and 2                         tokens 2  lives 2  score 1
  3  alice   plays slot 1: R2 fits, draws R1                      tokens 2  lives 2  score 2
  4  bob     discards slot 1: Y1, draws Y1                        tokens 3  lives 2  score 2
  5  alice   hints bob red: slot 1                                tokens 2  lives 2  score 2
  6  bob     plays slot 1: R3 fits and finishes red, draws Y3     tokens 3  lives 2  score 3
  7  alice   plays slot 1: Y2 does not fit, a life is lost        tokens 3  lives 1  score 3
  8  bob     hints alice red: slot 1                              tokens 2  lives 1  score 3

over after 8 turns: score 3 of 6, points 3, lives 1 (2 players, 2 cards; a bomb scores 0; empty hints illegal)"""


def small_game() -> Game:
    game = Game(RULES, deck=DECK)
    for move in MOVES:
        game.make(move)
    return game


def test_a_small_game_line_by_line() -> None:
    first, _, rest = transcript(GameRecord.of(small_game(), ["vdb", "careful"])).partition("\n")
    assert first == f"{RULES.text()}: {RULES.caption()}"
    assert rest == EXPECTED


def test_a_game_is_the_same_without_the_agents() -> None:
    rest = transcript(small_game()).partition("\n")[2]
    assert rest == EXPECTED.replace("  vdb", "").replace("  careful", "")


def test_the_game_itself_is_left_alone() -> None:
    game = small_game()
    before = game.position()
    transcript(game)
    assert game.position() == before


def test_a_game_from_a_position_begins_there() -> None:
    game = Game(RULES, deck=DECK)
    for move in MOVES[:4]:
        game.make(move)
    later = Game.from_position(game.position())
    for move in MOVES[4:]:
        later.make(move)
    lines = transcript(later).split("\n")
    assert lines[3] == "set up after 4 turns: tokens 3  lives 2  score 2"
    assert lines[5:9] == EXPECTED.split("\n")[7:11]


@pytest.mark.parametrize(("bomb", "score"), [("zero", 0), ("keep", 1)])
def test_a_bombed_game_says_so_and_by_which_rule(bomb: str, score: int) -> None:
    rules = f"standard(lives=1, colors=2, hand_size=2, bomb_score={bomb})"
    game = Game.from_position(f"rules {rules} players=2; fireworks R1; alice R3 R1; bob Y1 Y2")
    game.make("play 1")
    last = transcript(game).split("\n")[-1]
    assert last.startswith(f"bombed after 1 turns: score {score} of 10, points 1, lives 0 (")
    assert game.rules.caption() in last


def test_an_unfinished_game_says_who_is_to_move() -> None:
    game = Game(Rules(players=3), seed=1)
    assert "unfinished, alice to move after 0 turns: score 0 of 25" in transcript(game)
    game.make(game.legal_moves[-1])
    assert "unfinished, bob to move after 1 turns" in transcript(game)


def test_empty_hints_touch_no_card() -> None:
    game = Game.from_position("rules bouzy players=2; alice R1 R2 R3 R4 R5; bob G1 G2 G3 G4 G5")
    game.make("hint bob red")
    assert "hints bob red: no slot " in transcript(game)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_long_games_have_a_line_for_each_turn_in_one_column(players: int, rng: random.Random) -> None:
    game = Game(Rules(players=players, colors=6), seed=rng.randrange(1000))
    while not game.is_over:
        game.make(careful_choice(game, rng))
    lines = [line for line in transcript(game).split("\n") if "  tokens " in line]
    assert len(lines) == game.turn
    assert len({line.index("  tokens ") for line in lines}) == 1
    assert lines[-1].endswith(f"score {game.score}")
