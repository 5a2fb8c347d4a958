"""The kinds that a card can be, dealt into blocks in turn, so that the number of its block narrows the card.

All useless kinds are one block, the last.
"""

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.cards import Card, Kinds
from kagiya.kinds import kind_bit


@kernel
def count_blocks(kinds: Kinds, useless: Kinds, room: int) -> int:
    """How many blocks there are if at most `room` can be told apart."""
    has_useless = int(kinds & useless != 0)
    return min(popcount(kinds & ~useless), room - has_useless) + has_useless


@kernel
def block_of(card: Card, kinds: Kinds, useless: Kinds, blocks: int) -> int:
    """The block of a card, which should be one of these kinds."""
    if useless >> card & 1:
        return blocks - 1
    dealt = blocks - int(kinds & useless != 0)
    return popcount(kinds & ~useless & (kind_bit(card) - 1)) % dealt


@kernel
def kinds_of_block(block: int, kinds: Kinds, useless: Kinds, blocks: int) -> Kinds:
    """The kinds of one block."""
    found, left = Kinds(0), kinds
    while left:
        card = lowest_bit(left)
        if block_of(card, kinds, useless, blocks) == block:
            found |= kind_bit(card)
        left &= left - 1
    return found
