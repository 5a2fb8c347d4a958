"""The modes in which the published programs read the same rule: what counts as known, who is told, what is told first.

A mode is a set of flags. Without any it is the Java competition framework's: a part of a card (its color, its rank)
is known when the hints leave only one, receivers come in turn order, and the rank is told before the color.
"""

from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    from kagiya.cards import Mask

    class Mode(Mask):
        """How a rule is read: a set of the flags below."""
else:
    Mode = NewType("Mode", int)

FRAMEWORK = Mode(0)  # none of these: as the competition framework reads the rule
NAMED = Mode(1)  # a part is known only if a hint has named it, as in the Hanabi Learning Environment's lineage
COLOR_FIRST = Mode(2)  # the color is told before the rank
NEXT_ONLY = Mode(4)  # only the next seat is told anything
SEAT_ORDER = Mode(8)  # receivers by seat number, whoever moves
HALF_KNOWN = Mode(16)  # only cards of which one part is known and the other is not
FIRST_OR_NONE = Mode(32)  # if the first card found needs no hint, give up
REPEATS = Mode(64)  # a hint counts for every card it touches, also where it tells nothing new
