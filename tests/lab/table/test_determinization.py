"""A game made from what one seat knows looks the same to that seat."""

import random
from collections import Counter

import pytest
from hypothesis import given, strategies as st

from kagiya import Seat
from kagiya.cards import Card, parse_card
from kagiya.engine.game import LANE, Game
from kagiya.lab.table.determinization import PlacedCard, place_cards, plausible_game
from kagiya.view.observation import observe
from tests.lab.review.games import game_at, played
from tests.strategies import any_game, examples


@examples(60)
@given(any_game(), st.integers(0, 4), st.integers(0, 99), st.booleans())
def test_the_seat_cannot_tell_the_difference(game: Game, seat: int, seed: int, is_set_up: bool) -> None:
    if is_set_up:
        game = Game.from_position(game.position())
    seat %= game.rules.players
    view = observe(game, Seat(seat))
    made = plausible_game(view, seed)
    again = observe(made, Seat(seat))
    assert (again.states == view.states).all()
    assert again.history == view.history
    assert made.deck_left == game.deck_left


def unseen(game: Game) -> Counter[Card]:
    return Counter({card: copies for card, copies in observe(game, game.seat).unseen.items() if copies})


def next_cards(game: Game) -> list[int]:
    state = game.states[LANE]
    return list(state["deck"][int(state["drawn"]) : game.rules.deck_size].tolist())


@pytest.mark.parametrize("is_set_up", [False, True], ids=["dealt", "set up from a position"])
def test_cards_stand_where_they_were_put_and_nothing_else_can_be_told(rng: random.Random, is_set_up: bool) -> None:
    for turn in (0, 7, 18, 30):
        game = game_at(played(), turn)
        game = Game.from_position(game.position()) if is_set_up else game
        view = observe(game, game.seat)
        slot = rng.choice(view.mine.slots)
        card, drawn = rng.choice(view.mine.possible_cards(slot)), Card(rng.choice(next_cards(game)))
        if card == drawn and view.unseen[card] < 2:
            continue
        other = place_cards(game, [PlacedCard(card, slot), PlacedCard(drawn, draw=1)])
        assert int(other.states[LANE]["hands"][game.seat, slot]) == card
        assert next_cards(other)[1] == drawn
        assert unseen(other) == unseen(game)
        assert observe(other, game.seat).states.tobytes() == view.states.tobytes()
        assert other.moves == game.moves
        moved = sum(a != b for a, b in zip(next_cards(game), next_cards(other), strict=True))
        assert moved <= 4  # each of the two cards may push one away from where it was
        other.make(other.legal_moves[0])


def test_nothing_moves_if_a_card_is_put_where_it_is() -> None:
    game = game_at(played(), 12)
    there = Card(int(game.states[LANE]["hands"][game.seat, 0]))
    same = place_cards(game, [PlacedCard(there, 0), PlacedCard(Card(next_cards(game)[0]), draw=0)])
    assert same.states.tobytes() == game.states.tobytes()


@pytest.mark.parametrize(
    ("placings", "reason"),
    [
        ([PlacedCard(parse_card("R1"), 9)], "there is no slot 10"),
        ([PlacedCard(parse_card("R1"), draw=60)], "there is no card to draw 61"),
        ([PlacedCard(parse_card("R1"), 0), PlacedCard(parse_card("R2"), 0)], "slot 1 is given two cards"),
        ([PlacedCard(parse_card("R5"), 0), PlacedCard(parse_card("R5"), 1)], "of R5 can be placed, not 2"),
    ],
)
def test_what_cannot_be_is_said(placings: list[PlacedCard], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        place_cards(game_at(played(), 0), placings)


def test_hints_are_obeyed_by_the_card_and_by_the_rest_of_the_hand() -> None:
    text = "tokens 3; alice R1(R,1!) R2(R) Y4 Y5 B5; bob R1 R4 G2 B1 W1; rules standard"
    game = Game.from_position(text)
    view = observe(game, game.seat)
    impossible = next(
        Card(card) for card in range(25) if card not in view.mine.possible_cards(0) and view.unseen[Card(card)]
    )
    with pytest.raises(ValueError, match=r"slot 1 cannot be .., by the hints"):
        place_cards(game, [PlacedCard(impossible, 0)])
