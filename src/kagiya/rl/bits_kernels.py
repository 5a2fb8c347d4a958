"""A vector as bits, written from a state record: quick because a whole slot is one or two writes.

`words[row]` holds 32 bits in each word, so that nothing depends on the sign; `colors[lane, c]` is the place that color
c has in the vector, which is c unless colors are permuted. `last[lane]` is the last move as everybody saw it.
"""

import numpy as np
import numpy.typing as npt

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.cards import MAX_COLORS, MAX_RANKS, NO_CARD, NO_MOVE, Card, Kinds, MoveNumber, Seat, each_color, each_slot
from kagiya.engine import game_kernels as game
from kagiya.engine.layout import TOLD_COLOR, TOLD_RANK, Lane, States
from kagiya.kinds import COLOR_KINDS, color_of, rank_of
from kagiya.rl.vectors import MINIMAL, SEER

Bits = npt.NDArray[np.int64]  # [row, word]
Colors = npt.NDArray[np.int64]  # [lane, color]
Last = npt.NDArray[np.int64]  # [lane, field]

WORD_BITS = 32
WORD = 0xFFFFFFFF
MAX_BITS_AT_ONCE = 30

# The fields of `last`.
MOVE, ACTOR, TOUCHED, CARD, SCORED, GAINED = 0, 1, 2, 3, 4, 5
LAST_FIELDS = 6


@kernel
def forget_last_move(last: Last, i: Lane) -> None:
    """Nobody has moved yet."""
    last[i, MOVE] = NO_MOVE


@kernel
def note_move(states: States, i: Lane, last: Last, number: int) -> None:
    """Keep what a move shows, before it is made; `note_outcome` completes it."""
    state, move = states[i], MoveNumber(number)
    last[i, MOVE], last[i, ACTOR] = number, state["seat"]
    last[i, TOUCHED] = game.touched_slots(states, i, move)
    last[i, CARD] = NO_CARD if game.is_hint(move) else state["hands"][state["seat"], game.slot_of(move)]
    last[i, SCORED], last[i, GAINED] = popcount(state["played"]), state["tokens"]


@kernel
def note_outcome(states: States, i: Lane, last: Last) -> None:
    """After the move: whether a card was scored, and whether playing it gave a token back."""
    is_a_play = game.is_play(MoveNumber(last[i, MOVE]))
    last[i, SCORED] = is_a_play and popcount(states[i]["played"]) > last[i, SCORED]
    last[i, GAINED] = is_a_play and states[i]["tokens"] > last[i, GAINED]


@kernel
def put(words: Bits, row: int, place: int, value: int) -> None:
    """Set the bits of `value`, at most 30, from this place on."""
    shifted = value << (place & 31)
    words[row, place >> 5] |= shifted & WORD
    words[row, (place >> 5) + 1] |= shifted >> WORD_BITS


@kernel
def put_ones(words: Bits, row: int, place: int, count: int) -> None:
    """So many ones from this place on."""
    while count > MAX_BITS_AT_ONCE:
        put(words, row, place, (1 << MAX_BITS_AT_ONCE) - 1)
        place, count = place + MAX_BITS_AT_ONCE, count - MAX_BITS_AT_ONCE
    put(words, row, place, (1 << count) - 1)


@kernel
def card_bit(states: States, i: Lane, colors: Colors, card: Card) -> int:
    """One bit among colors times ranks."""
    return 1 << (colors[i, color_of(card)] * states[i]["ranks"] + rank_of(card))


@kernel
def kind_bits(states: States, i: Lane, colors: Colors, kinds: Kinds) -> int:
    """A set of kinds as bits among colors times ranks."""
    ranks, bits = states[i]["ranks"], 0
    for color in each_color(states[i]["colors"]):
        bits |= (kinds >> MAX_RANKS * color & COLOR_KINDS) << ranks * colors[i, color]
    return bits


@kernel
def are_in_order(states: States, i: Lane, colors: Colors) -> bool:
    """Whether a set of kinds is written as the bits that it is: five ranks, and every color in its own place."""
    for color in each_color(states[i]["colors"]):
        if colors[i, color] != color:
            return False
    return states[i]["ranks"] == MAX_RANKS


@kernel
def write_bits(
    states: States, i: Lane, observer: Seat, words: Bits, row: int, last: Last, colors: Colors, kind: int, own_hand: int
) -> None:
    """The whole vector of one seat."""
    for word in range(words.shape[1]):
        words[row, word] = 0
    place = write_hands(states, i, observer, words, row, colors, own_hand)
    place = write_board(states, i, words, row, colors, place)
    place = write_discards(states, i, words, row, colors, place)
    place = write_last_move(states, i, observer, words, row, last, colors, place)
    if kind != MINIMAL:
        write_knowledge(states, i, observer, words, row, colors, kind, place)


@kernel
def write_hands(states: States, i: Lane, observer: Seat, words: Bits, row: int, colors: Colors, own_hand: int) -> int:
    """The others' cards (the own ones first if they are shown), then whose hand is short; returns the next place."""
    state = states[i]
    players, hand_size = state["players"], state["hand_size"]
    size, place, short = state["colors"] * state["ranks"], 0, 0
    for offset in range(players):
        seat = (observer + offset) % players
        for slot in each_slot(hand_size):
            card = state["hands"][seat, slot]
            if card == NO_CARD:
                short |= 1 << offset
            elif offset > 0 or own_hand:
                put(words, row, place + slot * size, card_bit(states, i, colors, card))
        if offset > 0 or own_hand:
            place += hand_size * size
    put(words, row, place, short)
    return place + players


@kernel
def write_board(states: States, i: Lane, words: Bits, row: int, colors: Colors, place: int) -> int:
    """Deck, fireworks, tokens and lives."""
    state = states[i]
    ranks = state["ranks"]
    put_ones(words, row, place, state["deck_size"] - state["drawn"])
    place += state["deck_size"] - state["players"] * state["hand_size"]
    for color in each_color(state["colors"]):
        height = state["fireworks"][color]
        if height > 0:
            put(words, row, place + colors[i, color] * ranks + height - 1, 1)
    place += state["colors"] * ranks
    put_ones(words, row, place, state["tokens"])
    place += state["max_tokens"]
    put_ones(words, row, place, state["lives"])
    return place + state["max_lives"]


@kernel
def write_discards(states: States, i: Lane, words: Bits, row: int, colors: Colors, place: int) -> int:
    """For every kind as many ones as copies of it were discarded, in a field of as many as there are."""
    state = states[i]
    low, high, of_color = state["discard_low"], state["discard_high"], state["deck_size"] // state["colors"]
    lost = low | high
    while lost:
        card = lowest_bit(lost)
        lost ^= 1 << card
        lower = (1 << card) - (1 << MAX_RANKS * color_of(card))  # ranks of its color
        at = popcount(state["copies_low"] & lower) + 2 * popcount(state["copies_high"] & lower)
        copies = (low >> card & 1) + 2 * (high >> card & 1)
        put(words, row, place + of_color * colors[i, color_of(card)] + at, (1 << copies) - 1)
    return place + state["deck_size"]


@kernel
def write_last_move(
    states: States, i: Lane, observer: Seat, words: Bits, row: int, last: Last, colors: Colors, place: int
) -> int:
    """Who did what to whom, and what it showed."""
    state = states[i]
    players, hand_size, ranks = state["players"], state["hand_size"], state["ranks"]
    told = place + 2 * players + 4
    touched = told + state["colors"] + ranks
    end = touched + 2 * hand_size + state["colors"] * ranks + 2
    if last[i, MOVE] == NO_MOVE:
        return end
    move, actor = MoveNumber(last[i, MOVE]), (last[i, ACTOR] - observer + players) % players
    put(words, row, place + actor, 1)
    if game.is_hint(move):
        is_of_color, value = game.is_color_hint(move), game.hint_value(move)
        put(words, row, place + players + (2 if is_of_color else 3), 1)
        put(words, row, place + players + 4 + (actor + game.hint_offset(move)) % players, 1)
        put(words, row, told + (colors[i, value] if is_of_color else state["colors"] + value - MAX_COLORS), 1)
        put(words, row, touched, last[i, TOUCHED])
    else:
        put(words, row, place + players + game.is_discard(move), 1)
        put(words, row, touched + hand_size + game.slot_of(move), 1)
        put(words, row, touched + 2 * hand_size, card_bit(states, i, colors, last[i, CARD]))
        put(words, row, end - 2, last[i, SCORED] | last[i, GAINED] << 1)
    return end


@kernel
def write_knowledge(
    states: States, i: Lane, observer: Seat, words: Bits, row: int, colors: Colors, kind: int, place: int
) -> None:
    """For every card what hints leave open and what they told; to a seer, the card itself."""
    state = states[i]
    players, ranks, in_order = state["players"], state["ranks"], are_in_order(states, i, colors)
    size = state["colors"] * ranks
    for offset in range(players):
        seat = (observer + offset) % players
        for slot in each_slot(state["hand_size"]):
            card, told = state["hands"][seat, slot], state["told"][seat, slot]
            if card != NO_CARD:
                if kind == SEER:
                    told = TOLD_COLOR | TOLD_RANK
                    put(words, row, place, card_bit(states, i, colors, card))
                else:
                    possible = state["possible"][seat, slot]
                    put(words, row, place, possible if in_order else kind_bits(states, i, colors, possible))
                    card = Card(lowest_bit(possible))  # has what was told; the own hand is hidden
                if told & TOLD_COLOR:
                    put(words, row, place + size + colors[i, color_of(card)], 1)
                if told & TOLD_RANK:
                    put(words, row, place + size + state["colors"] + rank_of(card), 1)
            place += size + state["colors"] + ranks
