"""How good a rule list is in self-play, and how it behaves: an arena plays any list without compiling anything."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from kagiya._jit import address
from kagiya.agents._noted_list import PLACES, act_by_noted_list, observe_hints
from kagiya.agents._rule_list import WORDS_PER_USE
from kagiya.agents.tactics._tactic import Tactic, TacticUse
from kagiya.agents.tactics.noted import WORDS
from kagiya.engine.calls import ACT, NO_KERNEL, OBSERVE, TACTIC
from kagiya.engine.layout import LANES, TEMPLATE, new_states, new_streams
from kagiya.engine.memory import Memories
from kagiya.engine.template import write_template
from kagiya.lab.evolution.fitness_kernels import (
    BOMBS,
    CHANCE,
    COULD_HINT,
    GAMES,
    HINTS,
    KNOWN,
    PLAYS,
    SCORE,
    SQUARES,
    SUMS,
    UNBOMBED,
    Sums,
    play_list,
)
from kagiya.rules import MAX_PLAYERS, Rules

Uses = tuple[TacticUse, ...]  # a rule list

_compiling = threading.Lock()  # two threads must not compile the same kernel


@dataclass(frozen=True)
class Tally:
    """What games of a list add up to."""

    sums: tuple[float, ...] = (0.0,) * SUMS

    def __add__(self, other: Tally) -> Tally:
        return Tally(tuple(a + b for a, b in zip(self.sums, other.sums, strict=True)))

    @property
    def games(self) -> int:
        return int(self.sums[GAMES])

    @property
    def mean(self) -> float:
        """The mean score by the rules played."""
        return self._share(SCORE, GAMES)

    @property
    def se(self) -> float:
        """The standard error of the mean."""
        if self.games < 2:
            return math.nan
        spread = self.sums[SQUARES] - self.sums[SCORE] ** 2 / self.games
        return math.sqrt(max(spread, 0.0) / (self.games - 1) / self.games)

    @property
    def mean_if_bombs_are_zero(self) -> float:
        return self._share(UNBOMBED, GAMES)

    @property
    def bomb_rate(self) -> float:
        return self._share(BOMBS, GAMES)

    @property
    def communication(self) -> float:
        """Hints given, as a share of the turns on which a token was there."""
        return self._share(HINTS, COULD_HINT)

    @property
    def caution(self) -> float:
        """The mean chance that a card fitted, in its player's eyes, when it was played; 1 if none ever was."""
        return self._share(CHANCE, PLAYS, 1.0)

    @property
    def knowledge(self) -> float:
        """The parts, of two, that the player knew of a card it played, as a mean share."""
        return self._share(KNOWN, PLAYS, 1.0)

    def _share(self, part: int, whole: int, otherwise: float = 0.0) -> float:
        return self.sums[part] / self.sums[whole] if self.sums[whole] else otherwise


def tactic_number(tactic: Tactic) -> float:
    """What stands for a tactic in a row; each address is made once, since it is kept for good."""
    with _compiling:
        return _tactic_number(tactic)


@cache
def _tactic_number(tactic: Tactic) -> float:
    return float(tactic.stand_in or address(tactic.kernel, TACTIC))


class Arena:
    """A table of one worker for lists by some rules."""

    def __init__(self, rules: Rules, longest: int) -> None:
        self.rules = rules
        self.states, self.rng = new_states(LANES), new_streams(LANES)
        write_template(rules, self.states, TEMPLATE)
        self.memories = Memories(LANES, [WORDS] * rules.players)
        self.params = np.zeros((MAX_PLAYERS, PLACES + 2 + WORDS_PER_USE * longest))
        self.observes = np.full(MAX_PLAYERS, NO_KERNEL, np.int64)
        with _compiling:
            self.acts = np.full(MAX_PLAYERS, address(act_by_noted_list, ACT), np.int64)
            self.observe = address(observe_hints, OBSERVE)
            self.play((), 0, 0)  # compiles what plays

    def play(self, uses: Sequence[TacticUse], seed: int, games: int) -> Tally:
        """Games of this list in all seats, with seeds counting up from `seed`."""
        self._seat(uses)
        sums: Sums = np.zeros(SUMS)
        extents = self.memories.extents
        everything = (self.states, self.memories.rows, self.params, self.rng, self.acts, self.observes, extents, sums)
        if not play_list(*everything, seed, games):
            raise RuntimeError(f"an illegal move in a game from seed {seed} on of: {', '.join(map(str, uses))}")
        return Tally(tuple(float(value) for value in sums))

    def _seat(self, uses: Sequence[TacticUse]) -> None:
        row = [float(PLACES)] * PLACES + [0.0, float(len(uses))]
        for item in uses:
            row += [tactic_number(item.tactic), item.value, item.lives, item.tokens, item.deck]
        self.params[:, : len(row)] = row
        self.observes[:] = self.observe if any(item.tactic.is_noted for item in uses) else NO_KERNEL
