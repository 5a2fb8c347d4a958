"""A one-step search by copies of a state, as agents of HLE's forks do it."""

import random

from hanabi_learning_environment import pyhanabi, rl_env


def rollout(environment, state, move):  # type: ignore[no-untyped-def]
    environment.state = state.copy()
    seen, reward, done, _ = environment.step(move.to_dict())
    for _ in range(3):
        if not done:
            mine = seen["player_observations"][seen["current_player"]]
            seen, _, done, _ = environment.step(random.choice(mine["legal_moves_as_int"]))
    return reward


environment = rl_env.HanabiEnv(config={"players": 2, "colors": 3, "ranks": 3, "hand_size": 3, "max_life_tokens": 2})
sandbox = rl_env.HanabiEnv(config={"players": 2, "colors": 3, "ranks": 3, "hand_size": 3, "max_life_tokens": 2})
observations, done = environment.reset(), False
while not done:
    root = environment.state
    values = {uid: rollout(sandbox, root, environment.game.get_move(uid)) for uid in range(environment.num_moves())
              if root.move_is_legal(environment.game.get_move(uid))}  # fmt: skip
    best = environment.game.get_move(max(values, key=lambda uid: (values[uid], random.random())))
    assert any(best == move for move in root.legal_moves())
    assert best.type() in (pyhanabi.HanabiMoveType.PLAY, *list(pyhanabi.HanabiMoveType)[2:5])
    observations, _, done, _ = environment.step(best.to_dict())
