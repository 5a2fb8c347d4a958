"""PettingZoo: `hanabi_v5`'s arguments and observations, with whole games and start seats that move first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
except ImportError:
    raise ImportError("these environments need PettingZoo and Gymnasium: pip install 'kagiya[rl]'") from None

from kagiya.rl.encoding import Encoding
from kagiya.rl.gymnasium_env import FRAMES_PER_SECOND, RENDER_MODES, check_render_mode, rendered
from kagiya.rl.rl_batch import MAX_SEED, Batch, Episodes
from kagiya.rl.vectors import SETTINGS, rules_from_config
from kagiya.rules import Rules

Seen = dict[str, npt.NDArray[Any]]
DRAWN = {"render_modes": RENDER_MODES, "render_fps": FRAMES_PER_SECOND}
OBSERVATION_TYPES = {"minimal": "minimal", "card_knowledge": "card-knowledge", "seer": "seer"}


@dataclass(frozen=True)
class Config:
    """The arguments of `hanabi_v5`; a hand size of None is 5, or 4 with four and more players.

    Of our own: `illegal`, "replace" an illegal action by a legal one that is drawn, as the mover's info then says, or
    "raise" an error; and `max_cycles`, after which a game is cut: steps of the parallel environment, rounds of the
    other. None plays whole games.
    """

    colors: int = 5
    ranks: int = 5
    players: int = 2
    hand_size: int | None = None
    max_information_tokens: int = 8
    max_life_tokens: int = 3
    observation_type: str = "card_knowledge"
    random_start_player: bool = False
    render_mode: str | None = None
    illegal: str = "replace"
    max_cycles: int | None = None

    def __post_init__(self) -> None:
        for name in ("players", "ranks", "colors", "hand_size", "max_cycles"):
            value = getattr(self, name)
            is_number = isinstance(value, int | np.integer) and not isinstance(value, bool) and value > 0
            if not is_number and not (value is None and name in ("hand_size", "max_cycles")):
                raise ValueError(f"{name} must be an integer of at least 1, not {value!r}")
        if not isinstance(self.random_start_player, bool):
            raise ValueError(f"random_start_player is True or False, not {self.random_start_player!r}")
        if self.observation_type not in OBSERVATION_TYPES:
            known = ", ".join(OBSERVATION_TYPES)
            raise ValueError(f"observation_type is one of {known}, not {self.observation_type!r}")
        check_render_mode(self.render_mode)

    def rules(self) -> Rules:
        """The same as our rules."""
        return rules_from_config({name: getattr(self, name) for name in SETTINGS})


class _Table:
    """What both environments share: one game, whose seats are called by the agents' names."""

    def _set_up(self, config: dict[str, Any], no_op: bool) -> None:
        self._config = read_config(config)
        self._rules, self.render_mode = self._config.rules(), self._config.render_mode
        encoding = Encoding(OBSERVATION_TYPES[self._config.observation_type], no_op=no_op)
        episodes = Episodes(every_seat=True, next_game="reset", illegal=self._config.illegal)
        self._batch = Batch(self._rules, 1, encoding, episodes)
        self.possible_agents = [f"player_{seat}" for seat in range(self._rules.players)]
        self._whole = Encoding(encoding.kind, own_hand=True)
        self._start, self._dice = 0, np.random.default_rng()
        width, moves = encoding.width(self._rules), encoding.moves(self._rules)
        vector, mask = spaces.Box(0, 1, (width,), np.int8), spaces.Box(0, 1, (moves,), np.int8)
        self._seen = spaces.Dict({"observation": vector, "action_mask": mask})
        self._actions = spaces.Discrete(moves)
        self.state_space = spaces.Box(0, 1, (self._whole.width(self._rules),), np.int8)

    def _begin(self, seed: int | None, options: dict[str, Any] | None) -> None:
        """A new game; a seed begins a sequence of games, without one the sequence goes on.

        Options that mean nothing here are passed over: PettingZoo's own test gives one.
        """
        if seed is not None:
            self._dice = np.random.default_rng(seed)
        given = options or {}
        begun: dict[str, Any] = {f"{name}s": [given[name]] for name in ("deck", "position") if name in given}
        self._batch.reset(int(self._dice.integers(MAX_SEED)), **begun)
        self._start = int(self._dice.integers(self._rules.players)) if self._config.random_start_player else 0
        self.agents = list(self.possible_agents)

    @property
    def _mover(self) -> str:
        """Whose turn it is. Our seat 0 moves first; whoever starts is sitting there."""
        return self.possible_agents[(int(self._batch.seats[0]) + self._start) % self._rules.players]

    def _move(self, action: int) -> dict[str, dict[str, Any]]:
        """The agent to move moves; the infos of all agents."""
        mover = self._mover
        self._batch.step(np.asarray([action]))
        replaced = {"replaced": bool(self._batch.replaced[0])}
        return {agent: replaced if agent == mover else {} for agent in self.agents}

    def _is_cut(self, moves_of_a_cycle: int) -> bool:
        """Whether `max_cycles` ends the game here."""
        turn, most = int(self._batch._states[0]["turn"]), self._config.max_cycles
        return most is not None and not self._batch.ended[0] and turn >= most * moves_of_a_cycle

    def observe(self, agent: str) -> Seen:
        """What an agent sees now: its vector and mask."""
        self._batch.check_begun()
        if agent not in self.possible_agents:
            raise ValueError(f"{agent!r} is not at this table; there are {', '.join(self.possible_agents)}")
        seat = (self.possible_agents.index(agent) - self._start) % self._rules.players
        mask = self._batch.masks[0, seat].astype(np.int8)
        return {"observation": self._batch.vectors[0, seat].copy(), "action_mask": mask}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for all."""
        return self._seen

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same for all."""
        return self._actions

    def state(self) -> npt.NDArray[np.int8]:
        """Everything on the table: the vector of the seat to move, its own hand shown."""
        vector: npt.NDArray[np.int8] = self._whole.encode(self._batch.game(0))
        return vector

    def render(self) -> Any:
        """The table as text or as a picture of the text, in the way that was asked for."""
        return rendered(self._batch.game(0), self.render_mode)

    def close(self) -> None:
        """There is nothing to put away."""


class HanabiAEC(_Table, AECEnv[str, Seen, int]):  # type: ignore[misc]
    """Agents move in turn."""

    metadata = {"name": "kagiya_hanabi_v0", **DRAWN, "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, **config: Any) -> None:
        super().__init__()
        self._set_up(config, no_op=False)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; `options` may hold a "deck" or a "position"."""
        self._begin(seed, options)
        self.rewards, self._cumulative_rewards = (dict.fromkeys(self.agents, 0.0) for _ in range(2))
        self.terminations, self.truncations = (dict.fromkeys(self.agents, False) for _ in range(2))
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._mover

    def step(self, action: int | None) -> None:
        """The selected agent moves; after the end each agent steps once more with None."""
        self._batch.check_begun()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to move and gave no action")
        self.infos = self._move(action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, float(self._batch.rewards[0]))
        if self._batch.ended[0]:
            self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, self._is_cut(self._rules.players))
        self.agent_selection = self._mover
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()


class HanabiParallel(_Table, ParallelEnv[str, Seen, int]):  # type: ignore[misc]
    """All agents act at once; those who are not to move send the no-op, which is the last action."""

    metadata = {"name": "kagiya_hanabi_parallel_v0", **DRAWN}  # noqa: RUF012

    def __init__(self, **config: Any) -> None:
        self._set_up(config, no_op=True)
        self.agents: list[str] = []

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        """Begin a game; `options` may hold a "deck" or a "position"."""
        self._begin(seed, options)
        return self._observed(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """The agent to move moves."""
        self._batch.check_begun()
        mover, no_op = self._mover, int(self._actions.n) - 1
        if mover not in actions:
            raise ValueError(f"{mover} is to move and gave no action")
        for agent, action in actions.items():
            if agent != mover and action != no_op and self._config.illegal == "raise":
                raise ValueError(f"{agent} is not to move and must send the no-op, {no_op}, not {action}")
        infos = self._move(actions[mover])
        over, cut = bool(self._batch.ended[0]), self._is_cut(1)
        agents, seen = self.agents, self._observed()
        self.agents = [] if over or cut else agents
        rewards = dict.fromkeys(agents, float(self._batch.rewards[0]))
        return seen, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, cut), infos

    def _observed(self) -> dict[str, Seen]:
        return {agent: self.observe(agent) for agent in self.agents}


def env(**config: Any) -> HanabiAEC:
    """An environment in turns, with `hanabi_v5`'s arguments."""
    return HanabiAEC(**config)


def parallel_env(**config: Any) -> HanabiParallel:
    """An environment in which all act at once, with `hanabi_v5`'s arguments."""
    return HanabiParallel(**config)


def read_config(config: dict[str, Any]) -> Config:
    """The arguments as a `Config`; a name that is none of them is refused with the nearest."""
    from kagiya.spec import near

    known = Config.__dataclass_fields__
    for name in config:
        if name not in known:
            raise ValueError(f"{name!r} is not an argument of this environment: {near(name, known)}")
    return Config(**config)
