"""What a flat search deals: hands that fit what is known, the same for every move, with true memories."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import permutations

import numpy as np
import pytest

from kagiya import Rules, find_agent
from kagiya._jit import JIT_OFF
from kagiya.cards import NO_MOVE, parse_cards
from kagiya.engine.batch import make_move
from kagiya.engine.game_kernels import is_over
from kagiya.engine.layout import GAME
from kagiya.lab.table.table import Table
from kagiya.moves import NUM_MOVES
from kagiya.search.deals.sampling import settle_deck
from kagiya.search.flat_search import deal_game, try_line
from kagiya.search.search_layout import DEALT, KNOWN, TRIAL
from kagiya.search.workspace import SearchWorkspace
from tests.search.tables import (
    OWN_CARD,
    SMALL,
    THREE,
    TWO_LEFT,
    after,
    ask,
    begin,
    searched,
)

Games = Callable[[int], int]


def dealt_cards(agent: str, text: str, history: Sequence[str], slot: int) -> set[int]:
    """The cards that a slot of the seat to move is dealt in thirty searches."""
    cards = set()
    for seed in range(30):
        table, seat, workspace = after(agent, text, history, seed)
        ask(table, seat)
        cards.add(int(workspace.states[DEALT]["hands"][seat, slot]))
        assert workspace.states[DEALT]["possible"][seat].tolist() == table.states[GAME]["possible"][seat].tolist()
    return cards


def test_the_evaluator_is_believed_when_hands_are_dealt() -> None:
    told = dealt_cards("depth-one(deals=1)", THREE, ["hint bob red"], 1)
    assert told == set(parse_cards("R1"))
    assert dealt_cards("depth-one(deals=1, believe=no)", THREE, ["hint bob red"], 1) > told


def test_a_card_called_fitting_is_no_copy_of_one_played_since() -> None:
    history = ["hint bob 1", "hint cathy red", "play 1", "hint cathy 5"]
    told = dealt_cards("depth-one(deals=1)", THREE, history, 1)
    assert told
    assert told <= set(parse_cards("Y1 G1 W1 B1"))


def test_counting_hands_that_fit_has_a_table_of_its_own() -> None:
    """A flat search has no path; what a belief leaves open is counted elsewhere."""
    table, seat, workspace = after("depth-one(deals=1)", THREE, ["hint bob red"])
    ask(table, seat)
    assert workspace.work["deal_table"].any()
    assert not workspace.work["path"].any()


@pytest.mark.parametrize("evaluator", ["confidence", "smartbot"])
def test_a_position_that_was_set_up_has_no_history(evaluator: str) -> None:
    for text in (TWO_LEFT, OWN_CARD):
        move, workspace = searched(f"depth-one(deals=3, evaluator={evaluator})", text)
        assert move
        assert not workspace.work["whole_history"]
    table, seat, workspace = after(f"depth-one(deals=3, evaluator={evaluator})", THREE, ["hint bob 1", "play 2"])
    ask(table, seat)
    assert workspace.work["whole_history"]


def test_all_moves_of_a_deal_draw_the_same_cards_with_the_same_dice() -> None:
    table, seat, workspace = begin("depth-one(evaluator=random)", OWN_CARD)
    work, lanes = workspace.work, workspace.states
    hands, values = set(), set()
    for _ in range(20):
        deal_game(table.states, GAME, seat, table.memory, work)
        dealt, dice = lanes[DEALT].copy(), workspace.rng[DEALT].copy()
        hands.add(tuple(dealt["hands"][seat].tolist()))
        for move in range(NUM_MOVES):
            if not work["root_moves"] >> move & 1:
                continue
            value = try_line(work, move, NO_MOVE)
            end, drawn = lanes[TRIAL].tobytes(), int(lanes[TRIAL]["drawn"])
            assert lanes[TRIAL]["deck"][drawn:].tolist() == dealt["deck"][drawn:].tolist()
            assert try_line(work, move, NO_MOVE) == value
            assert lanes[TRIAL].tobytes() == end
            values.add(value)
        assert lanes[DEALT].tobytes() == dealt.tobytes()
        assert np.array_equal(workspace.rng[DEALT], dice)
    assert len(hands) > 10
    assert len(values) > 3


def test_a_settled_deck_has_every_order_equally_often(games: Games) -> None:
    _, _, workspace = begin("depth-one", "alice R1 R2; bob Y1 R3; deck Y2 R1 Y1 Y3; tokens 3" + SMALL)
    lanes, count = workspace.states, max(games(9600), 960)
    pool = sorted(parse_cards("R1 R2 Y2 R1 Y1 Y3"))  # alice does not see her hand
    orders = dict.fromkeys(set(permutations(pool)), 0)
    for _ in range(count):
        lanes[DEALT] = lanes[KNOWN]
        settle_deck(lanes, DEALT, workspace.rng)
        orders[tuple(lanes[DEALT]["deck"][4 : 4 + len(pool)].tolist())] += 1
    expected = count / len(orders)
    chi_squared = sum((seen - expected) ** 2 / expected for seen in orders.values())
    freedom = len(orders) - 1
    assert chi_squared < freedom + 5 * math.sqrt(2 * freedom)


@pytest.mark.parametrize(
    "evaluator", ["smartbot", "holmesbot", "simplebot", "osawa-self", "hanabirs-info", "cox-information"]
)
def test_the_models_remember_what_they_would_if_the_guess_is_true(evaluator: str, games: Games) -> None:
    players = find_agent(evaluator).info.players[0]
    team = [f"depth-one-seer(evaluator={evaluator}, deals=1)", *[evaluator] * (players - 1)]
    table = Table(Rules(players=players), [find_agent(text) for text in team])
    compared = 0
    for seed in range(max(games(5), 1)):
        table.start_game(seed)
        while not is_over(table.states, GAME) and not (JIT_OFF and compared > 5):
            seat = int(table.states[GAME]["seat"])
            move = ask(table, seat)
            if seat == 0:
                compared += compare_memories(table, evaluator)
            make_move(table.states, GAME, table.memory, table.params, table.observes, move)
    assert compared > 5


def compare_memories(table: Table, evaluator: str) -> int:
    workspace, words = table.workspaces[0], find_agent(evaluator).info.memory_words
    assert isinstance(workspace, SearchWorkspace)
    assert np.array_equal(workspace.states[DEALT]["hands"], table.states[GAME]["hands"])
    # Word 0 is the reason of the last move, which a search does not ask for.
    found, real = workspace.memory[DEALT, 1:5, 1:words], table.memory[GAME, 1:5, 1:words]
    assert np.array_equal(found, real)
    return int(real.any())
