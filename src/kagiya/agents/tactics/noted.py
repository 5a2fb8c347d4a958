"""Tactics that know what was hinted since a seat's last turn, so that a hint can mean "play this".

A position holds no history, so these read notes that every seat keeps of the hints it hears, in words of its memory;
only agents whose list has such a tactic keep them. To a list these tactics are numbers below zero in place
of an address, and one kernel plays all lists that have them, a list for each number of players. `unblock`, which gives
back a token, needs no notes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from kagiya._jit import kernel, popcount
from kagiya.agents import rule_list
from kagiya.agents.api import AgentInfo, CompiledAgent, Hooks
from kagiya.agents.tactics import vocabulary
from kagiya.agents.tactics.play_or_discard import known_slot, known_useless_slot
from kagiya.cards import (
    MAX_COLORS,
    MAX_PLAYERS,
    NO_MOVE,
    Kinds,
    MoveNumber,
    Offset,
    Seat,
    Slots,
    each_offset,
    each_slot,
)
from kagiya.engine import game_kernels as game
from kagiya.engine.batch import call_tactic
from kagiya.engine.layout import REASON, Lane, Memory, Params, States, Streams
from kagiya.kinds import RANK_KINDS, kind_bit, rank_kinds
from kagiya.moves import HINTS_PER_SEAT
from kagiya.view.view_kernels import slot_chance, unseen_planes

# The words of a seat's notes, one for each seat: slots touched since its last turn, and those touched alone.
TOUCHED = REASON + 1
ALONE = TOUCHED + MAX_PLAYERS
WORDS = ALONE + MAX_PLAYERS

# The tactics, as numbers in a list: the kinds of play are sets of two flags.
PLAY, ONLY_ALONE, ONLY_NEWEST, TELL = 0, 1, 2, 4
CERTAIN, NEVER = 1.0, -1.0


def stand_in(number: int) -> int:
    """What stands in a list in place of an address."""
    return -1 - number


@kernel
def observe_hints(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """Note for the listening seat which slots a hint touches; the seat that moves has had its turn."""
    notes = memory[i, seat]
    mover = states[i]["seat"]
    notes[TOUCHED + mover], notes[ALONE + mover] = 0, 0
    if game.is_hint(move):
        receiver, touched = game.hint_receiver(states, i, move), game.touched_slots(states, i, move)
        notes[TOUCHED + receiver] |= touched
        if popcount(touched) == 1:
            notes[ALONE + receiver] |= touched


@kernel
def just_hinted_play(states: States, i: Lane, seat: Seat, memory: Memory, flags: int, threshold: float) -> MoveNumber:
    """Of the slots touched since the last turn the one likeliest to fit, if likely enough; ties go to the last."""
    state = states[i]
    slots = Slots(memory[i, seat, (ALONE if flags & ONLY_ALONE else TOUCHED) + seat])
    if flags & ONLY_NEWEST and slots:
        slots &= 1 << vocabulary.newest_slot(states, i, seat)
    if slots == 0:
        return NO_MOVE
    low, high = unseen_planes(states, i, seat, seat)
    best, found = threshold, Slots(0)
    for slot in each_slot(state["hand_size"]):
        if slots >> slot & 1:
            chance = slot_chance(low, high, state["possible"][seat, slot], state["playable"])
            if chance > best:
                best, found = chance, Slots(0)
            found |= (chance == best) << slot
    return game.play_move(vocabulary.last_slot(found))


@kernel
def promised_kinds(states: States, i: Lane, seat: Seat, memory: Memory, first: Offset, end: Offset) -> Kinds:
    """The kinds that fit among cards touched since their owners' last turns, owners from one offset to another."""
    state = states[i]
    kinds = Kinds(0)
    for offset in each_offset(first, end):
        owner = (seat + offset) % state["players"]
        touched = Slots(memory[i, seat, TOUCHED + owner])
        for slot in each_slot(state["hand_size"]):
            if touched >> slot & 1 and state["hands"][owner, slot] >= 0:
                kinds |= kind_bit(state["hands"][owner, slot])
    return kinds & state["playable"]


@kernel
def next_kinds(states: States, i: Lane, kinds: Kinds) -> Kinds:
    """The kinds that fit once these, which fit now, are played."""
    return kinds << 1 & ~RANK_KINDS & states[i]["kinds"]


@kernel
def promise(states: States, i: Lane, seat: Seat, receiver: Seat, named: Kinds, fitting: Kinds) -> tuple[Slots, float]:
    """The slots that will look likeliest to the receiver of a hint, among those it touches, and their chance to fit.

    `fitting` are the kinds that will fit on its turn. NEVER for a card that it must know to fit: that needs no hint.
    """
    state = states[i]
    low, high = unseen_planes(states, i, seat, receiver)
    touched = vocabulary.slots_of(states, i, receiver, named)
    best, before, found = NEVER, NEVER, Slots(0)
    for slot in each_slot(state["hand_size"]):
        if touched >> slot & 1:
            possible = state["possible"][receiver, slot]
            chance = slot_chance(low, high, possible & named, fitting)
            if chance > best:
                best, found = chance, Slots(0)
                before = slot_chance(low, high, possible, fitting)
            found |= (chance == best) << slot
    return found, NEVER if before == CERTAIN else best


@kernel
def promising_hint(states: States, i: Lane, seat: Seat, memory: Memory, threshold: float) -> MoveNumber:
    """In turn order, to a seat not hinted since its last turn: the hint whose likeliest card fits, the surest such.

    What is promised to seats before the receiver will be played by its turn; what others have is promised to no one.
    """
    state = states[i]
    players = vocabulary.count_receivers(states, i, vocabulary.FRAMEWORK) + 1
    for offset in each_offset(1, players):
        receiver = (seat + offset) % state["players"]
        if memory[i, seat, TOUCHED + receiver] != 0:
            continue
        before = promised_kinds(states, i, seat, memory, Offset(1), offset)
        after = promised_kinds(states, i, seat, memory, Offset(offset + 1), Offset(players))
        fitting = state["playable"] & ~before | next_kinds(states, i, before)
        wanted = vocabulary.slots_of(states, i, receiver, fitting & ~after)
        best, most = NO_MOVE, NEVER
        for number in range(HINTS_PER_SEAT if wanted else 0):  # ranks, then colors
            move = game.hint_move(offset, (number + MAX_COLORS) % HINTS_PER_SEAT)
            found, chance = promise(states, i, seat, receiver, game.hint_kinds(states, i, move), fitting)
            if chance > most and found & ~wanted == 0:
                best, most = move, chance
        if best != NO_MOVE and most >= threshold:
            return best
    return NO_MOVE


@kernel
def noted_move(states: States, i: Lane, seat: Seat, memory: Memory, number: int, value: float) -> MoveNumber:
    """The move of one of the tactics of this module, by the number that stands in the list."""
    tactic = -1 - number
    if tactic == TELL:
        return promising_hint(states, i, seat, memory, value)
    return just_hinted_play(states, i, seat, memory, tactic, value)


CHANCE = "the least chance that the card fits"
SINCE = "hinted since the last turn"
for name, flags, meaning in (
    ("play-just-hinted", PLAY, f"Of the cards {SINCE} the likeliest to fit, if likely enough; ties go to the last."),
    ("play-just-hinted-alone", ONLY_ALONE, f"The same of the cards {SINCE} by a hint that touched no other."),
    ("play-newest-just-hinted", ONLY_NEWEST, f"The newest card if it was {SINCE} and is likely enough to fit."),
    ("play-newest-just-hinted-alone", ONLY_ALONE | ONLY_NEWEST, f"The same if a hint touched it alone; {SINCE}."),
):
    vocabulary.noted_tactic(name, stand_in(flags), noted_move, meaning, CHANCE)
vocabulary.noted_tactic(
    "tell-promise",
    stand_in(TELL),
    noted_move,
    "To a seat not hinted since its last turn, in turn order: the hint whose likeliest card fits, the surest such.",
    "the least chance to fit that the receiver must see in that card",
)


MIN_PLAYERS = 2
PLACES = MAX_PLAYERS - MIN_PLAYERS + 1  # words at the beginning of the row

Lists = Sequence[Sequence[vocabulary.TacticUse]]


@kernel
def act_by_noted_list(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The first tactic of the list for this number of players that may be used and has a move, or a random move."""
    state = states[i]
    lives, tokens, deck_left = state["lives"], state["tokens"], state["deck_size"] - state["drawn"]
    start = int(params[seat, state["players"] - MIN_PLAYERS])
    count = int(params[seat, start + 1])
    for place in range(count):
        word = start + 1 + rule_list.WORDS_PER_USE * place
        if not rule_list.may_use(params, seat, word, lives, tokens, deck_left):
            continue
        number, value = rule_list.tactic_at(params, seat, word)
        if number < 0:
            move = noted_move(states, i, seat, memory, number, value)
        else:
            move = call_tactic(number, states, i, seat, rng, value)
        if move != NO_MOVE:
            memory[i, seat, REASON] = int(params[seat, start]) + place
            return move
    memory[i, seat, REASON] = int(params[seat, start]) + count
    return vocabulary.random_move(states, i, seat, rng)


def noted_row(lists: Lists) -> list[float]:
    """The row of parameters: one list for all numbers of players, or one for each from two on."""
    row = [0.0] * PLACES
    reason = 0
    for number in range(PLACES):
        if number < len(lists):
            row[number] = float(len(row))
            row += [float(reason), *rule_list.list_row(lists[number])]
            reason += len(lists[number]) + 1
        else:
            row[number] = row[number - 1]
    return row


def noted_variant(plain: CompiledAgent, lists_of: Callable[[dict[str, Any]], Lists]) -> CompiledAgent:
    """A list agent that keeps notes when its list needs them, and is as before otherwise."""
    label = replace(plain.info, memory_words=WORDS)
    kept = replace(plain, info=label, act=act_by_noted_list, observe=observe_hints)
    noted = kept.with_hooks(row=lambda values: noted_row(lists_of(values)))

    def variant(values: dict[str, Any]) -> CompiledAgent | None:
        return noted if any(use.tactic.is_noted for uses in lists_of(values) for use in uses) else None

    return plain.with_hooks(variant=variant)


def lists_agent(info: AgentInfo, lists: Lists) -> CompiledAgent:
    """An agent that follows a fixed list for each number of players."""
    reasons = tuple(text for uses in lists for text in (*map(str, uses), vocabulary.NOTHING_APPLIED))
    label = replace(info, memory_words=WORDS, reasons=reasons)
    parts = rule_list.parts_of([use for uses in lists for use in uses])
    hooks = Hooks(row=lambda values: noted_row(lists), parts=lambda values: parts)
    return CompiledAgent(label, act_by_noted_list, observe_hints, hooks=hooks)


@kernel
def token_move(states: States, i: Lane, owner: Seat) -> MoveNumber:
    """The safe move by which this seat would give back a token: a known useless card, or a known five that fits."""
    state = states[i]
    useless = known_useless_slot(states, i, owner, vocabulary.FRAMEWORK)
    if useless != game.NO_SLOT:
        return game.discard_of(states, i, useless)
    last_rank = rank_kinds(state["ranks"] - 1)
    return game.play_move(known_slot(states, i, owner, state["playable"] & last_rank, vocabulary.FRAMEWORK))


@vocabulary.tactic("unblock")
def unblock(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """Without tokens: a safe move that gives one back, if someone needs it before another seat can do the same."""
    state = states[i]
    move = token_move(states, i, seat)
    if state["tokens"] > 0 or move == NO_MOVE:
        return NO_MOVE
    for offset in each_offset(1, state["players"]):
        other = (seat + offset) % state["players"]
        if token_move(states, i, other) != NO_MOVE:
            return NO_MOVE
        if known_slot(states, i, other, state["playable"], vocabulary.FRAMEWORK) == game.NO_SLOT:
            return move
    return NO_MOVE
