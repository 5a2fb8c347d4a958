"""Searches where there is little to search: one iteration, one move, the last turns."""

from collections.abc import Callable

import numpy as np
import pytest

from kagiya import Game, Match, Rules, find_agent, parse_rules, play_match
from kagiya.lab.table.session import explain
from kagiya.lab.table.table import Table
from tests.searches import BUDGETS, SEARCHES, players_for, quick

Games = Callable[[int], int]


def least(name: str) -> str:
    """The search with the smallest budget that can be written."""
    names = [parameter.name for parameter in find_agent(name).info.parameters]
    return f"{name}({', '.join(f'{budget}=1' for budget in BUDGETS if budget in names)})"


def endings(rules: Rules, seed: int, turns: int) -> list[Game]:
    """The positions of a game before each of its last moves."""
    table = Table(rules, [find_agent("vdb")])
    table.play_game(seed)
    whole = table.game()
    game, found = whole.beginning(), []
    for move in whole.moves:
        found.append(game.copy())
        game.make(move)
    return found[-turns:]


@pytest.mark.parametrize("name", SEARCHES)
def test_the_smallest_budget_is_enough_for_a_whole_game(name: str, games: Games) -> None:
    for players in (2, players_for(name, 5)):
        result = play_match(Match.of(Rules(players=players), [find_agent(least(name))], games(2), seed=3))
        assert result.error is None
        assert len(result.results) == games(2)


@pytest.mark.parametrize("name", SEARCHES)
def test_a_single_legal_move_is_made(name: str) -> None:
    """All tokens are there, so nothing may be discarded; the other hand is empty, so there is nothing to tell."""
    game = Game(parse_rules("standard(colors=1, hand_size=1, lives=20)", 2), seed=1)
    while len(game.legal_moves) > 1:
        game.make("play 1")
    found = explain(game, quick(name))
    assert (found.chosen,) == game.legal_moves


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("rules", ["standard", "goodman"])
def test_the_last_turns_are_played_legally_and_not_beyond_the_end(name: str, rules: str) -> None:
    for players in (2, players_for(name, 4)):
        last = endings(parse_rules(rules, players), seed=2, turns=players + 3)
        for game in last:
            found = explain(game, quick(name), seed=5)
            assert found.chosen in game.legal_moves
        assert last[-1].deck_left == 0
        assert explain(last[-1], quick(name)).depth <= 1


@pytest.mark.parametrize("name", ["mo-ismcts", "ris-mcts", "predictor"])
def test_the_last_move_of_a_game_is_known_exactly(name: str) -> None:
    """Whatever is told or thrown away last, the score stays as it is, in every deal."""
    game = endings(Rules(players=2), seed=2, turns=1)[0]
    found = explain(game, f"{name}(iterations=200, final=mean)")
    values = np.array([each.value for each in found.moves])
    assert values[0] == values.max()
    for each in found.moves:
        if each.move.is_hint or each.move.is_discard:
            assert each.value == game.points
            assert each.standard_error in (None, 0.0)


@pytest.mark.parametrize("rules", ["goodman", "list(play-probably-safe(1))"])
def test_the_defect_leaves_a_legal_move(rules: str) -> None:
    """All tokens are there and bob knows all: no rule has a legal move, and neither has the discard in their place."""
    text = "alice Y5 R4 G3; bob Y4(Y!,4!) W4(W!,4!) G4(G!,4!); rules goodman(hand_size=3)"
    found = explain(Game.from_position(text), f"mo-ismcts(iterations=20, rules={rules}, defect=yes)")
    assert str(found.chosen) == "play 1"
