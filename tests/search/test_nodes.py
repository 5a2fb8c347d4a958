"""The beginning of a search: it takes over what its seat may see, and nothing of the search before."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from kagiya import Rules
from kagiya.engine.layout import new_states
from kagiya.search.search_layout import KNOWN
from kagiya.search.workspace import SearchSetup, SearchWorkspace
from kagiya.view.view_kernels import censor
from tests.search.by_hand import TreeByHand, at_position
from tests.search.real_games import real_games

Games = Callable[[int], int]

LANE, TARGET = np.int64(0), np.int64(1)


def counts_of(tree: TreeByHand) -> tuple[int, ...]:
    return tuple(int(tree.work[name]) for name in ("iterations_done", "steps_done", "true_iterations", "nodes_used"))


def test_a_search_begins_with_what_its_seat_may_see(games: Games, rng: random.Random) -> None:
    for table, game in real_games(rng, games(4)):
        tree, seen = TreeByHand(table), new_states(2)
        seen[0] = game.states[0]
        censor(seen, LANE, TARGET, game.seat)
        assert tree.lanes[KNOWN].tobytes() == seen[1].tobytes()
        assert (tree.work["seat"], tree.work["turns"], tree.work["whole_history"]) == (game.seat, game.turn, 1)
        assert counts_of(tree) == (0, 0, 0, 1)
        assert int(tree.work["root_moves"]) == sum(1 << move for move in game.legal_moves)


def test_nothing_of_the_last_search_is_left() -> None:
    tree = at_position("ris-mcts(iterations=50, plies=2)")
    tree.iterate(20)
    assert tree.work["steps_done"] > 20
    again = TreeByHand(tree.table)
    assert counts_of(again) == (0, 0, 0, 1)
    assert not list(again.children())


def test_settings_are_fields_of_the_record() -> None:
    work = at_position("ris-mcts(iterations=7, c=0.25, unprune=9, backup=split)").work
    assert (work["iterations"], work["exploration"], work["unprune"], work["scale"]) == (7, 0.25, 9, 25)


def test_a_setting_without_a_field_is_refused() -> None:
    models = [at_position("ris-mcts(iterations=1)").workspace.setup.models[0]] * 2
    with pytest.raises(ValueError, match="depht"):
        SearchWorkspace(Rules(players=2), SearchSetup({"depht": 1}, models=models))
