"""How the lineages read their rules, as flags: what counts as known, who is told, and what is told first.

Without a flag the reading is the Java competition framework's: a part of a card (its color, its rank) is
known when the hints leave only one, receivers come in turn order, and the rank is told before the color.
"""

import numpy as np

# Typed, because a kernel called with a bare literal is compiled once more for it.
FRAMEWORK = np.int64(0)
NAMED = np.int64(1)  # a part is known only if a hint has named it, as in the Hanabi Learning Environment's lineage
COLOR_FIRST = np.int64(2)
NEXT_ONLY = np.int64(4)  # only the next seat is told anything
SEAT_ORDER = np.int64(8)  # receivers by seat number, whoever moves
HALF_KNOWN = np.int64(16)  # only cards of which one part is known and the other is not
FIRST_OR_NONE = np.int64(32)  # if the first card found needs no hint, give up
REPEATS = np.int64(64)  # a hint counts for every card it touches, also where it tells nothing new
