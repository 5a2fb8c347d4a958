"""Undo: what the agents of a game rolled and wrote down, kept by turn, so that a move can be taken back.

The game is told again to new agents, and these are given what the old ones had at that turn (`GameSession.take_back`).
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field

from kagiya.cards import Seat
from kagiya.engine.layout import GAME
from kagiya.lab.table.table import Table

PythonDice = tuple[int, bytes, float | None]  # what `random.Random.getstate` returns, in a hundredth of the memory
Written = tuple[tuple[int, int], ...]  # words of a compiled agent's memory, and what it wrote there


@dataclass(frozen=True)
class RolledDice:
    """For every seat the state of its dice."""

    compiled: tuple[bytes, ...]  # its stream
    python: tuple[PythonDice | None, ...]  # of a player in Python that was given dice

    @classmethod
    def at(cls, table: Table) -> RolledDice:
        """The dice of a table as they are now."""
        streams = tuple(table.rng[GAME, 1 + seat].tobytes() for seat in range(table.rules.players))
        return cls(streams, tuple(None if dice is None else _packed(dice) for dice in table.dice))

    def after(self, before: RolledDice) -> RolledDice:
        """The same in less memory: dice that were not rolled since `before` are kept once."""
        seats = zip(before.python, self.python, strict=True)
        return RolledDice(self.compiled, tuple(old if old == new else new for old, new in seats))

    def put_back(self, table: Table) -> None:
        """Let the seats of a table roll on from here."""
        for seat, stream in enumerate(self.compiled):
            table.rng[GAME, 1 + seat] = array("q", stream)
        for dice, state in zip(table.dice, self.python, strict=True):
            if dice is not None and state is not None:
                _unpack(dice, state)

    def with_seat(self, seat: Seat, other: RolledDice) -> RolledDice:
        """The same, but one seat's dice are those of `other`."""
        compiled, python = list(self.compiled), list(self.python)
        compiled[seat], python[seat] = other.compiled[seat], other.python[seat]
        return RolledDice(tuple(compiled), tuple(python))


@dataclass(frozen=True)
class AgentState:
    """What the agents of a game rolled and wrote down, turn by turn."""

    rolled: Mapping[int, RolledDice] = field(default_factory=dict)  # by turn, before it; where nothing was asked, none
    written: Mapping[int, Written] = field(default_factory=dict)  # by turn, by the agent to act

    def until(self, turn: int) -> AgentState:
        """What was before a turn."""
        rolled = {before: dice for before, dice in self.rolled.items() if before <= turn}
        return AgentState(rolled, {before: words for before, words in self.written.items() if before < turn})

    def with_newcomer(self, seat: Seat, players: int, fresh: RolledDice) -> AgentState:
        """The same, but the agent in one seat has done nothing yet."""
        rolled = {turn: dice.with_seat(seat, fresh) for turn, dice in self.rolled.items()}
        return AgentState(rolled, {turn: words for turn, words in self.written.items() if turn % players != seat})


def _packed(dice: random.Random) -> PythonDice:
    """The state of dice in few bytes."""
    version, words, gauss = dice.getstate()
    return version, array("I", words).tobytes(), gauss


def _unpack(dice: random.Random, state: PythonDice) -> None:
    """Put dice into a packed state."""
    version, words, gauss = state
    dice.setstate((version, tuple(array("I", words)), gauss))
