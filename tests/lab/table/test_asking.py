"""Any agent can be asked for its move in any game."""

import pytest

from kagiya import Game, Match, Rules, Table, ask, decide, explain, find_agent, play_match
from kagiya.agents.careful import AGENT as CAREFUL
from kagiya.agents.careful_python import CarefulPython
from kagiya.moves import Move
from kagiya.view.observation import Observation

THREE = Rules(players=3)


class Last:
    """Makes the last of its legal moves, and says so."""

    def act(self, observation: Observation) -> Move:
        self.reason = f"move {len(observation.legal_moves)} of {len(observation.legal_moves)}"
        return observation.legal_moves[-1]


@pytest.mark.parametrize("agent", ["careful", "smartbot", "careful-python"])
def test_an_agent_asked_turn_by_turn_plays_its_game(agent: str) -> None:
    table = Table(THREE, [find_agent(agent)])
    table.play_game(4)
    whole, game = table.game(), Game(THREE, 4)
    for move in whole.moves:
        assert ask(game, agent, seed=4) == move
        game.make(move)
    assert game.is_over


def test_asking_changes_nothing_and_takes_positions_classes_objects_and_compiled_agents() -> None:
    game = Game(THREE, 3)
    game.make(game.legal_moves[-1])
    before = game.position()
    wanted = ask(game, "careful")
    for agent in (CAREFUL, CarefulPython, CarefulPython(), find_agent("careful"), [CAREFUL, "random", Last]):
        assert isinstance(ask(game, agent), Move)
    for agent in (CAREFUL, CarefulPython, CarefulPython(), ["random", CAREFUL, Last]):
        assert ask(game, agent) == wanted
    assert ask(before, "careful") == wanted
    assert game.position() == before


def test_every_agent_gives_its_reason() -> None:
    assert str(explain(Game(THREE, 3), Last)) == explain(Game(THREE, 3), Last()).reason
    assert explain(Game(THREE, 3), Last).reason.startswith("move ")
    assert explain(Game(THREE, 3), "vdb").reason
    assert explain(Game(THREE, 3), "tests.cli.players:Late").reason == "gives no reason"


@pytest.mark.parametrize("agent", ["vdb", "smartbot", "hanabirs-info", "evalfn", "careful-python", Last])
def test_a_thought_is_the_move_and_the_reason(agent: object) -> None:
    game = Game(THREE, 3)
    thought = decide(game, agent, seed=2)
    assert thought.move == ask(game, agent, seed=2)
    assert thought.explanation is None
    assert thought.words
    assert thought.words == explain(game, agent, seed=2).reason
    assert thought.heard == explain(game, agent, seed=2).heard
    assert str(thought).startswith("alice would ")
    assert decide(game.position(), agent, seed=2).words == thought.words


def test_a_thought_of_a_search_has_its_numbers() -> None:
    game = Game(THREE, 3)
    thought = decide(game, "ris-mcts(rules=all, iterations=20)", seed=2)
    found = explain(game, "ris-mcts(rules=all, iterations=20)", seed=2)
    assert thought.explanation is not None
    assert thought.explanation.moves == found.moves
    assert thought.words == str(found)


def test_a_game_that_is_over_has_no_move_to_ask_for() -> None:
    game = Game(Rules(players=2, lives=1), seed=1)
    while not game.is_over:
        game.make(Move.play(0))
    with pytest.raises(ValueError, match="the game is over"):
        ask(game, "vdb")


def test_a_match_takes_agents_as_they_are_written_and_as_they_are_at_hand() -> None:
    by_text = play_match(Match.of(THREE, ["careful"], 20), workers=1)
    for agents in ("careful", CAREFUL, [CAREFUL], CarefulPython):
        assert play_match(Match.of(THREE, agents, 20), workers=1).results.tobytes() == by_text.results.tobytes()
    assert Match.of(THREE, ["careful"]).games == 1000
