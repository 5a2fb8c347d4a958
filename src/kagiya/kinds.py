"""Cards, sets and multisets of kinds in compiled code.

A set is a mask. A multiset is two, `low` and `high`: a kind has low + 2 * high copies, three at most.
"""

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.cards import MAX_RANKS, Card, Color, Kinds, Rank

COLOR_KINDS = Kinds(31)  # the kinds of color 0; color c is this shifted by 5 * c
RANK_KINDS = Kinds(0b00001_00001_00001_00001_00001_00001)  # the kinds of rank 0; rank r is this shifted by r

UNKNOWN_COLOR = Color(-1)
UNKNOWN_RANK = Rank(-1)


@kernel
def color_of(card: Card) -> Color:
    """A card's color."""
    return Color(card // MAX_RANKS)


@kernel
def rank_of(card: Card) -> Rank:
    """A card's rank."""
    return Rank(card % MAX_RANKS)


@kernel
def kind_bit(card: Card) -> Kinds:
    """The set of this one kind; the card must be one that is seen."""
    return Kinds(1 << card)


@kernel
def color_kinds(color: Color) -> Kinds:
    """All kinds of a color, five ranks being in the game."""
    return Kinds(COLOR_KINDS << MAX_RANKS * color)


@kernel
def rank_kinds(rank: Rank) -> Kinds:
    """All kinds of a rank, six colors being in the game."""
    return Kinds(RANK_KINDS << rank)


@kernel
def within(kinds: Kinds, others: Kinds) -> bool:
    """Whether a card of these kinds is certainly one of the others; never for the empty set."""
    return kinds != 0 and kinds & ~others == 0


@kernel
def undecided(kinds: Kinds, others: Kinds) -> bool:
    """Whether a card of these kinds may be one of the others, or not."""
    return kinds & others != 0 and kinds & ~others != 0


@kernel
def is_single(kinds: Kinds) -> bool:
    """Whether a set holds one kind, or none."""
    return kinds & (kinds - 1) == 0


@kernel
def only_rank(kinds: Kinds) -> Rank:
    """The rank that all these kinds share, or UNKNOWN_RANK."""
    ranks = kinds | kinds >> 3 * MAX_RANKS
    ranks = (ranks | ranks >> MAX_RANKS | ranks >> 2 * MAX_RANKS) & COLOR_KINDS
    return lowest_bit(ranks) if ranks != 0 and ranks & (ranks - 1) == 0 else UNKNOWN_RANK


@kernel
def only_color(kinds: Kinds) -> Color:
    """The color that all these kinds share, or UNKNOWN_COLOR."""
    color = color_of(lowest_bit(kinds))
    return color if within(kinds, color_kinds(color)) else UNKNOWN_COLOR


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
