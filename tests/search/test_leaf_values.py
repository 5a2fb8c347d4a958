"""RIS-MCTS-NR: all children at once with their estimates, the best one backed up, no rollouts."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kagiya import Match, find_agent, parse_rules, play_match
from kagiya.agents.playable_now import GROUNDED
from kagiya.cards import NO_MOVE
from kagiya.engine.game import Game
from kagiya.engine.layout import GAME
from kagiya.lab.table.table import Table
from kagiya.learn.evalfn import file_of, network_place
from kagiya.learn.networks import network_row, read_network
from kagiya.moves import MOVES
from kagiya.search.deals.sampling import settle_deck
from kagiya.search.ismcts import deal_root, value_by_network, value_positions
from kagiya.search.search_layout import DEALT, KNOWN, TRIAL
from kagiya.search.workspace import SearchWorkspace
from kagiya.spec import SpecError
from tests.learn.by_hand import all_features, state_features
from tests.search.deals.test_past_moves import half_careless, searching


def searched(text: str, seed: int, turns: int = 0) -> tuple[Table, SearchWorkspace]:
    """A table whose seat to move has just searched."""
    table = Table(parse_rules("goodman", 3), [find_agent(text)])
    table.play_game(seed)
    moves = table.game().moves
    table.acts[:] = -1
    table.start_game(seed)
    table.advance(table.log, NO_MOVE, seed)
    for move in moves[:turns]:
        table.advance(table.log, int(move), seed)
    seat = int(table.states[GAME]["seat"])
    kind: Any = table.agents[seat].type
    kind.act(table.states, GAME, seat, table.memory, table.params, table.rng)
    workspace = table.workspaces[seat]
    assert isinstance(workspace, SearchWorkspace)
    return table, workspace


def children(workspace: SearchWorkspace) -> dict[int, Any]:
    found, child = {}, int(workspace.nodes[0]["child"])
    while child:
        found[int(workspace.nodes[child]["move"])] = workspace.nodes[child]
        child = int(workspace.nodes[child]["sibling"])
    return found


def test_one_iteration_values_every_move_and_counts_the_best_twice() -> None:
    checked = sum(check_one_iteration(turns) for turns in range(0, 40, 5))
    assert checked >= 3


def check_one_iteration(turns: int) -> bool:
    """False where the root offers a single move, and there is nothing to search."""
    table, workspace = searched("ris-mcts(leaf=evalfn, convention=playable-now, iterations=1)", 4, turns)
    found, game = children(workspace), table.game()
    if not found:
        return False
    network = read_network(Path(file_of({})), "value")
    inputs = np.array([all_features(game, MOVES[move]) for move in found])
    expected = dict(zip(found, game.points + 25 * network.answer(inputs)[:, 0], strict=True))
    best = max(expected, key=lambda move: expected[move])
    assert sum(1 << move for move in found) == workspace.work["root_moves"]
    for move, node in found.items():
        assert node["total"] / node["visits"] == pytest.approx(expected[move], abs=1e-6)
        assert node["visits"] == (2 if move == best else 1)
    assert workspace.nodes[0]["visits"] == 1
    assert workspace.nodes[0]["total"] == pytest.approx(expected[best], abs=1e-6)
    assert workspace.work["chosen"] == best
    assert workspace.work["steps_done"] == 1
    assert workspace.states[KNOWN]["turn"] == turns
    return True


@pytest.mark.parametrize("text", ["ris-mcts(leaf=evalfn, value=state)", "mo-ismcts(leaf=evalfn, value=state)"])
def test_the_value_of_a_state_is_that_of_the_position_after_the_move(text: str, rng: random.Random) -> None:
    """Of a hint that is also the value of the move, as long as there is a deck; lane DEALT shows what was valued."""
    network, over = read_network(Path(file_of({})), "value"), 0
    for _ in range(12):
        position = half_careless(rng, "vdb", parse_rules("goodman(lives=1)", 3))
        if position.is_over or not position.deck_left:
            continue
        table, workspace = searching(position, text, 1)
        work, seat = workspace.work, int(position.seat)
        deal_root(GAME, seat, table.memory, work)
        settle_deck(workspace.states, TRIAL, workspace.rng)  # for the slow twin, which counts what is left
        before, legal = workspace.states[TRIAL].tobytes(), [int(move) for move in position.legal_moves]
        value_by_network(workspace.states, TRIAL, seat, work, sum(1 << move for move in legal))
        by_move = work["values"].copy()
        for move in legal:
            value_positions(work, seat, 1 << move)
            after = Game.from_state(position.rules, workspace.states, DEALT)
            assert workspace.states[TRIAL].tobytes() == before
            assert after.turn == position.turn + 1
            if after.is_over:
                over += 1
                assert work["values"][move] == after.score
                continue
            after.states[0]["seat"] = seat
            inputs = np.array([[*state_features(after, GROUNDED), *[0.0] * 7]])
            expected = after.points + 25 * network.answer(inputs)[0, 0]
            assert work["values"][move] == pytest.approx(expected, abs=1e-6)
            if MOVES[move].is_hint:
                assert work["values"][move] == pytest.approx(by_move[move], abs=1e-6)
    assert over > 0


def test_visits_are_iterations_and_estimates() -> None:
    _, workspace = searched("ris-mcts(leaf=evalfn, convention=playable-now, iterations=200)", 4, 10)
    found = children(workspace)
    assert sum(int(node["visits"]) for node in found.values()) == 200 + len(found)
    assert workspace.work["deepest_seen"] > 3
    assert workspace.explain().mean_depth is None


def test_a_game_that_ends_in_the_tree_counts_its_score() -> None:
    table = Table(parse_rules("goodman(lives=1)", 2), [find_agent("ris-mcts(leaf=evalfn, iterations=300)")])
    table.play_game(3)
    assert table.game().is_over


def test_it_beats_its_own_function() -> None:
    """By half a point with three players, which 150 fixed decks show."""
    scores, search = [], "ris-mcts(leaf=evalfn, convention=playable-now, c=0.03, iterations=58)"
    for text in ("evalfn(convention=playable-now)", search):
        result = play_match(Match.of(parse_rules("goodman", 3), [find_agent(text)], 150, seed=700_001), workers=1)
        scores.append(result.results["score"].mean())
    assert scores[1] > scores[0]


def test_where_the_network_begins() -> None:
    agent = find_agent("evalfn(convention=playable-now)")
    row = agent.parameters
    assert row[network_place(row) :] == network_row(read_network(Path(file_of({})), "value"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ris-mcts(leaf=vdb)", "leaf=vdb has no learned values; give evalfn"),
        ("ris-mcts(leaf=evalfn(convention=playable-now))", "the convention of the search counts"),
        ("ris-mcts(leaf=evalfn, rollout=vdb)", "rollout does not go with leaf"),
        ("ris-mcts(leaf=evalfn, reward=regret)", "reward does not go with leaf"),
        ("ris-mcts(leaf=depth-one)", "is a search itself"),
        ("ris-mcts(unprune_by=evalfn)", "opens no moves without unprune"),
        ("ris-mcts(unprune=5, unprune_by=vdb)", "has no learned values; give evalfn"),
        ("ris-mcts(unprune=5, leaf=evalfn, unprune_by=evalfn(iteration=1))", "are two networks"),
    ],
)
def test_what_does_not_go_together(text: str, words: str) -> None:
    with pytest.raises(SpecError, match=words):
        find_agent(text)
