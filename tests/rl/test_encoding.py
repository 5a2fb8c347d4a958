"""Vectors and masks equal OpenSpiel's and HLE's, bit for bit: every seat, every state, terminal ones too.

`KAGIYA_TEST_SCALE=28 pytest tests/rl/test_encoding.py -k vectors_are` compares 2,016 games with each of the two.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kagiya import Game, Rules, Table, find_agent, observe
from kagiya.cards import Seat
from kagiya.engine.batch import sorted_deck
from kagiya.engine.reference import ReferenceGame
from kagiya.interop.hle import config, move_to_uid, uid_to_move
from kagiya.rl import Batch, Encoding
from kagiya.rl.encoding import outcomes, straight_colors
from kagiya.rl.rl_kernels import write_mask
from tests.engine.policies import Policy, careful_move, random_move
from tests.interop.table import PEER_RULES
from tests.interop.test_hle import careful_peer_choice, deal_due_cards as deal_hle_cards, deck_of, random_choice
from tests.interop.test_openspiel import deal_due_cards

TYPES = {"minimal": "minimal", "card-knowledge": "card_knowledge", "seer": "seer"}
MORE_ODD_RULES = [
    Rules(players=2, colors=5, copies=(3, 2, 2, 1), hand_size=5),
    Rules(players=5, colors=5, copies=(3, 1), hand_size=2, lives=1),
    Rules(players=4, colors=2, copies=(3, 2, 2, 2, 1), hand_size=3, hint_tokens=5),
    Rules(players=3, colors=1, copies=(3, 2, 1), hand_size=1, hint_tokens=1),
]
VECTOR_RULES = [*PEER_RULES, *MORE_ODD_RULES]  # the full game for 2 to 5 players, and eight others
by_rules = pytest.mark.parametrize("rules", VECTOR_RULES, ids=lambda rules: f"{rules.players}-{rules.text()}")


def compare_game(peer_game: Any, rules: Rules, encoding: Encoding, policy: Policy, rng: random.Random) -> int:
    deck = sorted_deck(rules)
    rng.shuffle(deck)
    game, twin, state = Game(rules, deck=deck), ReferenceGame(rules, deck), peer_game.new_initial_state()
    undealt, vectors = deck[::-1], 0
    while True:
        deal_due_cards(state, rules, undealt)
        for seat in range(rules.players):
            theirs = np.array(state.observation_tensor(seat), np.int8)
            np.testing.assert_array_equal(encoding.encode(game, seat), theirs)
            if encoding.kind != "seer":
                np.testing.assert_array_equal(encoding.encode(observe(game, Seat(seat))), theirs)
            vectors += 1
        mask = np.zeros((1, encoding.moves(rules)), np.int8)
        write_mask(game.states, 0, game.seat, straight_colors(1), mask, 0)
        assert set(np.flatnonzero(mask[0])) == (set() if game.is_over else set(state.legal_actions()))
        if game.is_over:
            assert state.is_terminal()
            return vectors
        move = policy(twin, twin.legal_moves(), rng)
        twin.apply(move)
        game.make(move)
        state.apply_action(move_to_uid(move, rules))


@pytest.mark.peers
@pytest.mark.parametrize("kind", TYPES)
@by_rules
def test_vectors_are_openspiels(
    rules: Rules, kind: str, games: Callable[[int], int], rng: random.Random, peer: Callable[[str], Any]
) -> None:
    peer_game = peer("pyspiel").load_game("hanabi", {**config(rules), "observation_type": TYPES[kind]})
    for policy in (random_move, careful_move):
        for _ in range(games(1)):
            assert compare_game(peer_game, rules, Encoding(kind), policy, rng) > 0


def hle_vectors(encoder: Any, state: Any, players: int) -> list[list[int]]:
    return [encoder.encode(state.observation(player)) for player in range(players)]


@pytest.mark.peers
@pytest.mark.parametrize("kind", TYPES)
@by_rules
def test_vectors_are_hles(
    rules: Rules, kind: str, games: Callable[[int], int], rng: random.Random, peer: Callable[[str], Any]
) -> None:
    """HLE takes no deck, so it plays first, and its deck and moves are played again here."""
    theirs, encoding = peer("hanabi_learning_environment.pyhanabi"), Encoding(kind)
    settings = {**config(rules), "observation_type": list(TYPES).index(kind), "seed": rng.randrange(2**31)}
    peer_game = theirs.HanabiGame(settings)
    encoder = theirs.ObservationEncoder(peer_game)
    for choose in (random_choice, careful_peer_choice):
        for _ in range(games(1)):
            state, seen, moves = peer_game.new_initial_state(), list[Any](), list[Any]()
            deal_hle_cards(state)
            while not state.is_terminal():
                seen.append(hle_vectors(encoder, state, rules.players))
                legal = {peer_game.get_move_uid(move) for move in state.legal_moves()}
                moves.append(choose(state, rules, legal, rng))
                state.apply_move(peer_game.get_move(moves[-1]))
                deal_hle_cards(state)
            seen.append(hle_vectors(encoder, state, rules.players))
            game = Game(rules, deck=deck_of(theirs, state, rules))
            for vectors, uid in zip(seen, [*moves, None], strict=True):
                assert [encoding.encode(game, seat).tolist() for seat in range(rules.players)] == vectors
                if uid is not None:
                    game.make(uid_to_move(uid, rules))


@pytest.mark.parametrize(("players", "sizes"), [(2, (308, 658)), (3, (431, 956)), (4, (481, 1041)), (5, (580, 1280))])
def test_sizes_are_those_of_the_specification(players: int, sizes: tuple[int, int]) -> None:
    rules = Rules(players=players)
    assert (Encoding("minimal").entries(rules), Encoding().entries(rules)) == sizes
    assert sum(part.size for part in Encoding().parts(rules)) == sizes[1]


def test_a_bit_for_every_entry_when_packed() -> None:
    game = Game(Rules(players=3), seed=5)
    for move in ("hint bob 1", "play 1", "discard 1"):
        game.make(move)
    packed = np.unpackbits(Encoding(numbers="packed").encode(game), bitorder="little")[:956]
    np.testing.assert_array_equal(packed, Encoding().encode(game))
    np.testing.assert_array_equal(Encoding(numbers="float32").encode(game), Encoding().encode(game))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "card_knowledge"}, "did you mean card-knowledge"),
        ({"numbers": "float64"}, "number type"),
        ({"kind": "belief"}, "float32"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Encoding(**options)  # type: ignore[arg-type]


def test_an_observation_has_no_seers_vector() -> None:
    with pytest.raises(ValueError, match="seer"):
        Encoding("seer").encode(observe(Game(), Seat(0)))


class Linear:
    """A policy as a learner has one: from a vector and a mask, which it knows from the batch, to a number of a move."""

    weights = np.random.default_rng(1).normal(size=(658, 20))

    def choose(self, vector: Any, mask: Any) -> int:
        return int(np.where(mask, vector @ self.weights, -np.inf).argmax())

    def act(self, observation: Any) -> Any:
        encoding = Encoding()
        return uid_to_move(self.choose(encoding.encode(observation), encoding.mask(observation)), observation.rules)


def test_a_trained_policy_plays_at_the_table_as_it_did_in_the_batch() -> None:
    batch, policy = Batch(players=2), Linear()
    table = Table(batch.rules, [find_agent(f"{__name__}:Linear")])
    for seed in range(30, 35):
        table.play_game(seed)
        batch.reset(seed)
        for move in table.game().moves:
            action = policy.choose(batch.vectors[0], batch.masks[0])
            assert action == move_to_uid(move, batch.rules)
            batch.step([action])
        assert (bool(batch.ended[0]), int(batch.final_scores[0])) == (True, table.game().score)


@pytest.mark.parametrize(("rules", "gained"), [("standard", True), ("standard(token_for_five=false)", False)])
def test_a_finished_firework_gives_a_token_where_the_rules_say_so(rules: str, gained: bool) -> None:
    text = "players=2; tokens 3; fireworks R4; alice R5 G2 G3 G4 G5; bob W1 W2 W3 W4 W5"
    game = Game.from_position(f"rules {rules} {text}")
    game.make("play 1")
    assert list(outcomes(game, game.events)) == [(True, gained)]
    assert game.tokens == 3 + gained
