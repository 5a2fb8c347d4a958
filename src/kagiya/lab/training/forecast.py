"""A forecast of the final score from counts: least squares on games of one agent, each with one careless move.

A search over an agent tries moves that the agent would not make. So that the forecast has seen what follows, one move
of every game is any legal one; positions after it, every few moves, are the rows. The target is the points still to
come, less what a bomb loses. The fit is linear and exact, needs no PyTorch, and is judged on one game in ten held out.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents.api import Agent
from kagiya.cards import MoveNumber
from kagiya.engine.batch import Addresses, call_act, make_move
from kagiya.engine.dice import below, seed_stream
from kagiya.engine.game_kernels import deal, is_over, legal_moves, score
from kagiya.engine.layout import GAME, TEMPLATE, Memory, Params, States, Streams, new_streams
from kagiya.engine.memory import clear_memory
from kagiya.lab.result_files import provenance
from kagiya.lab.table.table import Table
from kagiya.learn.features import Features
from kagiya.learn.networks import Network, write_network
from kagiya.learn.values import FORECAST_FEATURES, POINTS, forecast_features, write_forecast_features
from kagiya.rules import Rules

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
HELD_OUT = 10  # one game in so many
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
        found = play_careless_game(
            table.states, table.memory, table.params, table.rng, table.acts, table.observes, dice, rows, targets
        )
        inputs.append(rows[:found].copy())
        outcomes.append(targets[:found].copy())
        numbers.append(np.full(found, game))
    return ForecastRows(np.concatenate(inputs), np.concatenate(outcomes), np.concatenate(numbers))


def fit_forecast(counted: ForecastRows) -> Network:
    """The linear function with the least squared error on the games that are not held out."""
    learned = counted.games % HELD_OUT != 0
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
    network = Network(found.kind, found.mean, found.spread, found.weights, found.biases, origin | provenance(command))
    write_network(path, network)
    return network
