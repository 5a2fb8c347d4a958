"""Gymnasium: one game with partners, and many at once. The extra `rl` brings Gymnasium.

Importing this module registers the ids; `gymnasium.make("kagiya.rl.gymnasium_env:kagiya/Hanabi-v0")` imports it itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
except ImportError:
    raise ImportError("these environments need Gymnasium: pip install 'kagiya[rl]'") from None

from kagiya.engine.game import Game
from kagiya.rl.encoding import PACKED, Encoding
from kagiya.rl.rl_batch import MAX_SEED, Batch, Episodes, Partners, Pool, check_illegal, legal_action
from kagiya.rules import Rules, parse_rules

Vector = npt.NDArray[Any]
NEXT_GAME = {
    AutoresetMode.SAME_STEP: "at once",
    AutoresetMode.NEXT_STEP: "next step",
    AutoresetMode.DISABLED: "reset",
}


def as_rules(rules: Rules | str | None, players: int) -> Rules:
    """Rules, or their text, for this number of players."""
    return rules if isinstance(rules, Rules) else parse_rules(rules or "standard", players)


def vector_space(encoding: Encoding, rules: Rules) -> spaces.Box:
    """What a vector may be."""
    most = 255 if encoding.numbers == PACKED else 1
    return spaces.Box(0, most, (encoding.width(rules),), encoding.dtype)


VECTOR_OPTIONS = "reset_mask, decks, positions and again"


class HanabiGymEnv(gymnasium.Env[Vector, np.int64]):
    """One game at a time. With partners the learner has one seat; without, it moves for every seat in turn.

    The legal moves are in `info["action_mask"]` and `action_masks()`. An illegal action is refused with an error; with
    `illegal="replace"` a legal one is drawn in its place.
    """

    metadata = {"render_modes": ["ansi", "human"]}  # noqa: RUF012  # Gymnasium wants it so

    def __init__(
        self,
        rules: Rules | str | None = None,
        players: int = 2,
        partners: Partners | Pool | None = None,
        encoding: Encoding | None = None,
        illegal: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        check_illegal(illegal)
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is None, 'ansi' or 'human', not {render_mode!r}")
        table = as_rules(rules, players)
        self.batch = Batch(table, 1, encoding, Episodes(next_game="reset"), partners)
        self.observation_space = vector_space(self.batch.encoding, table)
        self.action_space = spaces.Discrete(self.batch.encoding.moves(table))
        self.render_mode, self._replaces = render_mode, illegal == "replace"

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Vector, dict[str, Any]]:
        """Begin a game; with a seed, that of a whole sequence. `options` may hold a "deck" or a "position"."""
        super().reset(seed=seed)
        unknown = set(options or ()) - {"deck", "position"}
        if unknown:
            raise ValueError(f"reset takes the options deck and position, not {', '.join(sorted(unknown))}")
        begun: dict[str, Any] = {f"{name}s": [value] for name, value in (options or {}).items()}
        self.batch.reset(int(self.np_random.integers(MAX_SEED)), **begun)
        return self.batch.vectors[0].copy(), self._info()

    def step(self, action: np.int64) -> tuple[Vector, float, bool, bool, dict[str, Any]]:
        """Make a move; the partners move too, until it is the learner's turn again."""
        if self._replaces:
            action = legal_action(action, self.action_masks(), self.np_random)
        self.batch.step(np.asarray([action]))
        reward = float(self.batch.rewards[0])
        if self.render_mode == "human":
            self.render()
        return self.batch.vectors[0].copy(), reward, bool(self.batch.ended[0]), False, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, as maskable learners ask for it."""
        masks: npt.NDArray[np.int8] = self.batch.masks[0]
        return masks.astype(np.bool_)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.batch.masks[0].copy(), "seat": int(self.batch.seats[0])}

    def game(self) -> Game:
        """The game as it stands, all cards open."""
        return self.batch.game(0)

    def render(self) -> str | None:
        """The table as text; "human" prints it."""
        if self.render_mode == "human":
            print(self.game())  # noqa: T201
            return None
        return str(self.game()) if self.render_mode == "ansi" else None


class HanabiVectorEnv(VectorEnv[Vector, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many games at once, stepped without Python in the loop; all three modes of autoreset.

    `copy=False` hands out the batch's own arrays, which the next step overwrites.
    """

    def __init__(  # noqa: PLR0913  # `make_vec` gives them by name
        self,
        num_envs: int = 1,
        rules: Rules | str | None = None,
        players: int = 2,
        partners: Partners | Pool | None = None,
        encoding: Encoding | None = None,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
    ) -> None:
        table = as_rules(rules, players)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.batch = Batch(table, num_envs, encoding, Episodes(next_game=NEXT_GAME[self.autoreset_mode]), partners)
        self.num_envs, self._copies = self.batch.lanes, copy
        self.metadata = {"autoreset_mode": self.autoreset_mode}
        self.single_observation_space = vector_space(self.batch.encoding, table)
        self.single_action_space = spaces.Discrete(self.batch.encoding.moves(table))
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Vector, dict[str, Any]]:
        """Begin games in all lanes, or where `options["reset_mask"]` says so.

        `options` may hold "decks" or "positions", and "again", as `Batch.reset` takes them; a reset of some lanes goes
        on with what the last reset of all was given.
        """
        begun = dict(options or {})
        which = begun.pop("reset_mask", None)
        if unknown := set(begun) - {"decks", "positions", "again"}:
            raise ValueError(f"reset takes the options {VECTOR_OPTIONS}, not {', '.join(sorted(unknown))}")
        if which is not None:
            if begun:
                given = ", ".join(sorted(begun))
                raise ValueError(f"a reset of some lanes takes no {given}: reset all of them for that")
            self.batch.begin(np.asarray(which))
            return self._given(self.batch.vectors), self._info()
        if isinstance(seed, list):
            raise ValueError(
                "lane n plays the seeds seed + n, seed + n + num_envs and so on: give one seed, not a list"
            )
        super().reset(seed=seed)
        self.batch.reset(int(self.np_random.integers(MAX_SEED)) if seed is None else seed, **begun)
        return self._given(self.batch.vectors), self._info()

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Vector, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Make one move in every game."""
        vectors, rewards, ended = self.batch.step(actions)
        info = self._info()
        if self.autoreset_mode is AutoresetMode.SAME_STEP and ended.any():
            info |= {"final_obs": self.batch.final_vectors.copy(), "_final_obs": ended.copy()}
        cut = np.zeros(self.num_envs, np.bool_)
        return self._given(vectors), rewards.astype(np.float64), self._given(ended), cut, info

    def _given(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array.copy() if self._copies else array

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._given(self.batch.masks), "seat": self._given(self.batch.seats)}


def register() -> None:
    """Make the ids known to `gymnasium.make` and `make_vec`; done when this module is imported."""
    for name, extra in (("kagiya/Hanabi-v0", {}), ("kagiya/HanabiSmall-v0", {"rules": "hle-small"})):
        if name not in gymnasium.registry:
            home = __name__
            gymnasium.register(name, f"{home}:HanabiGymEnv", vector_entry_point=f"{home}:HanabiVectorEnv", kwargs=extra)


register()
