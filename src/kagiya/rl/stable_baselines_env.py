"""Stable-Baselines3: many games as one `VecEnv`, stepped without Python in the loop.

SB3 brings PyTorch along, so no extra of ours installs it: `pip install stable-baselines3`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError:
    raise ImportError("this environment needs Stable-Baselines3: pip install stable-baselines3") from None

from gymnasium import spaces

from kagiya.rl.encoding import Encoding
from kagiya.rl.gymnasium_env import picture, vector_space
from kagiya.rl.rl_batch import MAX_SEED, Batch, Episodes, Partners, Pool, episodes_with
from kagiya.rules import Rules

Steps = tuple[npt.NDArray[Any], npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]


class HanabiVecEnv(VecEnv):  # type: ignore[misc]
    """Games in lanes for SB3's learners, with the arguments of `HanabiVectorEnv`.

    It has the masks that `sb3_contrib.MaskablePPO` asks for; to the others, which know no masks, an illegal action is
    replaced, and the info of the lane says so. At the end of a game the info has what SB3's `Monitor` would write.
    """

    def __init__(  # noqa: PLR0913  # given by name
        self,
        num_envs: int = 1,
        rules: Rules | str | None = None,
        players: int | None = None,
        partners: Partners | Pool | None = None,
        encoding: Encoding | None = None,
        episodes: Episodes | None = None,
        illegal: str = "replace",
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode is None or 'rgb_array', not {render_mode!r}")
        played = episodes_with(episodes, next_game="at once", illegal=illegal)
        self.batch = Batch(rules, num_envs, encoding, played, partners, players)
        self.render_mode, self._dice = render_mode, np.random.default_rng()
        self._earned, self._moves = np.zeros(num_envs), np.zeros(num_envs, np.int64)
        self._actions: npt.NDArray[np.int64] = self._moves
        self._started = time.time()
        moves = spaces.Discrete(self.batch.encoding.moves(self.batch.rules))
        super().__init__(num_envs, vector_space(self.batch), moves)

    def reset(self) -> npt.NDArray[Any]:
        """Begin a game in every lane; after `seed(n)` lane k has seed n + k."""
        seeds = [each for each in self._seeds if each is not None]
        if seeds:
            self._dice = np.random.default_rng(seeds)
        self.batch.reset(seeds or int(self._dice.integers(MAX_SEED)))
        self._earned[:], self._moves[:] = 0, 0
        self._reset_seeds()
        self._reset_options()
        return self.batch.vectors.copy()

    def step_async(self, actions: npt.NDArray[np.int64]) -> None:
        """Take note of the actions."""
        self._actions = actions

    def step_wait(self) -> Steps:
        """Make one move in every game; where a game ends the next begins."""
        vectors, rewards, ended = self.batch.step(self._actions)
        self._earned += rewards
        self._moves += 1
        infos: list[dict[str, Any]] = [{"replaced": replaced} for replaced in self.batch.replaced.tolist()]
        for lane in np.flatnonzero(ended).tolist():
            infos[lane] |= self._ending(lane)
        self._earned[ended], self._moves[ended] = 0, 0
        return vectors.copy(), rewards.copy(), ended.copy(), infos

    def _ending(self, lane: int) -> dict[str, Any]:
        seconds = round(time.time() - self._started, 6)
        return {
            "terminal_observation": self.batch.final_vectors[lane].copy(),
            "TimeLimit.truncated": False,
            "episode": {"r": float(self._earned[lane]), "l": int(self._moves[lane]), "t": seconds},
        }

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, for every lane."""
        return self.batch.masks_to_move.copy()

    def get_images(self) -> list[npt.NDArray[np.uint8] | None]:
        """A picture of every lane's table, if the render mode is "rgb_array"."""
        if self.render_mode is None:
            return [None] * self.num_envs
        return [picture(str(self.batch.game(lane))) for lane in range(self.num_envs)]

    def close(self) -> None:
        """There is nothing to put away."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute, which all lanes share."""
        return [getattr(self, attr_name) for _ in self._chosen(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute, which all lanes share."""
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **options: Any) -> list[Any]:
        """What `action_masks` returns for each of the lanes; nothing else can be asked of a single one."""
        if method_name != "action_masks":
            raise AttributeError(f"a lane of a HanabiVecEnv has the method action_masks, not {method_name}")
        masks = self.action_masks()
        return [masks[lane] for lane in self._chosen(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """Yes for `Monitor`, whose work is done here."""
        return [wrapper_class.__name__ == "Monitor" for _ in self._chosen(indices)]

    def _chosen(self, indices: int | Iterable[int] | None) -> Iterable[int]:
        if indices is None:
            return range(self.batch.lanes)
        return [indices] if isinstance(indices, int) else indices
