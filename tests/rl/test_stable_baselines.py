"""The environment for Stable-Baselines3, with SB3 where it is installed, and with a stand-in of its base class."""

from __future__ import annotations

import importlib
import sys
from abc import ABC, abstractmethod
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from kagiya import Rules
from kagiya.rl import ActionError, Batch

pytest.importorskip("gymnasium")

HOME = "kagiya.rl.stable_baselines_env"
NAMES = ("stable_baselines3", "stable_baselines3.common", "stable_baselines3.common.vec_env")


class StandIn(ABC):
    """What SB3 asks of a `VecEnv`, and what its base class does about seeds and steps."""

    def __init__(self, num_envs: int, observation_space: Any, action_space: Any) -> None:
        self.num_envs, self.observation_space, self.action_space = num_envs, observation_space, action_space
        self._reset_seeds()
        self.render_mode = self.get_attr("render_mode")[0]

    def _reset_seeds(self) -> None:
        self._seeds: list[int | None] = [None] * self.num_envs

    def _reset_options(self) -> None:
        self._options: list[Any] = []

    def seed(self, seed: int) -> None:
        self._seeds = [seed + lane for lane in range(self.num_envs)]

    def step(self, actions: Any) -> Any:
        self.step_async(actions)
        return self.step_wait()

    @abstractmethod
    def reset(self) -> Any: ...
    @abstractmethod
    def step_async(self, actions: Any) -> None: ...
    @abstractmethod
    def step_wait(self) -> Any: ...
    @abstractmethod
    def close(self) -> None: ...
    @abstractmethod
    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]: ...
    @abstractmethod
    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None: ...
    @abstractmethod
    def env_method(self, method_name: str, *args: Any, indices: Any = None, **options: Any) -> list[Any]: ...
    @abstractmethod
    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]: ...


@pytest.fixture(params=["stand-in", "SB3"])
def environment(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The class, over SB3's base class or over its stand-in."""
    if request.param == "SB3":
        pytest.importorskip(NAMES[0])
    else:
        for name in NAMES:
            monkeypatch.setitem(sys.modules, name, ModuleType(name))
        monkeypatch.setattr(sys.modules[NAMES[-1]], "VecEnv", StandIn, raising=False)
    monkeypatch.delitem(sys.modules, HOME, raising=False)
    found = importlib.import_module(HOME).HanabiVecEnv
    del sys.modules[HOME]
    return found


def test_lanes_are_those_of_a_batch(environment: Any) -> None:
    env, batch = environment(4, players=3, partners="iggi"), Batch(Rules(players=3), 4, partners="iggi")
    env.seed(7)
    np.testing.assert_array_equal(env.reset(), batch.reset(7))
    ends, earned = 0, np.zeros(4)
    for _ in range(60):
        masks = np.stack(env.env_method("action_masks"))
        np.testing.assert_array_equal(masks, batch.masks)
        found, expected = env.step(masks.argmax(axis=1)), batch.step(masks.argmax(axis=1))
        for mine, other in zip(found, expected, strict=False):
            np.testing.assert_array_equal(mine, other)
        earned += batch.rewards
        for lane in np.flatnonzero(batch.ended):
            info, ends = found[-1][lane], ends + 1
            np.testing.assert_array_equal(info["terminal_observation"], batch.final_vectors[lane])
            assert info["episode"]["r"] == earned[lane] == batch.final_scores[lane]
            assert (info["episode"]["l"] > 1, info["TimeLimit.truncated"], info["replaced"]) == (True, False, False)
            earned[lane] = 0
    assert ends > 2
    with pytest.raises(AssertionError):
        np.testing.assert_array_equal(env.reset(), batch.reset(7))


def test_what_sb3_asks(environment: Any) -> None:
    env = environment(2, render_mode="rgb_array")
    assert env.reset()[0] in env.observation_space
    *_, infos = env.step(np.array([0, 5]))
    assert [info["replaced"] for info in infos] == [True, False]
    assert env.get_attr("render_mode") == ["rgb_array"] * 2
    assert [image.shape for image in env.get_images()] == [(400, 800, 3)] * 2
    assert environment(2).get_images() == [None, None]
    assert env.env_is_wrapped(type("Monitor", (), {}), indices=0) == [True]
    assert env.env_is_wrapped(dict) == [False, False]
    env.set_attr("note", 1)
    assert env.get_attr("note", indices=[0]) == [1]
    with pytest.raises(AttributeError, match="action_masks, not jump"):
        env.env_method("jump")
    strict = environment(illegal="raise")
    strict.reset()
    with pytest.raises(ActionError):
        strict.step(np.array([0]))
    env.close()
    with pytest.raises(ValueError, match="render_mode is None or 'rgb_array', not 'human'"):
        environment(render_mode="human")


def test_sb3_learns_with_the_defaults() -> None:
    """Its own checker, its `make_vec_env`, and a learner without masks, on both kinds of environment."""
    sb3 = pytest.importorskip(NAMES[0])
    checker, maker = (importlib.import_module(f"{NAMES[0]}.common.{name}") for name in ("env_checker", "env_util"))
    kind = importlib.import_module(HOME).HanabiVecEnv
    made = maker.make_vec_env("kagiya.rl.gymnasium_env:kagiya/Hanabi-v0", n_envs=2)
    checker.check_env(made.envs[0].unwrapped)
    for env in (made, kind(2)):
        sb3.PPO("MlpPolicy", env, n_steps=8, batch_size=8, n_epochs=1).learn(16)
