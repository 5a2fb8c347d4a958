"""The memory of a search: one vector of words for settings and small tables, and arrays that it has addresses of.

A search is an ordinary compiled agent. What it works with belongs to the table it sits at (`workspace.py`) and
is found through the first number of its row of parameters; nothing is allocated while it thinks.
"""

from typing import Any

import numpy as np

from kagiya._jit import Word, array_viewer, stored_array
from kagiya.dice import STREAM_WORDS
from kagiya.engine.layout import STATE, STREAMS
from kagiya.engine.log import MAX_TURNS
from kagiya.moves import NUM_MOVES
from kagiya.rules import MAX_DECK, MAX_HAND, MAX_PLAYERS

# A node is a sequence of moves from the root; draws do not branch (open loop). One cache line.
NODE = np.dtype(
    [
        ("move", np.int64),  # that leads here
        ("visits", np.int64),
        ("available", np.int64),  # how often this move could have been chosen where the parent was visited
        ("child", np.int64),  # the first, 0 for none: the root is nobody's child
        ("sibling", np.int64),  # the next child of the same parent
        ("total", np.float64),  # of the rewards
        ("squares", np.float64),  # of the rewards, for the standard error
        ("actor", np.int64),  # the seat that makes the move
    ]
)
ROOT_NODE = 0

# Lanes of the search's states: an undealt game, what the searching seat knows, the deal being tried, its play.
UNDEALT: Any = np.int64(0)
KNOWN: Any = np.int64(1)
DEALT: Any = np.int64(2)
TRIAL: Any = np.int64(3)
SEARCH_LANES = 4
SEARCH_STREAM: Any = np.int64(0)  # of lane TRIAL: the dice of the search itself; the seats' streams roll for the models

# Words of the vector: addresses and sizes,
STATES, MEMORY, MEMORY_WORDS, PARAMS, PARAMS_WIDTH, RNG, NODES, CAPACITY, SETTINGS, SETTINGS_SIZE = range(10)
# settings that are whole numbers,
ITERATIONS, NANOSECONDS, DEEPEST, PLIES, ALGORITHM, CONVENTION, REWARD, BACKUP, UNPRUNE, DEFECT, SAMPLER = range(10, 21)
LISTENING, RULES, FINAL, MODELED = range(21, 25)
# what the search knows while it runs and tells afterwards,
SEAT, USED, DONE, DEPTH, DEEPEST_SEEN, STOP, CHOSEN, ROOT_MOVES, ALL_TRUE, TRUE_DEALS, STARTED, TURNS = range(25, 37)
REGRET_BASE, ACTS, OBSERVES, EXTENTS, EVALUATING, ALL_DONE, STEPS, STEPS_DONE = range(37, 45)
# the same for Brooks's search: whether it obeys hints, lines cut at an illegal move, the lengths of all paths,
OBEYS, CUT_LINES, PATH_LENGTHS = range(45, 48)
# the same for the flat search,
PRODUCTS, SEES_HAND, BELIEVES, WHOLE_STORY, USUAL = range(48, 53)
# whether some model keeps a memory without listening,
REMEMBERING = 53
# hands proposed for each deal of a flat search, and how many moves the one kept leaves unexplained,
PROPOSALS, SURPRISES = 54, 55
NO_HAND_KEPT = -1  # as SURPRISES
# and small tables.
HAND = SURPRISES + 1  # a hand being sampled, by slot
KEPT_HAND = HAND + MAX_HAND  # the one that is kept, by Metropolis's rule
SAVED = KEPT_HAND + MAX_HAND  # possible kinds of the seat to move, while the convention narrows them
MEANING = SAVED + MAX_HAND  # by `order`: the kinds that the convention leaves, 0 for all
ROOT_MEANING = MEANING + MAX_DECK
FALSE_AT = ROOT_MEANING + MAX_DECK  # by seat: how deep in the line it last showed a card that is not the true one
PATH = FALSE_AT + MAX_PLAYERS
EDGES = PATH + MAX_TURNS  # by row and rank: the cheapest edges between a slot and the cards (`assignment.py`)
CHOICES = EDGES + MAX_HAND * MAX_HAND  # by row: which edge is being tried
BOUNDS = CHOICES + MAX_HAND + 1  # by row: what this row and those after it cost at least
FOUND = BOUNDS + MAX_HAND + 1  # by row: the edge of the cheapest hand so far
WORDS = FOUND + MAX_HAND

# The seat's own memory at the real table: the public story.
STORY_FRESH = 0  # whether it began with a fresh deal
STORY_MEANING = 1
STORY_CARDS = STORY_MEANING + MAX_DECK  # by `order`: 1 + the card, once it was played or discarded
STORY_MOVES = STORY_CARDS + MAX_DECK
STORY_WORDS = STORY_MOVES + MAX_TURNS
STORY_POINTED = STORY_WORDS  # 1 + the `order` of the own card that the last move alone told something new, or 0
POINTED_WORDS = STORY_POINTED + 1

# ALGORITHM
MULTIPLE_OBSERVER, REDETERMINIZING, PREDICTING, FLAT = 0, 1, 2, 3
# CONVENTION
GROUNDED, PLAYABLE_NOW, NEXT_SEAT = 0, 1, 2
# REWARD
BY_SCORE, BY_REGRET = 0, 1
# BACKUP
TO_ALL, TO_POSSIBLE, SPLIT = 0, 1, 2
# FINAL
MOST_VISITS, BEST_MEAN = 0, 1

# The settings that are not whole, then the rules of the tree as `list_row` writes them.
EXPLORATION, SCALE, CONFIDENCE, MARGIN, SURPRISE, INDIFFERENCE = 0, 1, 2, 3, 4, 5
RULE_LIST = 8

# The arrays of a search, from its vector of words: `states_of(work)` and so on.
states_of = stored_array(STATE, STATES, SEARCH_LANES)
memory_of = stored_array(np.int64, MEMORY, SEARCH_LANES, MAX_PLAYERS, Word(MEMORY_WORDS))  # of the models
params_of = stored_array(np.float64, PARAMS, MAX_PLAYERS, Word(PARAMS_WIDTH))
rng_of = stored_array(np.int64, RNG, SEARCH_LANES, STREAMS, STREAM_WORDS)
acts_of = stored_array(np.int64, ACTS, MAX_PLAYERS)
observes_of = stored_array(np.int64, OBSERVES, MAX_PLAYERS)
extents_of = stored_array(np.int64, EXTENTS, MAX_PLAYERS, 2)  # of the models' memories, as `memory_kernels` has them
# Of a flat search: sums of products of two moves' values over the deals, then the values in the last deal.
products_of = stored_array(np.float64, PRODUCTS, NUM_MOVES + 1, NUM_MOVES)
nodes_of = stored_array(NODE, NODES, Word(CAPACITY))
settings_of = stored_array(np.float64, SETTINGS, Word(SETTINGS_SIZE))  # those that are no whole numbers

work_at = array_viewer(np.int64, WORDS)  # of the search whose row of parameters begins with this address
