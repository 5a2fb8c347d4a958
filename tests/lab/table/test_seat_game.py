"""A seat that is told what happens makes the moves it makes at the table, whatever the hidden cards are.

`KAGIYA_TEST_SCALE=200 pytest tests/lab/table/test_seat_game.py -k told_seat` follows 200 games of every agent that does
not see its own hand, and 20 of every search at 50 iterations, for 2 to 5 players from every seat.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kagiya import Game, Rules, Table, agent_types, observe
from kagiya._jit import JIT_OFF
from kagiya.agents.api import Agent
from kagiya.cards import NO_CARD, Seat
from kagiya.lab.table.seat_game import EventError, SeatGame
from kagiya.lab.table.table import SeatingError
from tests.searches import quick

LONG_BUDGETS = {"iterations": 50}
BLIND = [name for name, kind in agent_types().items() if not kind.info.sees_own_hand]


def followed(game: Game, agent: Agent, seat: int, seed: int) -> None:
    """Tell a seat what it saw of a game, asking it for its move whenever it moved."""
    replayed = game.beginning()
    hands = {other: replayed.hands[other] for other in range(game.rules.players) if other != seat}
    own = SeatGame(game.rules, seat, hands, agent, seed)
    for event in game.events:
        if event.seat == seat:
            assert own.ask().move == event.move, f"turn {event.turn} of {agent.text}, seat {seat}, seed {seed}"
        before = replayed.deck_left
        replayed.make(event.move)
        drew = replayed.deck_left < before and event.seat != seat
        drawn = next(card for card in reversed(replayed.hands[event.seat]) if card != NO_CARD) if drew else None
        card = event.card if event.seat == seat else None
        own.tell(event.move, event.touched if event.receiver == seat else None, card, drawn)
        assert str(own.observation) == str(observe(replayed, Seat(seat)))
    assert own.is_over


@pytest.mark.skipif(JIT_OFF, reason="whole games of every agent")
@pytest.mark.parametrize("name", BLIND)
def test_a_told_seat_moves_as_at_the_table(name: str, games: Callable[[float], int]) -> None:
    """One seat of one game for 2 and 4 players, or, in a run of more games, every seat for 2 to 5."""
    is_long = games(1) > 1
    agent = quick(name, **(LONG_BUDGETS if is_long else {}))
    tried = 0
    for players in range(2, 6) if is_long else (2, 4):
        try:
            table = Table(Rules(players=players), [agent])
        except SeatingError:
            continue
        for seed in range(games(0.1 if agent.is_search else 1)):
            table.play_game(seed)
            for seat in range(players) if is_long else (1,):
                followed(table.game(), agent, seat, seed)
            tried += 1
    assert tried


def begin() -> SeatGame:
    return SeatGame(Rules(players=2), 1, {0: ["R1", "R1", "R1", "G2", "B5"]})


@pytest.mark.parametrize(
    ("tell", "message"),
    [
        (lambda game: game.tell("hint bob 1"), "event 1: say which slots"),
        (lambda game: game.tell("hint bob 1", touched=[7]), "event 1"),
        (lambda game: game.tell("hint bob red", touched=[]), "event 1"),
        (lambda game: game.tell("fly"), "event 1"),
        (lambda game: game.tell("play 1"), "event 1: say which card alice drew"),
        (lambda game: game.tell("play 1", card="B2", drawn="R2"), "event 1: that card is R1, not B2"),
        (lambda game: game.tell("play 1", drawn="R1"), "event 1: there are only 3 R1"),
        (lambda game: game.tell("discard 1", drawn="R2"), "event 1"),
        (lambda game: game.tell(-1), "event 1: moves are texts, or numbers from 0 to 53, not -1"),
        (lambda game: game.tell("hint bob 1", touched=3), "event 1: touched lists slots"),
        (lambda game: game.tell("play 1", drawn="X9"), "event 1: 'X9' is not a card"),
        (lambda game: game.tell("play 1", drawn="P1"), "event 1: 'P1' is not a card of these rules"),
        (lambda game: game.tell("play 1", drawn=1000), "event 1: 1000 is not a card of these rules"),
    ],
)
def test_a_story_that_cannot_be_is_refused(tell: Callable[[SeatGame], None], message: str) -> None:
    game = begin()
    before = str(game.observation)
    with pytest.raises(EventError, match=message):
        tell(game)
    assert str(game.observation) == before
    game.tell("play 1", drawn="R2")


def test_own_cards_fit_all_that_was_said() -> None:
    game = begin()
    game.tell("hint bob 1", touched=[0, 1])
    with pytest.raises(EventError, match="event 2: hints said that the card is not B2"):
        game.tell("play 1", card="B2")
    with pytest.raises(EventError, match="event 2: there are only 3 R1"):
        game.tell("play 1", card="R1")
    game.tell("play 1", card="Y1")
    game.tell("play 1", drawn="R2")
    with pytest.raises(EventError, match="event 4: the hint touches slots"):
        game.tell("hint alice red", touched=[4])
    with pytest.raises(EventError, match="the deal: alice has 5 cards"):
        SeatGame(Rules(players=2), 1, {0: ["R1"]})
    with pytest.raises(EventError, match="seat 4 is not at a table of 2"):
        SeatGame(Rules(players=2), 4, {})


def test_a_draw_is_missed_on_the_last_life() -> None:
    """The move might have been the last, but it was not."""
    game = SeatGame(Rules(players=2, lives=1), 1, {0: ["R1", "R1", "R2", "G2", "B5"]})
    with pytest.raises(EventError, match="event 1: say which card alice drew"):
        game.tell("play 1")
    game.tell("play 1", drawn="Y3")
    game.tell("hint alice red")
    game.tell("play 1")  # the second R1
    assert game.is_over


def test_hands_are_those_of_the_others() -> None:
    hand = ["R1", "R1", "R2", "G2", "B5"]
    with pytest.raises(EventError, match="bob does not see its own hand"):
        SeatGame(Rules(players=2), 1, {0: hand, 1: hand})
    with pytest.raises(EventError, match="seat 3 is not at a table of 2"):
        SeatGame(Rules(players=2), 1, {0: hand, 3: hand})
    with pytest.raises(EventError, match=r"seat 1\.0 is not at a table"):
        SeatGame(Rules(players=2), 1.0, {0: hand})  # type: ignore[arg-type]


def test_a_fourth_one_is_refused() -> None:
    with pytest.raises(EventError, match="the deal: there are only 3 R1"):
        SeatGame(Rules(players=2), 1, {0: ["R1", "R1", "R1", "R1", "B5"]})
