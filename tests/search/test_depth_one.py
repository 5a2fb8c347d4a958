"""Bouzy's depth-one search: the right move where there is one, nothing peeked at."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kagiya import Rules, find_agent, parse_rules
from kagiya._jit import HAS_CLOCK, JIT_OFF
from kagiya.cards import NO_MOVE, Seat
from kagiya.engine.game_kernels import legal_moves
from kagiya.engine.layout import GAME
from kagiya.lab.table.table import Table
from kagiya.moves import FIRST_DISCARD, move_name
from kagiya.search.flat_search import distinct_moves
from tests.blindness import check_blindness
from tests.search.tables import (
    OWN_CARD,
    SMALL,
    THREE,
    TWO_LEFT,
    after,
    ask,
    begin,
    mask_of,
    root_moves,
    searched,
    sit_down,
)

Games = Callable[[int], int]


@pytest.mark.parametrize("seed", range(5))
def test_a_card_known_to_fit_is_played_on_the_last_turn(seed: int) -> None:
    text = "turn 8; tokens 3; fireworks R2; discards R1 Y1 Y2; alice R3(R!,3!) Y1; bob Y3 --; left 1" + SMALL
    move, workspace = searched("depth-one(deals=20)", text, seed)
    assert move == "play 1"
    best = root_moves(workspace)[0]
    assert best["total"] == 3 * best["visits"]


@pytest.mark.parametrize("seed", range(5))
def test_bob_is_told_of_the_card_that_he_will_play(seed: int) -> None:
    move, _ = searched("depth-one(deals=20)", TWO_LEFT, seed)
    assert move in ("hint bob red", "hint bob 3")


def test_no_hint_is_given_that_would_be_taken_for_what_is_not_so() -> None:
    text = THREE.replace("bob Y4 R1 G4", "bob Y4 R3 G4")
    for believe in ("yes", "no"):
        table, seat, workspace = after(f"depth-one(deals=1, believe={believe})", text, [])
        ask(table, seat)
        tried = {move_name(move, Seat(seat), 3) for move in root_moves(workspace)}
        assert ("hint bob red" in tried) == (believe == "no")
        assert {"hint cathy red", "play 1"} <= tried


@pytest.mark.skipif(JIT_OFF, reason="too many games for the interpreter")
@pytest.mark.parametrize("evaluator", ["confidence", "smartbot", "vdb", "hanabirs-info", "hat-recommendation"])
# hints that mean more, memory, dice, codes
def test_nothing_hidden_is_looked_at(evaluator: str, games: Games) -> None:
    for rules in (Rules(players=5), Rules(players=2)):
        able = rules if find_agent(evaluator).why_not(rules) is None else parse_rules("bouzy", rules.players)
        check_blindness(find_agent(f"depth-one(deals=2, evaluator={evaluator})"), able, max(games(3), 1))


@pytest.mark.skipif(JIT_OFF, reason="too many games for the interpreter")
@pytest.mark.parametrize("evaluator", ["cheatbot", "hanabirs-cheat", "confidence", "random"])
def test_agents_that_see_more_can_play_on_too(evaluator: str) -> None:
    table = Table(parse_rules("bouzy", 3), [find_agent(f"depth-one(deals=2, evaluator={evaluator})")])
    check_blindness(table.agents[0], table.rules, 1)


def test_the_evaluator_alone_may_decide_what_is_played() -> None:
    move, workspace = searched("depth-one(deals=20, own_plays=no)", OWN_CARD)
    assert move == "play 2"
    assert workspace.work["iterations_done"] == 0  # nothing was left to search for
    _, workspace = searched("depth-one(deals=20, own_plays=no)", TWO_LEFT)
    tried = set(root_moves(workspace))
    assert workspace.work["iterations_done"] == 20
    assert len(tried) > 1
    assert min(tried) >= FIRST_DISCARD


def test_the_search_that_sees_its_hand_uses_it() -> None:
    text = "turn 8; tokens 0; lives 1; fireworks R2 Y1; discards R1 Y2; alice Y1 R3; bob Y3 --; left 1" + SMALL
    for seed in range(5):
        assert searched("depth-one-seer(deals=1)", text, seed)[0] == "play 2"


def test_a_single_move_and_no_move_need_no_thought() -> None:
    table, seat, workspace = sit_down("depth-one", OWN_CARD)
    table.states[GAME]["lives"] = 0
    assert ask(table, seat) == NO_MOVE
    table.states[GAME]["lives"] = 1
    table.states[GAME]["tokens"] = 0
    table.states[GAME]["hands"][seat, 1:] = -1
    table.states[GAME]["discard_limit"] = 0
    assert ask(table, seat) == 0
    assert workspace.work["iterations_done"] == 0


@pytest.mark.parametrize("tokens", [0, 8])
def test_every_legal_move_is_tried_once_in_a_single_deal(tokens: int) -> None:
    text = OWN_CARD.replace("tokens 3", f"tokens {tokens}")
    table, seat, workspace = sit_down("depth-one(deals=1, evaluator=smartbot)", text)
    legal = int(legal_moves(table.states, GAME))
    assert legal >> ask(table, seat) & 1
    tried = root_moves(workspace)
    assert mask_of(tried) == legal
    assert {int(node["visits"]) for node in tried.values()} == {1}
    assert workspace.work["iterations_done"] == 1
    assert workspace.nodes[0]["visits"] == len(tried)


@pytest.mark.skipif(not HAS_CLOCK, reason="compiled code has no clock here")
def test_time_ends_a_search_before_its_deals() -> None:
    move, workspace = searched("depth-one(racing=no, time=20ms)", OWN_CARD)
    assert move
    assert 0 < workspace.work["iterations_done"] < 10_000_000


def test_of_hints_that_change_nothing_one_is_tried() -> None:
    known = "alice Y5 R4 G3; bob Y4(Y!,4!) W4(W!,4!) G4(G!,4!); rules bouzy(hand_size=3)"
    _, _, workspace = begin("depth-one", known)
    assert (int(distinct_moves(workspace.work)) >> 10).bit_count() == 1
    _, _, listened = begin("depth-one(evaluator=smartbot)", known)
    assert (int(distinct_moves(listened.work)) >> 10).bit_count() == 10


def test_at_depth_two_a_move_is_worth_its_best_reply() -> None:
    text = "turn 6; tokens 2; fireworks R1; discards R1 Y1 Y1; alice R2(R!,2!) Y3(Y!,3!); bob R3 Y2; left 2" + SMALL
    move, workspace = searched("depth-one(depth=2, deals=5, evaluator=random)", text)
    assert move == "play 1"
    first = next(node for node in workspace.nodes[1:] if node["move"] == 0 and node["actor"] == 0)
    assert (first["total"], first["visits"]) == (15.0, 5)  # R2 and then always R3
    # At depth one bob would play it by chance only.
    _, flat = searched("depth-one(deals=50, evaluator=random, racing=no)", text)
    assert 2 <= root_moves(flat)[0]["total"] / 50 < 3


def test_at_depth_two_the_end_of_the_game_is_its_own_reply() -> None:
    text = "turn 8; tokens 3; fireworks R2; discards R1 Y1 Y2; alice R3(R!,3!) Y1; bob Y3 --; left 1" + SMALL
    move, workspace = searched("depth-one(depth=2, deals=5)", text)
    assert move == "play 1"
    assert workspace.nodes[0]["visits"] == 5 * int(workspace.work["root_moves"]).bit_count()
