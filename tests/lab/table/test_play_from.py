"""Agents play on from a given deck, a game in progress or a position."""

import random

import pytest

from kagiya import Game, Rules, Table, as_agent, find_agent, play_from
from kagiya.engine.layout import GAME
from kagiya.moves import Move
from kagiya.view.observation import Observation

THREE = Rules(players=3)
AGENTS = ["careful", "smartbot", "careful-python"]  # compiled, one that remembers, and one in Python


def played(agent: str, seed: int) -> Game:
    table = Table(THREE, [find_agent(agent)])
    table.play_game(seed)
    return table.game()


@pytest.mark.parametrize("agent", AGENTS)
def test_a_given_deck_gives_the_game_of_its_seed(agent: str) -> None:
    for seed in range(3):
        game = Game(THREE, deck=Game(THREE, seed).deck)
        finished = play_from(game, agent, seed)
        assert finished.is_over
        assert finished.moves == played(agent, seed).moves
        assert game.turn == 0


@pytest.mark.parametrize("agent", AGENTS)
def test_a_game_in_progress_goes_on_as_it_would_have(agent: str) -> None:
    for seed in range(3):
        whole = played(agent, seed)
        begun = whole.beginning()
        for move in whole.moves[: len(whole.moves) // 2]:
            begun.make(move)
        assert play_from(begun, find_agent(agent), seed).moves == whole.moves


def test_a_position_is_played_on_without_a_history() -> None:
    position = played("careful", 4)
    begun = position.beginning()
    for move in position.moves[:20]:
        begun.make(move)
    finished = play_from(begun.position(), "careful", 4)
    assert finished.is_over
    assert finished.moves == position.moves[20:]  # careful remembers nothing


def test_every_seat_has_its_agent_and_python_seats_know_the_history() -> None:
    class Looks:
        """Notes how much it was told."""

        seen: list[int] = []  # noqa: RUF012

        def act(self, observation: Observation) -> Move:
            self.seen.append(len(observation.history) - observation.turn)
            return random.Random(observation.turn).choice(observation.legal_moves)

    begun = Game(THREE, 3)
    begun.make(begun.legal_moves[-1])
    finished = play_from(begun, [find_agent("careful"), as_agent(Looks), "vdb"])
    assert finished.is_over
    assert Looks.seen
    assert set(Looks.seen) == {0}


def test_the_table_ends_where_the_game_does() -> None:
    table = Table(THREE, [find_agent("careful")])
    table.play_game(2)
    finished = play_from(Game(THREE, 2), "careful", 2)
    assert table.states[GAME].tobytes() == finished.states[0].tobytes()
