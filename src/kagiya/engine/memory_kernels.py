"""Memories within compiled play: wiped when a game begins, copied between lanes, their guard words examined.

`extents[seat]` holds how many words of the seat's row outlast a game and how many its agent declares; whatever
stands behind those is guard words, which nobody writes.
"""

import numpy as np
import numpy.typing as npt

from kagiya._jit import kernel
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
