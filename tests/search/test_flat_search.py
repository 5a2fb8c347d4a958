"""The race between the moves of a flat search: who is dropped, and who wins."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from kagiya._jit import JIT_OFF
from kagiya.cards import NO_MOVE, MoveNumber, Seat
from kagiya.moves import FIRST_DISCARD, FIRST_HINT, NUM_MOVES
from kagiya.search.flat_search import (
    INDIFFERENCE,
    MIN_SPREAD,
    add_products,
    best_child_of,
    count_best_reply,
    not_hopeless,
    open_root,
    still_open,
)
from kagiya.search.nodes import add_child, count_result, start_tree
from tests.search.tables import (
    OWN_CARD,
    SMALL,
    begin,
    mask_of,
    root_moves,
    searched,
)

PLAY, DISCARD, HINT = MoveNumber(0), MoveNumber(FIRST_DISCARD), MoveNumber(FIRST_HINT)


@pytest.mark.parametrize(("racing", "deals"), [("no", 70), ("yes", 50)])
def test_the_race_is_over_when_one_move_is_left(racing: str, deals: int) -> None:
    text = "turn 6; tokens 2; fireworks R1; discards R1 Y1 Y1; alice R2(R!,2!) Y3; bob R3 Y2; left 2" + SMALL
    move, workspace = searched(f"depth-one(deals=70, racing={racing})", text)
    assert move == "play 1"
    assert workspace.work["iterations_done"] == deals


@pytest.mark.skipif(JIT_OFF, reason="too many games for the interpreter")
@pytest.mark.parametrize("racing", ["no", "yes"])
def test_a_sure_card_is_played_while_there_is_time(racing: str) -> None:
    # Every other move leaves it to be played a round later.
    move, workspace = searched(f"depth-one(deals=2000, racing={racing})", OWN_CARD)
    assert move == "play 2"
    visits = {int(node["visits"]) for node in root_moves(workspace).values()}
    assert (len(visits) > 1) == (racing == "yes")  # somebody was dropped


@pytest.mark.parametrize("patient", ["no", "yes"])
def test_a_move_is_dropped_by_the_spread_of_its_difference_to_the_leader(patient: str, rng: random.Random) -> None:
    agent = f"depth-one(confidence=2, margin=0.3, caution=1.5, patient={patient})"
    _, _, workspace = begin(agent, OWN_CARD)
    work = workspace.work
    for trial in range(50):
        start_tree(work)
        moves = rng.sample(range(NUM_MOVES), 12)
        open_root(work, mask_of(moves))
        nodes = {int(workspace.nodes[place]["move"]): place for place in range(1, int(work["nodes_used"]))}
        skill = {move: rng.gauss(10, 0.6) for move in moves}
        deals = rng.randint(2, 40)
        values = np.zeros((deals, NUM_MOVES))
        for deal in range(deals):
            luck = rng.gauss(0, 5)  # what all moves share must not count
            for move in moves:
                values[deal, move] = round(skill[move] + luck + rng.gauss(0, 1 + move / 20))
                work["values"][move] = values[deal, move]
                count_result(workspace.nodes, nodes[move], values[deal, move])
            add_products(work, mask_of(moves))
        work["iterations_done"] = deals
        work["evaluator_move"] = moves[0]
        leads = {move: values[:, move] - values[:, moves[0]] for move in moves}
        errors = {move: lead.std(ddof=1) / math.sqrt(deals) for move, lead in leads.items()}
        standing = {move: leads[move].mean() - (0.3 + 1.5 * errors[move]) * (move != moves[0]) for move in moves}
        leader = min(moves, key=lambda move: (-standing[move], move))
        if patient == "yes":
            standing = {move: leads[move].mean() - 0.3 * (move != moves[0]) for move in moves}
        expected = set(moves)
        for move in set(moves) - {leader}:
            error = (values[:, leader] - values[:, move]).std(ddof=1) / math.sqrt(deals)
            if standing[leader] - standing[move] + INDIFFERENCE > 2 * error + 1e-9:
                expected.remove(move)
        assert still_open(work, mask_of(moves), 0.0) == mask_of(expected), f"trial {trial}"


def test_an_early_look_drops_what_is_surely_behind_and_hints_that_say_the_same() -> None:
    _, _, workspace = begin("depth-one(evaluator=hanabirs-info)", OWN_CARD)
    work = workspace.work
    plays, discard, hints = [0, 1], 5, [FIRST_HINT, FIRST_HINT + 1, FIRST_HINT + 2]
    start_tree(work)
    open_root(work, mask_of([*plays, discard, *hints]))
    nodes = {int(workspace.nodes[place]["move"]): place for place in range(1, int(work["nodes_used"]))}
    work["evaluator_move"] = hints[1]
    for deal in range(10):
        # Against the leader: behind in one deal of ten, behind in all, the same, the same, itself, ahead in one.
        lead = dict(zip([*plays, discard, *hints], [-(deal == 3), -1, 0, 0, 0, deal == 4], strict=True))
        for move, place in nodes.items():
            work["values"][move] = 20 + lead[move]
            count_result(workspace.nodes, place, 20.0 + lead[move])
        add_products(work, mask_of(nodes))
    work["iterations_done"] = 10
    assert not_hopeless(work, mask_of(nodes)) == mask_of([0, discard, hints[1], hints[2]])
    # With all moves still to be had, ten deals do not show that two which led to the same always will.
    assert not still_open(work, mask_of(nodes), 0.0) >> discard & 1
    assert still_open(work, mask_of(nodes), MIN_SPREAD) == mask_of(set(nodes) - {plays[1]})


@pytest.mark.skipif(JIT_OFF, reason="too many games for the interpreter")
def test_only_a_move_that_is_better_by_the_margin_replaces_the_evaluators_own() -> None:
    chosen: dict[int, list[bool]] = {0: [], 25: []}
    for seed in range(20):
        for margin, found in chosen.items():
            agent = f"depth-one(deals=20, racing=no, believe=no, margin={margin}, caution=0)"
            _, workspace = searched(agent, "alice Y5 R4 G3; bob Y4 R1 G4; rules bouzy(hand_size=3)", seed)
            found.append(bool(workspace.work["chosen"] == workspace.work["evaluator_move"]))
    assert all(chosen[25])
    assert not all(chosen[0])


@pytest.mark.parametrize(("deals", "is_replaced"), [(10, False), (1000, True)])
def test_the_fewer_the_deals_the_more_a_move_must_lead(deals: int, is_replaced: bool) -> None:
    _, _, workspace = begin("depth-one(margin=0.1, caution=3)", OWN_CARD)
    work = workspace.work
    start_tree(work)
    open_root(work, mask_of([0, 1]))
    work["evaluator_move"], work["iterations_done"] = 0, deals
    nodes = {int(workspace.nodes[place]["move"]): place for place in (1, 2)}
    for deal in range(deals):
        work["values"][0], work["values"][1] = 10, 10.5 + (2 if deal % 2 else -2)  # a lead of 0.5, and its noise
        for move in (0, 1):
            count_result(workspace.nodes, nodes[move], work["values"][move])
        add_products(work, mask_of([0, 1]))
    assert int(workspace.nodes[best_child_of(work, mask_of([0, 1]))]["move"]) == int(is_replaced)


def test_an_evaluators_move_that_was_dropped_gives_no_head_start() -> None:
    _, _, workspace = begin("depth-one(margin=0.1, caution=3)", OWN_CARD)
    work = workspace.work
    start_tree(work)
    open_root(work, mask_of([0, 1, 2]))
    work["evaluator_move"], work["iterations_done"] = 0, 10
    nodes = {int(workspace.nodes[place]["move"]): place for place in (1, 2, 3)}
    for deal in range(10):
        values = {0: 10.0, 1: 10.5 + (2 if deal % 2 else -2), 2: 10.2}
        for move in (0, 1, 2) if deal < 5 else (1, 2):
            work["values"][move] = values[move]
            count_result(workspace.nodes, nodes[move], values[move])
        add_products(work, mask_of([0, 1, 2] if deal < 5 else [1, 2]))
    assert int(workspace.nodes[best_child_of(work, mask_of([1, 2]))]["move"]) == 1  # ahead, if more loosely


def test_a_tie_goes_to_the_evaluators_move_though_it_is_not_the_first() -> None:
    _, _, workspace = begin("depth-one(margin=0, caution=0)", OWN_CARD)
    work = workspace.work
    start_tree(work)
    open_root(work, mask_of([0, 1, 2]))
    for place in (1, 2, 3):
        count_result(workspace.nodes, place, 9.0)
    work["iterations_done"] = 1
    for move in (0, 1, 2):
        work["evaluator_move"] = move
        assert workspace.nodes[best_child_of(work, mask_of([0, 1, 2]))]["move"] == move


@pytest.mark.parametrize(
    ("deals", "results", "total"),
    [
        (
            4,
            {NO_MOVE: [12], PLAY: [10, 10, 10], DISCARD: [12, 12], HINT: [20]},
            12 + 3 * 12,
        ),  # the hint is legal in a third of the deals
        (2, {NO_MOVE: [12, 8]}, 20),
        (2, {PLAY: [3, 5], DISCARD: [7]}, 14),
    ],
)
def test_a_move_is_worth_its_best_reply_where_the_game_goes_on(
    deals: int, results: dict[MoveNumber, list[int]], total: float
) -> None:
    _, _, workspace = begin("depth-one(depth=2)", OWN_CARD)
    work, nodes = workspace.work, workspace.nodes
    start_tree(work)
    open_root(work, mask_of([0]))
    nodes[1]["visits"] = deals
    for reply, found in results.items():
        place = add_child(work, 1, reply, Seat(1))
        for result in found:
            count_result(nodes, place, float(result))
    count_best_reply(work, 1)
    assert nodes[1]["total"] == total
