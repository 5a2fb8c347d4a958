"""Step by step with the Hanabi Learning Environment.

It takes no deck from outside, so it plays first; then our engine replays its deck and moves.
"""
# mypy: allow-untyped-calls

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from kagiya.cards import Color, Rank, make_card
from kagiya.engine import game_kernels
from kagiya.engine.batch import sorted_deck
from kagiya.interop.hle import config, move_to_uid, num_uids, uid_to_move
from kagiya.rules import Rules
from tests.engine.policies import careful_choice
from tests.interop.table import PEER_RULES, Snapshot, deal_from, our_snapshot, their_text

pytestmark = pytest.mark.peers

GAMES = 1_000  # over all rules together; half of each kind
CHANCE = -1

Choice = Callable[[Any, Rules, set[int], random.Random], int]


def random_choice(_state: Any, _rules: Rules, legal: set[int], rng: random.Random) -> int:
    return rng.choice(sorted(legal))


def careful_peer_choice(state: Any, rules: Rules, legal: set[int], rng: random.Random) -> int:
    """As `careful_move`, from what their state shows: plays what fits, discards what is least missed."""
    hand = [(card.color(), card.rank()) for card in state.player_hands()[state.cur_player()]]
    heights = state.fireworks()
    lost = Counter((card.color(), card.rank()) for card in state.discard_pile())
    fits = [slot for slot, (color, rank) in enumerate(hand) if rank == heights[color]]
    value = [0 if rank < heights[color] else 1 + lost[color, rank] for color, rank in hand]
    moves: set[int] = {uid_to_move(uid, rules) for uid in legal}
    return move_to_uid(careful_choice(moves, fits, value.index(min(value)), rng), rules)


def peer_snapshot(game: Any, state: Any) -> Snapshot:
    over = state.is_terminal()
    # They list moves even after the end.
    legal = set() if over else {game.get_move_uid(move) for move in state.legal_moves()}
    return Snapshot(their_text(str(state), over), legal, state.score(), over)


def deal_due_cards(state: Any) -> None:
    while not state.is_terminal() and state.cur_player() == CHANCE:
        state.deal_random_card()


def play_peer_game(
    game: Any, rules: Rules, choose: Choice, rng: random.Random
) -> tuple[Any, list[int], list[Snapshot]]:
    """One game by their program: its last state, the moves by their numbers, and a snapshot before each and after."""
    state, moves = game.new_initial_state(), list[int]()
    deal_due_cards(state)
    snapshots = [peer_snapshot(game, state)]
    while not snapshots[-1].over:
        # Only a legal number may go there: any other ends the interpreter.
        moves.append(choose(state, rules, snapshots[-1].legal, rng))
        state.apply_move(game.get_move(moves[-1]))
        deal_due_cards(state)
        snapshots.append(peer_snapshot(game, state))
    return state, moves, snapshots


def deck_of(peer: Any, state: Any, rules: Rules) -> list[int]:
    """The cards in the order they were dealt, then the rest in any order."""
    moves = [item.move() for item in state.move_history()]
    deals = [move for move in moves if move.type() == peer.HanabiMoveType.DEAL]
    dealt: list[int] = [make_card(Color(move.color()), Rank(move.rank())) for move in deals]
    return dealt + sorted((Counter(sorted_deck(rules)) - Counter(dealt)).elements())


def compare_game(peer: Any, game: Any, rules: Rules, choose: Choice, rng: random.Random) -> None:
    state, moves, snapshots = play_peer_game(game, rules, choose, rng)
    states = deal_from(rules, deck_of(peer, state, rules))
    assert our_snapshot(rules, states) == snapshots[0]
    for uid, snapshot in zip(moves, snapshots[1:], strict=True):
        game_kernels.apply_move(states, 0, int(uid_to_move(uid, rules)))
        assert our_snapshot(rules, states) == snapshot


@pytest.mark.parametrize("choose", [random_choice, careful_peer_choice])
@pytest.mark.parametrize("rules", PEER_RULES, ids=lambda rules: f"{rules.players}-{rules.text()}")
def test_agrees_with_hle(
    rules: Rules, choose: Choice, games: Callable[[int], int], rng: random.Random, peer: Callable[[str], Any]
) -> None:
    pyhanabi = peer("hanabi_learning_environment.pyhanabi")
    game = pyhanabi.HanabiGame(config(rules) | {"seed": rng.randrange(2**31)})  # must outlive its states
    assert game.max_moves() == num_uids(rules)
    for _ in range(games(-(-GAMES // (2 * len(PEER_RULES))))):
        compare_game(pyhanabi, game, rules, choose, rng)
