"""The tree: what a node offers, which child is chosen, how moves are opened, and what happens when it is full."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable

import pytest

from kagiya import find_agent, parse_rules
from kagiya._jit import JIT_OFF
from kagiya.agents.playable_now import misleading_hints
from kagiya.agents.rule_list import RULE_LISTS
from kagiya.agents.tactics.vocabulary import use
from kagiya.cards import NO_MOVE, Seat
from kagiya.engine.batch import make_move
from kagiya.engine.game_kernels import is_over, legal_moves
from kagiya.engine.layout import GAME
from kagiya.lab.table.table import Table
from kagiya.moves import NUM_MOVES, parse_move
from kagiya.search.ismcts import best_child, count_available, offered_moves, unprune, untried_move, value_by_network
from kagiya.search.nodes import children_moves
from kagiya.search.search_layout import (
    KNOWN,
    ROOT_NODE,
)
from tests.search.by_hand import THREE, TreeByHand, ask, at_position, give_results, grow
from tests.search.deals.convention_by_hand import mask_of
from tests.search.deals.hidden_hands import p_value

Games = Callable[[int], int]

SIGNIFICANCE = 0.001
TRIES = 300 if JIT_OFF else 3000


def is_uniform(found: list[int], among: list[int]) -> bool:
    ways: Counter[tuple[int, ...]] = Counter({(number,): 1 for number in among})
    return p_value(Counter((number,) for number in found), ways) > SIGNIFICANCE


# Choosing a child.


def bound(tree: TreeByHand, place: int) -> float:
    node = tree.nodes[place]
    if not node["visits"]:
        return math.inf
    mean = node["total"] / node["visits"] / tree.work["scale"]
    return float(mean + tree.work["exploration"] * math.sqrt(math.log(node["available"]) / node["visits"]))


def test_the_best_child_has_the_highest_bound_among_those_offered(games: Games, rng: random.Random) -> None:
    tree = at_position("ris-mcts(iterations=100, c=0.7)")
    assert tree.work["scale"] == 25
    passed_over = 0
    for _ in range(games(500) + 20):
        tree.work["nodes_used"], tree.nodes[ROOT_NODE]["child"] = 1, 0
        moves = rng.sample(range(NUM_MOVES), rng.randint(1, 12))
        places = dict(zip(moves, grow(tree, moves), strict=True))
        for place in places.values():
            visits = rng.choice([0, 1, 2, rng.randint(3, 400)]) if rng.random() < 0.2 else rng.randint(1, 60)
            give_results(tree, place, visits, rng.uniform(0, 25))
            tree.nodes[place]["available"] = visits + rng.randint(1, 500)
        offered = mask_of(rng.sample(range(NUM_MOVES), rng.randint(0, 40)))
        chosen = int(best_child(tree.work, ROOT_NODE, offered))
        bounds = {place: bound(tree, place) for move, place in places.items() if offered >> move & 1}
        assert bool(chosen) == bool(bounds)
        if bounds:
            assert bounds[chosen] >= max(bounds.values()) - 1e-12
            passed_over += max(bound(tree, place) for place in places.values()) > bounds[chosen]
    assert passed_over > 0


def test_children_that_look_equal_are_chosen_equally_often() -> None:
    tree = at_position("ris-mcts(iterations=100)")
    places = grow(tree, [0, 3, 7, 20])
    for place in places:
        give_results(tree, place, 5, 10.0)
    give_results(tree, places[1], 5, 9.0)
    chosen = [int(best_child(tree.work, ROOT_NODE, mask_of([0, 3, 7, 20]))) for _ in range(TRIES)]
    assert is_uniform(chosen, [places[0], places[2], places[3]])


def test_any_untried_move_is_as_likely() -> None:
    tree = at_position("ris-mcts(iterations=100)")
    grow(tree, [2, 5, 30])
    offered = [0, 2, 5, 7, 13, 53]
    tried = [int(untried_move(tree.work, ROOT_NODE, mask_of(offered))) for _ in range(TRIES)]
    assert is_uniform(tried, [0, 7, 13, 53])
    assert untried_move(tree.work, ROOT_NODE, mask_of([2, 5, 53])) == 53
    assert untried_move(tree.work, ROOT_NODE, mask_of([2, 30])) == NO_MOVE
    assert untried_move(tree.work, ROOT_NODE, 0) == NO_MOVE


@pytest.mark.parametrize(("rules", "available"), [("all", 8), ("goodman", 1)])
def test_a_move_has_been_available_as_often_as_it_was_offered(rules: str, available: int) -> None:
    tree = at_position(f"ris-mcts(iterations=100, rules={rules})")
    tree.nodes[ROOT_NODE]["visits"] = 7
    places = grow(tree, [2, 5, 30])
    assert children_moves(tree.nodes, ROOT_NODE) == mask_of([2, 5, 30])
    for offered in ([2, 30], [2], [2, 9]):
        count_available(tree.nodes, ROOT_NODE, mask_of(offered))
    assert [tree.nodes[place]["available"] - available for place in places] == [3, 0, 1]


# What is offered.


def rules_moves(tree: TreeByHand) -> int:
    """What Goodman's rules have to say, one by one."""
    state, moves = tree.lanes[KNOWN], set()
    for item in map(use, RULE_LISTS["goodman"]):
        if state["deck_size"] - state["drawn"] <= item.deck and state["tokens"] <= item.tokens:
            moves.add(int(item.tactic.kernel(tree.lanes, KNOWN, tree.seat, tree.workspace.rng, item.value)))
    return mask_of(moves - {NO_MOVE})


@pytest.mark.parametrize("players", [2, 4])
def test_the_root_offers_what_the_rules_say_or_everything(players: int, games: Games) -> None:
    table = Table(parse_rules("goodman", players), [find_agent("vdb")])
    searches = {
        text: Table(table.rules, [find_agent(f"ris-mcts(iterations=1, {text})")])
        for text in ("rules=all", "rules=goodman", "rules=all, convention=playable-now", "rules=list(tell-dispensable)")
    }
    by_one_rule, misled = 0, 0
    for seed in range(games(10)):
        table.start_game(seed)
        while not is_over(table.states, GAME):
            found = {}
            for text, other in searches.items():
                other.states[GAME] = table.states[GAME]
                tree = TreeByHand(other)
                before = tree.lanes.tobytes()
                found[text] = int(offered_moves(tree.lanes, KNOWN, tree.seat, tree.work))
                assert tree.lanes.tobytes() == before
                if text == "rules=goodman":
                    by_rules = rules_moves(tree) & int(legal_moves(table.states, GAME))
            legal = int(legal_moves(table.states, GAME))
            misleading = int(misleading_hints(tree.lanes, KNOWN, tree.seat, 1))
            assert found["rules=all"] == legal
            assert found["rules=goodman"] == by_rules
            assert found["rules=all, convention=playable-now"] == legal & ~misleading
            one = found["rules=list(tell-dispensable)"]
            assert one == legal or one.bit_count() == 1
            by_one_rule += one != legal
            misled += legal & misleading != 0
            move = table.agents[0].type.act(  # type: ignore[union-attr]
                table.states, GAME, tree.seat, table.memory, table.params, table.rng
            )
            make_move(table.states, GAME, table.memory, table.params, table.observes, int(move))
    assert by_one_rule > 0
    assert misled > 0


def test_nothing_allowed_means_that_all_is() -> None:
    tree = at_position("ris-mcts(iterations=1, rules=list(tell-dispensable))")
    assert tree.work["root_moves"] == legal_moves(tree.lanes, KNOWN)


def test_the_rules_leave_out_hints_that_would_be_misread() -> None:
    text = "fireworks Y1; alice R5 R4 G3; bob Y1 W3 G4; tokens 4; rules goodman(hand_size=3)"
    rules = "list(tell-useless, discard-probably-useless(0))"
    found = [
        int(at_position(f"ris-mcts(iterations=1, convention={convention}, rules={rules})", text).work["root_moves"])
        for convention in ("none", "playable-now")
    ]
    assert found[0] ^ found[1] == 1 << parse_move("hint bob 1", Seat(0), 2)
    assert found[1].bit_count() == 1


# Opening moves beyond the rules.


def earned(visits: int, each: int) -> int:
    """One move at `each` visits, and one more each time they double."""
    count = 0
    while visits >= each << count:
        count += 1
    return count


def test_as_many_moves_are_opened_as_visits_have_earned(games: Games, rng: random.Random) -> None:
    tree = at_position("ris-mcts(iterations=100, rules=goodman, unprune=10)")
    legal = [move for move in range(NUM_MOVES) if legal_moves(tree.lanes, KNOWN) >> move & 1]
    illegal = [move for move in range(NUM_MOVES) if move not in legal]
    for _ in range(games(500) + 20):
        tree.work["nodes_used"], tree.nodes[ROOT_NODE]["child"] = 1, 0
        tree.work["unprune"], tree.nodes[ROOT_NODE]["visits"] = rng.choice([1, 7, 10]), rng.randint(0, 200)
        offered = set(rng.sample(legal, rng.randint(1, len(legal))))
        children = set(rng.sample(legal, rng.randint(0, 5))) | {rng.choice(illegal)}
        grow(tree, children)
        found = int(unprune(tree.lanes, KNOWN, tree.work, ROOT_NODE, mask_of(offered)))
        opened = children & set(legal) - offered
        closed = set(legal) - offered - opened
        more = bool(closed) and len(opened) < earned(int(tree.nodes[ROOT_NODE]["visits"]), int(tree.work["unprune"]))
        kept = mask_of(offered | opened)
        assert found & kept == kept
        assert (found & ~kept).bit_count() == more
        assert found & ~kept & ~mask_of(closed) == 0


@pytest.mark.parametrize("iterations", [3, 4, 40, 90])
def test_a_search_opens_what_it_has_earned(iterations: int) -> None:
    tree = at_position("ris-mcts(iterations=100, rules=goodman, unprune=4)")
    offered = int(tree.work["root_moves"])
    tree.iterate(iterations)
    opened = int(children_moves(tree.nodes, ROOT_NODE)) & ~offered
    # The last iteration knew of the visits before it; a rule's own move may have come first.
    assert earned(iterations - 1, 4) - (iterations < 20) <= opened.bit_count() <= earned(iterations - 1, 4)


@pytest.mark.parametrize(
    ("text", "has_leaf"),
    [
        ("unprune_by=evalfn(iteration=1)", False),
        ("unprune_by=evalfn, leaf=evalfn(iteration=3), convention=playable-now", True),
    ],
)
def test_the_move_that_the_network_expects_most_of_is_opened_next(text: str, has_leaf: bool) -> None:
    tree = at_position(f"ris-mcts(iterations=100, rules=goodman, unprune=10, {text})")
    assert bool(tree.work["leaf"]) == has_leaf
    offered, opened = int(tree.work["root_moves"]), list[int]()
    closed = int(legal_moves(tree.lanes, KNOWN)) & ~offered
    if has_leaf:
        closed &= ~int(misleading_hints(tree.lanes, KNOWN, tree.seat, tree.work["convention"]))
    value_by_network(tree.lanes, KNOWN, tree.seat, tree.work, closed)
    values = {move: float(tree.work["values"][move]) for move in range(NUM_MOVES) if closed >> move & 1}
    for visits in (10, 20, 40, 80):
        tree.nodes[ROOT_NODE]["visits"] = visits
        found = int(unprune(tree.lanes, KNOWN, tree.work, ROOT_NODE, offered)) & ~offered & ~mask_of(opened)
        assert found.bit_count() == 1
        opened.append(found.bit_length() - 1)
        grow(tree, opened[-1:])
    assert opened == sorted(values, key=lambda move: (-values[move], move))[:4]


def test_learned_values_and_opened_moves_go_together() -> None:
    tree = at_position("ris-mcts(iterations=60, leaf=evalfn, unprune=4)")
    offered = int(tree.work["root_moves"])
    ask(tree.table)
    assert 0 < (int(children_moves(tree.nodes, ROOT_NODE)) & ~offered).bit_count() <= earned(59, 4)
    assert all(node["visits"] for node in tree.children())


# A full tree.


@pytest.mark.parametrize("agent", ["mo-ismcts", "ris-mcts", "predictor"])
@pytest.mark.parametrize("capacity", [1, 2, 5])
def test_a_full_tree_is_searched_on_without_growing(agent: str, capacity: int) -> None:
    tree = at_position(f"{agent}(iterations=100, plies=3)", THREE)
    tree.work["node_capacity"] = capacity
    before = tree.nodes[capacity:].tobytes()
    tree.iterate(30)
    assert tree.work["nodes_used"] == capacity
    assert tree.nodes[capacity:].tobytes() == before
    assert tree.nodes[ROOT_NODE]["visits"] == tree.work["iterations_done"] == 30
    assert tree.work["deepest_seen"] < capacity
    assert legal_moves(tree.lanes, KNOWN) >> tree.choice() & 1
