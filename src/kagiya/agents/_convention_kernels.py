"""What all convention bots share: their label, sets of kinds, ages of cards, the hint that only spends a token.

What a bot remembers of a card stands at a word of memory for its hand and slot, and moves with the card.
"""

import numpy as np

from kagiya._jit import kernel, lowest_bit
from kagiya.agents._info import AgentInfo, Parameter
from kagiya.agents.tactics._hints import hint_rank_of
from kagiya.agents.tactics._slots import NO_SLOT, oldest_slot
from kagiya.agents.tactics.discard import may_discard
from kagiya.cards import MAX_COLORS, MAX_RANKS
from kagiya.engine.kernels import COLOR_KINDS, RANK_KINDS, hint_receiver, touched_slots
from kagiya.moves import FIRST_HINT, HINTS_PER_SEAT, NO_MOVE
from kagiya.rules import MAX_HAND, MAX_PLAYERS

# Words of memory: the last move's reason, the turn up to which all is thought through, then a word for every slot.
REASON, SETTLED, SETS, NOTES = 0, 1, np.int64(2), np.int64(2 + MAX_PLAYERS * MAX_HAND)
SETS_ONLY, SETS_AND_NOTES = int(NOTES), int(NOTES) + MAX_PLAYERS * MAX_HAND
UNKNOWN = -1  # in place of a color or a rank

SAFE = Parameter("safe", "no", "never plays a mystery card with its last life", choices=("no", "yes"))


def convention_bot(name: str, summary: str, reasons: tuple[str, ...], words: int) -> AgentInfo:
    """The label of a bot; `words` is what it remembers."""
    return AgentInfo(
        id=name,
        summary=summary,
        family="convention bots",
        paper="Quuxplusone",
        memory_words=words,
        reasons=reasons,
    )


@kernel
def within(kinds, mask):
    """Whether a card of these kinds is certainly one of the mask."""
    return kinds != 0 and kinds & ~mask == 0


@kernel
def only_rank(kinds):
    """The rank that all these kinds share, or UNKNOWN."""
    ranks = kinds | kinds >> 3 * MAX_RANKS
    ranks = (ranks | ranks >> MAX_RANKS | ranks >> 2 * MAX_RANKS) & COLOR_KINDS
    return lowest_bit(ranks) if ranks != 0 and ranks & (ranks - 1) == 0 else UNKNOWN


@kernel
def rank_kinds(rank):
    """All kinds of a rank."""
    return RANK_KINDS << rank


@kernel
def is_color_hint(move):
    """Whether a hint names a color."""
    return (move - FIRST_HINT) % HINTS_PER_SEAT < MAX_COLORS


@kernel
def hint_rank(move):
    """The rank that a rank hint names."""
    return (move - FIRST_HINT) % HINTS_PER_SEAT - MAX_COLORS


@kernel
def forget_card(states, i, seat, memory, table, move):
    """A card is about to leave the actor's hand: what is known of the others moves with them."""
    state = states[i]
    word = table + state["seat"] * MAX_HAND + move % MAX_HAND
    last = word if state["draw_into_vacated"] else table + state["seat"] * MAX_HAND + state["hand_size"] - 1
    while word < last:
        memory[i, seat, word] = memory[i, seat, word + 1]
        word += 1
    memory[i, seat, word] = 0


@kernel
def reclaim(states, i, seat):
    """All tokens are there, so none can be won: spend one on the rank of the right neighbor's oldest card.

    Only hands of a single card can leave that neighbor none; then playing is the one move sure to be legal.
    """
    state = states[i]
    if may_discard(states, i):
        return NO_MOVE
    offset = state["players"] - 1
    right = (seat + offset) % state["players"]
    slot = oldest_slot(states, i, right)
    return hint_rank_of(offset, state["hands"][right, slot]) if slot != NO_SLOT else oldest_slot(states, i, seat)


@kernel
def is_reclaim(states, i, move):
    """Whether all take a hint for one that only spends a token."""
    state = states[i]
    receiver = hint_receiver(states, i, move)
    to_the_right = (receiver + 1) % state["players"] == state["seat"]
    if is_color_hint(move) or may_discard(states, i) or not to_the_right:
        return False
    oldest = oldest_slot(states, i, receiver)
    return oldest != NO_SLOT and touched_slots(states, i, move) >> oldest & 1 == 1
