"""A runner of episodes as HLE's `rl_env_example.py` has it: an agent that leaves `reset` out, every seat asked."""

import random
import sys

from hanabi_learning_environment import rl_env
from hanabi_learning_environment.rl_env import Agent


class Chooser(Agent):  # type: ignore[misc]
    def __init__(self, config, *args, **kwargs):  # type: ignore[no-untyped-def]
        self.config = config

    def act(self, observation):  # type: ignore[no-untyped-def]
        if observation["current_player_offset"] != 0:
            return None
        return random.choice(observation["legal_moves"])


def run(players, episodes):  # type: ignore[no-untyped-def]
    environment, rewards = rl_env.make("Hanabi-Full", num_players=players), []
    for _ in range(episodes):
        observations, done, reward_sum = environment.reset(), False, 0
        agents = [Chooser({"players": players}) for _ in range(players)]
        while not done:
            for number, agent in enumerate(agents):
                observation = observations["player_observations"][number]
                action = agent.act(observation)
                if observation["current_player"] == number:
                    current_action = action
                else:
                    assert action is None
            observations, reward, done, info = environment.step(current_action)
            reward_sum += reward
        assert (reward_sum, info) == (environment.state.score(), {})
        rewards.append(reward_sum)
    return rewards


if __name__ == "__main__":
    rewards = run(int(sys.argv[1]), 3)
    sys.stdout.write(f"{len(rewards)} episodes\n")
