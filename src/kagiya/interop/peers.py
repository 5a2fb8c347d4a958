"""Random play in other people's Hanabi programs, as their users drive them, to measure ourselves against."""

from __future__ import annotations

import importlib
import random
import time
import warnings
from collections.abc import Callable
from typing import Any

from kagiya.lab.bench.rates import Rate


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
