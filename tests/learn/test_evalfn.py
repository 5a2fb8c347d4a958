"""EvalFn: the candidate of the highest value, with and without the convention, and networks in files."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest

from kagiya import Match, find_agent, parse_rules, play_match
from kagiya.agents.playable_now import CONVENTIONS
from kagiya.engine.batch import make_move
from kagiya.engine.game_kernels import is_over
from kagiya.engine.layout import GAME
from kagiya.lab.provenance import code_version
from kagiya.lab.table.table import Table
from kagiya.learn import rule_classifier
from kagiya.learn.evalfn import file_of
from kagiya.learn.networks import network_row, read_network, write_network
from kagiya.moves import MOVES
from kagiya.search.ismcts import offered_at_root
from kagiya.search.nodes import begin_search
from tests.learn.by_hand import all_features
from tests.learn.networks import random_network

SHIPPED = [file_of({"iteration": n}) for n in (1, 2, 3)]


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("players", [2, 4])
def test_it_plays_the_candidate_with_the_highest_value(convention: str, players: int, rng: random.Random) -> None:
    agent = find_agent(f"evalfn(iteration=1, convention={convention})")
    network = read_network(Path(SHIPPED[0]), "value")
    search = find_agent(f"ris-mcts(iterations=1, convention={convention})")
    table, tree = (Table(parse_rules("goodman", players), [each]) for each in (agent, search))
    seed = rng.randrange(10**6)
    table.start_game(seed)
    tree.start_game(seed)
    while not is_over(table.states, GAME):
        game, offered = table.game(), moves_of_tree(tree)
        chosen = int(agent.type.act(table.states, GAME, game.seat, table.memory, table.params, table.rng))  # type: ignore
        inputs = np.array([all_features(game, MOVES[move], CONVENTIONS.index(convention)) for move in offered])
        values = network.answer(inputs)[:, 0]
        assert chosen in offered
        assert values[offered.index(chosen)] == pytest.approx(values.max(), abs=1e-6)
        for each in (table, tree):
            make(each, chosen)


NUMBERS = re.compile(r": the network expects (-?[\d.]+) points; next best, (-?[\d.]+): (plays|discards|tells) ")


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_it_says_what_it_expects_and_of_which_other_move(convention: str) -> None:
    table = Table(parse_rules("goodman", 3), [find_agent(f"evalfn(convention={convention})")])
    reasons = table.play_explained(5)
    weighed = [found.groups() for reason in reasons if (found := NUMBERS.search(reason))]
    assert len(weighed) > len(reasons) / 2
    assert all(float(best) >= float(second) for best, second, _ in weighed)
    assert all("the only move" in reason for reason in reasons if not NUMBERS.search(reason))
    assert bytes(table.log.moves) == bytes(table.play_game(5).moves)  # being asked why changes nothing


@pytest.mark.parametrize("convention", rule_classifier.CONVENTIONS)
def test_a_classifier_names_its_rule_and_the_next(convention: str) -> None:
    table = Table(parse_rules("goodman", 3), [find_agent(f"rule-classifier(convention={convention})")])
    reasons = table.play_explained(5)
    named = [re.findall(r"([a-z][a-z-]+(?:\([^)]*\))?) \((-?\d\.\d\d)\)", reason) for reason in reasons]
    assert all(rules for rules in named)
    assert max(len(rules) for rules in named) == 2
    assert all(float(rules[0][1]) >= float(rules[-1][1]) for rules in named)
    assert bytes(table.log.moves) == bytes(table.play_game(5).moves)


def moves_of_tree(tree: Table) -> list[int]:
    """What the tree search with the same rules considers."""
    seat = int(tree.states[GAME]["seat"])
    workspace = tree.workspaces[seat]
    begin_search(tree.states, GAME, seat, tree.memory, workspace.work, tree.rng)  # type: ignore[union-attr]
    mask = int(offered_at_root(workspace.work))  # type: ignore[union-attr]
    return [move for move in range(len(MOVES)) if mask >> move & 1]


def make(table: Table, move: int) -> None:
    table.log.moves[int(table.states[GAME]["turn"])] = move
    make_move(table.states, GAME, table.memory, table.params, table.observes, move)


def test_the_networks_come_with_the_package_and_say_where_they_are_from() -> None:
    for path in SHIPPED:
        assert read_network(Path(path), "value").provenance


def test_the_convention_makes_it_a_better_team() -> None:
    scores = []
    for convention in ("none", "playable-now"):
        agent = find_agent(f"evalfn(convention={convention})")
        result = play_match(Match.of(parse_rules("goodman", 3), [agent], 200, seed=700_001), workers=1)
        scores.append(result.results["score"].mean())
    assert scores[1] > scores[0] + 0.5 > 15


def test_another_network_is_another_code(tmp_path: Path) -> None:
    path = tmp_path / "n.safetensors"
    write_network(path, random_network(1))
    first = code_version([find_agent(f"evalfn(model={path})")])
    row = network_row(random_network(1))
    assert find_agent(f"evalfn(model={path})").parameters[-len(row) :] == row
    other = tmp_path / "other.safetensors"
    write_network(other, random_network(2))
    assert first != code_version([find_agent(f"evalfn(model={other})")])
