"""Two networks so small that they are fitted without PyTorch: a forecast of the score, and who made a move.

The forecast is least squares on counts, from games of one agent. A search over an agent tries moves that the agent
would not make; so that the forecast has seen what follows, one move of every game is any legal one, and positions after
it, every few moves, are the rows. The target is the points still to come, less what a bomb loses.

The policies are those of Table VII of Goodman 2019, section VII of the report (the mixed track): 1000 games with 2 to
5 players, each seat with a policy drawn at random; for every move the 38 features of the position and the move, and the
policy that made it. One hidden layer of 30 units, a softmax over the policies, all inputs normalised, Adam with batches
of 16 and an L1 penalty of 1e-5, as for the evaluation function; the learning rate is 1e-3, not the report's 1e-4, for a
tenth of the passes. Training stops when the games held out no longer gain.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents.api import Agent
from kagiya.agents.playable_now import GROUNDED
from kagiya.agents.register import find_agent
from kagiya.cards import MoveNumber
from kagiya.engine.batch import Addresses, call_act, make_move
from kagiya.engine.dice import below, seed_stream
from kagiya.engine.game import LANE, Game
from kagiya.engine.game_kernels import deal, is_over, legal_moves, score
from kagiya.engine.layout import GAME, TEMPLATE, Memory, Params, States, Streams, new_streams
from kagiya.engine.memory import clear_memory
from kagiya.lab.provenance import provenance
from kagiya.lab.table.table import Table
from kagiya.learn.features import FEATURES, Features, write_move_features, write_state_features
from kagiya.learn.networks import Network, write_network
from kagiya.learn.values import FORECAST_FEATURES, POINTS, forecast_features, write_forecast_features
from kagiya.rules import MAX_DECK, Rules, parse_rules
from kagiya.search.ally_likelihood import LISTS

EVERY = 4  # moves between two rows of a game
LATEST = 56  # turn of the careless move, at most
MAX_ROWS = 24  # of a game


@kernel
def careless_move(states: States, dice: Streams) -> MoveNumber:
    """Any legal move."""
    moves = legal_moves(states, GAME)
    for _ in range(below(dice, 0, 0, popcount(moves))):
        moves &= moves - 1
    return MoveNumber(lowest_bit(moves))


@kernel
def play_careless_game(
    states: States,
    memory: Memory,
    params: Params,
    rng: Streams,
    acts: Addresses,
    observes: Addresses,
    dice: Streams,
    rows: Features,
    targets: Features,
) -> int:
    """Play the game in lane GAME with one careless move, and count every few moves after it; returns how many rows."""
    counts, found = forecast_features(), 0
    careless, phase = below(dice, 0, 0, LATEST), below(dice, 0, 0, EVERY)
    while not is_over(states, GAME):
        seat, turn = states[GAME]["seat"], states[GAME]["turn"]
        if turn > careless and (turn - careless) % EVERY == phase and found < MAX_ROWS:
            write_forecast_features(states, GAME, counts)
            for place in range(FORECAST_FEATURES):
                rows[found, place] = counts[place]
            found += 1
        move = call_act(acts[seat], states, GAME, seat, memory, params, rng)
        if turn == careless:
            move = careless_move(states, dice)
        make_move(states, GAME, memory, params, observes, move)
    for row in range(found):
        targets[row] = score(states, GAME) - rows[row, POINTS]
    return found


Array = npt.NDArray[Any]
HELD_OUT_GAMES = 10  # one game in ten is held out
MIN_SPREAD = 1e-3  # of a count that hardly ever changes
RIDGE = 1e-6  # counts that follow from others leave the solution open; this settles it


@dataclass(frozen=True)
class ForecastRows:
    """Rows of counts, the points that came after each, and the game it comes from."""

    inputs: Array
    targets: Array
    games: Array


def count_games(rules: Rules, agent: Agent, games: int, seed: int) -> ForecastRows:
    """The rows of a number of games, the first with this seed."""
    table = Table(rules, [agent])
    dice = new_streams(1)
    seed_stream(dice, 0, 0, seed)
    rows, targets = np.zeros((MAX_ROWS, FORECAST_FEATURES)), np.zeros(MAX_ROWS)
    inputs, outcomes, numbers = [], [], []
    for game in range(games):
        deal(table.states, TEMPLATE, GAME, table.rng, seed + game)
        clear_memory(table.memory, GAME, table.memories.extents)
        found = play_careless_game(*table.arrays, dice, rows, targets)
        inputs.append(rows[:found].copy())
        outcomes.append(targets[:found].copy())
        numbers.append(np.full(found, game))
    return ForecastRows(np.concatenate(inputs), np.concatenate(outcomes), np.concatenate(numbers))


def fit_forecast(counted: ForecastRows) -> Network:
    """The linear function with the least squared error on the games that are not held out."""
    learned = counted.games % HELD_OUT_GAMES != 0
    mean, spread = counted.inputs.mean(axis=0), np.maximum(counted.inputs.std(axis=0), MIN_SPREAD)
    inputs = np.c_[(counted.inputs - mean) / spread, np.ones(len(counted.inputs))]
    rows = inputs[learned]
    weights = np.linalg.solve(
        rows.T @ rows + RIDGE * len(rows) * np.eye(rows.shape[1]), rows.T @ counted.targets[learned]
    )
    errors = (inputs @ weights - counted.targets)[~learned]
    finals = (counted.targets + counted.inputs[:, POINTS])[~learned]
    found = {
        "rows": len(rows),
        "held_out_error": round(float(np.sqrt(np.mean(errors**2))), 4),
        "held_out_spread": round(float(finals.std()), 4),
    }
    layer = weights[:-1, None].astype(np.float32), weights[-1:].astype(np.float32)
    return Network("forecast", mean.astype(np.float32), spread.astype(np.float32), layer[:1], layer[1:], found)


def write_forecast(path: Path, rules: Rules, agent: Agent, games: int, seed: int, command: str) -> Network:
    """Play, fit and write the network, with what it came from."""
    found = fit_forecast(count_games(rules, agent, games, seed))
    origin = {"agent": agent.text, "rules": str(rules), "games": games, "seed": seed, **found.provenance}
    network = replace(found, provenance=origin | provenance(command))
    write_network(path, network)
    return network


Floats = npt.NDArray[np.float64]
POLICIES = LISTS["goodman"]
HIDDEN, BATCH, RATE, PENALTY = 30, 16, 1e-3, 1e-5
DECAYS, TINY = (0.9, 0.999), 1e-8  # of Adam
MAX_IDLE_PASSES = 5  # without a gain on the games held out


@dataclass(frozen=True)
class PolicyExamples:
    """A row of features for every move, and which policy made it."""

    inputs: Floats
    policies: npt.NDArray[np.int64]


def play_examples(games: int, seed: int) -> tuple[PolicyExamples, PolicyExamples]:
    """The moves of games between policies drawn at random: to learn from, and held out."""
    rows: tuple[list[Floats], list[Floats]] = ([], [])
    made: tuple[list[int], list[int]] = ([], [])
    for game in range(games):
        dice = random.Random(f"{seed} {game}")
        players = dice.randint(2, 5)
        seats = [dice.randrange(len(POLICIES)) for _ in range(players)]
        table = Table(parse_rules("goodman", players), [find_agent(POLICIES[policy]) for policy in seats])
        table.play_game(seed + game)
        part = game % HELD_OUT_GAMES == 0
        for turn, row in enumerate(move_rows(table.game())):
            rows[part].append(row)
            made[part].append(seats[turn % players])
    first, second = (PolicyExamples(np.array(r), np.array(m)) for r, m in zip(rows, made, strict=True))
    return first, second


def move_rows(game: Game) -> list[Floats]:
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

    def _step(self, inputs: Floats, policies: npt.NDArray[np.int64], rate: float) -> None:
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


def softmax(scores: Floats) -> Floats:
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
