"""The state record: one game position, all in int64, copied by assignment.

Sets of kinds are masks (bit n stands for card n). Multisets with up to three copies of a kind are two
such masks, the planes `low` and `high`: a kind has `low + 2 * high` copies. The planes of the deck and
of each hand make every count a few instructions: what a seat cannot see is the deck's planes plus its
own hand's. The record holds a position and no history: a drawn card's place in `deck` becomes NO_CARD.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.cards import MAX_COLORS, MAX_HAND, MAX_PLAYERS
from kagiya.rules import MAX_DECK

# The arrays that kernels share, and the index of the game meant in each.
States = npt.NDArray[Any]  # [lane] of STATE
Memory = npt.NDArray[np.int64]  # [lane, seat, word]: what agents remember
Params = npt.NDArray[np.float64]  # [seat, parameter]: how agents are set
Streams = npt.NDArray[np.int64]  # [lane, stream, word]: the dice, the deck's and each seat's
Lane = int

_HANDS = (MAX_PLAYERS, MAX_HAND)

STATE = np.dtype(
    [
        # The rules, fixed at the deal.
        ("players", np.int64),
        ("hand_size", np.int64),
        ("colors", np.int64),
        ("ranks", np.int64),
        ("max_tokens", np.int64),
        ("max_lives", np.int64),
        ("empty_hints", np.int64),  # whether a hint may touch no card
        ("discard_limit", np.int64),  # one may discard with fewer tokens than this
        ("bomb_keeps_score", np.int64),  # whether the points count when no life is left
        ("token_for_five", np.int64),  # whether finishing a color gives a token back
        ("draw_into_vacated", np.int64),  # whether a drawn card takes the slot of the one that left
        ("kinds", np.int64),  # mask of the kinds in this game
        ("deck_size", np.int64),  # cards in the full deck
        ("copies_low", np.int64),  # planes of the full deck
        ("copies_high", np.int64),
        # The table.
        ("turn", np.int64),  # moves made so far
        ("seat", np.int64),  # whose turn
        ("tokens", np.int64),
        ("lives", np.int64),
        ("turns_left", np.int64),  # counts down once the deck is empty, from `players`
        ("drawn", np.int64),  # cards taken from the deck; the next draw is deck[drawn]
        ("fireworks", np.int64, (MAX_COLORS,)),  # cards played per color = next rank needed
        ("played", np.int64),  # mask of kinds on the fireworks
        ("playable", np.int64),  # mask of kinds that fit now, also when their last copy is lost
        ("useless", np.int64),  # mask of kinds played already, or cut off by a lost lower card
        # Where the cards are.
        ("hands", np.int64, _HANDS),  # card, NO_CARD if empty
        ("possible", np.int64, _HANDS),  # mask of kinds that the hints given leave open
        ("told", np.int64, _HANDS),  # TOLD_COLOR if a hint named its color, TOLD_RANK if its rank
        ("order", np.int64, _HANDS),  # position of the card in the deck: a unique, stable id that also gives its age
        ("hand_low", np.int64, (MAX_PLAYERS,)),  # planes of each seat's hand
        ("hand_high", np.int64, (MAX_PLAYERS,)),
        ("deck_low", np.int64),  # planes of the cards not drawn yet
        ("deck_high", np.int64),
        ("discard_low", np.int64),  # planes of the cards lost
        ("discard_high", np.int64),
        ("deck", np.int64, (MAX_DECK,)),  # cards, NO_CARD once drawn
    ],
    align=True,
)

# Every field is made of int64 words, so a record is also a flat row of words; where each field begins:
STATE_OFFSETS: dict[str, int] = {name: STATE.fields[name][1] // 8 for name in STATE.names}  # type: ignore
STATE_WORDS = STATE.itemsize // 8

# Lanes of a table's arrays: an undealt game, the game in progress, what the seat to move may see of it.
# Typed, because a kernel called with a bare literal is compiled once more for it.
TEMPLATE: Any = np.int64(0)
GAME: Any = np.int64(1)
SEEN: Any = np.int64(2)
LANES = 3

TOLD_COLOR = 1
TOLD_RANK = 2
TOLD_BOTH = TOLD_COLOR | TOLD_RANK

REASON = 0  # the word of a seat's memory in which an agent may leave the number of its reason

STREAMS = 1 + MAX_PLAYERS

MAX_TURNS = 256  # more than any legal game: every hint needs a token, every token a card or a start value


def new_states(lanes: int) -> States:
    """An array of states. Kernels never make their own: a record would not keep it alive."""
    return np.zeros(lanes, STATE)


def new_streams(lanes: int) -> Streams:
    """Random streams for each lane: the deck's and one for each seat."""
    return np.zeros((lanes, STREAMS, 4), np.int64)
