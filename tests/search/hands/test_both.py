"""Both seats search: their public lists agree, the true hands stay in them, and deviations are noticed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kagiya import Rules, find_agent
from kagiya._jit import JIT_OFF
from kagiya.engine.game import Game
from kagiya.engine.layout import GAME
from kagiya.lab.table.table import Table
from kagiya.search.hands.hand_list import HandList
from kagiya.search.workspace import Workspace
from kagiya.spec import SpecError
from tests.blindness import check_table
from tests.search.deals.test_past_moves import asked
from tests.search.hands.games import tell_all, true_hand

Games = Callable[[int], int]

pytestmark = pytest.mark.skipif(JIT_OFF, reason="whole games of searches take minutes without the compiler")

BOTH = "sparta-both(deals=4, threshold=0, cap=5000)"  # the more deviations, the better


def lists_of(table: Table, seat: int) -> tuple[HandList, HandList]:
    workspace = table.workspaces[seat]
    assert isinstance(workspace, Workspace)
    assert workspace.own_hand is not None
    assert workspace.partner_hand is not None
    return workspace.own_hand, workspace.partner_hand


def work_of(table: Table, seat: int) -> Any:
    workspace = table.workspaces[seat]
    assert isinstance(workspace, Workspace)
    return workspace.work


def told_by(listed: HandList, turn: int) -> tuple[list[int], int, list[int]]:
    """A public list, whether it is a sample, and the moves from which nothing is concluded."""
    record = listed.record
    count, side = int(record["listed"]), int(record["side"])
    return listed.hands[side, : max(count, 0)].tolist(), int(record["is_sample"]), record["skipped"][:turn].tolist()


@pytest.mark.parametrize(
    ("blueprint", "cap"), [("smartbot", 5_000), ("kagiya-two", 5_000), ("kagiya-two", 1_000), ("smartbot", 100)]
)
def test_both_seats_keep_the_same_lists_and_never_lose_a_hand(blueprint: str, cap: int, games: Games) -> None:
    compared, noticed = 0, 0
    for seed in range(games(2)):
        rules = Rules(players=2)
        table = Table(rules, [find_agent(f"sparta-both(blueprint={blueprint}, deals=4, threshold=0, cap={cap})")])
        game, before = Game(rules, seed), None
        table.start_game(seed)
        while not game.is_over:
            seat, move = int(game.seat), asked(table)
            own, others = lists_of(table, seat)
            listed = own.listed()
            assert listed is None or listed.get(true_hand(game, seat), 0) > 0, f"seed {seed}: {game.position()}"
            assert not own.record["contradictions"]
            if before is not None and int(others.record["base_turn"]) == game.turn - 1:
                assert told_by(others, game.turn) == before, f"seed {seed}: {game.position()}"
                compared += 1
            before = told_by(own, game.turn + 1)
            noticed += int(own.record["skipped"].any())
            tell_all(table, move)
            game.make(move)
    assert compared
    assert noticed


def test_public_lists_are_blind(games: Games) -> None:
    table = Table(Rules(players=2), [find_agent(BOTH)])
    check_table(table, range(games(3)))


def test_a_seat_searches_while_its_partner_may_hold_almost_anything() -> None:
    table = Table(Rules(players=2), [find_agent(BOTH)])
    searched = 0
    for seed in range(3):
        table.start_game(seed)
        for _ in range(4):
            seat, move = int(table.states[GAME]["seat"]), asked(table)
            _, others = lists_of(table, seat)
            searched += bool(others.record["is_sample"] and work_of(table, seat)["iterations_done"])
            tell_all(table, move)
    assert searched


def test_a_deviation_is_answered_by_the_blueprint(games: Games) -> None:
    answered = 0
    for seed in range(games(2)):
        table = Table(Rules(players=2), [find_agent(BOTH)])
        game = Game(Rules(players=2), seed)
        table.start_game(seed)
        while not game.is_over:
            seat, move = int(game.seat), asked(table)
            own, _ = lists_of(table, seat)
            if game.turn and own.record["skipped"][game.turn - 1]:
                assert move == work_of(table, seat)["evaluator_move"]
                answered += 1
            tell_all(table, move)
            game.make(move)
    assert answered


def test_two_blueprints_at_one_table_are_refused() -> None:
    seats = [find_agent("sparta-both"), find_agent("sparta-both(blueprint=kagiya-two)")]
    with pytest.raises(SpecError, match="the same blueprint"):
        Table(Rules(players=2), seats)
