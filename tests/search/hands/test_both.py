"""Both seats search: their public lists agree, the true hands stay in them, and deviations are noticed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kagiya import Rules, find_agent
from kagiya._jit import JIT_OFF
from kagiya.engine.game import Game
from kagiya.lab.table.table import Table
from kagiya.search.hands.hand_list import HandList
from kagiya.search.workspace import Workspace
from kagiya.spec import SpecError
from tests.blindness import check_table
from tests.search.deals.test_past_moves import asked
from tests.search.hands.games import tell_all, true_hand

Games = Callable[[int], int]

pytestmark = pytest.mark.skipif(JIT_OFF, reason="whole games of searches take minutes without the compiler")

BOTH = "sparta-both(deals=4, threshold=0, cap=30000)"  # the more deviations, the better


def lists_of(table: Table, seat: int) -> tuple[HandList, HandList]:
    workspace = table.workspaces[seat]
    assert isinstance(workspace, Workspace)
    assert workspace.own_hand is not None
    assert workspace.partner_hand is not None
    return workspace.own_hand, workspace.partner_hand


def hands_of(listed: HandList) -> set[int] | None:
    count, side = int(listed.record["listed"]), int(listed.record["side"])
    return None if count < 0 else set(listed.hands[side, :count].tolist())


@pytest.mark.parametrize("blueprint", ["smartbot", "kagiya-two"])
def test_both_seats_keep_the_same_lists_and_never_lose_a_hand(blueprint: str, games: Games) -> None:
    compared, noticed = 0, 0
    for seed in range(games(4)):
        rules = Rules(players=2)
        table = Table(rules, [find_agent(BOTH.replace("deals", f"blueprint={blueprint}, deals"))])
        game, before = Game(rules, seed), None
        table.start_game(seed)
        while not game.is_over:
            seat, move = int(game.seat), asked(table)
            own, others = lists_of(table, seat)
            listed = own.listed()
            assert listed is None or listed.get(true_hand(game, seat), 0) > 0, f"seed {seed}: {game.position()}"
            assert not own.record["contradictions"]
            theirs = hands_of(others)
            if before is not None and theirs is not None:
                assert theirs == before
                compared += 1
            before = hands_of(own)
            noticed += int(own.record["skipped"].any())
            tell_all(table, move)
            game.make(move)
    assert compared
    assert noticed


def test_public_lists_are_blind(games: Games) -> None:
    table = Table(Rules(players=2), [find_agent(BOTH)])
    check_table(table, range(games(3)))


def test_a_seat_without_a_list_of_its_partner_plays_the_blueprint() -> None:
    table = Table(Rules(players=2), [find_agent("sparta-both(deals=4, threshold=0, cap=1)")])
    blueprint = Table(Rules(players=2), [find_agent("smartbot")])
    for seed in range(3):
        found, expected = (each.play_with_moves(seed, 1)[1] for each in (table, blueprint))
        assert found.tolist() == expected.tolist()


def test_two_blueprints_at_one_table_are_refused() -> None:
    seats = [find_agent("sparta-both"), find_agent("sparta-both(blueprint=kagiya-two)")]
    with pytest.raises(SpecError, match="the same blueprint"):
        Table(Rules(players=2), seats)
