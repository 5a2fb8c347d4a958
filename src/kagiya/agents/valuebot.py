"""ValueBot: as SimpleBot, and a rank hint that touches the next discard may warn that it is a last copy.

Source
    Arthur O'Dwyer, `Quuxplusone/Hanabi` on GitHub, ValueBot, commit daef9de (2019).
Published
    Means of its README, points kept after a bomb, empty hints illegal: 19.79, 19.43, 19.39, 17.76 for 2-5
    players. The original program, run again over 100,000 games: 19.784, 19.433, 19.392, 17.750, each +- 0.008
    at most.
Where the source is silent
    It never plays blind and never loses a life among its own kind, so it has no safe variant. Hints that it
    never gives: cards told a rank already played in all colors, or the color of a finished firework, are
    worthless. In hands of a single card, with all tokens there and nobody to tell, it plays.
"""

from kagiya._jit import kernel
from kagiya.agents._base import CompiledAgent
from kagiya.agents._convention_kernels import (
    NOTES,
    REASON,
    SETS_AND_NOTES,
    UNKNOWN,
    convention_bot,
    forget_card,
    hint_rank,
    is_color_hint,
    is_reclaim,
    rank_kinds,
    reclaim,
)
from kagiya.agents._note_kernels import (
    EVERYONE,
    PLAYABLE,
    VALUABLE,
    VALUE,
    WORTHLESS,
    discard_chop,
    discard_valuable,
    discard_worthless,
    endangered_card,
    last_copies,
    lowest_needed_rank,
    may_be_valuable,
    noted_chop,
    noted_rank,
    play_marked,
    tell,
    unmark_duplicates,
    with_color,
    with_rank,
)
from kagiya.agents.tactics._hints import NEXT, hint_rank_of
from kagiya.agents.tactics._slots import NO_SLOT
from kagiya.cards import MAX_RANKS, NO_CARD
from kagiya.engine.kernels import hint_receiver, touched_slots
from kagiya.moves import FIRST_DISCARD, FIRST_HINT, HINTS_PER_SEAT, NO_MOVE
from kagiya.rules import MAX_HAND

REASONS = (
    "warns of a valuable card",
    "plays a card told to be playable",
    "tells of cards to play",
    "spends a token, for all are there",
    "discards a useless card",
    "discards the oldest card not known to be valuable",
    "discards the highest of valuable cards",
)
WARNS, PLAYS, TELLS, RECLAIMS, DISCARDS_USELESS, DISCARDS_CHOP, DISCARDS_VALUABLE = range(7)


@kernel
def act(states, i, seat, memory, params, rng):
    """The first rule that has a move."""
    move, reason = NO_MOVE, WARNS
    card = endangered_card(states, i, seat, memory)
    if card != NO_CARD:
        move = tell(states, i, seat, memory, NEXT, VALUE)
        move = hint_rank_of(NEXT, card) if move == NO_MOVE else move
    if move == NO_MOVE:
        move, reason = play_marked(states, i, seat, memory), PLAYS
    if move == NO_MOVE:
        move, reason = tell(states, i, seat, memory, EVERYONE, VALUE), TELLS
    if move == NO_MOVE:
        move, reason = reclaim(states, i, seat), RECLAIMS
    if move == NO_MOVE:
        move, reason = discard_worthless(states, i, seat, memory), DISCARDS_USELESS
    if move == NO_MOVE:
        move, reason = discard_chop(states, i, seat, memory), DISCARDS_CHOP
    if move == NO_MOVE:
        move, reason = discard_valuable(states, i, seat, memory), DISCARDS_VALUABLE
    memory[i, seat, REASON] = reason
    return move


@kernel
def note_by_color(states, i, note, color):
    """A card whose color is named is the next one needed, unless its rank is known."""
    state = states[i]
    if noted_rank(note) == UNKNOWN:
        if state["fireworks"][color] == state["ranks"]:
            return with_color(note, color) | WORTHLESS
        note = with_rank(note, state["fireworks"][color])
    bit = 1 << color * MAX_RANKS + noted_rank(note)
    if state["played"] & bit:
        return with_color(note, color) | WORTHLESS
    note |= PLAYABLE if state["playable"] & bit else 0
    note |= VALUABLE if last_copies(states, i) & bit else 0
    return with_color(note, color)


@kernel
def note_by_rank(states, i, note, rank, is_chop, is_warning):
    """A card whose rank is named is playable; but in a warning, the next discard alone is marked."""
    lowest = lowest_needed_rank(states, i)
    note = with_rank(note, rank)
    if not is_warning:
        return note | (PLAYABLE if rank >= lowest else WORTHLESS)
    if is_chop:
        note |= VALUABLE | (PLAYABLE if rank == lowest else 0)
    return note


@kernel
def hear_hint(states, i, seat, memory, move):
    """A hint marks every card that it touches."""
    state = states[i]
    if is_reclaim(states, i, move):
        return
    receiver, touched = hint_receiver(states, i, move), touched_slots(states, i, move)
    rank = hint_rank(move)
    chop = NO_SLOT if is_color_hint(move) else noted_chop(states, i, seat, memory, receiver)
    is_warning = chop != NO_SLOT and touched >> chop & 1 == 1
    is_warning = is_warning and may_be_valuable(states, i, seat, memory, receiver, chop, rank, VALUE)
    for slot in range(state["hand_size"]):
        if not touched >> slot & 1:
            continue
        note = memory[i, seat, NOTES + receiver * MAX_HAND + slot]
        if is_color_hint(move):
            note = note_by_color(states, i, note, (move - FIRST_HINT) % HINTS_PER_SEAT)
        else:
            note = note_by_rank(states, i, note, rank, slot == chop, is_warning)
        memory[i, seat, NOTES + receiver * MAX_HAND + slot] = note


@kernel
def hear_play(states, i, seat, memory, card):
    """Other copies of a card just played no longer fit; a rank played in all colors is worthless."""
    state, bit = states[i], 1 << card
    if not state["playable"] & bit:
        return
    if not last_copies(states, i) & bit:
        unmark_duplicates(states, i, seat, memory, card)
    rank = card % MAX_RANKS
    if state["kinds"] & rank_kinds(rank) & ~(state["played"] | bit):
        return
    for owner in range(state["players"]):
        for word in range(NOTES + owner * MAX_HAND, NOTES + owner * MAX_HAND + state["hand_size"]):
            if noted_rank(memory[i, seat, word]) == rank:
                memory[i, seat, word] |= WORTHLESS


@kernel
def observe(states, i, seat, memory, params, move):
    """What each move tells all, before it takes effect."""
    state = states[i]
    if move >= FIRST_HINT:
        hear_hint(states, i, seat, memory, move)
        return
    if move < FIRST_DISCARD:
        hear_play(states, i, seat, memory, state["hands"][state["seat"], move])
    forget_card(states, i, seat, memory, NOTES, move)


AGENT = CompiledAgent(
    convention_bot(
        "valuebot",
        "tells of cards to play, and warns of last copies",
        REASONS,
        SETS_AND_NOTES,
    ),
    act,
    observe,
)
