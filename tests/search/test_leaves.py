"""Lines of a flat search that are cut off, and what they count for."""

from __future__ import annotations

import random

import numpy as np
import pytest

from kagiya import Rules, find_agent
from kagiya.engine.game_kernels import is_over, score
from kagiya.engine.layout import GAME
from kagiya.lab.table.table import Table
from kagiya.learn.networks import load, network_file, network_row
from kagiya.learn.values import forecast
from kagiya.search import search_layout
from kagiya.search.flat_search import deal_game, line_value, try_line
from kagiya.search.workspace import SearchWorkspace
from kagiya.spec import SpecError
from tests.search.deals.test_past_moves import half_careless, searching

NO_REPLY = -1


def lines(agent: str, rng: random.Random, count: int = 12) -> list[tuple[SearchWorkspace, float, int]]:
    """Lines of a search in games in progress: the search, the value of the line, and how many moves it took."""
    found = []
    for seed in range(count):
        game = half_careless(rng, "smartbot", Rules(players=3))
        if game.is_over:
            continue
        table, workspace = searching(game, agent, seed)
        deal_game(table.states, GAME, int(game.seat), table.memory, workspace.work)
        before = int(workspace.work["steps_done"])
        move = int(rng.choice([int(each) for each in game.legal_moves]))
        value = float(try_line(workspace.work, move, NO_REPLY))
        found.append((workspace, value, int(workspace.work["steps_done"]) - before))
    assert found
    return found


@pytest.mark.parametrize("search", ["depth-one(evaluator=smartbot", "sparta(blueprint=smartbot"])
def test_a_line_is_cut_off_after_so_many_moves_and_forecast(search: str, rng: random.Random) -> None:
    row = np.array([network_row(load(str(network_file("forecast-3")), "forecast"))])
    for workspace, value, moves in lines(f"{search}, plies=4, leaf=forecast)", rng):
        if is_over(workspace.states, search_layout.TRIAL):
            continue
        assert moves == 1 + 4
        assert value == pytest.approx(float(forecast(workspace.states, search_layout.TRIAL, row, 0)))


def test_without_a_leaf_a_line_that_is_cut_off_counts_its_points(rng: random.Random) -> None:
    for workspace, value, moves in lines("depth-one(evaluator=smartbot, plies=4)", rng):
        assert moves == 1 + 4 or is_over(workspace.states, search_layout.TRIAL)
        assert value == int(score(workspace.states, search_layout.TRIAL))


def test_a_line_that_ends_counts_its_score(rng: random.Random) -> None:
    for workspace, value, _ in lines("depth-one(evaluator=smartbot, leaf=forecast)", rng, 4):
        assert is_over(workspace.states, search_layout.TRIAL)
        assert value == int(value)


def test_the_evaluation_function_values_the_best_move_where_a_line_stops(rng: random.Random) -> None:
    for workspace, value, _ in lines("depth-one(evaluator=smartbot, plies=2, leaf=evalfn(iteration=1))", rng, 6):
        if is_over(workspace.states, search_layout.TRIAL):
            continue
        workspace.work["leaf_values"][:] = np.nan
        assert float(line_value(workspace.work)) == value == np.nanmax(workspace.work["leaf_values"])


@pytest.mark.parametrize(("early", "looks"), [("auto", 0), ("yes", 1), ("no", 0)])
def test_early_looks_are_as_told(early: str, looks: int) -> None:
    workspace = Table(Rules(players=3), [find_agent(f"depth-one(evaluator=smartbot, early={early})")]).workspaces[0]
    assert isinstance(workspace, SearchWorkspace)
    assert workspace.work["early_looks"] == looks


def test_a_leaf_without_learned_values_is_refused() -> None:
    with pytest.raises(SpecError, match="has no learned values"):
        find_agent("depth-one(leaf=vdb)")
