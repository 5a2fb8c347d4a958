"""Python agents in processes of their own: the same games, and whatever they do, the server goes on."""

from collections.abc import Iterator

import pytest

from kagiya.agents.register import find_agent
from kagiya.lab.table.players import Players
from kagiya.lab.table.table import AgentError, Table
from kagiya.rules import Rules

HERE = "tests.web.process_agents"


@pytest.fixture
def players(shared: Players) -> Players:
    shared.think = 600
    return shared


@pytest.fixture(scope="module")
def shared() -> Iterator[Players]:
    players = Players(think=600)
    yield players
    players.close()


def table(players: Players, name: str) -> Table:
    return Table(Rules(players=2), [players.apart(find_agent(f"{HERE}:{name}")), find_agent("careful")])


def test_the_same_games_as_in_the_servers_own_process(players: Players) -> None:
    here = Table(Rules(players=2), [find_agent(f"{HERE}:Noted"), find_agent("careful")])
    there = table(players, "Noted")
    for seed in (3, 4):
        assert here.play_explained(seed) == there.play_explained(seed)
        assert here.record() == there.record()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Raises", r"raised ZeroDivisionError: oh <b>no</b> \(process_agents.py, line \d+"),
        ("Dies", "crashed: its process ended with code 3"),
        ("Nonsense", "returned 'play 1', which is not a move"),
        ("Forgets", "returned None"),
    ],
)
def test_what_goes_wrong_is_said(players: Players, name: str, reason: str) -> None:
    with pytest.raises(AgentError, match=reason):
        table(players, name).play_game(0)


def test_one_that_hangs_is_stopped_each_time_and_another_may_be_asked(players: Players) -> None:
    for _ in range(2):
        players.think = 0.1
        with pytest.raises(AgentError, match=r"has not answered for 1\.1 s and was stopped"):
            table(players, "Hangs").play_game(0)
        players.think = 600
        table(players, "Noted").play_game(0)


def test_what_an_agent_prints_is_not_its_answer(players: Players, capfd: pytest.CaptureFixture[str]) -> None:
    game = table(players, "Prints")
    game.play_game(0)
    assert "not an answer" in capfd.readouterr().err


def test_players_that_left_are_forgotten_and_a_process_that_died_is_replaced(players: Players) -> None:
    played = table(players, "Noted").play_game(0).moves.tolist()
    process = players.process_of(f"{HERE}:Noted")
    game = table(players, "Noted")
    process.close()
    assert game.play_game(0).moves.tolist() == played
    assert process.left == []
    del game
    assert len(process.left) == 1


def test_after_the_end_nobody_is_asked() -> None:
    players = Players(think=600)
    game = table(players, "Noted")
    players.close()
    with pytest.raises(AgentError, match="the server is about to end"):
        game.play_game(0)
