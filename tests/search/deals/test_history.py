"""What a searching seat remembers of the real game, and what it takes from it into a search."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from kagiya import find_agent, parse_rules
from kagiya._jit import JIT_OFF
from kagiya.engine.batch_kernels import make_move
from kagiya.engine.game import Game
from kagiya.engine.kernels import legal_moves
from kagiya.engine.layout import GAME, new_states
from kagiya.lab.table.table import Table
from kagiya.moves import FIRST_HINT, NUM_MOVES
from kagiya.rules import MAX_DECK
from kagiya.search.deals.history import HISTORY_CARDS, HISTORY_MOVES, restart_game
from kagiya.search.layout import DEALT, KNOWN, TRIAL
from kagiya.view.kernels import censor
from tests.search.trees.by_hand import THREE, TreeByHand, at_position
from tests.strategies import any_choice, careful_choice

Games = Callable[[int], int]

LANE, TARGET = np.int64(0), np.int64(1)


def followed(table: Table, game: Game, turns: int, rng: random.Random) -> None:
    """Play the same moves in a game with a log and at a table whose seats listen."""
    table.start_game(1)
    table.states[GAME] = game.states[0]
    choose = rng.choice([any_choice, careful_choice])
    for _ in range(turns):
        move = int(choose(game, rng))
        trial = game.copy()
        trial.make(move)
        if trial.is_over:
            break
        game.make(move)
        make_move(table.states, GAME, table.memory, table.params, table.observes, move)


def real_games(
    rng: random.Random, count: int, agent: str = "ris-mcts(iterations=1, rules=all)"
) -> list[tuple[Table, Game]]:
    found = []
    for rules in ("standard", "goodman", "standard(drawn_card=vacated)", "hle"):
        for players in (2, 3, 5):
            for _ in range(count):
                game = Game(parse_rules(rules, players), seed=rng.randrange(10**6))
                table = Table(game.rules, [find_agent(agent)])
                followed(table, game, rng.randrange(50), rng)
                found.append((table, game))
    return found


def test_the_moves_and_the_cards_they_showed_are_remembered(games: Games, rng: random.Random) -> None:
    for table, game in real_games(rng, games(4)):
        again, cards = game.beginning(), [0] * MAX_DECK
        for move in game.moves:
            if move.slot is not None:
                order = int(again.states[0]["order"][again.seat, move.slot])
                cards[order] = 1 + again.hands[again.seat][move.slot]
            again.make(move)
        for seat in range(game.rules.players):
            memory = table.memory[GAME, seat]
            assert memory[HISTORY_MOVES : HISTORY_MOVES + game.turn].tolist() == list(map(int, game.moves))
            assert memory[HISTORY_CARDS : HISTORY_CARDS + MAX_DECK].tolist() == cards


def test_a_search_begins_with_what_its_seat_may_see(games: Games, rng: random.Random) -> None:
    for table, game in real_games(rng, games(4)):
        tree, seen = TreeByHand(table), new_states(2)
        seen[0] = game.states[0]
        censor(seen, LANE, TARGET, game.seat)
        assert tree.lanes[KNOWN].tobytes() == seen[1].tobytes()
        assert (tree.work["seat"], tree.work["turns"], tree.work["whole_history"]) == (game.seat, game.turn, 1)
        assert counts_of(tree) == (0, 0, 0, 1)
        assert int(tree.work["root_moves"]) == sum(1 << move for move in game.legal_moves)


def counts_of(tree: TreeByHand) -> tuple[int, ...]:
    return tuple(int(tree.work[name]) for name in ("iterations_done", "steps_done", "true_iterations", "nodes_used"))


def test_nothing_of_the_last_search_is_left() -> None:
    tree = at_position("ris-mcts(iterations=50, plies=2)")
    tree.iterate(20)
    assert tree.work["steps_done"] > 20
    again = TreeByHand(tree.table)
    assert counts_of(again) == (0, 0, 0, 1)
    assert not list(again.children())


@pytest.mark.parametrize("section", ["turn 9", "turn 3; discards W1", "discards W1"])
def test_a_position_that_was_set_up_has_no_whole_story(section: str) -> None:
    assert not at_position("ris-mcts(iterations=1)", f"{THREE}; {section}").work["whole_history"]


@pytest.mark.parametrize(
    ("section", "is_whole"),
    [("bob Y4 R1; tokens 8", True), ("bob Y4 R1; tokens 2", False), ("bob Y4 R1(R!); tokens 8", False)],
)
def test_what_was_set_up_before_the_first_move_is_not_forgotten(section: str, is_whole: bool) -> None:
    table = at_position("ris-mcts(iterations=1)", f"alice Y5 R4; {section}; rules goodman(hand_size=2)").table
    hint = next(move for move in range(FIRST_HINT, NUM_MOVES) if legal_moves(table.states, GAME) >> move & 1)
    make_move(table.states, GAME, table.memory, table.params, table.observes, hint)
    assert bool(TreeByHand(table).work["whole_history"]) == is_whole


def test_the_game_is_dealt_again_as_it_was(games: Games, rng: random.Random) -> None:
    """With the true hand in lane DEALT the history leads back to the true deal, but for cards not yet drawn."""
    for table, game in real_games(rng, 1 if JIT_OFF else 2, "ris-mcts(iterations=1, rollout=smartbot)"):
        tree = TreeByHand(table)
        tree.lanes[DEALT] = game.states[0]
        words = find_agent("smartbot").memory_words
        memories = tree.workspace.memory[TRIAL, : game.rules.players, :words]
        memories[:] = 7
        restart_game(GAME, tree.seat, table.memory, tree.work)
        assert tree.lanes[TRIAL].tobytes() == game.beginning().states[0].tobytes()
        assert not memories.any()
