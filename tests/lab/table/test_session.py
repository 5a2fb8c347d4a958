"""A game one move at a time: the same as at the table, at any turn, with anybody in any seat."""

from __future__ import annotations

import json
import random

import pytest

from kagiya import AgentError, Game, Rules, Table
from kagiya.agents.api import AgentInfo, PythonAgent
from kagiya.engine.record import GameRecord
from kagiya.lab.table.session import GameSession, play_from
from kagiya.moves import Move, MoveError
from kagiya.view.observation import Observation, observe
from tests.cli.command import run
from tests.searches import quick

# A rule agent, one with a convention, a hat player, a search, a learned one, and one in Python.
KINDS = ["vdb", "smartbot", "hanabirs-info", "ris-mcts", "evalfn", "careful-python"]
SEATS = [
    (["brooks-iggi", "careful-python"], 2),
    (["vdb", "smartbot", "random"], 3),
    (["evalfn", "basic", "hanabirs-info", "ris-mcts"], 4),
    (["ally", "vdb"], 2),  # a search that writes down who its partner is
    (["depth-one", "careful-python", "random", "smartbot", "cautious"], 5),
]


class Gambler(PythonAgent):
    """Moves at random, and notes how much of the story it was told."""

    info = AgentInfo(id="gambler", summary="moves at random", family="tests", paper="none")

    def act(self, observation: Observation) -> Move:
        self.missing = observation.turn - len(observation.history)
        move = self.dice.choice(observation.legal_moves)
        self.reason = f"rolled {move}; {self.missing} moves not told"
        return move


class Faulty:
    """Raises, or returns something that is not a legal move."""

    answer: object = None

    def act(self, observation: Observation) -> Move:
        if self.answer is None:
            raise KeyError("lost my notes")
        return self.answer  # type: ignore[return-value]


def explained(rules: Rules, agents: list[str], seed: int) -> tuple[list[str], Game]:
    table = Table(rules, [quick(agent) for agent in agents])
    return table.play_explained(seed), table.game()


def sit(rules: Rules, agents: list[str], seed: int) -> GameSession:
    return GameSession(Game(rules, seed), [quick(agent) for agent in agents], seed)


def play(session: GameSession) -> list[str]:
    words = []
    while not session.is_over:
        words.append(session.step().words)
    return words


@pytest.mark.parametrize("agent", KINDS)
def test_moves_and_reasons_are_those_of_the_table(agent: str) -> None:
    words, whole = explained(Rules(players=3), [agent], 5)
    session = sit(Rules(players=3), [agent], 5)
    assert play(session) == words
    assert session.game.moves == whole.moves
    assert session.record() == GameRecord.of(whole, [quick(agent).text] * 3, 5)


def test_reasons_are_those_of_show_why() -> None:
    shown = json.loads(run("show", "basic", "hanabirs-info", "vdb", "--seed", "4", "--why", "--json").stdout)
    session = GameSession(Game(Rules(players=3), 4), ["basic", "hanabirs-info", "vdb"], 4)
    thoughts = [session.step() for _ in shown["reasons"]]
    assert session.is_over
    assert [thought.words for thought in thoughts] == shown["reasons"]
    assert [[each.to_json() for each in thought.heard] for thought in thoughts] == shown["heard"]
    assert session.record().to_json()["moves"] == shown["moves"]


@pytest.mark.parametrize(("agents", "players"), SEATS)
def test_a_branch_goes_on_as_the_game_did(agents: list[str], players: int) -> None:
    session = sit(Rules(players=players), agents, 8)
    words = play(session)
    for turn in random.Random(players).sample(range(session.turn), 5):
        branch = session.at(turn)
        assert branch.turn == turn
        assert [branch.step().words for _ in range(min(players, session.turn - turn))] == words[turn : turn + players]
    assert session.is_over


def test_moves_taken_back_come_again_and_others_make_another_game() -> None:
    session = GameSession(Game(Rules(players=3), 2), ["random", "smartbot", Gambler], 2)
    for _ in range(12):
        session.step()
    before = session.game.moves
    session.take_back(7)
    assert session.game.moves == before[:5]
    for _ in range(7):
        session.step()
    assert session.game.moves == before
    branch = session.at(6)
    other = next(move for move in branch.game.legal_moves if move != before[6])
    branch.make(other)
    assert branch.game.moves == (*before[:6], other)
    assert session.game.moves == before
    with pytest.raises(ValueError, match="12 moves can be taken back, not 13"):
        session.take_back(13)
    with pytest.raises(ValueError, match="turns of this game are 0 to 12, not 13"):
        session.at(13)


def test_thinking_moves_nothing_and_says_the_same_again() -> None:
    session = sit(Rules(players=2), ["random"], 3)
    thought = session.decide()
    assert session.turn == 0
    assert session.decide() is thought
    assert session.step() is thought
    assert (thought.seat, thought.turn, thought.agent) == (0, 0, "random")
    assert session.game.moves == (thought.move,)
    assert thought.to_json()["move"] == str(thought.move)


def test_a_search_explains_and_a_python_agent_gives_its_reason() -> None:
    session = GameSession(Game(Rules(players=2), 3), ["ris-mcts(rules=all, iterations=8)", Gambler])
    found = session.step().explanation
    assert found is not None
    assert found.moves
    thought = session.step()
    assert thought.explanation is None
    assert thought.words == f"rolled {thought.move}; 0 moves not told"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_persons_sit_anywhere_and_observations_are_fresh(players: int) -> None:
    seats: list[object] = ["smartbot"] * players
    seats[0], seats[players - 1] = None, "human"
    session, dice = GameSession(Game(Rules(players=players), 4), seats), random.Random(players)
    while not session.is_over:
        if session.is_person_to_move:
            session.make(dice.choice(session.observation(session.seat).legal_moves))
        else:
            session.step()
        for seat in range(players):
            seen, wanted = session.observation(seat), observe(session.game, seat)  # type: ignore[arg-type]
            assert seen.states.tobytes() == wanted.states.tobytes()
            assert [event.move for event in seen.history] == list(session.game.moves)
    assert session.record().seats[0] == session.record().seats[-1] == "human"
    assert session.seats[0] is None


def test_an_observation_keeps_its_history_when_moves_are_taken_back() -> None:
    session = sit(Rules(players=2), ["random"], 3)
    session.step()
    old, before = session.observation(0), session.game.events
    session.take_back(1)
    session.make(next(move for move in session.game.legal_moves if move != before[0].move))
    assert old.history == before


def test_it_stands_where_any_game_stands() -> None:
    rules = Rules(players=3)
    words, whole = explained(rules, ["smartbot"], 6)
    begun = whole.beginning()
    for move in whole.moves[:20]:
        begun.make(move)
    by_deck = Game(rules, deck=whole.deck)
    assert play(GameSession(by_deck, "smartbot")) == words
    assert GameSession(by_deck, "smartbot").record().seed is None
    assert play(GameSession(begun, "smartbot")) == words[20:]
    assert play(GameSession(GameRecord.of(begun, ["smartbot"] * 3), "smartbot")) == words[20:]
    position = GameSession(begun.position(), "careful")
    assert position.turn == position.first_turn == 20
    position.step()
    position.take_back()
    assert position.game.position() == begun.position()
    assert begun.turn == 20


def test_python_seats_know_the_history_after_a_branch_and_in_the_middle() -> None:
    session = GameSession(Game(Rules(players=2), 1), ["vdb", Gambler], 1)
    words = play(session)
    assert all(text.endswith("; 0 moves not told") for text in words[1::2])
    assert session.at(7).decide().words == words[7]
    middle = GameSession(session.at(9).game, ["vdb", Gambler], 1)
    assert middle.decide().words.endswith("; 0 moves not told")


def test_another_agent_takes_a_seat_and_was_told_everything() -> None:
    session = sit(Rules(players=3), ["smartbot", "random", "smartbot"], 9)
    for _ in range(13):
        session.step()
    begun = session.game
    branch = session.at(13)
    branch.replace(1, "smartbot")
    assert branch.names == ("smartbot",) * 3
    assert branch.decide().words == GameSession(begun, "smartbot", 9).decide().words
    expected = session.decide().move
    branch.replace(1, None)
    assert branch.is_person_to_move
    branch.replace(1, "random")
    assert branch.decide().move == GameSession(begun, "random", 9).decide().move  # it has rolled nothing yet
    session.replace(0, "vdb")
    assert session.decide().move == expected  # the others' dice stay


def test_a_python_player_stays_the_same_object_while_others_are_replaced() -> None:
    class Counts:
        """Counts its moves."""

        moves = 0

        def act(self, observation: Observation) -> Move:
            self.moves += 1
            self.reason = str(self.moves)
            return observation.legal_moves[-1]

    session = GameSession(Game(Rules(players=2), 1), [Counts, "random"])
    for _ in range(4):
        session.step()
    session.replace(1, "vdb")
    assert session.step().words == "3"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (None, "raised KeyError: 'lost my notes'"),
        ("play", "returned 'play', which is not a move"),
        (99, "99 is not a move"),
        (Move.discard(0), "'discard 1' is illegal: all 8 hint tokens are there"),
    ],
)
def test_an_agent_that_fails_is_named_and_another_may_take_its_seat(answer: object, reason: str) -> None:
    player = Faulty()
    player.answer = answer
    session = GameSession(Game(Rules(players=2), 1), ["vdb", player], 1)
    session.make("hint bob 1") if "hint bob 1" in map(str, session.game.legal_moves) else session.make("play 1")
    with pytest.raises(AgentError) as caught:
        session.step()
    assert (caught.value.seat, caught.value.turn, caught.value.agent) == (1, 1, "Faulty")
    assert reason in caught.value.reason
    session.replace(1, "vdb")
    assert session.step().agent == "vdb"


@pytest.mark.parametrize(
    "agents", [["random", "vdb"], ["ris-mcts", "random"], ["ally", "ally"], ["depth-one", "basic"]]
)
def test_a_stored_game_goes_on_as_it_would_have(agents: list[str]) -> None:
    session = sit(Rules(players=2), agents, 4)
    for _ in range(11):
        session.step()
    stored = session.record()
    words = [session.step().words for _ in range(6)]
    again = GameSession.retraced(stored, [quick(agent) for agent in agents], 4)
    assert [again.step().words for _ in range(6)] == words
    assert again.at(9).step().words == session.at(9).step().words
    assert GameSession.retraced(stored, [Faulty, "vdb"]).turn == GameSession.retraced(stored, None).turn == 11


def test_ctrl_c_ends_the_retracing_of_a_game_and_an_agent_that_fails_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = play_from(Game(Rules(), seed=1), "careful")

    def fail(*_: object) -> None:
        raise AgentError("careful", 0, 0, 1, "of no use any more")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kagiya.lab.table.session.decide_at", fail)
    assert GameSession.retraced(stored, "careful").turn == stored.turn
    monkeypatch.setattr("kagiya.lab.table.session.decide_at", interrupt)
    with pytest.raises(KeyboardInterrupt):
        GameSession.retraced(stored, "careful")


def test_what_cannot_be_done_is_said() -> None:
    session = GameSession(Game(Rules(players=2), 1), [None, "vdb"])
    with pytest.raises(ValueError, match="it is alice's turn, a person"):
        session.decide()
    with pytest.raises(MoveError, match="turn 1, alice: 'discard 1' is illegal"):
        session.make(Move.discard(0))
    with pytest.raises(ValueError, match="the seats of this game are 0 to 1"):
        session.replace(2, "vdb")
    with pytest.raises(ValueError, match="the seats of this game are 0 to 1"):
        session.observation(2)
    over = sit(Rules(players=2), ["vdb"], 1)
    play(over)
    with pytest.raises(ValueError, match="the game is over"):
        over.decide()
    with pytest.raises(MoveError, match="the game is over"):
        over.make(Move.play(0))


def test_what_a_move_would_tell_is_what_it_tells() -> None:
    session = sit(Rules(players=4), ["hanabirs-info"], 2)
    thought = session.decide()
    assert thought.heard
    assert session.hear(thought.move) == thought.heard


def test_stop_is_for_the_move_in_progress_alone() -> None:
    session = GameSession(Game(Rules(players=2), 1), "ris-mcts(rules=all, iterations=8)")
    session.stop()
    thought = session.decide()
    assert not thought.is_stopped
    assert thought.explanation is not None
    assert thought.explanation.iterations == 8


def test_a_closed_sitting_answers_at_once() -> None:
    session = GameSession(Game(Rules(players=2), 1), "ris-mcts(rules=all, iterations=10000000)")
    session.close()
    for _ in range(2):
        thought = session.step()
        assert thought.is_stopped
        assert thought.explanation is not None
        assert thought.explanation.iterations == 1
