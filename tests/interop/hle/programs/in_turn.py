"""An environment in turns over HLE's, as PettingZoo's was until 1.23: one `HanabiEnv` inside, dicts flattened."""

import random

import numpy as np
from hanabi_learning_environment.rl_env import HanabiEnv


class InTurn:
    def __init__(self, **config):  # type: ignore[no-untyped-def]
        self.hanabi_env = HanabiEnv(config={"observation_type": 1, "random_start_player": False, **config})
        self.agents = [f"player_{number}" for number in range(self.hanabi_env.players)]
        self.width = self.hanabi_env.vectorized_observation_shape()[0]

    def reset(self):  # type: ignore[no-untyped-def]
        self.take(self.hanabi_env.reset())
        self.done = False

    def take(self, observations):  # type: ignore[no-untyped-def]
        self.selection, seen = self.agents[observations["current_player"]], observations["player_observations"]
        self.seen = {
            agent: (np.array(mine["vectorized"], np.float32), np.array(mine["legal_moves_as_int"]))
            for agent, mine in zip(self.agents, seen, strict=True)
        }

    def step(self, action):  # type: ignore[no-untyped-def]
        observations, self.reward, self.done, _ = self.hanabi_env.step(action=int(action))
        self.take(observations)


for players in (2, 4):
    env = InTurn(players=players, colors=5, ranks=5, hand_size=4)
    env.reset()
    while not env.done:
        vector, legal = env.seen[env.selection]
        assert vector.shape == (env.width,)
        assert all(not len(others) for agent, (_, others) in env.seen.items() if agent != env.selection)
        env.step(random.choice(legal))
    assert len(env.seen[env.selection][1])  # HLE goes on listing moves after the end, and PettingZoo wants a mask
