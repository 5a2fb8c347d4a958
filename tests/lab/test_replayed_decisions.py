"""Thoughts of games played before: the same as at the table if the code is the same, else marked as asked again."""

from __future__ import annotations

import threading

import pytest

from kagiya import Game, GameSession, Match, Rules, Table, find_agent
from kagiya.agents.api import Agent
from kagiya.engine.record import GameRecord
from kagiya.lab.provenance import code_version
from kagiya.lab.replayed_decisions import ASKED_AGAIN, GENUINE, ReplayedDecisions, recall, seats_code, stamped
from kagiya.moves import Move
from kagiya.view.observation import Observation
from tests.searches import quick

TEAMS = [["random", "vdb", "smartbot"], ["ris-mcts(iterations=20)"], ["ally", "careful-python"], ["hanabirs-info"] * 4]


class Moody:
    """Fails in its second turn."""

    def act(self, observation: Observation) -> Move:
        if observation.turn > 2:
            raise KeyError("mood")
        return observation.legal_moves[-1]


def played(texts: list[str], seed: int) -> tuple[Table, list[str]]:
    table = Table(Rules(players=max(2, len(texts))), [quick(text) for text in texts])
    return table, table.play_explained(seed)


@pytest.mark.parametrize("texts", TEAMS)
def test_thoughts_are_those_of_the_game_if_the_code_is_the_same(texts: list[str]) -> None:
    table, words = played(texts, 6)
    code = code_version(Match.of(table.rules, table.agents, 1).agents)  # as the store notes it
    found = recall(table.record(), table.agents, code)
    assert [each.thought.words for each in found if each.thought] == words
    assert [each.heard for each in found] == table.hearings
    assert all(each.is_genuine and each.agrees and each.label == GENUINE for each in found)


def test_a_record_may_say_what_code_played_it() -> None:
    table, _ = played(["random", "vdb"], 3)
    noted = stamped(table.record(), seats_code(table.agents))
    assert GameRecord.from_json(noted.to_json()) == noted
    assert all(each.is_genuine for each in recall(noted, table.agents))
    assert not any(each.is_genuine for each in recall(stamped(noted, "0"), table.agents))


@pytest.mark.parametrize("code", [None, "000000000000"])
def test_without_the_same_code_they_are_asked_again(code: str | None) -> None:
    table, words = played(["random", "vdb"], 3)
    found = recall(table.record(), table.agents, code)
    assert [each.thought.words for each in found if each.thought] == words
    assert {each.label for each in found} == {ASKED_AGAIN}


def test_without_the_dice_they_are_asked_again() -> None:
    table, words = played(["random", "vdb"], 3)
    code, record = seats_code(table.agents), GameRecord.of(table.game(), ["random", "vdb"])
    assert not any(each.is_genuine for each in recall(record, table.agents, code))
    again = recall(record, table.agents, code, seed=3)
    assert all(each.is_genuine for each in again)
    assert [each.thought.words for each in again if each.thought] == words


def test_games_of_persons_and_moves_that_an_agent_would_not_make() -> None:
    session = GameSession(Game(Rules(players=3), 4), [None, "random", "smartbot"], 4)
    for _ in range(4):
        session.make(session.game.legal_moves[-1])
        bob = session.decide()
        is_forced = session.turn == 4
        moves = [move for move in session.game.legal_moves if move != bob.move] if is_forced else [bob.move]
        session.make(moves[0])
        session.step()
    record = session.record()
    found = recall(record, session.seats, seats_code(session.seats))
    assert [each.thought is None for each in found[::3]] == [True] * 4
    assert [each.label for each in found[1::3]] == [GENUINE, ASKED_AGAIN, ASKED_AGAIN, ASKED_AGAIN]
    assert [each.agrees for each in found[1:6:3]] == [True, False]
    assert [each.label for each in found[2::3]] == [GENUINE] * 4
    assert [each.move for each in found] == list(record.moves)
    assert found[0].to_json()["thought"] is None


def test_what_depends_on_a_clock_is_asked_again() -> None:
    table, _ = played(["vdb", "vdb"], 3)
    seats: list[Agent | None] = [find_agent("ris-mcts(time=1ms)"), find_agent("vdb")]
    found = iter(ReplayedDecisions(table.record(), seats, seats_code(seats)))
    assert [next(found).label, next(found).label] == [ASKED_AGAIN, GENUINE]


def test_an_agent_that_fails_is_named_and_the_others_go_on() -> None:
    table, _ = played(["vdb", "vdb"], 3)
    session = GameSession(table.record(), [Moody, "vdb"])
    found = recall(table.record(), session.seats)
    assert found[2].thought is not None
    assert found[4].thought is None
    assert found[4].problem.startswith("raised KeyError: 'mood'")
    assert all(each.thought for each in found[1::2])


def test_it_can_be_stopped() -> None:
    table, _ = played(["vdb", "vdb"], 3)
    found = ReplayedDecisions(table.record(), [find_agent("ris-mcts(rules=all, iterations=10000000)")] * 2)
    asked = threading.Thread(target=lambda: list(found))
    asked.start()
    found.stop()
    asked.join(60)
    assert not asked.is_alive()
    assert found.session.turn == 0
