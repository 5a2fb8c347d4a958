"""What a searching seat remembers of the real game, and that game played again."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from kagiya import find_agent
from kagiya._jit import JIT_OFF
from kagiya.engine.batch import make_move
from kagiya.engine.game_kernels import legal_moves
from kagiya.engine.layout import GAME
from kagiya.moves import FIRST_HINT, NUM_MOVES
from kagiya.rules import MAX_DECK
from kagiya.search.deals.history import HISTORY_CARDS, HISTORY_MOVES, restart_game
from kagiya.search.search_layout import DEALT, TRIAL
from tests.search.by_hand import THREE, TreeByHand, at_position
from tests.search.real_games import real_games

Games = Callable[[int], int]


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


@pytest.mark.parametrize("section", ["turn 9", "turn 3; discards W1", "discards W1"])
def test_a_position_that_was_set_up_has_no_whole_history(section: str) -> None:
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
