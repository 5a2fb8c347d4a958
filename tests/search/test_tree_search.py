"""The loop of a tree search: what is counted where, how deep it goes, when it stops, and which move it makes."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from kagiya._jit import HAS_CLOCK, JIT_OFF
from kagiya.engine.game_kernels import legal_moves
from kagiya.engine.layout import GAME
from kagiya.search.ismcts import NEVER, back_up
from kagiya.search.nodes import is_spent
from kagiya.search.search_layout import (
    BEST_MEAN,
    KNOWN,
    MOST_VISITS,
    ROOT_NODE,
    SPLIT,
    TO_ALL,
    TO_POSSIBLE,
)
from tests.search.by_hand import THREE, TreeByHand, ask, at_position, give_results, grow
from tests.search.deals.convention_by_hand import mask_of

Games = Callable[[int], int]

TREES = ["mo-ismcts", "ris-mcts", "predictor"]
MANY = 60 if JIT_OFF else 600
SHORT = "plies=3"


# What is counted where.


@pytest.mark.parametrize("agent", TREES)
@pytest.mark.parametrize("rules", ["all", "goodman"])
def test_visits_add_up(agent: str, rules: str) -> None:
    tree = at_position(f"{agent}(iterations=1000, rules={rules}, {SHORT})")
    tree.iterate(MANY)
    assert tree.nodes[ROOT_NODE]["visits"] == tree.work["iterations_done"] == MANY
    assert sum(int(child["visits"]) for child in tree.children()) == MANY
    assert tree.work["nodes_used"] <= MANY + 1
    for place in range(1, int(tree.work["nodes_used"])):
        node = tree.nodes[place]
        below = sum(int(child["visits"]) for child in tree.children(place))
        # The visit that made the node ended there; later ones end there too at the end of a game or of the tree.
        assert node["available"] >= node["visits"] > below
        assert node["squares"] * node["visits"] >= node["total"] ** 2 - 1e-6


def line(tree: TreeByHand, actors: list[int]) -> list[int]:
    """A path of these seats' moves, as if the descent had come that way."""
    places = [ROOT_NODE]
    for depth, actor in enumerate(actors):
        places += grow(tree, [depth], places[-1], actor)
        tree.work["path"][depth + 1] = places[-1]
    tree.work["depth"] = len(actors)
    return places[1:]


@pytest.mark.parametrize(
    ("backup", "false", "evaluating", "counted"),
    [
        (TO_ALL, {}, 0, [1, 1, 1, 1, 1]),
        (TO_ALL, {1: 1}, 0, [1, 1, 1, 1, 1]),
        (TO_POSSIBLE, {}, 0, [1, 1, 1, 1, 1]),
        (
            TO_POSSIBLE,
            {1: 1},
            0,
            [0, 1, 1, 1, 1],
        ),  # the second move showed a card that the first seat knows to be false
        (TO_POSSIBLE, {1: 4}, 0, [0, 1, 0, 0, 1]),  # the seat that showed it could believe in it all along
        (TO_POSSIBLE, {1: 4, 2: 2}, 0, [0, 0, 0, 0, 1]),
        (SPLIT, {}, 1, [1, 0, 0, 1, 0]),  # true cards, for the searching seat
        (SPLIT, {}, 0, [0, 1, 1, 0, 1]),
        (SPLIT, {1: 1}, 0, [0, 1, 1, 0, 1]),
    ],
)
def test_a_result_counts_for_the_nodes_that_it_should(
    backup: int, false: dict[int, int], evaluating: int, counted: list[int]
) -> None:
    tree = at_position("ris-mcts(iterations=100)")
    assert tree.work["seat"] == 0
    places = line(tree, [0, 1, 2, 0, 1])
    tree.work["backup"], tree.work["evaluating"], tree.work["all_true"] = backup, evaluating, not false
    for seat in range(3):
        tree.work["false_at"][seat] = false.get(seat, NEVER)
    back_up(tree.work, 7.0)
    back_up(tree.work, 10.0)
    assert [tree.nodes[place]["visits"] for place in places] == [2 * count for count in counted]
    assert [tree.nodes[place]["total"] for place in places] == [17 * count for count in counted]
    assert [tree.nodes[place]["squares"] for place in places] == [149 * count for count in counted]
    assert tree.nodes[ROOT_NODE]["visits"] == 2
    assert tree.work["true_iterations"] == 2 * (not false)


def test_split_deals_no_card_anew_in_every_second_iteration() -> None:
    tree = at_position(f"ris-mcts(iterations=1000, backup=split, {SHORT})")
    false = [0, 0]
    for number in range(MANY):
        tree.iterate(1)
        assert tree.work["evaluating"] == 1 - number % 2
        false[number % 2] += not tree.work["all_true"]
    assert false[0] == 0
    assert false[1] > 0
    assert sum(int(child["visits"]) for child in tree.children()) == MANY // 2


# How deep it goes.


@pytest.mark.parametrize("agent", TREES)
@pytest.mark.parametrize("rounds", [0, 1])
def test_no_node_lies_deeper_than_allowed(agent: str, rounds: int) -> None:
    tree = at_position(f"{agent}(iterations=1000, depth={rounds}, c=0, {SHORT}, rules=list(discard-oldest))")
    assert tree.work["depth_limit"] == (1 if agent == "predictor" else 3) * rounds + 1
    tree.work["root_moves"] |= 1  # a second move, so that there is something to search
    tree.iterate(30)
    deepest = max(tree.depths().values())
    assert deepest == tree.work["deepest_seen"] == tree.work["depth_limit"]
    assert len(tree.depths()) == tree.work["nodes_used"]


@pytest.mark.parametrize("agent", TREES)
def test_a_node_belongs_to_whoever_is_to_move(agent: str) -> None:
    tree = at_position(f"{agent}(iterations=1000, {SHORT})")
    tree.iterate(MANY)
    depths = tree.depths()
    assert max(depths.values()) >= 2
    for place, depth in depths.items():
        if place != ROOT_NODE:
            assert tree.nodes[place]["actor"] == (0 if agent == "predictor" else (depth - 1) % 3)


# When it stops.


@pytest.mark.parametrize("agent", TREES)
@pytest.mark.parametrize(("steps", "plies"), [(1, 0), (100, 0), (101, 1), (777, 128)])
def test_steps_end_a_search_at_the_first_iteration_that_has_made_them(agent: str, steps: int, plies: int) -> None:
    text = f"{agent}(steps={steps}, plies={plies})"
    tree = at_position(text)
    while not is_spent(tree.work):
        assert tree.work["iterations_done"] == 0 or tree.work["steps_done"] < steps
        tree.iterate(1)
    assert tree.work["steps_done"] >= steps
    done = (int(tree.work["iterations_done"]), int(tree.work["steps_done"]), tree.choice())
    other = at_position(text)
    other.table.start_game(1)
    other.table.states[GAME] = tree.table.states[GAME]
    move, workspace = ask(other.table)
    assert (int(workspace.work["iterations_done"]), int(workspace.work["steps_done"]), move) == done


@pytest.mark.skipif(not HAS_CLOCK, reason="compiled code has no clock here")
@pytest.mark.parametrize("agent", TREES)
def test_time_ends_a_search(agent: str) -> None:
    tree = at_position(f"{agent}(time=10ms)")
    move, workspace = ask(tree.table)
    assert workspace.work["iterations_done"] > 0
    assert legal_moves(tree.lanes, KNOWN) >> move & 1


def test_a_search_that_is_stopped_makes_one_iteration() -> None:
    tree = at_position("ris-mcts(iterations=50)")
    tree.workspace.stop()
    move, workspace = ask(tree.table)
    assert workspace.work["iterations_done"] == 1
    assert legal_moves(tree.lanes, KNOWN) >> move & 1


# Which move it makes.


@pytest.mark.parametrize(
    ("results", "by_visits", "by_mean"),
    [
        ({0: (9, 10.0), 5: (6, 12.0)}, 0, 5),
        ({0: (6, 10.0), 5: (6, 12.0), 13: (6, 11.0)}, 5, 5),
        ({0: (4, 10.0), 5: (1, 25.0), 13: (2, 11.0)}, 0, 13),  # a single visit is luck
        ({0: (1, 3.0), 5: (1, 4.0), 13: (0, 0.0)}, 5, 5),
        ({0: (0, 0.0), 5: (3, -8.0)}, 5, 5),
        ({0: (0, 0.0), 5: (0, 0.0)}, 2, 2),  # none: the first move that the root offers
        ({}, 2, 2),
        ({0: (1000, 20.0), 5: (1004, 15.0)}, 0, 0),  # a visit counts 1 + mean / 1000
        ({0: (1000, 20.0), 5: (1006, 15.0)}, 5, 0),
    ],
)
def test_the_final_move(results: dict[int, tuple[int, float]], by_visits: int, by_mean: int) -> None:
    for turned in (False, True):
        tree = at_position("ris-mcts(iterations=100)")
        tree.work["root_moves"] = mask_of([2, 5, 13])
        for move, (visits, mean) in sorted(results.items(), reverse=turned):
            give_results(tree, grow(tree, [move])[0], visits, mean)
        for final, expected in ((MOST_VISITS, by_visits), (BEST_MEAN, by_mean)):
            tree.work["final"] = final
            assert tree.choice() == expected


@pytest.mark.parametrize("final", ["visits", "mean"])
@pytest.mark.parametrize("agent", TREES)
def test_a_search_makes_the_move_that_its_tree_says(agent: str, final: str, rng: random.Random) -> None:
    tree = at_position(f"{agent}(iterations={MANY}, final={final}, {SHORT})", THREE, rng.randrange(1000))
    move, _ = ask(tree.table)
    children = {int(child["move"]): child for child in tree.children()}
    visited = [child for child in children.values() if child["visits"] > (final == "mean")]
    worth = {
        "visits": lambda child: child["visits"] + child["total"] / 1000,
        "mean": lambda child: child["total"] / child["visits"],
    }[final]
    assert worth(children[move]) == max(map(worth, visited))
