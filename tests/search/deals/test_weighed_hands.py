"""Hands weighed before a tree search: how well each explains the past, what is drawn, who may be asked."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from kagiya import Rules, find_agent, parse_rules
from kagiya._jit import JIT_OFF
from kagiya.engine.layout import GAME
from kagiya.lab.table.table import Table
from kagiya.search import search_layout
from kagiya.search.deals.past_moves import count_unexplained, draw_hand, restore_masks, weigh_hands
from kagiya.search.flat_search import deal_hand
from kagiya.search.workspace import SearchWorkspace
from kagiya.spec import SpecError
from tests.search.by_hand import ask, at_position
from tests.search.deals.hidden_hands import Hand, p_value
from tests.search.deals.test_past_moves import half_careless, searching, unexplained_by_hand
from tests.search.real_games import real_games

Games = Callable[[int], int]


def weighed(workspace: SearchWorkspace) -> list[tuple[Hand, int, float]]:
    """The hands, the moves that each leaves unexplained, and its weight."""
    found, before = [], 0.0
    for each in workspace.hands[: int(workspace.work["weighed"])]:
        cards = tuple(int(card) for card in each["cards"][: workspace.rules.hand_size])
        found.append((cards, int(each["unexplained"]), float(each["weight_so_far"]) - before))
        before = float(each["weight_so_far"])
    return found


@pytest.mark.parametrize(
    ("agent", "judge"),
    [
        ("ris-mcts(rollout=smartbot, past=models, hands=4, surprise=0.3)", "smartbot"),
        ("mo-ismcts(past=smartbot, hands=4, surprise=0.3)", "smartbot"),
        ("predictor(rollout=smartbot, model=vdb, past=models, hands=4, surprise=0.3)", "vdb"),
    ],
)
def test_hands_are_weighed_as_by_hand(agent: str, judge: str, games: Games, rng: random.Random) -> None:
    seen: Counter[int] = Counter()
    for number in range(max(games(12), 3)):
        game = half_careless(rng, judge, Rules(players=3))
        table, workspace = searching(game, agent, number)
        weigh_hands(GAME, int(game.seat), table.memory, workspace.work)
        hands = weighed(workspace)
        assert len(hands) == 4
        fewest = min(unexplained for _, unexplained, _ in hands)
        for hand, unexplained, weight in hands:
            assert unexplained == unexplained_by_hand(game, hand, judge), game.position()
            assert weight == pytest.approx(0.3 ** (unexplained - fewest))
            seen[unexplained] += 1
    assert len(seen) > 1, seen


@pytest.mark.skipif(JIT_OFF, reason="too many draws for the interpreter")
def test_hands_are_drawn_by_their_weight(rng: random.Random) -> None:
    weights: set[float] = set()
    while len(weights) < 2:
        game = half_careless(rng, "smartbot", Rules(players=3))
        table, workspace = searching(game, "ris-mcts(past=smartbot, hands=6, surprise=0.5)", 1)
        weigh_hands(GAME, int(game.seat), table.memory, workspace.work)
        weights = {weight for _, _, weight in weighed(workspace)}
    expected: Counter[Hand] = Counter()
    for hand, _, weight in weighed(workspace):
        expected[hand] += int(weight * 2**20)  # powers of one half: integers
    found: Counter[Hand] = Counter()
    for _ in range(5000):
        draw_hand(int(game.seat), workspace.work)
        found[tuple(int(card) for card in workspace.work["hand"][: workspace.rules.hand_size])] += 1
    assert p_value(found, expected) > 1e-5


@pytest.mark.parametrize("convention", ["playable-now", "next-seat", "discardable"])
def test_the_replay_of_past_moves_hears_what_the_convention_said(
    convention: str, games: Games, rng: random.Random
) -> None:
    spoken = 0
    for table, game in real_games(rng, games(2), f"ris-mcts(past=models, hands=1, convention={convention})"):
        seat = int(game.seat)
        tree = table.workspaces[seat]
        assert isinstance(tree, SearchWorkspace)
        ask(table)
        tree.work["weighed"] = 0
        weigh_hands(GAME, seat, table.memory, tree.work)
        if not tree.work["weighed"]:
            continue
        heard = tree.work["convention_masks"].tolist()
        restore_masks(tree.work)
        assert heard == tree.work["convention_masks"].tolist()
        spoken += any(heard)
    assert spoken


def test_past_moves_are_not_asked_unless_told_to_or_if_they_are_not_known() -> None:
    for agent in ("ris-mcts", "ris-mcts(past=models)"):
        tree = at_position(agent)  # a position that was set up
        weigh_hands(GAME, tree.seat, tree.table.memory, tree.work)
        assert tree.work["weighed"] == 0


def test_a_search_that_is_stopped_weighs_one_hand(rng: random.Random) -> None:
    game = half_careless(rng, "vdb", Rules(players=2))
    table, workspace = searching(game, "ris-mcts(past=models, hands=50)", 1)
    workspace.stop()
    weigh_hands(GAME, int(game.seat), table.memory, workspace.work)
    assert workspace.work["weighed"] == 1


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("ris-mcts(past=cheatbot)", "past=cheatbot sees its own hand or the deck"),
        ("depth-one(past=cheatbot)", "past=cheatbot sees its own hand or the deck"),
        ("mo-ismcts(past=careful-python)", "is written in Python"),
        ("ris-mcts(past=ris-mcts)", "is a search itself"),
        ("ris-mcts(rollout=cheatbot, past=models)", "past=models: cheatbot sees its own hand or the deck"),
    ],
)
def test_who_cannot_be_asked_is_refused(agent: str, words: str) -> None:
    with pytest.raises(SpecError, match=words):
        Table(parse_rules("standard", 3), [find_agent(agent)])


def test_a_judge_of_its_own_keeps_its_own_numbers() -> None:
    workspace = Table(Rules(players=3), [find_agent("depth-one(evaluator=vdb, past=smartbot)")]).workspaces[0]
    assert isinstance(workspace, SearchWorkspace)
    assert workspace.work["judge_acts_address"] != workspace.work["acts_address"]
    assert workspace.memory.shape[2] >= find_agent("smartbot").memory_words
    workspace.judge_params[0, 0] += 1
    assert "changed its row of parameters" in str(workspace.damage())


@pytest.mark.parametrize(("agent", "judge"), [("depth-one(evaluator=vdb, past=smartbot, believe=no)", "smartbot")])
def test_a_flat_search_asks_the_judge_that_is_named(agent: str, judge: str, rng: random.Random) -> None:
    for _ in range(6):
        game = half_careless(rng, judge, Rules(players=3))
        seat = int(game.seat)
        table, workspace = searching(game, agent, 1)
        deal_hand(table.states, GAME, seat, workspace.work)
        hand = tuple(
            int(card) for card in workspace.states[search_layout.DEALT]["hands"][seat, : workspace.rules.hand_size]
        )
        found = int(count_unexplained(GAME, seat, table.memory, workspace.work))
        assert found == unexplained_by_hand(game, hand, judge), game.position()
