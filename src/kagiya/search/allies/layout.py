"""The record of what a search takes the other seats for: the policies it knows, and how well they explain the moves."""

from typing import Any, NewType

import numpy as np

from kagiya._jit import record_viewer, stored_array
from kagiya.engine.log import MAX_TURNS
from kagiya.rules import MAX_PLAYERS
from kagiya.search.deals.history import HISTORY_WORDS

MOST_POLICIES = 64

_SETTINGS = [
    ("policies", np.int64),  # how many there are
    ("hands", np.int64),  # own hands sampled for each look at the others' moves
    ("draws", np.int64),  # times that a policy is asked with each of them, if it rolls dice
    ("noise", np.float64),  # how likely a seat makes any legal move instead of its policy's
    ("cap", np.float64),  # nats that one move can cost a policy, at most
    ("by_network", np.int64),  # whether a network guesses the policy, instead of asking every one
    ("listening", np.int64),  # whether some policy observes moves
    ("remembering", np.int64),  # whether some policy has a memory
]
_TABLES = [
    ("prior", np.float64, (MOST_POLICIES,)),  # by policy: log weight before any move
    ("is_uniform", np.int64, (MOST_POLICIES,)),  # whether it makes every legal move with the same probability
    ("acts", np.int64, (MOST_POLICIES,)),  # the policies' kernels
    ("observes", np.int64, (MOST_POLICIES,)),
    ("posterior", np.float64, (MAX_PLAYERS, MOST_POLICIES)),  # by seat
    ("drawn", np.int64, (MAX_PLAYERS,)),  # by seat: the policy that plays it in the sample at hand
    ("matches", np.float64, (MAX_TURNS, MOST_POLICIES)),  # by turn: answers of a policy that were the move made
    ("choices", np.float64, (MAX_TURNS,)),  # by turn: legal moves, summed over the sampled hands
    ("actors", np.int64, (MAX_TURNS,)),  # by turn: who moved
]
_ARRAYS = [
    ("rows_address", np.int64),
    ("rows_words", np.int64),
    ("network_address", np.int64),
    ("network_words", np.int64),
]
AlliesRecord = NewType("AlliesRecord", np.void)  # of ALLIES
ALLIES = np.dtype([*_SETTINGS, *_TABLES, *_ARRAYS], align=True)

allies_at = record_viewer(ALLIES)
network_of = stored_array(np.float64, "network_address", 1, "network_words")  # as `network_row` writes it
rows_of = stored_array(np.float64, "rows_address", MOST_POLICIES, "rows_words")  # the policies' parameters

# Words of the seat's own memory at the real table, behind its history.
STUDIED = HISTORY_WORDS  # moves of the game that have been weighed
WEIGHTS = STUDIED + 1  # by seat and policy: its log likelihood, the best of the seat's being 0
ALLY_WORDS = WEIGHTS + MAX_PLAYERS * MOST_POLICIES
NATS = 2.0**-32  # a word of memory in nats


def new_allies() -> Any:
    """An array of one empty record."""
    return np.zeros(1, ALLIES)
