"""Gymnasium: one game with partners, and many at once. The extra `rl` brings Gymnasium.

Importing this module registers the ids; `gymnasium.make("kagiya.rl.gymnasium_env:kagiya/Hanabi-v0")` imports it itself.

What may be chosen is in `info["action_mask"]`. An action that is illegal all the same is not made: a legal one is drawn
in its place and `info["replaced"]` says so; with `illegal="raise"` it is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from kagiya.rl.rl_batch import MAX_SEED, Batch, Episodes, Partners, Pool, episodes_with
from kagiya.rules import Rules

Vector = npt.NDArray[Any]
NEXT_GAME = {
    AutoresetMode.SAME_STEP: "at once",
    AutoresetMode.NEXT_STEP: "next step",
    AutoresetMode.DISABLED: "reset",
}


RENDER_MODES = ["ansi", "human", "rgb_array"]
FRAMES_PER_SECOND = 2


def vector_space(batch: Batch) -> spaces.Box:
    """What the vector of one game may be, or the vectors of all its seats."""
    encoding, rules = batch.encoding, batch.rules
    seats = (rules.players,) if batch.episodes.every_seat else ()
    return spaces.Box(0, 255 if encoding.numbers == PACKED else 1, (*seats, encoding.width(rules)), encoding.dtype)


def check_render_mode(mode: str | None) -> None:
    """Refuse a way to draw that there is not."""
    if mode not in (None, *RENDER_MODES):
        raise ValueError(f"render_mode is None, {', '.join(map(repr, RENDER_MODES))}, not {mode!r}")


def rendered(game: Game, mode: str | None) -> Any:
    """The table as text ("ansi"), as a picture of the text, or printed; None if it is not to be drawn."""
    if mode == "human":
        print(game)  # noqa: T201
        return None
    if mode == "rgb_array":
        return picture(str(game))
    return str(game) if mode == "ansi" else None


def picture(text: str) -> npt.NDArray[np.uint8]:
    """A text as pixels, as renderers want it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4), dpi=100)
    canvas = FigureCanvasAgg(figure)
    figure.text(0.03, 0.95, text, family="monospace", size=12, va="top")
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[:, :, :3].copy()


VECTOR_OPTIONS = "reset_mask, decks, positions and again"


class HanabiGymEnv(gymnasium.Env[Vector, np.int64]):
    """One game at a time. With partners the learner has one seat; without, it moves for every seat in turn.

    `episodes` says how rewards are counted, whether all seats' vectors are given, and whether colors are permuted.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": FRAMES_PER_SECOND}  # noqa: RUF012  # Gymnasium wants it so

    def __init__(  # noqa: PLR0913  # `make` gives them by name
        self,
        rules: Rules | str | None = None,
        players: int | None = None,
        partners: Partners | Pool | None = None,
        encoding: Encoding | None = None,
        illegal: str = "replace",
        render_mode: str | None = None,
        episodes: Episodes | None = None,
    ) -> None:
        check_render_mode(render_mode)
        played = episodes_with(episodes, next_game="reset", illegal=illegal)
        self.batch = Batch(rules, 1, encoding, played, partners, players)
        self.observation_space = vector_space(self.batch)
        self.action_space = spaces.Discrete(self.batch.encoding.moves(self.batch.rules))
        self.render_mode = render_mode

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
        self.batch.step(np.asarray([action]))
        reward = float(self.batch.rewards[0])
        if self.render_mode == "human":
            self.render()
        return self.batch.vectors[0].copy(), reward, bool(self.batch.ended[0]), False, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, as maskable learners ask for it."""
        return self.batch.masks_to_move[0].copy()

    def _info(self) -> dict[str, Any]:
        mask = self.action_masks().view(np.int8)  # of the type that `action_space.sample` takes
        return {"action_mask": mask, "seat": int(self.batch.seats[0]), "replaced": bool(self.batch.replaced[0])}

    def game(self) -> Game:
        """The game as it stands, all cards open."""
        return self.batch.game(0)

    def render(self) -> Any:
        """The table as text or as pixels, in the way that was asked for; "human" prints it."""
        return rendered(self.game(), self.render_mode)


class HanabiVectorEnv(VectorEnv[Vector, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many games at once, stepped without Python in the loop; all three modes of autoreset.

    `copy=False` hands out the batch's own arrays, which the next step overwrites.
    """

    def __init__(  # noqa: PLR0913  # `make_vec` gives them by name
        self,
        num_envs: int = 1,
        rules: Rules | str | None = None,
        players: int | None = None,
        partners: Partners | Pool | None = None,
        encoding: Encoding | None = None,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        illegal: str = "replace",
        episodes: Episodes | None = None,
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode)
        self.autoreset_mode, self.render_mode = AutoresetMode(autoreset_mode), render_mode
        played = episodes_with(episodes, next_game=NEXT_GAME[self.autoreset_mode], illegal=illegal)
        self.batch = Batch(rules, num_envs, encoding, played, partners, players)
        self.num_envs, self._copies = self.batch.lanes, copy
        drawn = {"render_modes": RENDER_MODES, "render_fps": FRAMES_PER_SECOND}
        self.metadata = {"autoreset_mode": self.autoreset_mode, **drawn}
        self.single_observation_space = vector_space(self.batch)
        self.single_action_space = spaces.Discrete(self.batch.encoding.moves(self.batch.rules))
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Vector, dict[str, Any]]:
        """Begin games in all lanes, or where `options["reset_mask"]` says so; lane n with seed + n, or with the seed
        that a list has for it.

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
        super().reset(seed=int(seed) if isinstance(seed, int | np.integer) else None)
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
        batch = self.batch
        shown: dict[str, npt.NDArray[Any]] = {"action_mask": batch.masks_to_move.view(np.int8), "seat": batch.seats}
        return {name: self._given(array) for name, array in {**shown, "replaced": batch.replaced}.items()}

    def render(self) -> tuple[Any, ...] | None:
        """The tables of all lanes, in the way that was asked for."""
        if self.render_mode is None:
            return None
        return tuple(rendered(self.batch.game(lane), self.render_mode) for lane in range(self.num_envs))


def register() -> None:
    """Make the ids known to `gymnasium.make` and `make_vec`; done when this module is imported."""
    for name, extra in (("kagiya/Hanabi-v0", {}), ("kagiya/HanabiSmall-v0", {"rules": "hle-small"})):
        if name not in gymnasium.registry:
            home = __name__
            gymnasium.register(name, f"{home}:HanabiGymEnv", vector_entry_point=f"{home}:HanabiVectorEnv", kwargs=extra)


register()
