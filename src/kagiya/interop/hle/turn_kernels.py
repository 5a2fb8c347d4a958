"""A turn of the drop-in in one call: the move made and noted, what the dicts of all players say, all vectors."""

import numpy as np
import numpy.typing as npt

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.cards import MAX_COLORS, MAX_RANKS, NO_CARD, Card, MoveNumber, Seat, Slot, each_color, each_slot
from kagiya.engine import game_kernels as game
from kagiya.engine.layout import TOLD_BOTH, TOLD_COLOR, TOLD_RANK, Lane, States
from kagiya.engine.memory import Words
from kagiya.kinds import color_of, rank_of
from kagiya.rl import bits_kernels as vector
from kagiya.rl.bits_kernels import LAST_FIELDS, Bits, Colors, Last
from kagiya.rl.rl_kernels import KIND, OWN_HAND, Bytes, unpack
from kagiya.rl.vectors import MINIMAL, SEER

Numbers = npt.NDArray[np.int64]  # by the places below
Rows = npt.NDArray[np.int64]  # [player, place]

# What a move showed, behind the fields of `last`. The places up to AFTER_KEY are a key to an item of history.
NUMBER, PLAYER, HAS_SCORED, HAS_GAINED, SHOWN, REVEALED, NEWLY_REVEALED = range(LAST_FIELDS, LAST_FIELDS + 7)
AFTER_KEY = DRAWN = LAST_FIELDS + 7
DRAWN_CARD, ENDED, SCORE = range(DRAWN + 1, DRAWN + 4)
TURN_FIELDS = DRAWN + 4

# What everybody's dict says: numbers, then the fireworks.
CURRENT_OUT, LIVES_OUT, TOKENS_OUT, DECK_LEFT_OUT = range(4)
AFTER_DECK_LEFT = LEGAL = 4
EMPTY_SLOTS, HEIGHTS = 5, 6
TABLE_NUMBERS = HEIGHTS + MAX_COLORS

# A card in a dict, and what hints named of one, as one number: cards by their own, then one that is not seen, then
# color and rank as hints named them, each counted from 1 and 0 for none. An empty slot has NO_CARD.
UNSEEN = MAX_COLORS * MAX_RANKS
FIRST_NAMED = UNSEEN + 1


@kernel
def make_turn(states: States, i: Lane, start: int, last: Last, number: int) -> bool:
    """Make a move and note what it showed; nothing is done, and the answer is no, if it is not legal.

    Our seat 0 is the player `start`. The NUMBER is for the caller, who has another one for the move than we.
    """
    state = states[i]
    if not game.is_legal(states, i, number):
        return False
    tokens, drawn = state["tokens"], state["drawn"]
    vector.note_move(states, i, last, number)
    last[i, NEWLY_REVEALED] = untold_slots(states, i, MoveNumber(number), last[i, vector.TOUCHED])
    game.apply_move(states, i, number)
    vector.note_outcome(states, i, last)
    last[i, ENDED] = game.is_over(states, i)
    seat: Seat = last[i, vector.ACTOR]
    if last[i, ENDED] and last[i, vector.CARD] != NO_CARD and state["drawn"] < state["deck_size"]:
        draw_after_the_end(states, i, seat)
    last[i, PLAYER], last[i, REVEALED] = (seat + start) % state["players"], last[i, vector.TOUCHED]
    last[i, SHOWN], last[i, HAS_SCORED] = last[i, vector.CARD], last[i, vector.SCORED]
    last[i, HAS_GAINED] = state["tokens"] > tokens
    last[i, DRAWN], last[i, DRAWN_CARD] = state["drawn"] - drawn, state["hands"][seat, state["hand_size"] - 1]
    last[i, SCORE] = popcount(state["played"]) if state["lives"] else 0
    return True


@kernel
def untold_slots(states: States, i: Lane, move: MoveNumber, touched: int) -> int:
    """Of the slots that a hint touches, those that have not been told this before."""
    if not game.is_hint(move):
        return 0
    receiver, slots = game.hint_receiver(states, i, move), 0
    for slot in each_slot(states[i]["hand_size"]):
        if touched >> slot & 1 and not states[i]["told"][receiver, slot] & game.told_part(move):
            slots |= 1 << slot
    return slots


@kernel
def draw_after_the_end(states: States, i: Lane, seat: Seat) -> None:
    """HLE replaces even the card that ended the game."""
    slot = 0
    while states[i]["hands"][seat, slot] != NO_CARD:
        slot += 1
    game.draw_card(states, i, seat, Slot(slot))


@kernel
def look_at_table(states: States, i: Lane, start: int, kind: int, out: Numbers, rows: Rows) -> None:
    """What the dicts of all players say, and a row for each: all hands and what hints named of them, its own first."""
    state = states[i]
    players, cards = state["players"], state["players"] * state["hand_size"]
    out[CURRENT_OUT] = (state["seat"] + start) % players
    out[LIVES_OUT], out[TOKENS_OUT] = state["lives"], state["tokens"]
    out[DECK_LEFT_OUT] = state["deck_size"] - state["drawn"]
    out[LEGAL], out[EMPTY_SLOTS] = game.legal_moves(states, i), 0
    for color in each_color(state["colors"]):
        out[HEIGHTS + color] = state["fireworks"][color]
    for seat in range(players):
        for slot in each_slot(state["hand_size"]):
            card, named = state["hands"][seat, slot], named_part(states, i, Seat(seat), slot, kind)
            out[EMPTY_SLOTS] += card == NO_CARD
            for observer in range(players):
                offset = (seat - observer + players) % players
                row, place = (observer + start) % players, offset * state["hand_size"] + slot
                is_hidden = offset == 0 and kind != SEER and card != NO_CARD
                rows[row, place], rows[row, cards + place] = UNSEEN if is_hidden else card, named


@kernel
def named_part(states: States, i: Lane, seat: Seat, slot: Slot, kind: int) -> int:
    """What hints named of a card, as the number that it has in a dict."""
    state = states[i]
    told, card = state["told"][seat, slot], Card(lowest_bit(state["possible"][seat, slot]))
    if state["hands"][seat, slot] == NO_CARD:
        return NO_CARD
    if kind == MINIMAL:
        told = 0
    elif kind == SEER:
        told, card = TOLD_BOTH, state["hands"][seat, slot]
    color = color_of(card) + 1 if told & TOLD_COLOR else 0
    rank = rank_of(card) + 1 if told & TOLD_RANK else 0
    return FIRST_NAMED + color * (MAX_RANKS + 1) + rank


@kernel
def write_all_vectors(
    states: States, i: Lane, start: int, last: Last, colors: Colors, bits: Bits, style: Words, out: Bytes
) -> None:
    """Every player's vector, a byte for every bit, in the row of its number."""
    players = states[i]["players"]
    for player in range(players):
        seat = Seat((player - start + players) % players)
        vector.write_bits(states, i, seat, bits, 0, last, colors, style[KIND], style[OWN_HAND])
        unpack(bits, 0, out, player)
