"""The network of the report's mixed track: who made this move? Trained on games of the policies of Table VII.

Source: Goodman 2019, section VII of the report. 1000 games with 2 to 5 players, each seat with a policy drawn at
random; for every move the 38 features of the position and the move, and the policy that made it. One hidden layer of 30
units, a softmax over the policies, all inputs normalised, Adam with batches of 16 and an L1 penalty of 1e-5, as for
the evaluation function; the learning rate is 1e-3, not the report's 1e-4, for a tenth of the passes. A tenth of the
games is held out; training stops when they no longer gain. Plain numpy: the network is so small that nothing else is
needed.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.agents.playable_now import GROUNDED
from kagiya.agents.register import find_agent
from kagiya.cards import MoveNumber
from kagiya.engine.game import LANE, Game
from kagiya.lab.result_files import provenance
from kagiya.lab.table.table import Table
from kagiya.learn.features import FEATURES, write_move_features, write_state_features
from kagiya.learn.networks import Network, write_network
from kagiya.rules import MAX_DECK, parse_rules
from kagiya.search.allies import LISTS

Array = npt.NDArray[np.float64]
POLICIES = LISTS["goodman"]
HELD_OUT = 10  # one game in so many
HIDDEN, BATCH, RATE, PENALTY = 30, 16, 1e-3, 1e-5
DECAYS, TINY = (0.9, 0.999), 1e-8  # of Adam
MAX_IDLE_PASSES = 5  # without a gain on the games held out


@dataclass(frozen=True)
class PolicyExamples:
    """A row of features for every move, and which policy made it."""

    inputs: Array
    policies: npt.NDArray[np.int64]


def play_examples(games: int, seed: int) -> tuple[PolicyExamples, PolicyExamples]:
    """The moves of games between policies drawn at random: to learn from, and held out."""
    rows: tuple[list[Array], list[Array]] = ([], [])
    made: tuple[list[int], list[int]] = ([], [])
    for game in range(games):
        dice = random.Random(f"{seed} {game}")
        players = dice.randint(2, 5)
        seats = [dice.randrange(len(POLICIES)) for _ in range(players)]
        table = Table(parse_rules("goodman", players), [find_agent(POLICIES[policy]) for policy in seats])
        table.play_game(seed + game)
        part = game % HELD_OUT == 0
        for turn, row in enumerate(move_rows(table.game())):
            rows[part].append(row)
            made[part].append(seats[turn % players])
    first, second = (PolicyExamples(np.array(r), np.array(m)) for r, m in zip(rows, made, strict=True))
    return first, second


def move_rows(game: Game) -> list[Array]:
    """The features of every move of a game, as the player who made it sees them."""
    replay, masks, found = Game(game.rules, deck=game.deck), np.zeros(MAX_DECK, np.int64), []
    for move in game.moves:
        row = np.zeros(FEATURES)
        write_state_features(replay.states, LANE, replay.seat, masks, row)
        write_move_features(replay.states, LANE, replay.seat, masks, GROUNDED, MoveNumber(move), row)
        found.append(row)
        replay.make(move)
    return found


class Trainer:
    """Adam on the cross entropy of one hidden layer and a softmax."""

    def __init__(self, examples: PolicyExamples, seed: int) -> None:
        self.examples, self.dice = examples, np.random.default_rng(seed)
        self.mean, self.spread = examples.inputs.mean(axis=0), np.maximum(examples.inputs.std(axis=0), 1e-6)
        self.inputs = (examples.inputs - self.mean) / self.spread
        shapes = ((FEATURES, HIDDEN), (HIDDEN,), (HIDDEN, len(POLICIES)), (len(POLICIES),))
        self.parameters = [self.dice.normal(0, np.sqrt(2 / s[0]), s) if len(s) == 2 else np.zeros(s) for s in shapes]
        self.moments = [(np.zeros(s), np.zeros(s)) for s in shapes]
        self.steps = 0

    def run_pass(self, rate: float) -> None:
        """Once through all examples in a new order."""
        order = self.dice.permutation(len(self.inputs))
        for first in range(0, len(order), BATCH):
            chosen = order[first : first + BATCH]
            self._step(self.inputs[chosen], self.examples.policies[chosen], rate)

    def _step(self, inputs: Array, policies: npt.NDArray[np.int64], rate: float) -> None:
        weights, bias, out_weights, out_bias = self.parameters
        hidden = np.maximum(inputs @ weights + bias, 0)
        wrong = softmax(hidden @ out_weights + out_bias)
        wrong[np.arange(len(policies)), policies] -= 1
        wrong /= len(policies)
        back = (wrong @ out_weights.T) * (hidden > 0)
        slopes = [inputs.T @ back, back.sum(axis=0), hidden.T @ wrong, wrong.sum(axis=0)]
        self.steps += 1
        for place, (slope, (first, second)) in enumerate(zip(slopes, self.moments, strict=True)):
            slope = slope + PENALTY * np.sign(self.parameters[place])
            first += (1 - DECAYS[0]) * (slope - first)
            second += (1 - DECAYS[1]) * (slope * slope - second)
            even = first / (1 - DECAYS[0] ** self.steps), second / (1 - DECAYS[1] ** self.steps)
            self.parameters[place] = self.parameters[place] - rate * even[0] / (np.sqrt(even[1]) + TINY)

    def network(self, origin: dict[str, Any]) -> Network:
        """What was learned, as a model."""
        weights, bias, out_weights, out_bias = (each.astype(np.float32) for each in self.parameters)
        normal = self.mean.astype(np.float32), self.spread.astype(np.float32)
        return Network("policies", *normal, (weights, out_weights), (bias, out_bias), origin)


def softmax(scores: Array) -> Array:
    """Probabilities, row by row."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def judge(network: Network, examples: PolicyExamples) -> tuple[float, float]:
    """The mean cross entropy, and the share of moves whose policy is guessed."""
    chances = softmax(network.answer(examples.inputs))
    own = chances[np.arange(len(examples.policies)), examples.policies]
    return float(-np.log(own).mean()), float((chances.argmax(axis=1) == examples.policies).mean())


def train_policies(games: int, seed: int, passes: int = 30, rate: float = RATE) -> Network:
    """Play, learn, and keep what did best on the games held out."""
    learned, held_out = play_examples(games, seed)
    trainer = Trainer(learned, seed)
    origin: dict[str, Any] = {"policies": list(POLICIES), "games": games, "seed": seed, "rows": len(learned.inputs)}
    best, lowest, since = trainer.network(origin), np.inf, 0
    for number in range(passes):
        trainer.run_pass(rate)
        loss, guessed = judge(trainer.network(origin), held_out)
        since += 1
        if loss < lowest:
            found = {"passes": number + 1, "held_out_entropy": round(loss, 4), "held_out_guessed": round(guessed, 4)}
            best, lowest, since = trainer.network(origin | found), loss, 0
        if since == MAX_IDLE_PASSES:
            break
    return best


def write_policies(path: Path, games: int, seed: int, passes: int, command: str) -> Network:
    """Train and write the network, with what it came from."""
    found = train_policies(games, seed, passes)
    network = replace(found, provenance=found.provenance | provenance(command))
    write_network(path, network)
    return network
