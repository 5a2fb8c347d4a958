"""Multisets of kinds as two masks, `low` and `high`: a kind has low + 2 * high copies, three at most."""

from kagiya._jit import kernel, popcount
from kagiya.cards import Kinds


@kernel
def add_bit(low: Kinds, high: Kinds, bit: Kinds) -> tuple[Kinds, Kinds]:
    """One more copy of the kind whose bit this is."""
    return low ^ bit, high ^ (low & bit)


@kernel
def remove_bit(low: Kinds, high: Kinds, bit: Kinds) -> tuple[Kinds, Kinds]:
    """One copy fewer of the kind whose bit this is."""
    return low ^ bit, high ^ (bit & (low ^ bit))


@kernel
def add_planes(low: Kinds, high: Kinds, other_low: Kinds, other_high: Kinds) -> tuple[Kinds, Kinds]:
    """The sum of two multisets; no kind may exceed three copies."""
    return low ^ other_low, high ^ other_high ^ (low & other_low)


@kernel
def subtract_planes(low: Kinds, high: Kinds, other_low: Kinds, other_high: Kinds) -> tuple[Kinds, Kinds]:
    """The difference of two multisets, the second being part of the first."""
    return low ^ other_low, high ^ other_high ^ (other_low & (low ^ other_low))


@kernel
def count_matching(low: Kinds, high: Kinds, mask: Kinds) -> int:
    """How many cards of the multiset have a kind in `mask`."""
    return popcount(low & mask) + 2 * popcount(high & mask)
