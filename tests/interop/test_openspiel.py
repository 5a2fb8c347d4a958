"""Step by step with OpenSpiel's ``hanabi``, whose chance nodes let us choose the deck."""
# mypy: allow-untyped-calls

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from kagiya.engine import game_kernels
from kagiya.engine.batch import sorted_deck
from kagiya.engine.reference import ReferenceGame
from kagiya.interop.hle import config, move_to_uid
from kagiya.rules import Rules
from tests.engine.policies import Policy, careful_move, random_move
from tests.interop.table import PEER_RULES, Snapshot, deal_from, our_snapshot, their_text

pytestmark = pytest.mark.peers

GAMES = 1_000  # over all rules together; half of each kind


def peer_snapshot(state: Any) -> Snapshot:
    over = state.is_terminal()
    return Snapshot(their_text(str(state), over), set(state.legal_actions()), int(state.returns()[0]), over)


def deal_due_cards(state: Any, rules: Rules, deck: list[int]) -> None:
    """Hand out our cards where OpenSpiel would roll dice; `deck` is used up from its end."""
    while state.is_chance_node():
        color, rank = divmod(deck.pop(), 5)
        state.apply_action(color * rules.ranks + rank)


def compare_game(peer_game: Any, rules: Rules, policy: Policy, rng: random.Random) -> None:
    deck = sorted_deck(rules)
    rng.shuffle(deck)
    states, twin, state = deal_from(rules, deck), ReferenceGame(rules, deck), peer_game.new_initial_state()
    undealt = deck[::-1]
    deal_due_cards(state, rules, undealt)
    while True:
        assert our_snapshot(rules, states) == peer_snapshot(state)
        if twin.is_over():
            return
        move = policy(twin, twin.legal_moves(), rng)
        twin.apply(move)
        game_kernels.apply_move(states, 0, move)
        state.apply_action(move_to_uid(move, rules))
        deal_due_cards(state, rules, undealt)


@pytest.mark.parametrize("policy", [random_move, careful_move])
@pytest.mark.parametrize("rules", PEER_RULES, ids=lambda rules: f"{rules.players}-{rules.text()}")
def test_agrees_with_openspiel(
    rules: Rules, policy: Policy, games: Callable[[int], int], rng: random.Random, peer: Callable[[str], Any]
) -> None:
    peer_game = peer("pyspiel").load_game("hanabi", config(rules))
    for _ in range(games(-(-GAMES // (2 * len(PEER_RULES))))):
        compare_game(peer_game, rules, policy, rng)
