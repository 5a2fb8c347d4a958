"""The memory of a search: one record of named fields, and the arrays that it holds the addresses of.

A search is an ordinary compiled agent. What it works with belongs to the table it sits at (`workspace.py`) and
is found through the first number of its row of parameters; nothing is allocated while it searches.
"""

from typing import Any, NewType

import numpy as np
import numpy.typing as npt

from kagiya._jit import kernel, now, record_viewer, stored_array
from kagiya.cards import MAX_HAND, MAX_PLAYERS
from kagiya.engine.dice import STREAM_WORDS
from kagiya.engine.layout import MAX_TURNS, STATE, STREAMS
from kagiya.moves import NUM_MOVES
from kagiya.rules import MAX_DECK
from kagiya.view.view_kernels import DEAL_TABLE

# Values of the fields of the same name.
MULTIPLE_OBSERVER, REDETERMINIZING, PREDICTING, FLAT = 0, 1, 2, 3  # algorithm
BY_SCORE, BY_REGRET = 0, 1  # reward
TO_ALL, TO_POSSIBLE, SPLIT = 0, 1, 2  # backup
MOST_VISITS, BEST_MEAN = 0, 1  # final
NO_HAND_KEPT = -1  # unexplained
NO_LEAF, BY_MOVES, BY_POSITION = 0, 1, 2  # leaf
HOPELESS, SURELY_BEHIND = 1, 2  # early_looks; 0 for none

_SETTINGS = [
    # The budget of a move.
    ("iterations", np.int64),  # at most; a flat search counts its samples here
    ("steps", np.int64),  # moves tried out at most, 0 for no limit
    ("nanoseconds", np.int64),  # 0 for no limit
    # The tree.
    ("algorithm", np.int64),
    ("depth_limit", np.int64),  # moves below the root
    ("restricted", np.int64),  # whether nodes offer what the rule list proposes, or all legal moves
    ("unprune", np.int64),  # visits after which moves beyond the rules are opened, 0 for never
    ("learned_order", np.int64),  # whether those of the highest learned value are opened first, or any
    ("defect", np.int64),  # whether the rules take the actor's own cards for seen, as the released program does
    ("exploration", np.float64),
    ("scale", np.float64),  # the perfect score: rewards divided by it lie between 0 and 1
    ("backup", np.int64),
    ("final", np.int64),
    ("leaf", np.int64),  # what a learned function values where play stops: nothing, the moves there, or the position
    ("by_state", np.int64),  # whether it values the position after a move, instead of the move
    ("leaf_start", np.int64),  # where in its row of numbers its network begins
    # Samples of the hidden cards.
    ("sampler", np.int64),  # an index into `deals.sampling.DEALS`
    ("sees_hand", np.int64),  # whether the search is a seer's, which samples the deck alone
    ("proposals", np.int64),  # hands proposed for each sample of a flat search, 0: past moves are not asked
    ("hands_weighed", np.int64),  # by past moves before a tree search begins, 0: past moves are not asked
    ("rejects", np.int64),  # whether a proposed hand is accepted or rejected by itself, not by Metropolis's rule
    ("unexplained_odds", np.float64),  # of a move that the judge would not have made, to one that it would
    # What hints mean.
    ("convention", np.int64),
    ("modeled", np.int64),  # whether rollouts believe the convention
    ("obeys", np.int64),  # whether Brooks's search plays the card that a hint points at, without a search
    # Rollouts.
    ("plies", np.int64),  # moves after which a rollout is cut off
    ("reward", np.int64),
    ("listening", np.int64),  # whether some model observes moves
    ("remembering", np.int64),  # whether some model has a memory
    ("believe_address", np.int64),  # of the kernel that says what moves mean to the evaluator, or NO_KERNEL
    # The race of a flat search.
    ("confidence", np.float64),  # standard errors by which a move must be behind to be dropped
    ("margin", np.float64),  # points by which a move must beat the evaluator's own
    ("caution", np.float64),  # standard errors of its lead by which it must do so besides
    ("patient", np.int64),  # whether that noise keeps a move in the race, instead of counting against it there too
    ("evaluator_plays", np.int64),  # whether the evaluator alone decides when a card is played
    ("misleads", np.int64),  # whether moves are tried from which the others would conclude what is not so
    ("early_looks", np.int64),  # which moves are dropped in the first round already: of no hope, or surely behind
    ("most_endings", np.int64),  # deals at most that are tried one by one near the end of a game, instead of samples
]
_PROGRESS = [
    # Set when a search begins.
    ("seat", np.int64),  # that searches
    ("turns", np.int64),  # moves made in the real game so far
    ("whole_history", np.int64),  # whether the seat has observed the game from its deal
    ("started", np.int64),  # the clock, in nanoseconds
    ("reachable_at_root", np.int64),  # points that the discards still allow
    ("root_moves", np.int64),  # that the root offers, a mask
    ("evaluator_move", np.int64),  # what the evaluator itself would do at the root of a flat search
    ("weighed", np.int64),  # hands weighed by past moves for this search; 0: hands are sampled without asking them
    # Counted on the way.
    ("stop", np.int64),  # set from outside: answer at once
    ("iterations_done", np.int64),
    ("steps_done", np.int64),
    ("nodes_used", np.int64),
    # Of the iteration in progress.
    ("depth", np.int64),  # of the node at its end
    ("evaluating", np.int64),  # whether partners keep their cards in it, for `backup` SPLIT
    ("all_true", np.int64),  # whether every card shown so far is the one sampled at the root
    ("is_exact", np.int64),  # whether every deal is tried, so that no difference is due to chance
    ("deal_weight", np.float64),  # how often the deal at hand counts then; 1 on average
    ("unexplained", np.int64),  # moves that the hand kept leaves unexplained, or NO_HAND_KEPT
]
_RESULTS = [
    ("chosen", np.int64),  # the move
    ("deepest_seen", np.int64),  # depth of the deepest node
    ("true_iterations", np.int64),  # in which every card shown was the one sampled at the root
    ("cut_lines", np.int64),  # of Brooks's search: iterations that met an illegal move
    ("path_lengths", np.int64),  # of Brooks's search: over all iterations
    ("all_iterations", np.int64),  # of all searches at this table
]
_TABLES = [
    ("hand", np.int64, (MAX_HAND,)),  # being sampled, by slot
    ("kept_hand", np.int64, (MAX_HAND,)),  # by Metropolis's rule
    ("hint_possible", np.int64, (MAX_HAND,)),  # possible kinds by hints, while the convention narrows them
    ("convention_masks", np.int64, (MAX_DECK,)),  # by `order`: the kinds that the convention leaves, 0 for all
    ("root_convention_masks", np.int64, (MAX_DECK,)),  # the same in the real game
    ("false_at", np.int64, (MAX_PLAYERS,)),  # by seat: depth at which it last showed a card that is not the true one
    ("path", np.int64, (MAX_TURNS,)),  # by depth: the nodes of the iteration in progress
    ("deal_table", np.int64, (DEAL_TABLE,)),  # for `count_deals`
    ("values", np.float64, (NUM_MOVES,)),  # of the moves of a flat search in the last sample, or of a leaf
    ("leaf_values", np.float64, (NUM_MOVES,)),  # of the moves where a line of a flat search stops
    # Bouzy's assignment (`deals/sampling.py`); a row is a slot that holds a card.
    ("edges", np.int64, (MAX_HAND, MAX_HAND)),  # [row, rank]: the row's cheapest edges to cards
    ("choices", np.int64, (MAX_HAND + 1,)),  # by row: the rank of the edge being tried
    ("bounds", np.int64, (MAX_HAND + 1,)),  # by row: what this row and those after it cost at least
    ("found", np.int64, (MAX_HAND,)),  # by row: the edge of the cheapest hand so far
]
# Arrays that the record holds the addresses of, and the lengths that are not the same for all searches.
_MODELS = ("memory", "extents", "params", "acts", "observes")
_JUDGES = ("judge_params", "judge_acts", "judge_observes")
ARRAYS = ("states", "rng", *_MODELS, *_JUDGES, "hands", "tree_rules", "nodes", "draws", "products", "leaf")
_LENGTHS = ("memory_words", "params_words", "judge_params_words", "tree_rules_words", "leaf_words", "node_capacity")
# Of the records of `deals/hand_list.py`, the list of its own hands, and `ally_likelihood.py`; 0 for none.
_RECORDS = ("own_hand_address", "allies_address")
_PLACES = [(name, np.int64) for name in (*(f"{array}_address" for array in ARRAYS), *_LENGTHS, *_RECORDS)]
SearchRecord = NewType("SearchRecord", np.void)  # of SEARCH: what a search works with, `work` in its kernels
Nodes = npt.NDArray[Any]  # of NODE
SEARCH = np.dtype([*_SETTINGS, *_PROGRESS, *_RESULTS, *_TABLES, *_PLACES], align=True)

# A node is a sequence of moves from the root; draws do not branch (open loop). One cache line.
NODE = np.dtype(
    [
        ("move", np.int64),  # that leads here
        ("visits", np.int64),
        ("available", np.int64),  # how often this move could have been chosen where the parent was visited
        ("child", np.int64),  # the first, 0 for none: the root is the child of none
        ("sibling", np.int64),  # the next child of the same parent
        ("total", np.float64),  # of the rewards
        ("squares", np.float64),  # of the rewards, for the standard error
        ("actor", np.int64),  # the seat that makes the move
    ]
)
ROOT_NODE = 0

# A hand that the searching seat may hold, before a tree search that asks past moves.
WEIGHED_HAND = np.dtype(
    [
        ("cards", np.int64, (MAX_HAND,)),  # by slot
        ("unexplained", np.int64),  # past moves that it leaves unexplained
        ("weight_so_far", np.float64),  # of this hand and all before it
    ]
)

# Lanes of the search's states: an undealt game, what the searching seat knows, the deal being tried, its play.
UNDEALT: Any = np.int64(0)
KNOWN: Any = np.int64(1)
DEALT: Any = np.int64(2)
TRIAL: Any = np.int64(3)
SEARCH_LANES = 4
SEARCH_STREAM: Any = np.int64(0)  # of lane TRIAL: the dice of the search itself; the seats' streams roll for the models

work_at = record_viewer(SEARCH)  # the record of the search whose row of parameters begins with this address

# The arrays of a search, from its record: `states_of(work)` and so on.
states_of = stored_array(STATE, "states_address", SEARCH_LANES)
rng_of = stored_array(np.int64, "rng_address", SEARCH_LANES, STREAMS, STREAM_WORDS)
# Of the models, one in each seat: memories, their extents as `memory_kernels` has them, parameters, kernels.
memory_of = stored_array(np.int64, "memory_address", SEARCH_LANES, MAX_PLAYERS, "memory_words")
extents_of = stored_array(np.int64, "extents_address", MAX_PLAYERS, 2)
params_of = stored_array(np.float64, "params_address", MAX_PLAYERS, "params_words")
acts_of = stored_array(np.int64, "acts_address", MAX_PLAYERS)
observes_of = stored_array(np.int64, "observes_address", MAX_PLAYERS)
# Who is asked what past moves say of a hand, one judge in each seat: the models, unless others are named.
judge_acts_of = stored_array(np.int64, "judge_acts_address", MAX_PLAYERS)
judge_observes_of = stored_array(np.int64, "judge_observes_address", MAX_PLAYERS)
judge_params_of = stored_array(np.float64, "judge_params_address", MAX_PLAYERS, "judge_params_words")
weighed_hands_of = stored_array(WEIGHED_HAND, "hands_address", "hands_weighed")
# The rules of the tree: one row, as `list_row` writes it.
rules_of = stored_array(np.float64, "tree_rules_address", 1, "tree_rules_words")
nodes_of = stored_array(NODE, "nodes_address", "node_capacity")
# Of Brooks's search, by node: a random number that orders the siblings not reached yet.
draws_of = stored_array(np.int64, "draws_address", "node_capacity")
# The network that values the leaves: one row, as the agent's own parameters.
leaf_of = stored_array(np.float64, "leaf_address", 1, "leaf_words")
# Of a flat search, by two moves: the sum of the products of their values over the samples.
products_of = stored_array(np.float64, "products_address", NUM_MOVES, NUM_MOVES)


@kernel
def is_late(work: SearchRecord, parts: int) -> bool:
    """Whether the search was stopped, or one of `parts` parts of its time is gone."""
    return work["stop"] != 0 or (work["nanoseconds"] > 0 and parts * (now() - work["started"]) >= work["nanoseconds"])
