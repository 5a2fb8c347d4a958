"""Codes that have some messages for each receiver of a hint: those of the next seat come first, and so on.

How many each receiver has is one word with a byte for each offset, so that a code finds it out once for a hint.
"""

from typing import NewType

from kagiya._jit import kernel
from kagiya.cards import Offset

Counts = NewType("Counts", int)

BITS = 8  # for the messages to one receiver


@kernel
def with_count(counts: Counts, offset: Offset, count: int) -> Counts:
    """The counts with that of one more receiver."""
    return Counts(counts | count << BITS * offset)


@kernel
def count_to(counts: Counts, offset: Offset) -> int:
    """How many messages the receiver at this offset has."""
    return counts >> BITS * offset & (1 << BITS) - 1


@kernel
def count_all(counts: Counts) -> int:
    """How many messages all receivers have together: the modulus of the hats."""
    total, left = 0, int(counts)
    while left:
        total += left & (1 << BITS) - 1
        left >>= BITS
    return total


@kernel
def count_before(counts: Counts, offset: Offset) -> int:
    """How many messages come before those of the receiver at this offset."""
    return count_all(Counts(counts & (1 << BITS * offset) - 1))


@kernel
def split_message(counts: Counts, message: int) -> tuple[Offset, int]:
    """The receiver of a message, below the number of all, and which of the receiver's messages it is."""
    offset, left = Offset(1), message
    while left >= count_to(counts, offset):
        left -= count_to(counts, offset)
        offset = Offset(offset + 1)
    return offset, left
