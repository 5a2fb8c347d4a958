"""Agents of the Hanabi Learning Environment in our laboratory: ``hle(module:Class)``.

The class is made with HLE's configuration and reset with it before every game, then asked to act on the dict that
`rl_env` gives its seat, in its own turns alone. It answers as HLE's agents do, with a dict or a number. What it sees
are HLE's objects made from an `Observation`, which knows no more than the seat.
"""

from __future__ import annotations

import inspect
import random
from typing import Any

import numpy as np

from kagiya.agents.api import Agent, AgentInfo, PythonAgentType, ReportedError
from kagiya.agents.register import import_module
from kagiya.cards import Seat
from kagiya.engine.game import Event
from kagiya.engine.game_kernels import is_over
from kagiya.engine.layout import TOLD_COLOR, TOLD_RANK
from kagiya.interop.hle.cards_and_moves import HanabiHistoryItem
from kagiya.interop.hle.hle_observation import HanabiObservation
from kagiya.interop.hle.hle_state import HanabiGame, HanabiState, theirs
from kagiya.interop.hle.rl_env import HanabiEnv
from kagiya.moves import MOVES, Move
from kagiya.rl.encoding import last_move, outcomes
from kagiya.rl.vectors import config, why_not
from kagiya.rules import Rules
from kagiya.spec import Spec, SpecError, near
from kagiya.view.observation import Observation


def seen_state(game: HanabiGame, observation: Observation) -> HanabiState:
    """The state that an observation shows: own cards and deck are hidden, the history goes back one round.

    In a game that was set up from a position, plays are counted from empty fireworks.
    """
    state = HanabiState.__new__(HanabiState)
    story = SeenGame(observation.rules)
    events = observation.history
    items = [story.item(event, *told) for event, told in zip(events, outcomes(observation, events), strict=True)]
    state._game, state._start, state._undealt, state.first_deals = game, 0, 0, 0
    state.states, state._row = observation.states, observation.states.view(np.int64)
    state._read = observation._words
    state._is_over = bool(is_over(observation.states, 0))
    state._score = observation.points if observation.lives else 0
    state._last = last_move(observation)
    state._discards = tuple(story.discards)
    state._history = tuple(_with_deals(items, observation))
    return state


class SeenGame:
    """A game told once more, for what a move meant then: what it lost, what it told for the first time."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.discards: list[int] = []
        self._told = [[0] * rules.hand_size for _ in range(rules.players)]
        self._undealt = rules.deck_size - rules.players * rules.hand_size

    def item(self, event: Event, scored: bool, gained: bool) -> HanabiHistoryItem:
        """The next move as an item of a history."""
        if event.card is not None:
            self.discards += [] if scored else [event.card]
            self._replace(event)
            return HanabiHistoryItem(theirs(event.move), event.seat, scored, gained, event.card)
        assert event.receiver is not None
        told, hand = TOLD_COLOR if event.move.color is not None else TOLD_RANK, self._told[event.receiver]
        new = tuple(slot for slot in event.touched if not hand[slot] & told)
        for slot in event.touched:
            hand[slot] |= told
        return HanabiHistoryItem(theirs(event.move), event.seat, _revealed=event.touched, _newly_revealed=new)

    def _replace(self, event: Event) -> None:
        assert event.move.slot is not None
        hand = self._told[event.seat]
        hand.pop(event.move.slot)
        if self._undealt:
            self._undealt -= 1
            hand.append(0)


def _with_deals(items: list[HanabiHistoryItem], observation: Observation) -> list[HanabiHistoryItem]:
    """The moves since the own last one, that one first, each play and discard followed by what was drawn."""
    rules = observation.rules
    recent = items[-rules.players :]
    drawn = rules.deck_size - rules.players * rules.hand_size - observation.deck_left
    gone = sum(observation.discards.values()) + observation.points - sum(item._card >= 0 for item in recent)
    found: list[HanabiHistoryItem] = []
    for item in recent:
        found.append(item)
        if item._card >= 0:
            gone += 1
            if gone <= drawn:  # later there was nothing left to draw
                found.append(HanabiHistoryItem.dealt(_newest(observation, item.player()), item.player()))
    return found


def _newest(observation: Observation, seat: int) -> int:
    """The card that a seat drew last, which is still there: it has not moved since; -1 in the observer's own hand."""
    hand = observation.hand((seat - observation.seat) % observation.rules.players)
    return hand.cards[hand.slots[-1]] if hand.offset else -1


NAME = "hle"
HOW = "write hle(module:Class), the class being one with HLE's act(observation)"


class Guest:
    """One of HLE's agents at one seat of our table."""

    def __init__(self, guest: Any) -> None:
        self._guest: Any = guest
        self._player: Any = guest
        self._env: HanabiEnv | None = None

    def start(self, rules: Rules, seat: Seat, dice: random.Random) -> None:
        """A game begins; an agent that cannot be reset is made again, as HLE's example runner makes all of them."""
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
