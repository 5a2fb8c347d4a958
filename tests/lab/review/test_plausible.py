"""A game made from what one seat knows looks the same to that seat."""

from hypothesis import given
from hypothesis import strategies as st

from kagiya import Game, Seat, observe
from kagiya.lab.review.plausible import plausible_game
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
