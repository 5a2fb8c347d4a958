"""Every seat searches: hands that leave a move unexplained stay in the list, so that nobody loses the true one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kagiya import Rules, find_agent
from kagiya._jit import JIT_OFF
from kagiya.engine.game import Game
from kagiya.lab.table.table import Table
from kagiya.search.workspace import SearchWorkspace
from kagiya.spec import SpecError
from tests.blindness import check_table
from tests.search.deals.hand_games import tell_all, true_hand
from tests.search.deals.test_past_moves import asked

Games = Callable[[int], int]

pytestmark = pytest.mark.skipif(JIT_OFF, reason="whole games of searches take minutes without the compiler")

RESTLESS = "deals=10, threshold=0, caution=0, cap=20000"  # the more deviations, the better


def count_lost(agent: str, players: int, games: int) -> tuple[int, int, int]:
    """Decisions with a list, those whose list lacks the true hand, and moves that are not the blueprint's."""
    listed, lost, deviations = 0, 0, 0
    for seed in range(games):
        rules = Rules(players=players)
        table, game = Table(rules, [find_agent(agent)]), Game(rules, seed)
        table.start_game(seed)
        while not game.is_over:
            seat, move = int(game.seat), asked(table)
            workspace = table.workspaces[seat]
            assert isinstance(workspace, SearchWorkspace)
            assert workspace.own_hand is not None
            hands = workspace.own_hand.listed()
            if hands is not None:
                assert sum(hands.values()) > 0, f"seed {seed}: {game.position()}"
                listed += 1
                lost += not hands.get(true_hand(game, seat))
            deviations += move != workspace.work["evaluator_move"]
            tell_all(table, move)
            game.make(move)
    return listed, lost, deviations


@pytest.mark.parametrize(("blueprint", "players"), [("smartbot", 2), ("kagiya-two", 2), ("smartbot(safe=yes)", 4)])
def test_seats_that_search_seldom_lose_their_hand(blueprint: str, players: int, games: Games) -> None:
    listed, lost, deviations = count_lost(f"sparta-both(blueprint={blueprint}, {RESTLESS})", players, games(3))
    assert deviations
    assert lost * 20 <= listed, f"{lost} of {listed}"


def test_hands_ruled_out_for_one_unexplained_move_are_lost(games: Games) -> None:
    _, kept, _ = count_lost(f"sparta-both({RESTLESS})", 2, games(3))
    _, lost, _ = count_lost(f"sparta-both({RESTLESS}, surprise=0)", 2, games(3))
    assert lost > 4 * kept


def test_lists_are_blind(games: Games) -> None:
    table = Table(Rules(players=2), [find_agent(f"sparta-both({RESTLESS})")])
    check_table(table, range(games(3)))


def test_two_blueprints_at_one_table_are_refused() -> None:
    seats = [find_agent("sparta-both(surprise=0)"), find_agent("sparta-both(blueprint=kagiya-two)")]
    with pytest.raises(SpecError, match="the same blueprint"):
        Table(Rules(players=2), seats)
