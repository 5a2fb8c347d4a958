"""The 38 numbers by which a learned evaluation knows a position and a move: Table V of Goodman's report, compiled.

Everything is seen from the seat to move. A chance is that of one slot by itself, over the cards its owner cannot see,
narrowed by hints and by what the card has been called (`view_kernels.slot_chance`, `playable_now`). The
features of a hint are those of the position after it; of a play or a discard, those of the position before it and
seven about the card. docs/learning.md defines each. A change of any of them needs a new FEATURE_VERSION.
"""

import numpy as np
import numpy.typing as npt

from kagiya._jit import kernel, popcount
from kagiya.agents.playable_now import GROUNDED, Convention, Masks, kinds_said, pointed_order, said_now
from kagiya.cards import (
    MAX_PLAYERS,
    MAX_RANKS,
    NO_CARD,
    NO_MOVE,
    Kinds,
    MoveNumber,
    Seat,
    each_offset,
    each_rank,
    each_slot,
)
from kagiya.engine.game_kernels import hint_kinds, hint_offset, hint_receiver, is_discard, is_hint, is_play, slot_of
from kagiya.engine.layout import Lane, States
from kagiya.kinds import RANK_KINDS, count_matching, only_color, only_rank
from kagiya.view.view_kernels import critical_kinds, unseen_planes

FEATURE_VERSION = 1

Features = npt.NDArray[np.float64]

# Places. First the table, then four of each player, the one to move first, then the rest of the table, then the move.
SCORE, TOKENS, LIVES, DECK, PLAYERS = range(5)
MAX_PLAYABLE, MAX_NEXT, MAX_USELESS, INFORMED = range(4)  # of each player
PER_PLAYER = 4
MOVES_LEFT = PLAYERS + PER_PLAYER * MAX_PLAYERS
UNAVAILABLE, PILES = MOVES_LEFT + 1, MOVES_LEFT + 2  # piles with a five, a four, ... a one
STATE_FEATURES = PILES + MAX_RANKS
PLAY, PLAY_FITS, PLAY_COMPLETES, DISCARD, DISCARD_USELESS, DISCARD_LAST, DISCARD_POINTS = range(
    STATE_FEATURES, STATE_FEATURES + 7
)
FEATURES = STATE_FEATURES + 7

FEATURE_NAMES = (
    "score",
    "tokens",
    "lives",
    "deck",
    *(f"{name}_{n}" for n in range(MAX_PLAYERS) for name in ("max_playable", "max_next", "max_useless", "informed")),
    "moves_left",
    "unavailable",
    *("fives", "fours", "threes", "twos", "ones"),
    *("play", "play_fits", "play_completes"),
    *("discard", "discard_useless", "discard_last", "discard_points"),
)


@kernel
def write_state_features(states: States, i: Lane, seat: Seat, masks: Masks, out: Features) -> None:
    """The features of the position, the first STATE_FEATURES."""
    state = states[i]
    perfect, players = popcount(state["kinds"]), state["players"]
    undealt = state["deck_size"] - players * state["hand_size"]
    deck_left = state["deck_size"] - state["drawn"]
    out[SCORE] = popcount(state["played"]) / perfect
    out[TOKENS] = state["tokens"] / state["max_tokens"]
    out[LIVES] = state["lives"] / state["max_lives"]
    out[DECK] = deck_left / max(undealt, 1)
    for place in range(PLAYERS, MOVES_LEFT):
        out[place] = 0.0
    for offset in each_offset(0, players):
        write_hand_features(states, i, seat, (seat + offset) % players, masks, GROUNDED, NO_MOVE, out)
    out[MOVES_LEFT] = (players + 1 if deck_left else state["turns_left"]) / players
    out[UNAVAILABLE] = popcount(state["useless"] & ~state["played"]) / perfect
    for rank in each_rank(MAX_RANKS):
        out[PILES + MAX_RANKS - 1 - rank] = popcount(state["played"] >> rank & RANK_KINDS) / state["colors"]


@kernel
def write_hand_features(
    states: States,
    i: Lane,
    seat: Seat,
    owner: Seat,
    masks: Masks,
    convention: Convention,
    move: MoveNumber,
    out: Features,
) -> None:
    """The four features of one player's hand, after a hint to it if `move` is one."""
    state = states[i]
    pointed = pointed_order(states, i, move, convention)
    low, high = unseen_planes(states, i, seat, owner)
    next_kinds = almost_playable(states, i)
    named = hint_kinds(states, i, move) if move != NO_MOVE else Kinds(0)
    fits, almost, useless, informed, cards = 0.0, 0.0, 0.0, 0, 0
    for slot in each_slot(state["hand_size"]):
        card, order = state["hands"][owner, slot], state["order"][owner, slot]
        if card == NO_CARD:
            continue
        possible, said = state["possible"][owner, slot], masks[order]
        if named:
            possible &= named if named >> card & 1 else ~named
        if order == pointed:
            said = said_now(Kinds(said), kinds_said(states, i, hint_offset(move), convention))
        cards += 1
        informed += (only_color(possible) >= 0) + (only_rank(possible) >= 0)
        believed = possible & said if possible & said & (low | high) else possible
        count = count_matching(low, high, believed)
        if count:
            fits = max(fits, count_matching(low, high, believed & state["playable"]) / count)
            almost = max(almost, count_matching(low, high, believed & next_kinds) / count)
            useless = max(useless, count_matching(low, high, believed & state["useless"]) / count)
    place = PLAYERS + PER_PLAYER * ((owner - seat) % state["players"])
    out[place + MAX_PLAYABLE], out[place + MAX_NEXT], out[place + MAX_USELESS] = fits, almost, useless
    out[place + INFORMED] = informed / (2 * max(cards, 1))


@kernel
def almost_playable(states: States, i: Lane) -> Kinds:
    """The kinds that fit once one more card of their color is played, and still can."""
    return states[i]["playable"] << 1 & ~RANK_KINDS & states[i]["kinds"] & ~states[i]["useless"]


@kernel
def write_move_features(
    states: States, i: Lane, seat: Seat, masks: Masks, convention: Convention, move: MoveNumber, out: Features
) -> None:
    """The seven features of the move; those of the position are changed to what they are after a hint."""
    for place in range(STATE_FEATURES, FEATURES):
        out[place] = 0.0
    if is_hint(move):
        out[TOKENS] = (states[i]["tokens"] - 1) / states[i]["max_tokens"]
        receiver = hint_receiver(states, i, move)
        write_hand_features(states, i, seat, receiver, masks, convention, move, out)
    elif is_play(move) or is_discard(move):
        write_card_features(states, i, seat, move, masks, out)


@kernel
def write_card_features(states: States, i: Lane, seat: Seat, move: MoveNumber, masks: Masks, out: Features) -> None:
    """Of a play, the chance that the card fits, and that it fits and no other of its color ever will.

    Of a discard, the chances that the card is useless and that it is critical, and the points expected to be lost.
    """
    state, slot = states[i], slot_of(move)
    low, high = unseen_planes(states, i, seat, seat)
    possible, said = state["possible"][seat, slot], masks[state["order"][seat, slot]]
    believed = possible & said if possible & said & (low | high) else possible
    count = max(count_matching(low, high, believed), 1)
    if is_play(move):
        leads_on = (state["kinds"] & ~state["useless"] & ~RANK_KINDS) >> 1
        out[PLAY] = 1.0
        out[PLAY_FITS] = count_matching(low, high, believed & state["playable"]) / count
        out[PLAY_COMPLETES] = count_matching(low, high, believed & state["playable"] & ~leads_on) / count
        return
    critical = critical_kinds(states, i) & believed
    out[DISCARD] = 1.0
    out[DISCARD_USELESS] = count_matching(low, high, believed & state["useless"]) / count
    out[DISCARD_LAST] = count_matching(low, high, critical) / count
    # A card takes along those above it that are not lost yet: counted rank by rank, the cards being moved down.
    alive, lost = state["kinds"] & ~state["useless"], 0
    for _ in range(MAX_RANKS):
        lost += count_matching(low, high, critical & alive)
        alive = (alive & ~RANK_KINDS) >> 1
    out[DISCARD_POINTS] = lost / count
