"""The loop of HLE's Rainbow learner: vectors stacked, legal moves as minus infinities, numpy's numbers as actions."""

import numpy as np
import rl_env  # type: ignore[import-not-found]  # as in HLE's older checkouts

environment = rl_env.make(environment_name="Hanabi-Small", num_players=2, pyhanabi_path=None)
size, moves = environment.vectorized_observation_shape()[0], environment.num_moves()
dice = np.random.default_rng()
stacks, owed = np.zeros((environment.players, 4 * size)), np.zeros(environment.players)
for _ in range(5):
    observations, done = environment.reset(), False
    while not done:
        player = observations["current_player"]
        mine = observations["player_observations"][player]
        stacks[player] = np.roll(stacks[player], -size)
        stacks[player, 3 * size :] = mine["vectorized"]
        legal = np.full(moves, -np.inf)
        legal[mine["legal_moves_as_int"]] = 0
        observations, reward, done, _ = environment.step(np.argmax(legal + dice.random(moves)).item())
        owed += reward
assert stacks.any()
