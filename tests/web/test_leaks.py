"""No byte that a seat receives depends on cards it cannot see, or on the seed; and this test would notice."""

import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from kagiya.cards import Seat
from kagiya.view.observation import DECK, Observation
from kagiya.web.play.seat_page import SeatPage
from kagiya.web.play.web_table import WebTable
from tests.web.leaks import SEEDS, Position, dealt_again, first_difference, received, some_position


def difference(position: Position, dice: random.Random) -> str:
    """What tells two tables apart that must look the same."""
    one, other = received(position, SEEDS[0]), received(dealt_again(position, dice), SEEDS[1])
    for answer in (*one, *other):
        seed = next((str(seed) for seed in SEEDS if str(seed) in answer), None)
        assert seed is None, answer[max(0, answer.index(str(seed)) - 400) :][:500]
    return first_difference(one, other)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_nothing_leaks(players: int, rng: random.Random, games: Callable[[int], int]) -> None:
    """`KAGIYA_TEST_SCALE=50 pytest tests/web/test_leaks.py -k nothing` plays 200 games by six sets of rules."""
    for number in range(games(1)):
        position = some_position(rng, players, number)
        assert difference(position, rng) == "", position


def test_a_peek_at_the_cards_is_noticed(rng: random.Random, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page made from the game itself instead of from what its seat may know."""

    def peeking(table: WebTable, seat: Seat, turn: int | None = None) -> Observation:
        game = table.game_at(turn)
        return Observation(game.states.view(np.int64)[:DECK].tolist(), game.rules, seat, game.log)

    monkeypatch.setattr(WebTable, "observation", peeking)
    assert difference(some_position(rng, 2), rng) != ""


def hidden_cards(page: SeatPage) -> str:
    return str(page._table.game)


def the_seed(page: SeatPage) -> str:
    return f"seed {page._table.setup.seed}"


def the_deck(page: SeatPage) -> str:
    return page._table.setup.deck[-5:]


@pytest.mark.parametrize(
    ("leak", "where"), [(hidden_cards, "page"), (the_deck, "page"), (hidden_cards, "json"), (the_seed, "json")]
)
def test_a_leak_is_noticed(
    leak: Callable[[SeatPage], str], where: str, rng: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = some_position(rng, 3)
    again = rng.getstate()
    assert difference(position, rng) == ""
    rng.setstate(again)
    if where == "page":
        made = SeatPage.state
        monkeypatch.setattr(SeatPage, "state", lambda page: replace(made(page), waiting=leak(page)))
    else:
        told = SeatPage.to_json
        monkeypatch.setattr(SeatPage, "to_json", lambda page: {**told(page), "leak": leak(page)})
    try:
        assert difference(position, rng) == ""
    except AssertionError:
        return
    pytest.fail("the leak was not noticed")
