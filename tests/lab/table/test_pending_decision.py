"""A decision in progress: looked at, stopped, waited for."""

from __future__ import annotations

import threading

import pytest

from kagiya import AgentError, Explanation, Game, GameSession, Rules
from kagiya._jit import JIT_OFF
from kagiya.lab.table.session import PendingDecision
from kagiya.moves import Move
from kagiya.search.explanation import leading_move
from kagiya.view.observation import Observation
from tests.searches import SEARCHES, players_for, quick

ENDLESS = "ris-mcts(rules=all, iterations=10000000)"
LONG = 60.0  # seconds, in case that something hangs

pytestmark = pytest.mark.skipif(JIT_OFF, reason="searches take minutes without the compiler")


class Waits:
    """Moves when it is told to, or fails."""

    def __init__(self) -> None:
        self.asked, self.may_move, self.fails = threading.Event(), threading.Event(), False

    def act(self, observation: Observation) -> Move:
        self.asked.set()
        assert self.may_move.wait(LONG)
        if self.fails:
            raise KeyError("told to")
        return observation.legal_moves[-1]


def sit(agent: object, players: int = 2, seed: int = 1) -> GameSession:
    return GameSession(Game(Rules(players=players), seed), agent, seed)


def look_until_found(thinking: PendingDecision) -> Explanation:
    while (found := thinking.look()) is None:
        assert not thinking.is_done
    return found


@pytest.mark.parametrize("name", SEARCHES)
def test_a_look_says_what_the_search_would_do_if_it_stopped(name: str) -> None:
    session = sit(quick(f"{name}({'deals' if 'deals' in names(name) else 'iterations'}=40)"), players_for(name, 3), 5)
    compared = 0
    while not session.is_over and session.turn < 20:
        thought = session.decide()
        if thought.explanation and thought.explanation.iterations:
            assert leading_move(session._table.workspaces[session.seat]) == thought.move, session.turn  # type: ignore[arg-type]
            compared += 1
        session.make(thought.move)
    assert compared > 5


def names(agent: str) -> list[str]:
    return [parameter.name for parameter in quick(agent).info.parameters]


@pytest.mark.parametrize("agent", [ENDLESS, "depth-one(deals=10000000, racing=no)", "brooks-mcts(iterations=10000000)"])
def test_a_search_is_looked_at_and_stopped(agent: str) -> None:
    session = sit(agent)
    thinking = session.start()
    first = look_until_found(thinking)
    while (later := look_until_found(thinking)).iterations == first.iterations:
        pass
    assert later.iterations > first.iterations
    assert later.chosen in session.game.legal_moves
    assert later.moves
    assert 0 < (thinking.share or 0) < 1
    assert not thinking.is_done
    thinking.stop()
    thought = thinking.result(LONG)
    assert thought.is_stopped
    assert thought.explanation is not None
    assert thought.explanation.iterations >= later.iterations
    assert thinking.look() == thought.explanation
    assert thinking.share == 1
    assert thinking.is_done
    assert session.decide() is thought
    session.make(thought.move)


def test_a_stop_before_the_search_has_begun_is_heard_and_the_next_move_is_thought_about_again() -> None:
    session = sit("ris-mcts(rules=all, iterations=500)")
    thinking = PendingDecision(session._table, 0, None, lambda done: None)
    thinking.stop()
    thinking.run()
    assert thinking.result().explanation.iterations == 1  # type: ignore[union-attr]
    session.make(thinking.result().move)
    later = session.start().result(LONG)
    assert not later.is_stopped
    assert later.explanation is not None
    assert later.explanation.iterations == 500


def test_in_a_thread_it_decides_as_it_does_here() -> None:
    here, there = sit("ris-mcts(iterations=30)"), sit("ris-mcts(iterations=30)")
    for _ in range(8):
        thought = there.start().result(LONG)
        assert here.step().words == thought.words
        assert there.start().result(LONG) is thought  # it is not asked twice
        there.make(thought.move)
    assert here.game.moves == there.game.moves
    assert here.at(5).step().words == there.at(5).step().words


def test_nothing_is_moved_while_an_agent_thinks() -> None:
    session = sit([ENDLESS, "vdb"])
    thinking = session.start()
    assert session.thinking is thinking
    for attempt in (lambda: session.make("play 1"), session.decide, session.start):
        with pytest.raises(ValueError, match="alice is thinking; wait for the result, or stop it"):
            attempt()
    assert session.observation(0).turn == session.at(0).turn == 0
    session.stop()
    session.make(thinking.result(LONG).move)
    assert session.thinking is None


def test_another_takes_the_seat_of_an_agent_that_does_not_answer() -> None:
    player = Waits()
    session = sit([player, "vdb"])
    thinking = session.start()
    assert player.asked.wait(LONG)
    assert thinking.look() is None
    assert thinking.share is None
    with pytest.raises(TimeoutError, match="still thinking after"):
        thinking.result(0)
    session.replace(0, "vdb")
    assert session.decide().agent == "vdb"
    player.may_move.set()
    assert thinking.result(LONG).agent == "Waits"
    assert session.decide().agent == "vdb"


def test_an_agent_that_fails_says_so_with_the_result() -> None:
    player = Waits()
    player.fails = True
    player.may_move.set()
    session = sit([player, "vdb"])
    with pytest.raises(AgentError, match="told to"):
        session.start().result(LONG)
    session.replace(0, "vdb")
    assert session.step().agent == "vdb"
