"""Moves made in a tree: a card that another seat shows becomes one that it could hold, where the algorithm says so."""

from kagiya._jit import kernel
from kagiya.move_kernels import is_hint, slot_of
from kagiya.moves import MoveNumber
from kagiya.rules import MAX_PLAYERS
from kagiya.search.deals.convention import hear_move
from kagiya.search.deals.redeal import redeal_card
from kagiya.search.layout import REDETERMINIZING, TRIAL, SearchRecord, states_of
from kagiya.search.rollout import try_move

NEVER = -1


@kernel
def forget_cards(work: SearchRecord) -> None:
    """A new line of play, in which no card has been shown yet."""
    work["all_true"] = 1
    for seat in range(MAX_PLAYERS):
        work["false_at"][seat] = NEVER


@kernel
def make_tree_move(work: SearchRecord, depth: int, move: MoveNumber) -> None:
    """Make a move of the tree in lane TRIAL; another seat's card is resampled where the algorithm says so."""
    lanes = states_of(work)
    seat = lanes[TRIAL]["seat"]
    redeals = work["algorithm"] == REDETERMINIZING and seat != work["seat"] and not work["evaluating"]
    if redeals and not is_hint(move) and not redeal_card(lanes, TRIAL, seat, slot_of(move), work):
        work["all_true"], work["false_at"][seat] = 0, depth
    hear_move(lanes, TRIAL, work, move)
    try_move(lanes, TRIAL, work, move)
