"""Other people's Hanabi programs as their users drive them: random games and environments' steps, beside ours."""

from __future__ import annotations

import importlib
import random
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya import Rules
from kagiya.dev.bench import COUNTS, Rate, agent_rate
from kagiya.interop.hle import rl_env
from kagiya.rl import Batch, Encoding, Episodes, Partners
from kagiya.runtime.workers import cores

LANES = 1024
PARTNER = "smartbot"
OPEN_SPIEL, HLE, DROP_IN = "OpenSpiel with observation_tensor", "HLE rl_env", "our drop-in rl_env"
JAXMARL = "JaxMARL, all seats"
BATCH, BOTH_SEATS, WITH_PARTNER = "Batch", "Batch, all seats", f"Batch, one {PARTNER} partner, moves"
NO_VECTORS = "Batch, no vectors"
MATCH = f"match {PARTNER}, moves"
ONE_THREAD, THREADS = "Batch, one thread, wall time", "Batch, two threads, wall time"
PEERS = {OPEN_SPIEL: "pyspiel", HLE: "hanabi_learning_environment.rl_env", JAXMARL: "jaxmarl"}
DISTRIBUTIONS = {OPEN_SPIEL: "open_spiel", HLE: "hanabi_learning_environment", JAXMARL: "jaxmarl"}
# What is measured for which numbers of players, and which of it is set against what.
OURS: dict[str, tuple[int, ...]] = {NO_VECTORS: (2, 5), BATCH: (2, 5), BOTH_SEATS: (2, 5), WITH_PARTNER: (2,)}
SETTINGS = {**OURS, OPEN_SPIEL: (2, 5), JAXMARL: (2, 5), DROP_IN: (2, 5), HLE: (2, 5)}
RATIOS = (
    (BATCH, OPEN_SPIEL),
    (BATCH, HLE),
    (BOTH_SEATS, HLE),
    (BOTH_SEATS, JAXMARL),
    (DROP_IN, HLE),
    (WITH_PARTNER, MATCH),
    (THREADS, ONE_THREAD),
)


def load(module: str) -> Any:
    """Another program, or None if it is not installed here."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(module)
    except ImportError:
        return None


def peer_programs() -> dict[str, Callable[[int, float], Rate]]:
    """The programs that are installed here, by name: each plays random games and returns its rate."""
    found: dict[str, Callable[[int, float], Rate]] = {}
    if rl_env := load("hanabi_learning_environment.rl_env"):
        found["HLE rl_env"] = lambda players, seconds: timed(hle_env_game(rl_env, players), seconds)
    if pyhanabi := load("hanabi_learning_environment.pyhanabi"):
        found["HLE pyhanabi, state only"] = lambda players, seconds: timed(_pyhanabi_game(pyhanabi, players), seconds)
    if pyspiel := load("pyspiel"):
        found["OpenSpiel, state only"] = lambda players, seconds: timed(open_spiel_game(pyspiel, players), seconds)
    return found


def measure_peers(seconds: float, rounds: int, advance: Callable[[int], None]) -> list[dict[str, Any]]:
    """For each program installed here the ratio of our random games per second to its."""
    programs = peer_programs()
    ratios: dict[str, dict[str, list[float]]] = {name: {str(c): [] for c in COUNTS} for name in programs}
    for _ in range(rounds):
        for count in COUNTS:
            ours = agent_rate("random", count, seconds)
            for name, play in programs.items():
                ratios[name][str(count)].append(ours.games / play(count, seconds).games)
                advance(1)
    return [{"name": name, "ratios": {c: median(found) for c, found in by.items()}} for name, by in ratios.items()]


def timed(play: Callable[[], int], seconds: float) -> Rate:
    """Games and moves per second of CPU time; `play` plays a game and returns its moves."""
    play()
    games, moves, started = 0, 0, time.process_time()
    while (spent := time.process_time() - started) < seconds:
        moves += play()
        games += 1
    return Rate(games / spent, moves / spent)


def hle_env_game(rl_env: Any, players: int) -> Callable[[], int]:
    """Plays a random game of HLE's environment, or of one with its interface, and returns its moves."""
    env = rl_env.make("Hanabi-Full", num_players=players)
    dice = random.Random(1)

    def play() -> int:
        observation, over, moves = env.reset(), False, 0
        while not over:
            mine = observation["player_observations"][observation["current_player"]]
            observation, _, over, _ = env.step(dice.choice(mine["legal_moves_as_int"]))
            moves += 1
        return moves

    return play


def _pyhanabi_game(pyhanabi: Any, players: int) -> Callable[[], int]:
    game = pyhanabi.HanabiGame({"players": players, "seed": 1})
    dice = random.Random(1)

    def play() -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.cur_player() == pyhanabi.CHANCE_PLAYER_ID:
                state.deal_random_card()
            else:
                state.apply_move(dice.choice(state.legal_moves()))
                moves += 1
        return moves

    return play


def open_spiel_game(pyspiel: Any, players: int, is_observed: bool = False) -> Callable[[], int]:
    """Plays a random game of theirs and returns its moves; observed, with the vector of every seat that is to move."""
    game = pyspiel.load_game("hanabi", {"players": players})
    dice = random.Random(1)

    def play() -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(dice.choices(actions, chances)[0])
            else:
                if is_observed:
                    state.observation_tensor(state.current_player())
                state.apply_action(dice.choice(state.legal_actions()))
                moves += 1
        return moves

    return play


def measure_envs(seconds: float, rounds: int, advance: Callable[[int], None]) -> dict[str, Any]:
    """Steps per second, and the ratios within each round: medians over the rounds; peers not installed are named."""
    measures = environments()
    rates: dict[tuple[str, int], list[float]] = {key: [] for key in measures}
    for _ in range(rounds):
        for key, measure in measures.items():
            rates[key].append(measure(seconds))
            advance(1)
    return {
        "lanes": LANES,
        "rates": [{"what": what, "players": n, "value": median(found)} for (what, n), found in rates.items()],
        "ratios": [
            {"of": one, "to": other, "players": n, "value": median(np.divide(rates[one, n], rates[other, n]).tolist())}
            for one, other in RATIOS
            for n in (2, 5)
            if (one, n) in rates and (other, n) in rates
        ],
        "versions": {DISTRIBUTIONS[what]: version(DISTRIBUTIONS[what]) for what, _ in measures if what in PEERS},
        "left_out": [name for name, module in PEERS.items() if load(module) is None],
    }


def environments() -> dict[tuple[str, int], Callable[[float], float]]:
    """What can be measured here, by name and number of players: a function from seconds to steps per second of CPU."""
    found: dict[tuple[str, int], Callable[[float], float]] = {}
    for what, counts in SETTINGS.items():
        for players in counts:
            if what not in PEERS or load(PEERS[what]) is not None:
                found[what, players] = _measure(what, players)
    found[MATCH, 2] = lambda seconds: agent_rate(PARTNER, 2, seconds).moves
    if cores() > 1:
        found[ONE_THREAD, 2], found[THREADS, 2] = _wall_rate, two_threads
    return found


def _measure(what: str, players: int) -> Callable[[float], float]:
    if what == JAXMARL:
        return jaxmarl_rate(players)
    if what == OPEN_SPIEL:
        play = open_spiel_game(load(PEERS[what]), players, is_observed=True)
    elif what in (HLE, DROP_IN):
        play = hle_env_game(rl_env if what == DROP_IN else load(PEERS[HLE]), players)
    else:
        episodes, encoding = Episodes(every_seat=what == BOTH_SEATS), Encoding("none") if what == NO_VECTORS else None
        partners = Partners(PARTNER, seat=0) if what == WITH_PARTNER else None
        batch = Batch(Rules(players=players), LANES, encoding, episodes, partners)
        return lambda seconds: batch_rate(batch, seconds)
    return lambda seconds: timed(play, seconds).moves


def batch_rate(batch: Batch, seconds: float) -> float:
    """Moves per second of CPU time; to choose them is not counted. A partner's are, but the one after a game's end."""
    dice = np.random.default_rng(1)
    batch.reset(1)
    spent, moves = 0.0, 0
    while spent < seconds:
        actions = _calm_actions(batch, dice)
        started = time.process_time()
        batch.step(actions)
        spent += time.process_time() - started
        moves += batch.lanes if batch.partners is None else 2 * batch.lanes - int(batch.ended.sum())
    return moves / spent


WARMING_UP = 3  # steps: jax compiles for the arrays that reset gives, and again for those of a step


def jaxmarl_rate(players: int) -> Callable[[float], float]:
    """Steps per second of CPU time of JaxMARL on processors: as many games at once as a batch has, vectors of all seats
    and masks. To choose moves is not counted, nor to compile."""
    jax = load("jax")
    jax.config.update("jax_platforms", "cpu")
    env = load(PEERS[JAXMARL]).make("hanabi", num_agents=players)
    step, masks = jax.jit(jax.vmap(env.step)), jax.jit(jax.vmap(env.get_legal_moves))
    keys, dice = jax.random.split(jax.random.PRNGKey(1), LANES), np.random.default_rng(1)

    def moved(state: Any, legal: Any) -> tuple[Any, Any, float]:
        actions = {name: (mask * (1 + dice.random(mask.shape))).argmax(axis=1) for name, mask in legal.items()}
        started = time.process_time()
        state = jax.block_until_ready(step(keys, state, actions))[1]
        legal = jax.block_until_ready(masks(state))
        return state, {name: np.asarray(mask) for name, mask in legal.items()}, time.process_time() - started

    def rate(seconds: float) -> float:
        state = jax.vmap(env.reset)(keys)[1]
        legal = {name: np.asarray(mask) for name, mask in masks(state).items()}
        for _ in range(WARMING_UP):
            state, legal, _ = moved(state, legal)
        spent, moves = 0.0, 0
        while spent < seconds:
            state, legal, more = moved(state, legal)
            spent, moves = spent + more, moves + LANES
        return moves / spent

    return rate


def _calm_actions(batch: Batch, dice: np.random.Generator) -> npt.NDArray[np.int64]:
    """A legal move at random; with a partner a hint or discard where there is one, for games that last."""
    masks = batch.masks_to_move
    weights = masks * (1 + dice.random(masks.shape, np.float32))
    if batch.partners is not None:
        size = batch.rules.hand_size
        weights[:, size : 2 * size] *= 0.5
    return np.asarray(weights.argmax(axis=1))


def two_threads(seconds: float) -> float:
    """Steps per second of wall time that two batches make together, each on a thread."""
    with ThreadPoolExecutor(2) as pool:
        return sum(pool.map(_wall_rate, (seconds, seconds)))


def _wall_rate(seconds: float) -> float:
    batch = Batch(Rules(players=2), LANES)
    batch.reset(1)
    steps, started = 0, time.perf_counter()
    while (spent := time.perf_counter() - started) < seconds:
        batch.step(batch.masks.argmax(axis=1))
        steps += batch.lanes
    return steps / spent
