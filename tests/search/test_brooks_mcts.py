"""Brooks's tree search: what its tree looks like, when a line ends, what it obeys, and whom it models where."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kagiya import find_agent, parse_rules
from kagiya._jit import JIT_OFF
from kagiya.cards import NO_MOVE, Seat
from kagiya.engine.batch import NO_KERNEL, PYTHON_TO_MOVE
from kagiya.engine.game_kernels import apply_move, is_legal
from kagiya.engine.layout import GAME
from kagiya.interop.hle import move_to_uid
from kagiya.lab.table.decision import answer
from kagiya.lab.table.table import Table
from kagiya.moves import FIRST_DISCARD, MOVES, move_name, parse_move
from kagiya.search.brooks_mcts import UNREACHED, play_on, try_line
from kagiya.search.ismcts import deal_root, make_tree_move
from kagiya.search.nodes import reward_of
from kagiya.search.search_layout import KNOWN, ROOT_NODE, TRIAL
from tests.agents.positions import read

BROOKS = "\nrules brooks(hand_size=3)"
MIDDLE = "fireworks R1 Y1; alice G3 R4 W2(2!); bob R2 Y2(Y!) G4; cathy B5 W1 G1(1!)" + BROOKS


def seat_at(text: str, *agents: str) -> Table:
    """A table whose game stands as the position says; every seat is asked from here."""
    rules, states = read(text)
    table = Table(rules, [find_agent(agent) for agent in agents])
    table.acts = np.full_like(table.acts, NO_KERNEL)
    table.start_game(1)
    table.states[GAME] = states[0]
    return table


def act(table: Table) -> int:
    """The move of the seat to move."""
    return answer(table, 1)[0]


def in_words(table: Table, move: int) -> str:
    return move_name(move, Seat(int(table.states[GAME]["seat"])), table.rules.players)


def make(table: Table, words: str) -> None:
    """The seat to move makes this move, and everybody hears of it."""
    seat = int(table.states[GAME]["seat"])
    assert table.advance(table.log, int(parse_move(words, Seat(seat), table.rules.players)), 1) == PYTHON_TO_MOVE


def search_of(table: Table) -> Any:
    """The workspace of the seat to move."""
    return table.workspaces[int(table.states[GAME]["seat"])]


def children(nodes: Any, parent: int) -> list[int]:
    found, child = [], int(nodes[parent]["child"])
    while child > 0:
        found.append(child)
        child = int(nodes[child]["sibling"])
    return found


def one_more_line(table: Table) -> None:
    """One iteration of a search that `act` has begun."""
    seat = int(table.states[GAME]["seat"])
    work = search_of(table).work
    deal_root(GAME, seat, table.memory, work)
    try_line(work)


@pytest.mark.parametrize("rules", ["brooks", "none"])
@pytest.mark.parametrize("redeterminize", ["no", "yes"])
def test_children_stay_and_a_line_counts_for_its_whole_path_even_if_it_is_cut(rules: str, redeterminize: str) -> None:
    table = seat_at(MIDDLE, f"brooks-mcts(rules={rules}, redeterminize={redeterminize}, iterations=400)")
    search = search_of(table)
    work, nodes = search.work, search.nodes
    work["iterations"] = 1
    act(table)
    first_children = {ROOT_NODE: children(nodes, ROOT_NODE)}
    moves = [int(nodes[child]["move"]) for child in first_children[ROOT_NODE]]
    assert sum(1 << move for move in moves) == work["root_moves"]
    for _ in range(60 if JIT_OFF else 399):
        expected, lines_cut = nodes["visits"][: work["nodes_used"]].copy(), int(work["cut_lines"])
        one_more_line(table)
        path = [int(work["path"][depth]) for depth in range(int(work["depth"]) + 1)]
        expected[path] += 1
        assert nodes["visits"][: len(expected)].tolist() == expected.tolist()
        if work["cut_lines"] > lines_cut:
            assert path[-1] in first_children or nodes[path[-1]]["child"] == UNREACHED
        else:
            first_children.setdefault(path[-1], children(nodes, path[-1]))
    assert work["cut_lines"] > 0
    assert {node: children(nodes, node) for node in first_children} == first_children


def test_the_order_of_siblings_is_drawn_apart_from_the_counts() -> None:
    table = seat_at(MIDDLE, "brooks-mcts(iterations=50)")
    act(table)
    search = search_of(table)
    used = int(search.work["nodes_used"])
    assert set(search.nodes["available"][1:used].tolist()) == {1}  # a rule's move, counted once
    assert len(set(search.draws[1:used].tolist())) == used - 1


def test_siblings_are_compared_only_when_each_was_reached() -> None:
    table = seat_at(MIDDLE, f"brooks-mcts(rules=none, iterations={100 if JIT_OFF else 300})")
    act(table)
    nodes, used = search_of(table).nodes, int(search_of(table).work["nodes_used"])
    parents = [node for node in range(used) if nodes[node]["child"] > 0]
    assert len(parents) > 30
    for parent in parents:
        own = children(nodes, parent)
        # The first visit opened it; those before met an illegal move, all later ones went on to a child.
        assert nodes[parent]["visits"] > sum(nodes[child]["visits"] for child in own)
        if any(nodes[child]["child"] == UNREACHED for child in own):
            for child in own:
                assert sum(nodes[grandchild]["visits"] for grandchild in children(nodes, child)) == 0


def test_all_legal_moves_are_listed_as_the_learning_environment_lists_them() -> None:
    table = seat_at(MIDDLE, "brooks-mcts(rules=none, iterations=1)")
    assert act(table) == FIRST_DISCARD
    nodes = search_of(table).nodes
    listed = [move_to_uid(int(nodes[child]["move"]), table.rules) for child in children(nodes, ROOT_NODE)]
    assert listed == sorted(listed)
    assert len(listed) > 15


@pytest.mark.parametrize("agent", ["brooks-mcts(iterations=1)", "mo-ismcts(rules=brooks, iterations=1)"])
def test_the_rules_offer_what_they_say_in_either_search(agent: str) -> None:
    """Three of the nine rules mean bob's twos: they touch most, the first card fits, and so does the yellow one."""
    table = seat_at(MIDDLE, agent)
    act(table)
    offered = int(search_of(table).work["root_moves"])
    assert {in_words(table, move) for move in MOVES if offered >> move & 1} == {"hint bob 2", "discard 1"}


@pytest.mark.skipif(JIT_OFF, reason="a hundred thousand iterations")
def test_the_tree_looks_like_the_one_of_the_released_program() -> None:
    """Measured in the program, three games: 2.93 children of the root, depth 4.13, 10.2 % of the lines cut.

    Our depth is a little lower because a root with one child is not searched.
    """
    table = Table(parse_rules("brooks", 3), [find_agent("brooks-mcts")])
    table.acts = np.full_like(table.acts, NO_KERNEL)
    roots: list[int] = []
    lines = cut = length = 0
    for seed in range(20):
        stopped = table.advance(table.start_game(seed), NO_MOVE, seed)
        while stopped == PYTHON_TO_MOVE:
            work, move = search_of(table).work, act(table)
            roots.append(int(work["root_moves"]).bit_count())
            if work["iterations_done"]:
                lines += int(work["iterations_done"])
                cut += int(work["cut_lines"])
                length += int(work["path_lengths"])
            stopped = table.advance(table.log, move, seed)
    assert 2.8 < sum(roots) / len(roots) < 3.15
    assert 3.7 < length / lines < 4.2
    assert 0.08 < cut / lines < 0.125


POINTED = {
    "the hint touches one card": ("bob R1 G3 Y4", "hint bob red", "play 1"),
    "it does not fit, but could": ("bob G3 R4 Y4", "hint bob red", "play 2"),
    "of two cards touched one was named before": ("bob R1(R!) R3 Y4", "hint bob red", "play 2"),
    "its color was named before, not its rank": ("bob R1(R!) G3 Y4", "hint bob 1", "play 1"),
}
NOT_POINTED = {
    "two cards are told something new": ("bob R1 R3 Y4", "hint bob red"),
    "nothing is new": ("bob R1(R!) G3 Y4", "hint bob red"),
    "nothing that it can be fits": ("bob R5 G3 Y4", "hint bob 5"),
}


@pytest.mark.parametrize("case", POINTED)
def test_a_pointed_hint_is_obeyed_without_a_search(case: str) -> None:
    bob, hint, answer = POINTED[case]
    table = seat_at(f"alice G2 Y2 W3; {bob}; cathy B5 W4 G4{BROOKS}", "brooks-mcts(convention=brooks, iterations=9)")
    make(table, hint)
    assert in_words(table, act(table)) == answer
    assert search_of(table).work["iterations_done"] == 0


@pytest.mark.parametrize("case", NOT_POINTED)
def test_other_hints_are_searched(case: str) -> None:
    bob, hint = NOT_POINTED[case]
    table = seat_at(f"alice G2 Y2 W3; {bob}; cathy B5 W4 G4{BROOKS}", "brooks-mcts(convention=brooks, iterations=9)")
    make(table, hint)
    act(table)
    assert search_of(table).work["iterations_done"] == 9


def test_only_the_last_move_points_and_only_from_the_seat_before() -> None:
    text = f"alice G2 Y2 W3; bob B5 W4 G4; cathy R1 G3 Y4{BROOKS}"
    table = seat_at(text, "brooks-mcts(convention=brooks, iterations=9)")
    make(table, "hint cathy red")
    make(table, "discard 1")
    act(table)
    assert search_of(table).work["iterations_done"] == 9


def test_without_the_convention_a_pointed_hint_is_searched() -> None:
    table = seat_at(f"alice G2 Y2 W3; bob R1 G3 Y4; cathy B5 W4 G4{BROOKS}", "brooks-mcts(iterations=9)")
    make(table, "hint bob red")
    act(table)
    assert search_of(table).work["iterations_done"] == 9


@pytest.mark.parametrize("place", range(3))
def test_the_partner_is_modelled_where_it_sits(place: int) -> None:
    seats = ["brooks-mcts(partner=brooks-flawed, rollout=brooks-iggi)"] * 3
    seats[place] = "brooks-flawed"
    table = Table(parse_rules("brooks", 3), [find_agent(seat) for seat in seats])
    expected = ["brooks-iggi"] * 3
    expected[place] = "brooks-flawed"
    for seat, search in enumerate(table.workspaces):
        if seat != place:
            assert [model.text for model in search.setup.models] == expected  # type: ignore[union-attr]


LINES: dict[str, tuple[str, list[str], float, float]] = {
    "a card is played": ("alice R2 G2 W5", ["play 1"], 2, 2),
    "the last G2 is discarded": ("discards G2; alice R2 G2 W5", ["discard 2"], 1, 1 - 4),
    "a card is played, and another discarded that can be spared": (
        "alice R2 G2 W5",
        ["hint bob 4", "play 1", "discard 1"],
        2,
        2,
    ),
    "the last G2 is played, and a life is left": ("discards G2; lives 2; alice R2 G2 W5", ["play 2"], 1, 1 - 4),
    "the last life goes": ("lives 1; alice R2 G2 W5", ["play 2"], 0, 1 - 25),
    "it goes after a loss before the root": ("discards G2 G2; lives 1; alice R2 B4 W5", ["play 3"], 0, 1 - 21),
}


@pytest.mark.parametrize("case", LINES)
def test_the_reward_of_a_line(case: str) -> None:
    situation, line, by_score, by_regret = LINES[case]
    text = f"fireworks R1; {situation}; bob Y1 Y4 B5; cathy B2 W4 B3{BROOKS}"
    for reward, expected in (("score", by_score), ("regret", by_regret)):
        table = seat_at(text, f"brooks-mcts(reward={reward}, iterations=1)")
        act(table)
        work, lanes = search_of(table).work, search_of(table).states
        lanes[TRIAL] = table.states[GAME]
        for words in line:
            move = int(parse_move(words, Seat(int(lanes[TRIAL]["seat"])), 3))
            assert is_legal(lanes, TRIAL, move)
            apply_move(lanes, TRIAL, move)
        assert reward_of(lanes, TRIAL, work) == expected


def test_a_budget_of_one_iteration_opens_the_root_alone() -> None:
    table = seat_at(MIDDLE, "brooks-mcts(iterations=1)")
    move = act(table)
    search = search_of(table)
    assert search.work["iterations_done"] == 1
    assert search.work["depth"] == 0
    assert is_legal(table.states, GAME, move)
    assert move == search.nodes[children(search.nodes, ROOT_NODE)[0]]["move"]
    assert all(search.nodes[child]["visits"] == 0 for child in children(search.nodes, ROOT_NODE))


def test_one_move_needs_no_search() -> None:
    table = seat_at(MIDDLE, "brooks-mcts(rules=list(discard-oldest))")
    assert act(table) == FIRST_DISCARD
    assert search_of(table).work["iterations_done"] == 0


def test_the_move_made_has_the_best_mean_of_those_visited_twice() -> None:
    for seed, iterations in enumerate([2, 4, 8, 16, 50]):
        table = seat_at(MIDDLE, f"brooks-mcts(rules=none, iterations={iterations})")
        table.start_game(seed)
        table.states[GAME] = read(MIDDLE)[1][0]
        move, search = act(table), search_of(table)
        means = {
            int(node["move"]): node["total"] / node["visits"]
            for node in search.nodes[children(search.nodes, ROOT_NODE)]
            if node["visits"] >= 2
        }
        assert not means or means[move] == max(means.values())


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_the_tree_is_one_move_deeper_than_its_limit(depth: int) -> None:
    table = seat_at(MIDDLE, f"brooks-mcts(depth={depth}, iterations={40 if JIT_OFF else 200})")
    act(table)
    assert search_of(table).work["deepest_seen"] == depth + 1


@pytest.mark.parametrize("redeterminize", ["no", "yes"])
def test_other_seats_play_their_true_cards_unless_they_are_dealt_anew(
    redeterminize: str, rng: random.Random, games: Callable[[int], int]
) -> None:
    """Bob's cards all fit, and he knows nothing of them; his model plays one in every rollout."""
    text = f"alice G3 R4 W2; bob R1 Y1 G1; cathy B5 W4 G4{BROOKS}"
    model = "rules(play-probably-safe(0))"
    table = seat_at(text, f"brooks-mcts(rollout={model}, plies=1, iterations=1, redeterminize={redeterminize})")
    table.rng[GAME, 1] = [rng.getrandbits(32) for _ in range(4)]
    act(table)
    work, lanes = search_of(table).work, search_of(table).states
    points = []
    for _ in range(max(20, games(100))):
        deal_root(GAME, 0, table.memory, work)
        make_tree_move(work, 0, int(parse_move("hint cathy 5", Seat(0), 3)))
        play_on(work)
        points.append(int(lanes[TRIAL]["played"]).bit_count())
    assert set(points) == ({1} if redeterminize == "no" else {0, 1})
    assert lanes[KNOWN]["hands"][1].tolist()[:3] == table.states[GAME]["hands"][1].tolist()[:3]
