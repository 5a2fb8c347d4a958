"""The agents' memories: a row of words for each lane and seat, with guard words behind every row.

Compiled code does not check indices. An agent that writes beyond the words it declares would reach its neighbour's row
or whatever lies behind the array; here it hits a guard word first, and `damage` tells.
`extents[seat]` holds how many words of the seat's row outlast a game and how many its agent declares; whatever
stands behind those is guard words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kagiya._jit import JIT_OFF, kernel
from kagiya.cards import MAX_PLAYERS, SEAT_NAMES
from kagiya.engine.layout import Lane, Memory

Words = npt.NDArray[np.int64]

CANARY = np.int64(0x6B61676979612121)  # what a guard word holds; no agent would write it by chance
KEPT, DECLARED = 0, 1  # columns of `extents`


@kernel
def clear_memory(memory: Memory, i: Lane, extents: Words) -> None:
    """A new game begins: every seat's words are zero but for those it keeps."""
    for seat in range(memory.shape[1]):
        for word in range(extents[seat, KEPT], extents[seat, DECLARED]):
            memory[i, seat, word] = 0


@kernel
def copy_memory(memory: Memory, source: Lane, target: Lane, extents: Words) -> None:
    """One lane's memories into another's; the guard words stay, so that damage stays visible."""
    for seat in range(memory.shape[1]):
        for word in range(extents[seat, DECLARED]):
            memory[target, seat, word] = memory[source, seat, word]


@kernel
def has_damage(words: Words, memory: Memory, extents: Words) -> bool:
    """Whether some guard word has changed: among all `words` those that are not in a seat's part of `memory`."""
    margin = (len(words) - memory.size) // 2
    changed = np.int64(0)
    for place in range(margin):
        changed |= (words[place] ^ CANARY) | (words[len(words) - 1 - place] ^ CANARY)
    for lane in range(memory.shape[0]):
        for seat in range(memory.shape[1]):
            for word in range(extents[seat, DECLARED], memory.shape[2]):
                changed |= memory[lane, seat, word] ^ CANARY
    return changed != 0


GUARD_WORDS = 16  # behind the words of the largest agent; smaller ones have more
MARGIN = 1024  # guard words before the first row and after the last


@dataclass(frozen=True)
class Damage:
    """A guard word that was overwritten: the row it stands in, its place in that row, and what it holds now."""

    seat: int | None  # None before the first row or after the last
    word: int
    declared: int  # words of that row that belong to its agent
    value: int

    def __str__(self) -> str:
        if self.seat is None:
            return f"{self.value} stands outside all memory"
        row = f"memory[i, {self.seat}, {self.word}], where {SEAT_NAMES[self.seat]} has memory_words={self.declared}"
        return f"{self.value} stands in {row}; declare more in AgentInfo, or mend a wrong index"


class Memories:
    """The memories of all seats in some lanes; `declared` and `kept` give the words of each seat's agent."""

    def __init__(self, lanes: int, declared: Sequence[int], kept: Sequence[int] = ()) -> None:
        width = max(declared, default=0) + GUARD_WORDS
        self._words = np.full(lanes * MAX_PLAYERS * width + 2 * MARGIN, CANARY, np.int64)
        self.rows = self._words[MARGIN:-MARGIN].reshape(lanes, MAX_PLAYERS, width)
        self.extents = np.zeros((MAX_PLAYERS, 2), np.int64)
        self.extents[: len(kept), KEPT] = kept
        self.extents[: len(declared), DECLARED] = declared
        self._zero()

    def _zero(self) -> None:
        for seat, declared in enumerate(self.extents[:, DECLARED]):
            self.rows[:, seat, :declared] = 0

    def damage(self) -> Damage | None:
        """The first guard word that no longer holds what was put there; None if all do."""
        if not JIT_OFF and not has_damage(self._words, self.rows, self.extents):
            return None
        intact = self._words == CANARY
        rows = intact[MARGIN:-MARGIN].reshape(self.rows.shape)
        for seat, declared in enumerate(self.extents[:, DECLARED]):
            rows[:, seat, :declared] = True
        if intact.all():
            return None
        place = int(np.argmin(intact))
        value, inside = int(self._words[place]), place - MARGIN
        if not 0 <= inside < self.rows.size:
            return Damage(None, inside, 0, value)
        _, seat, word = (int(part) for part in np.unravel_index(inside, self.rows.shape))
        return Damage(seat, word, int(self.extents[seat, DECLARED]), value)

    def restore(self) -> None:
        """All memories empty and all guard words in place, as at the beginning."""
        self._words[:] = CANARY
        self._zero()
