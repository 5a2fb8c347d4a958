"""Agents of the Hanabi Learning Environment in our laboratory: ``hle(module:Class)``.

The class is made with HLE's configuration and reset with it before every game, then asked to act on the dict that
`rl_env` gives its seat, in its own turns alone. It answers as HLE's agents do, with a dict or a number.
"""

from __future__ import annotations

import inspect
import random
from typing import Any

from kagiya.agents.api import Agent, AgentInfo, PythonAgentType, ReportedError
from kagiya.agents.register import import_module
from kagiya.cards import Seat
from kagiya.interop.hle.observation import HanabiObservation
from kagiya.interop.hle.rl_env import HanabiEnv
from kagiya.interop.hle.seen import seen_state
from kagiya.moves import MOVES, Move
from kagiya.rl.numbering import config, why_not
from kagiya.rules import Rules
from kagiya.spec import Spec, SpecError, near
from kagiya.view.observation import Observation

NAME = "hle"
HOW = "write hle(module:Class), the class being one with HLE's act(observation)"


class Guest:
    """One of HLE's agents at one seat of our table."""

    def __init__(self, guest: Any) -> None:
        self._guest: Any = guest
        self._player: Any = guest
        self._env: HanabiEnv | None = None

    def start(self, rules: Rules, seat: Seat, dice: random.Random) -> None:
        """A game begins; an agent that cannot be reset is made anew, as HLE's example runner makes all of them."""
        settings: dict[str, Any] = {**config(rules), "observation_type": 1}
        if self._env is None or self._env.game.rules != rules:
            self._env = HanabiEnv(settings)
            self._player = self._made(settings)
        if not _was_reset(self._player, settings) and isinstance(self._guest, type):
            self._player = self._made(settings)

    def _made(self, settings: dict[str, Any]) -> Any:
        guest = self._guest
        return guest(settings) if isinstance(guest, type) else guest

    def act(self, observation: Observation) -> Move:
        """What the agent answers to the dict of its seat, as our move."""
        env = self._env
        assert env is not None
        seen = HanabiObservation.of(seen_state(env.game, observation), observation.seat)
        action = self._player.act(env._extract_dict_from_backend(observation.seat, seen))
        try:
            return MOVES[env.game.moves[env._number(action)]]
        except ValueError as error:
            raise ReportedError(f"returned {action!r}: {error}") from None


def _was_reset(player: Any, settings: dict[str, Any]) -> bool:
    """Whether an agent has a `reset`, which was called; that of HLE's base class only says that there is none."""
    if not hasattr(player, "reset"):
        return False
    try:
        player.reset(settings)
    except NotImplementedError:
        return False
    return True


class GuestAgent(Agent):
    """An agent whose rules are HLE's."""

    def why_not(self, rules: Rules) -> str | None:
        """The reason why HLE's agents cannot play by these rules; None if they can."""
        return f"{self.text} plays by HLE's rules: {reason}" if (reason := why_not(rules)) else None


def guest_agent(spec: Spec) -> Agent:
    """The agent that ``hle(module:Class)`` names."""
    if len(spec.values) != 1 or spec.named or ":" not in spec.values[0].name or spec.values[0].values:
        raise SpecError(f"{spec}: {HOW}")
    name = spec.values[0].name
    module, attribute = import_module(name)
    if not hasattr(module, attribute):
        public = [key for key in vars(module) if not key.startswith("_")]
        raise SpecError(f"{spec}: module {module.__name__} has no {attribute!r}; {near(attribute, public)}")
    guest = getattr(module, attribute)
    if not callable(getattr(guest, "act", None)):
        raise SpecError(f"{spec}: {name} has no method act(observation); {HOW}")
    summary = (inspect.getdoc(guest) or "an agent of your own").splitlines()[0]
    info = AgentInfo(id=str(spec), summary=summary, family="your own", paper="yours")
    return GuestAgent(str(spec), PythonAgentType(info, Guest), {"guest": guest})
