"""The exact likelihood against a slow twin: policies asked at a table of their own, with one hand or all hands."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy as np
import pytest

from kagiya import Rules, parse_rules
from kagiya.cards import Seat
from kagiya.engine.game import Game
from kagiya.engine.layout import GAME
from kagiya.lab.training.small_networks import POLICIES, Trainer, judge, move_rows, play_examples, softmax
from kagiya.learn.networks import load, network_file
from kagiya.search import search_layout
from kagiya.search.ally import NETWORK
from kagiya.search.ally_likelihood import MAX_NATS_BELOW, MAX_POLICIES, NATS, WEIGHTS, keep_in_range, write_posterior
from kagiya.search.workspace import SearchWorkspace
from tests.search.deals.hidden_hands import Hand, listed_hands
from tests.search.deals.test_past_moves import evaluators_moves, half_careless, searching, with_hand

Games = Callable[[int], int]
SMALL = parse_rules("goodman(colors=2, copies=2/1/1, hand_size=2, hint_tokens=3)", 2)
SURE = ("vdb", "piers", "smartbot")  # roll no dice in what they are asked here, but for moves of last resort
NOISE, CAP = 0.1, 13.82


def dealt_hand(workspace: SearchWorkspace, seat: int) -> Hand:
    return tuple(
        int(card) for card in workspace.states[search_layout.DEALT]["hands"][seat, : workspace.rules.hand_size]
    )


def others_turns(game: Game) -> list[int]:
    """The turns at which somebody else than the seat to move did."""
    seats = [turn % game.rules.players for turn in range(len(game.moves))]
    return [turn for turn, seat in enumerate(seats) if seat != int(game.seat)]


def agreeing(game: Game, hand: Hand, policy: str) -> dict[int, bool]:
    """The twin: for each move of another seat, whether the policy would have made it, had this been our hand."""
    answers = evaluators_moves(game, with_hand(game, hand), policy)
    return {turn: answers[turn] == int(game.moves[turn]) for turn in others_turns(game)}


def matches(workspace: SearchWorkspace, game: Game) -> dict[str, dict[int, float]]:
    assert workspace.allies is not None
    found = workspace.allies.record["matches"]
    agents = enumerate(workspace.allies.agents)
    return {agent.text: {turn: float(found[turn, n]) for turn in others_turns(game)} for n, agent in agents}


@pytest.mark.parametrize("rules", [SMALL, Rules(players=2), parse_rules("goodman", 4)])
def test_answers_are_counted_as_by_hand(rules: Rules, games: Games, rng: random.Random) -> None:
    agreed = differed = 0
    for _ in range(max(games(30), 4)):
        game = half_careless(rng, rng.choice(SURE), rules)
        if game.is_over:
            continue
        text = f"ally(iterations=1, hands=1, draws=1, policies=list({', '.join(SURE)}))"
        _, workspace = searching(game, text, rng.randrange(10**6))
        hand, counted = dealt_hand(workspace, int(game.seat)), matches(workspace, game)
        for policy in SURE:
            for turn, agrees in agreeing(game, hand, policy).items():
                assert counted[policy][turn] == agrees, (policy, turn, game.position())
                agreed, differed = agreed + agrees, differed + (not agrees)
    assert agreed
    assert differed


def test_the_posterior_is_bayes_over_all_hands(games: Games, rng: random.Random) -> None:
    """With many samples the weights come to what listing every hand gives, within five standard errors of a share."""
    samples = max(games(4000), 1000)
    tried = 0
    while tried < max(games(10), 3):
        game = half_careless(rng, rng.choice(SURE), SMALL)
        if game.is_over or not others_turns(game):
            continue
        tried += 1
        text = f"ally(iterations=1, hands={samples}, draws=1, noise={NOISE}, policies=list({', '.join(SURE)}))"
        table, workspace = searching(game, text, rng.randrange(10**6))
        ways, counted = listed_hands(game, int(game.seat)), matches(workspace, game)
        shares: dict[str, dict[int, float]] = {}
        for policy in SURE:
            found = {hand: agreeing(game, hand, policy) for hand in ways}
            for turn in others_turns(game):
                share = sum(count * found[hand][turn] for hand, count in ways.items()) / ways.total()
                error = math.sqrt(max(share * (1 - share), 0) / samples)
                assert abs(counted[policy][turn] / samples - share) <= 5 * error + 1e-12
                shares.setdefault(policy, {})[turn] = counted[policy][turn] / samples
        seat = int(game.seat)
        first = WEIGHTS + (1 - seat) * MAX_POLICIES
        kept = [table.memory[GAME, seat, first + place] * NATS for place in range(len(SURE))]
        assert workspace.allies is not None
        legal = workspace.allies.record["choices"] / samples
        assert kept == pytest.approx(expected_weights(game, shares, legal.tolist()), abs=1e-6)


def expected_weights(game: Game, shares: dict[str, dict[int, float]], legal: list[float]) -> list[float]:
    """The log weights of the policies, the best 0, from the shares of hands with which they agree."""
    weights = dict.fromkeys(shares, 0.0)
    for turn in others_turns(game):
        chances = {policy: (1 - NOISE) * shares[policy][turn] + NOISE / legal[turn] for policy in shares}
        best = max(chances.values())
        for policy, chance in chances.items():
            weights[policy] -= min(math.log(best / chance), CAP)
    return [weights[policy] - max(weights.values()) for policy in shares]


def test_no_weight_falls_so_low_that_a_changed_partner_could_not_be_recognised() -> None:
    game = Game(Rules(players=2), seed=1)
    table, workspace = searching(game, "ally(iterations=1, hands=1, draws=1, policies=list(vdb, piers, iggi))", 1)
    weights = table.memory[GAME, 0, WEIGHTS + MAX_POLICIES : WEIGHTS + MAX_POLICIES + 3]
    weights[:] = [-7, -7 - int(30 / NATS), -int(300 / NATS)]
    keep_in_range(GAME, Seat(0), table.memory, workspace.work, WEIGHTS + MAX_POLICIES)
    assert weights.tolist() == [0, -int(30 / NATS), -int(MAX_NATS_BELOW / NATS)]
    assert workspace.allies is not None
    for knows_history, likeliest in ((0, 1 / 3), (1, 1.0)):  # of a game set up from a position nothing was weighed
        workspace.work["whole_history"] = knows_history
        write_posterior(GAME, Seat(0), table.memory, workspace.work, Seat(1))
        assert workspace.allies.record["posterior"][1, 0] == pytest.approx(likeliest)


def test_a_uniform_policy_has_the_uniform_likelihood(rng: random.Random) -> None:
    game = half_careless(rng, "vdb", Rules(players=3))
    while game.is_over or not others_turns(game):
        game = half_careless(rng, "vdb", Rules(players=3))
    table, _ = searching(game, "ally(iterations=1, policies=list(random, random))", 1)
    first = WEIGHTS + ((int(game.seat) + 1) % 3) * MAX_POLICIES
    assert table.memory[GAME, int(game.seat), first : first + 2].tolist() == [0, 0]


def test_the_network_is_asked_as_by_hand(games: Games, rng: random.Random) -> None:
    """With one hand: the network's softmax over the eight policies, of the features that the training writes."""
    network = load(str(network_file(NETWORK)), "policies")
    for _ in range(max(games(10), 2)):
        game = half_careless(rng, "vdb", parse_rules("goodman", 3))
        if game.is_over or not others_turns(game):
            continue
        _, workspace = searching(game, "ally(iterations=1, hands=1, likelihood=network)", rng.randrange(10**6))
        assert workspace.allies is not None
        seen = Game(game.rules, deck=with_hand(game, dealt_hand(workspace, int(game.seat))))
        for move in game.moves:
            seen.make(move)
        rows = np.array(move_rows(seen))
        expected = softmax(network.answer(rows)[:, : len(workspace.allies.agents)])
        for turn in others_turns(game):
            assert workspace.allies.record["matches"][turn, : len(expected[turn])] == pytest.approx(expected[turn])


def test_training_learns_who_moves_and_is_reproducible() -> None:
    """A few passes over 40 games of seed 5 beat guessing blindly, and come out the same twice."""
    learned, _ = play_examples(40, 5)
    found = []
    for _ in range(2):
        trainer = Trainer(learned, 5)
        for _ in range(3):
            trainer.run_pass(1e-3)
        found.append(trainer.network({}))
    assert judge(found[0], learned)[0] < math.log(len(POLICIES)) - 0.1
    assert all((one == other).all() for one, other in zip(found[0].weights, found[1].weights, strict=True))
