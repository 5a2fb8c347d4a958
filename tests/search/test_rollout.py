"""From a leaf to a result: moves tried out, models that believe, and what a line of play is worth."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from kagiya import find_agent, parse_rules
from kagiya.cards import HIDDEN_CARD, NO_CARD, Seat
from kagiya.engine.batch import make_move
from kagiya.engine.game import Game
from kagiya.engine.game_kernels import is_over
from kagiya.engine.layout import GAME
from kagiya.lab.table.table import Table
from kagiya.moves import parse_move
from kagiya.search.nodes import model_move, play_out, reward_of, try_move
from kagiya.search.search_layout import KNOWN, TRIAL
from tests.search.by_hand import THREE, TreeByHand, at_position
from tests.strategies import any_choice, careful_choice

Games = Callable[[int], int]


def lost_copies(game: Game) -> dict[int, int]:
    """How many copies of each kind are discarded, from the planes."""
    low, high = (int(game.states[0][name]) for name in ("discard_low", "discard_high"))
    return {kind: (low >> kind & 1) + 2 * (high >> kind & 1) for kind in range(30)}


def reachable(game: Game) -> int:
    """The most points that the discards allow, color by color."""
    lost, total = lost_copies(game), 0
    for color in range(game.rules.colors):
        height = int(game.fireworks[color])
        while height < game.rules.ranks and lost[5 * color + height] < game.rules.copies[height]:
            height += 1
        total += height
    return total


SMALL = "standard(colors=3, copies=2/1/1, hand_size=2, lives=1)"


@pytest.mark.parametrize("rules", ["standard", "goodman", SMALL])
@pytest.mark.parametrize("players", [2, 3])
def test_regret_and_score_along_real_games(rules: str, players: int, games: Games, rng: random.Random) -> None:
    """A search is begun at some turn; the game goes on in its lane and is worth what it should be at every step."""
    bombed = regretted = 0
    for _ in range(max(6, games(20))):
        game, begin = Game(parse_rules(rules, players), seed=rng.randrange(10**6)), rng.randrange(5)
        while game.turn < begin:
            game.make(rng.choice([move for move in game.legal_moves if not move.is_play]))
        base, searches = reachable(game), [searching(game, "score"), searching(game, "regret")]
        choose = rng.choice([any_choice, careful_choice])
        while not game.is_over:
            game.make(choose(game, rng))
            by_regret = game.points - (base - (0 if game.is_bombed else reachable(game)))
            assert [worth(tree, game) for tree in searches] == [game.score, by_regret]
            regretted += reachable(game) < base
        bombed += game.is_bombed
    assert bombed > 0
    assert regretted > 0


def searching(game: Game, reward: str) -> TreeByHand:
    table = Table(game.rules, [find_agent(f"ris-mcts(iterations=1, reward={reward})")])
    table.start_game(1)
    table.states[GAME] = game.states[0]
    return TreeByHand(table)


def worth(tree: TreeByHand, game: Game) -> float:
    tree.lanes[TRIAL] = game.states[0]
    return float(reward_of(tree.lanes, TRIAL, tree.work))


@pytest.mark.parametrize(
    ("rules", "reward", "move", "value"),
    [
        ("standard", "score", "discard 1", 1),
        ("standard", "regret", "discard 1", 1 - 5),  # no yellow any more
        ("standard", "regret", "discard 2", 1),
        ("standard", "regret", "hint bob 2", 1),
        ("standard", "score", "play 2", 0),
        ("goodman", "score", "play 2", 1),
        ("standard", "regret", "play 2", 1 - 25),
        ("goodman", "regret", "play 2", 1 - 25),
    ],
)
def test_the_worth_of_a_move(rules: str, reward: str, move: str, value: int) -> None:
    text = "fireworks R1; discards Y1 Y1; alice Y1 R4 G3; bob Y4 R2 G4; tokens 4; lives 1"
    game = Game.from_position(f"{text}; rules {rules}(hand_size=3)")
    tree = searching(game, reward)
    game.make(move)
    assert worth(tree, game) == value


# Moves tried out.


@pytest.mark.parametrize("plies", [0, 1, 5])
def test_a_rollout_makes_so_many_moves(plies: int) -> None:
    tree = at_position("ris-mcts(iterations=1)")
    tree.deal()
    play_out(tree.lanes, tree.work, plies)
    assert tree.trial["turn"] == tree.work["steps_done"] == plies


def test_a_rollout_ends_with_the_game() -> None:
    tree = at_position("ris-mcts(iterations=1)")
    tree.deal()
    play_out(tree.lanes, tree.work, 1000)
    assert is_over(tree.lanes, TRIAL)
    assert tree.trial["turn"] == tree.work["steps_done"] < 1000


def test_a_card_is_settled_when_it_is_drawn() -> None:
    drawn = set()
    for seed in range(30):
        tree = at_position("ris-mcts(iterations=1)", THREE, seed)
        tree.deal()
        place = int(tree.trial["drawn"])
        try_move(tree.lanes, TRIAL, tree.work, int(parse_move("hint bob 1", Seat(0), 3)))
        assert tree.trial["drawn"] == place
        assert set(tree.trial["deck"][place:50].tolist()) == {HIDDEN_CARD}
        try_move(tree.lanes, TRIAL, tree.work, int(parse_move("discard 1", Seat(1), 3)))
        hand = dict(zip(tree.trial["order"][1].tolist(), tree.trial["hands"][1].tolist(), strict=True))
        drawn.add(hand[place])
        assert tree.trial["deck"][place] == NO_CARD
    assert len(drawn) > 5
    assert min(drawn) >= 0


# Models that believe.


def asked(tree: TreeByHand, seat: int) -> int:
    tree.lanes[TRIAL] = tree.lanes[KNOWN]
    before: Any = tree.trial["possible"].copy()
    move = int(model_move(tree.lanes, TRIAL, seat, tree.work))
    assert (tree.trial["possible"] == before).all()
    return move


@pytest.mark.parametrize(
    ("setting", "believes"),
    [
        ("convention=playable-now", True),
        ("convention=next-seat", True),
        ("convention=playable-now, modeled=no", False),
        ("convention=none", False),
    ],
)
def test_a_model_plays_what_was_called_playable_if_it_is_to_believe(setting: str, believes: bool) -> None:
    """Bob is told of his red card; only by the convention does he know that it is the one."""
    table = at_position(f"ris-mcts(iterations=1, rollout=careful, {setting})").table
    move = int(parse_move("hint bob red", Seat(0), 3))
    make_move(table.states, GAME, table.memory, table.params, table.observes, move)
    assert (asked(TreeByHand(table), 1) == 1) is believes
