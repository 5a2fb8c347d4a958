"""HolmesBot: as ValueBot, with deduction: sets of kinds, what hints leave out, cards accounted for elsewhere.

Source
    Arthur O'Dwyer, `Quuxplusone/Hanabi` on GitHub, HolmesBot, commit daef9de (2019).
Published
    Means of its README, points kept after a bomb, empty hints illegal: 20.75, 20.86, 20.46, 18.40 for 2-5
    players. The original program, run again over 40,000 games: 20.752, 20.868, 20.477, 18.404, each +- 0.013
    at most. It bombs in 6, 12, 27 and 57 games of a hundred.
Where the source is silent
    The source plays mystery cards down to the last life; `safe` keeps from that, and is ours. What partners
    without these conventions say may leave a card no kind at all: it is then what the hints say literally, and
    unmarked. A color hint for a finished firework is no more than literal. In hands of a single card, with all
    tokens there and nobody to tell, it plays.
"""

from dataclasses import replace

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents._base import CompiledAgent
from kagiya.agents._convention_kernels import (
    NOTES,
    REASON,
    SAFE,
    SETS,
    SETS_AND_NOTES,
    SETTLED,
    UNKNOWN,
    convention_bot,
    forget_card,
    hint_rank,
    is_color_hint,
    is_reclaim,
    only_rank,
    reclaim,
    within,
)
from kagiya.agents._note_kernels import (
    EVERYONE,
    HOLMES,
    PLAYABLE,
    VALUABLE,
    WORTHLESS,
    discard_chop,
    discard_valuable,
    discard_worthless,
    endangered_card,
    last_copies,
    lowest_needed_rank,
    may_be_valuable,
    noted_chop,
    noted_color,
    noted_rank,
    play_marked,
    tell,
    with_color,
    with_rank,
)
from kagiya.agents._set_kernels import narrow, narrow_by_hint, settle_sets
from kagiya.agents.tactics._hints import NEXT, hint_rank_of
from kagiya.agents.tactics._slots import NO_SLOT
from kagiya.cards import MAX_COLORS, MAX_RANKS, NO_CARD
from kagiya.engine.kernels import COLOR_KINDS, hint_kinds, hint_receiver, touched_slots
from kagiya.moves import FIRST_DISCARD, FIRST_HINT, NO_MOVE
from kagiya.rules import MAX_HAND

REASONS = (
    "warns of a valuable card",
    "plays a card that must fit",
    "tells of cards to play",
    "mystery play",
    "spends a token, for all are there",
    "discards a useless card",
    "discards the oldest card not known to be valuable",
    "discards the highest of valuable cards",
)
WARNS, PLAYS, TELLS, GAMBLES, RECLAIMS, DISCARDS_USELESS, DISCARDS_CHOP, DISCARDS_VALUABLE = range(8)


@kernel
def settle(states, i, seat, memory):
    """Before a turn, once: from marks to sets, by counting, and back to marks."""
    if memory[i, seat, SETTLED] != states[i]["turn"] + 1:
        apply_marks(states, i, seat, memory)
        settle_sets(states, i, seat, memory)
        set_marks(states, i, seat, memory)


@kernel
def apply_marks(states, i, seat, memory):
    """A card not known is of no kind that its marks contradict; if that leaves none, the marks were wrong."""
    state = states[i]
    last = last_copies(states, i)
    for owner in range(state["players"]):
        for slot in range(state["hand_size"]):
            kinds = memory[i, seat, SETS + owner * MAX_HAND + slot]
            note = memory[i, seat, NOTES + owner * MAX_HAND + slot]
            if kinds & (kinds - 1):
                kinds &= last if note & VALUABLE else kinds
                kinds &= state["playable"] if note & PLAYABLE else kinds
                kinds &= state["played"] if note & WORTHLESS else kinds
                memory[i, seat, SETS + owner * MAX_HAND + slot] = kinds
            if kinds == 0:
                memory[i, seat, NOTES + owner * MAX_HAND + slot] = 0


@kernel
def set_marks(states, i, seat, memory):
    """What follows from a card's set: its color, its rank, its marks."""
    state = states[i]
    last = last_copies(states, i)
    for owner in range(state["players"]):
        for slot in range(state["hand_size"]):
            kinds = memory[i, seat, SETS + owner * MAX_HAND + slot]
            note = memory[i, seat, NOTES + owner * MAX_HAND + slot]
            if kinds == 0:
                continue
            if popcount(kinds) <= MAX_COLORS:
                color = lowest_bit(kinds) // MAX_RANKS
                is_one_color = within(kinds, COLOR_KINDS << MAX_RANKS * color)
                note = with_rank(with_color(note, color if is_one_color else UNKNOWN), only_rank(kinds))
            if not note & (PLAYABLE | VALUABLE) and within(kinds, state["played"]):
                note |= WORTHLESS
            if not note & WORTHLESS:
                note |= VALUABLE if within(kinds, last) else 0
                note |= PLAYABLE if within(kinds, state["playable"]) else 0
            memory[i, seat, NOTES + owner * MAX_HAND + slot] = note


@kernel
def gamble(states, i, seat, memory, safe):
    """When the deck is nearly gone: play the newest card that is neither worthless nor known."""
    state, newest = states[i], NO_SLOT
    if state["deck_size"] - state["drawn"] > 1 or (safe and state["lives"] == 1):
        return NO_MOVE
    for slot in range(state["hand_size"]):
        kinds, note = memory[i, seat, SETS + seat * MAX_HAND + slot], memory[i, seat, NOTES + seat * MAX_HAND + slot]
        if kinds & (kinds - 1) == 0 or note & WORTHLESS:
            continue
        if newest == NO_SLOT or state["order"][seat, slot] > state["order"][seat, newest]:
            newest = slot
    return newest


@kernel
def act(states, i, seat, memory, params, rng):
    """The first rule that has a move."""
    settle(states, i, seat, memory)
    move, reason = NO_MOVE, WARNS
    card = endangered_card(states, i, seat, memory)
    if card != NO_CARD:
        move = tell(states, i, seat, memory, NEXT, HOLMES)
        move = hint_rank_of(NEXT, card) if move == NO_MOVE else move
    if move == NO_MOVE:
        move, reason = play_marked(states, i, seat, memory), PLAYS
    if move == NO_MOVE:
        move, reason = tell(states, i, seat, memory, EVERYONE, HOLMES), TELLS
    if move == NO_MOVE:
        move, reason = gamble(states, i, seat, memory, params[seat, 0] != 0), GAMBLES
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
def hear_color(states, i, seat, memory, move):
    """Cards whose color is named are the next one needed, but for those of known rank and the worthless."""
    receiver, touched = hint_receiver(states, i, move), touched_slots(states, i, move)
    needed = hint_kinds(states, i, move) & states[i]["playable"]
    for slot in range(states[i]["hand_size"]):
        note = memory[i, seat, NOTES + receiver * MAX_HAND + slot]
        if touched >> slot & 1 and noted_rank(note) == UNKNOWN and not note & WORTHLESS and needed != 0:
            narrow(memory, i, seat, receiver, slot, needed)


@kernel
def hear_rank(states, i, seat, memory, move):
    """A rank says that the next discard is valuable if it can be; else that the cards touched are playable."""
    receiver, touched, rank = hint_receiver(states, i, move), touched_slots(states, i, move), hint_rank(move)
    chop = noted_chop(states, i, seat, memory, receiver)
    is_warning = chop != NO_SLOT and touched >> chop & 1 == 1
    is_warning = is_warning and may_be_valuable(states, i, seat, memory, receiver, chop, rank, HOLMES)
    for slot in range(states[i]["hand_size"]):
        if not touched >> slot & 1:
            continue
        note = memory[i, seat, NOTES + receiver * MAX_HAND + slot]
        if is_warning and slot == chop:
            note |= VALUABLE | (PLAYABLE if rank == lowest_needed_rank(states, i) else 0)
        if not is_warning and noted_color(note) == UNKNOWN and not note & WORTHLESS:
            note |= PLAYABLE
        memory[i, seat, NOTES + receiver * MAX_HAND + slot] = note


@kernel
def hear_play(states, i, seat, memory, card):
    """Once a card is played, no other that may be the same is sure to fit."""
    state, bit = states[i], 1 << card
    if not state["playable"] & bit or last_copies(states, i) & bit:
        return
    for owner in range(state["players"]):
        for slot in range(state["hand_size"]):
            kinds = memory[i, seat, SETS + owner * MAX_HAND + slot]
            note = memory[i, seat, NOTES + owner * MAX_HAND + slot]
            if note & PLAYABLE and not note & VALUABLE and kinds & bit:
                memory[i, seat, NOTES + owner * MAX_HAND + slot] = note & ~PLAYABLE


@kernel
def observe(states, i, seat, memory, params, move):
    """What each move tells all, before it takes effect."""
    state = states[i]
    settle(states, i, seat, memory)
    if move < FIRST_HINT:
        if move < FIRST_DISCARD:
            hear_play(states, i, seat, memory, state["hands"][state["seat"], move])
        forget_card(states, i, seat, memory, SETS, move)
        forget_card(states, i, seat, memory, NOTES, move)
    elif not is_reclaim(states, i, move):
        if is_color_hint(move):
            hear_color(states, i, seat, memory, move)
        else:
            hear_rank(states, i, seat, memory, move)
        narrow_by_hint(states, i, seat, memory, move)


INFO = convention_bot(
    "holmesbot",
    "tells of cards to play, warns of last copies, and deduces",
    REASONS,
    SETS_AND_NOTES,
)
AGENT = CompiledAgent(replace(INFO, parameters=(SAFE,)), act, observe)
