"""Pace, efficiency and bottom-deck risk against the numbers that hanab.live publishes, and by hand."""

from fractions import Fraction

import pytest

from kagiya import Game, GameRecord, Rules, Table, find_agent
from kagiya.cards import parse_cards
from kagiya.lab.pace import (
    Risk,
    cards_gotten,
    efficiency,
    pace,
    pace_risk,
    position_metrics,
    required_efficiency,
    tokens_spent,
    tokens_usable,
)
from kagiya.lab.review.opinions import analyse


@pytest.mark.parametrize(
    ("players", "start", "usable"), [(2, 17, 29), (3, 13, 25), (4, 13, 25), (5, 10, 21)], ids=lambda value: str(value)
)
def test_the_start_values_are_those_of_the_site(players: int, start: int, usable: int) -> None:
    game = Game(Rules(players=players))
    assert pace(game) == start
    assert tokens_usable(game) == usable
    assert required_efficiency(game) == Fraction(25, usable)
    assert efficiency(game) is None
    assert cards_gotten(game) == 0


@pytest.mark.parametrize(
    ("value", "players", "risk"),
    [(0, 3, Risk.ZERO), (-2, 3, Risk.ZERO), (1, 3, Risk.HIGH), (2, 3, Risk.MEDIUM), (3, 3, Risk.LOW), (1, 2, "medium")],
)
def test_the_pace_has_a_risk(value: int, players: int, risk: str) -> None:
    assert pace_risk(value, players) == risk


def one_color(deck: str, *moves: str) -> list[Game]:
    game = Game(Rules(players=2, colors=1, hand_size=2), deck=parse_cards(deck))
    games = [game.copy()]
    for move in moves:
        game.make(move)
        games.append(game.copy())
    return games


HANDS = "alice G1 G2 G3 G4 G5; bob W1 W2 W3 W4 W5"
DECK = "R1 R2 R2 R4 R1 R1 R3 R3 R4 R5"


def test_cards_gotten_are_played_or_touched_and_not_known_to_be_useless() -> None:
    games = one_color(DECK, "hint bob 2", "hint alice 1", "play 1", "discard 2", "hint bob red")
    assert [cards_gotten(game) for game in games] == [0, 1, 2, 2, 2, 3]
    assert [tokens_spent(game) for game in games] == [0, 1, 2, 2, 2, 3]
    assert efficiency(games[2]) == 1


def test_a_touched_card_that_is_known_to_be_useless_is_not_gotten() -> None:
    games = one_color(DECK, "play 1", "hint alice 1", "hint bob red")
    assert [cards_gotten(game) for game in games] == [0, 1, 1, 3]  # another one in alice's hand is worth nothing


def test_only_fireworks_to_come_give_a_token() -> None:
    """Red is finished and yellow cannot be; 16 plays before the last round are enough for the three others."""
    game = Game.from_position(f"rules standard players=2; tokens 4; fireworks R5; discards Y5; {HANDS}")
    assert (game.reachable_points - game.points, game.deck_left) == (19, 34)
    assert tokens_usable(game) == 4 + (2 + 34 - 19) + 3


def test_a_lost_life_is_a_hint_forgone() -> None:
    games = one_color(DECK, "hint bob 2", "play 1")
    assert tokens_spent(games[-1]) == 2


def test_pace_falls_with_each_discard_and_ends_with_the_deck() -> None:
    games = one_color(DECK, "hint bob 2", "hint alice 1", "play 1", "discard 2", "hint bob red")
    assert [pace(game) for game in games] == [3, 3, 3, 3, 2, 2]
    (found,) = analyse([GameRecord.of(games[4], ["a", "b"])])
    assert found.games[0].lowest_pace == 2  # that of the last position too
    table = Table(Rules(players=2), [find_agent("careful")])
    table.play_game(3)
    assert pace(table.game()) is None
    assert tokens_usable(table.game()) is None
    assert position_metrics(table.game())["required_efficiency"] is None


def bottom_deck_risks(deck: str, *moves: str) -> int:
    (found,) = analyse([GameRecord.of(one_color(deck, *moves)[-1], ["a", "b"])])
    return found.games[0].bottom_deck_risks


def test_the_risk_of_the_bottom_deck_is_counted_when_the_last_copy_is_out_of_sight() -> None:
    assert bottom_deck_risks(DECK, "hint bob 2", "discard 2") == 1  # a four; the other one is in the deck
    assert bottom_deck_risks(DECK, "hint bob 2", "discard 1") == 0  # a two; alice holds the other
    assert bottom_deck_risks(DECK, "hint bob 2", "play 2") == 1  # lost all the same
    assert bottom_deck_risks(DECK, "play 1") == 0
    assert bottom_deck_risks(DECK, "hint bob 2", "hint alice 1", "play 1", "play 1", "discard 1") == 0  # of no use
    five = bottom_deck_risks("R5 R2 R2 R4 R1 R1 R3 R3 R4 R1", "hint bob 2", "hint alice 2", "discard 1")
    assert five == 0  # it was the last copy itself
