"""SimpleBot: hints say that all the cards they touch are playable, and nothing else is ever said.

Source
    Arthur O'Dwyer, `Quuxplusone/Hanabi` on GitHub, SimpleBot, commit daef9de (2019).
Published
    Means of its README, points kept after a bomb, empty hints illegal: 16.92, 18.48, 19.32, 18.50 for 2-5
    players. The original program, run again over 100,000 games: 16.917, 18.478, 19.322, 18.495, each +- 0.009
    at most.
Where the source is silent
    It never plays blind and never loses a life among its own kind, so it has no safe variant. A color hint for
    a finished firework, which it never gives, is not taken for a promise. In hands of a single card, with all
    tokens there and nobody to tell, it plays.
"""

from kagiya._jit import kernel
from kagiya.agents._base import CompiledAgent
from kagiya.agents._convention_kernels import (
    NOTES,
    REASON,
    SETS_AND_NOTES,
    convention_bot,
    forget_card,
    hint_rank,
    is_color_hint,
    is_reclaim,
    reclaim,
)
from kagiya.agents._note_kernels import (
    EVERYONE,
    PLAYABLE,
    SIMPLE,
    play_marked,
    tell,
    unmark_duplicates,
    with_color,
    with_rank,
)
from kagiya.agents.tactics._slots import oldest_slot
from kagiya.engine.kernels import hint_receiver, touched_slots
from kagiya.moves import FIRST_DISCARD, FIRST_HINT, HINTS_PER_SEAT, NO_MOVE
from kagiya.rules import MAX_HAND

REASONS = (
    "plays a card told to be playable",
    "tells of cards to play",
    "spends a token, for all are there",
    "discards its oldest card",
)
PLAYS, TELLS, RECLAIMS, DISCARDS = range(4)


@kernel
def act(states, i, seat, memory, params, rng):
    """The first rule that has a move."""
    move, reason = play_marked(states, i, seat, memory), PLAYS
    if move == NO_MOVE:
        move, reason = tell(states, i, seat, memory, EVERYONE, SIMPLE), TELLS
    if move == NO_MOVE:
        move, reason = reclaim(states, i, seat), RECLAIMS
    if move == NO_MOVE:
        move, reason = FIRST_DISCARD + oldest_slot(states, i, seat), DISCARDS
    memory[i, seat, REASON] = reason
    return move


@kernel
def hear_hint(states, i, seat, memory, move):
    """All the cards that a hint touches are playable; a color names their rank as well."""
    state = states[i]
    if is_reclaim(states, i, move):
        return
    receiver, touched = hint_receiver(states, i, move), touched_slots(states, i, move)
    color = (move - FIRST_HINT) % HINTS_PER_SEAT
    if is_color_hint(move) and state["fireworks"][color] == state["ranks"]:
        return
    for slot in range(state["hand_size"]):
        if not touched >> slot & 1:
            continue
        note = memory[i, seat, NOTES + receiver * MAX_HAND + slot] | PLAYABLE
        if is_color_hint(move):
            note = with_rank(with_color(note, color), state["fireworks"][color])
        else:
            note = with_rank(note, hint_rank(move))
        memory[i, seat, NOTES + receiver * MAX_HAND + slot] = note


@kernel
def observe(states, i, seat, memory, params, move):
    """What each move tells all, before it takes effect."""
    state = states[i]
    if move >= FIRST_HINT:
        hear_hint(states, i, seat, memory, move)
        return
    if move < FIRST_DISCARD:
        unmark_duplicates(states, i, seat, memory, state["hands"][state["seat"], move])
    forget_card(states, i, seat, memory, NOTES, move)


AGENT = CompiledAgent(
    convention_bot("simplebot", "tells of cards to play, all those touched", REASONS, SETS_AND_NOTES),
    act,
    observe,
)
