"""Every agent is asked at every turn of a game, and those that cannot answer are named."""

import pytest

from kagiya import GameRecord, Rules, Table, ask, find_agent
from kagiya.lab.review.opinions import opinions

THREE = Rules(players=3)
PROMPT = ["careful", "careful-python", "smartbot", "hat-information", "vdb"]


@pytest.fixture(scope="module")
def record() -> GameRecord:
    table = Table(THREE, [find_agent("smartbot"), find_agent("vdb"), find_agent("careful")])
    table.play_game(3)
    return table.record()


def test_each_agent_chooses_what_it_is_asked_for_turn_by_turn(record: GameRecord) -> None:
    found = opinions(record, PROMPT)
    assert found.agents == tuple(PROMPT)
    games = [record.deal(), *record.replay()]
    for turn in (0, 5, 17, len(record.moves) - 1):
        for agent in ("careful", "careful-python", "vdb"):  # without a memory of their own choices
            assert found.choices[agent][turn] == ask(games[turn], agent, seed=3)


def test_who_played_the_game_agrees_with_it(record: GameRecord) -> None:
    found = opinions(record, ["vdb", "careful"])
    for turn, move in enumerate(record.moves):
        if turn % 3:
            assert found.choices["vdb" if turn % 3 == 1 else "careful"][turn] == move
            assert found.otherwise(turn) <= 1
            assert move in found.at(turn)


def test_agents_that_cannot_play_are_left_out_with_the_reason(record: GameRecord) -> None:
    found = opinions(record, ["kagiya-two", "vdb", "cheatbot"])
    assert found.agents == ("vdb", "cheatbot")
    assert "plays with 2 players, not 3" in found.left_out["kagiya-two"]
    assert found.marks == {"cheatbot": "sees its own hand"}
    turn = found.to_json()["turns"][0]
    assert turn["made"] == str(record.moves[0])
    assert sorted(name for names in turn["moves"].values() for name in names) == ["cheatbot", "vdb"]


def test_an_agent_that_fails_is_left_out(record: GameRecord) -> None:
    found = opinions(record, ["tests.cli.players:Raises", "vdb"])
    assert found.agents == ("vdb",)
    assert found.left_out
