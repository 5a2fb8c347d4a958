"""Public lists of which only a part is kept: the same part by everybody, since no dice but the hands themselves decide.

A seat must know what its partner will take for a deviation even while the partner may hold any of millions of hands.
For that a sample is as good as the list, if both seats have the same one. A move that no hand of the sample explains
counts as a deviation for both: something may be left unsaid then, but the true hand is not ruled out. What a seat
concludes from words and moves is not bound to the sample (`drawing.py`).
"""

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.kinds import kind_bit
from kagiya.search.hands.layout import EMPTY_SLOT, SLOT_BITS, TARGET, list_states_of
from kagiya.search.hands.odometer import open_kinds

WORD_BITS = 31
WORD_MASK = (1 << WORD_BITS) - 1
FIRST_FACTOR, SECOND_FACTOR = 0x2C1B3C6D, 0x297A2D39  # of a well-known mixing function, small enough not to overflow
ALL_KEPT = 1 << WORD_BITS  # `share_kept`: no hand is left out
FILLED = 0.9  # of the room for entries, when some are left out


@kernel
def mixed(word):
    """A number that looks like chance and follows from another."""
    word = word & WORD_MASK
    word = ((word ^ word >> 15) * FIRST_FACTOR) & WORD_MASK
    word = ((word ^ word >> 12) * SECOND_FACTOR) & WORD_MASK
    return word ^ word >> 15


@kernel
def fill_by_number(hands, low, high, number):
    """Choose a kind for every slot, by a number; whether the hints and the pool leave one for each."""
    state, owner = list_states_of(hands)[TARGET], hands["owner"]
    word = mixed(number)
    for slot in range(state["hand_size"]):
        kinds = open_kinds(list_states_of(hands), TARGET, hands, slot, low, high)
        if kinds == 1 << EMPTY_SLOT:
            hands["hand"][slot] = EMPTY_SLOT
            continue
        # Every kind that the hints leave is as likely as another, so that all hands are; one too many fails.
        allowed = state["possible"][owner, slot] & (low | high)
        word = mixed(word + slot + 1)
        for _ in range(word % max(popcount(allowed), 1)):
            allowed &= allowed - 1
        if allowed & -allowed & kinds == 0:
            return False
        hands["hand"][slot] = lowest_bit(allowed)
    return True


@kernel
def kept_kinds(hands, packed, kinds):
    """The kinds of a card drawn with which a hand stays in the sample; all of them if nothing is left out."""
    if hands["share_kept"] == ALL_KEPT:
        return kinds
    kept, left = 0, kinds
    while left:
        card = lowest_bit(left)
        if mixed(packed + mixed((card << SLOT_BITS) + hands["base_turn"])) < hands["share_kept"]:
            kept |= kind_bit(card)
        left &= left - 1
    return kept
