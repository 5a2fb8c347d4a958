"""The moves worth considering: what each rule of a list proposes, without hints that the convention forbids.

A tree search and a learned evaluation choose among these; a list travels in a row of numbers, as `list_row` writes it.
"""

from __future__ import annotations

from collections.abc import Sequence

from kagiya._jit import kernel, stack_array
from kagiya.agents._playable_now_kernels import (
    GROUNDED,
    Convention,
    Masks,
    misleading_hints,
    narrow_hand,
    restore_hand,
    single_playable_hint,
    tell_most_allowed,
)
from kagiya.agents._rule_list import append_rule, list_length, list_row, may_use, replace_tactic, tactic_at
from kagiya.agents.tactics._tactic import TacticUse, use
from kagiya.cards import Seat
from kagiya.dice import Streams
from kagiya.engine.calls import call_tactic
from kagiya.engine.kernels import legal_moves
from kagiya.engine.layout import Lane, Params, States
from kagiya.moves import NO_MOVE
from kagiya.rules import MAX_HAND

# In the place of a tactic's address: rules that need to know what the convention has said.
SINGLE_PLAYABLE, MOST_ALLOWED = -1, -2

# The lists by name. Goodman 2019, Table II (the report's Table II as well), and Brooks 2020, Table I: the same nine
# rules, read by the two lineages. Late play begins with 5 cards in the deck, as both print; Goodman's program counts
# the player's own hand to them.
RULE_LISTS: dict[str, tuple[str, ...]] = {
    "goodman": (
        "tell-most-new-in-turn",
        "tell-playable",
        "tell-dispensable",
        "tell-rest-of-playable",
        "tell-rest-of-played",
        "tell-rest-of-unplayable",
        "play-probably-safe(0.7)",
        "play-probably-safe(0.4, deck=5)",
        "discard-probably-useless(0)",
    ),
    "brooks": (
        "hle-tell-most-new",
        "hle-tell-playable",
        "hle-tell-dispensable(tokens=7)",
        "hle-tell-rest-of-playable",
        "hle-tell-rest-of-useless",
        "hle-tell-rest-of-unplayable",
        "hle-play-probably-safe(0.7)",
        "hle-play-probably-safe(0.4, deck=5)",
        "hle-discard-most-confident",
    ),
}

_saved_hand = stack_array("int64", MAX_HAND)


@kernel
def rule_move(
    states: States,
    i: Lane,
    seat: Seat,
    rows: Params,
    row: int,
    place: int,
    rng: Streams,
    masks: Masks,
    convention: Convention,
    forbidden: int,
) -> int:
    """What the rule at this place of the list proposes, not checked for legality; NO_MOVE if it may not be used."""
    state = states[i]
    deck_left = state["deck_size"] - state["drawn"]
    if not may_use(rows, row, place, state["lives"], state["tokens"], deck_left):
        return NO_MOVE
    tactic, value = tactic_at(rows, row, place)
    if tactic == SINGLE_PLAYABLE:
        return single_playable_hint(states, i, seat, masks, convention)
    if tactic == MOST_ALLOWED:
        return tell_most_allowed(states, i, seat, forbidden)
    return call_tactic(tactic, states, i, seat, rng, value)


@kernel
def proposed_moves(
    states: States,
    i: Lane,
    seat: Seat,
    rows: Params,
    row: int,
    rng: Streams,
    masks: Masks,
    convention: Convention,
    forbidden: int,
) -> int:
    """What the rules propose, each at most one move, as a mask; the seat's hand must be narrowed to its beliefs."""
    moves = 0
    for place in range(list_length(rows, row)):
        move = rule_move(states, i, seat, rows, row, place, rng, masks, convention, forbidden)
        if move != NO_MOVE:
            moves |= 1 << move
    return moves


@kernel
def candidate_moves(
    states: States, i: Lane, seat: Seat, rows: Params, row: int, rng: Streams, masks: Masks, convention: Convention
) -> int:
    """The legal moves that the rules propose and the convention allows, as a mask; all legal ones if there are none.

    The possible kinds of the seat's cards are narrowed while the rules are asked, and left as they were.
    """
    saved = _saved_hand()
    forbidden = 0
    if convention != GROUNDED:
        forbidden = misleading_hints(states, i, seat, convention)
        narrow_hand(states, i, seat, masks, saved)
    moves = proposed_moves(states, i, seat, rows, row, rng, masks, convention, forbidden)
    if convention != GROUNDED:
        restore_hand(states, i, seat, saved)
    legal = legal_moves(states, i)
    allowed = moves & legal & ~forbidden
    return allowed if allowed else legal


def rule_uses(rules: str | Sequence[TacticUse]) -> list[TacticUse]:
    """The tactics of a list of rules; none for all moves."""
    return [use(text) for text in RULE_LISTS.get(rules, ())] if isinstance(rules, str) else list(rules)


def candidate_row(uses: Sequence[TacticUse], convention: str) -> list[float]:
    """The list as a row of numbers; under a convention two of the rules know what hints mean."""
    row = list_row(uses)
    if convention == "none" or not uses:
        return row
    for place, item in enumerate(uses):
        if item.tactic.name == "tell-most-new-in-turn":
            replace_tactic(row, place, MOST_ALLOWED)
    append_rule(row, SINGLE_PLAYABLE)
    return row
