"""Certainty: plays and discards only what hints have made certain, so most cards must be told of twice.

Source
    Bouzy 2017, section 5.1 and slides: give the information that is missing on playable and on useless cards; play
    a card as soon as that is certain to be right, discard it as soon as that is; when tokens are missing, discard
    the oldest card. A card is acted on when it is "totally informed".
Published
    Table 1, 10,000 games a cell, points kept after a bomb, empty hints legal; 3, 4 and 5 cards a hand.
Where the source is silent
    Nearly everything, and no reading gives the table; this one, the nearest of several hundred, is 0.8 off (root of
    the mean square), at most 1.5. Its scores rise with the number of players, as Bouzy's do, for one reason: with
    nothing to tell a token is spent on a pass (a hint that touches nothing), and a card is discarded only when no
    token is left. To discard instead makes two players up to 1.6 better. A hint about a card to play comes before one
    about a useless card; seats are told by number, a seat's ranks before its colors, newer cards first; a card is
    passed over if another copy that one sees is told in full. Certain is what the hints alone leave no doubt of.
    Tried as well: hinting before playing (4 and 5 players lose 1.5 to 3), discarding useless cards first, playable
    and useless cards on a par (3 less), both parts named (0.4 less with many players), cards seen counted (1 more
    everywhere), turn order, only the next seat, color first, one card after the other, the largest hint, the hint
    that completes most cards (better, above all with two players), sparing hinted cards when discarding, random
    discards, leftmost slots, drawn cards into the vacated slot.
"""

from kagiya._jit import kernel, lowest_bit
from kagiya.agents._base import CompiledAgent
from kagiya.agents._info import AgentInfo
from kagiya.agents._rule_list import NOTHING_APPLIED, random_move
from kagiya.agents.tactics._hints import NEXT, count_receivers, hint_color_of, hint_rank_of, nth_offset
from kagiya.agents.tactics._manner import FRAMEWORK, SEAT_ORDER
from kagiya.agents.tactics._slots import (
    first_slot,
    known_slots,
    last_slot,
    oldest_slot,
    slots_of,
    sure_slots_by_hints,
)
from kagiya.agents.tactics.discard import discard_of
from kagiya.cards import MAX_COLORS
from kagiya.engine.kernels import RANK_KINDS, legal_hints
from kagiya.engine.layout import TOLD_COLOR, TOLD_RANK
from kagiya.moves import FIRST_HINT, NO_MOVE

TOLD_BOTH = TOLD_COLOR | TOLD_RANK
REASONS = (
    "plays a card that can only fit",
    "discards a card that can only be useless",
    "tells of a card to play",
    "tells of a useless card",
    "passes: there is nothing to tell",
    "discards its oldest card, for no token is left",
    NOTHING_APPLIED,
)
PLAYS, DISCARDS_USELESS, TELLS_PLAY, TELLS_USELESS, PASSES, DISCARDS, AT_A_LOSS = range(7)


@kernel
def settled_kinds(states, i, seat):
    """The kinds of which `seat` sees a copy whose holder was told its color and its rank."""
    state = states[i]
    kinds = 0
    for offset in range(1, state["players"]):
        owner = (seat + offset) % state["players"]
        for slot in range(state["hand_size"]):
            if state["told"][owner, slot] == TOLD_BOTH:
                kinds |= 1 << state["hands"][owner, slot]
    return kinds


@kernel
def tell(states, i, seat, kinds):
    """Of the first seat, by number, that does not know such a card: the rank of its newest, or else its color."""
    state = states[i]
    for step in range(count_receivers(states, i, SEAT_ORDER)):
        offset = nth_offset(states, i, seat, step, SEAT_ORDER)
        receiver = (seat + offset) % state["players"]
        slots = slots_of(states, i, receiver, kinds)
        if slots == 0:
            continue
        colors, ranks = known_slots(states, i, receiver, FRAMEWORK)
        if slots & ~ranks:
            return hint_rank_of(offset, state["hands"][receiver, last_slot(slots & ~ranks)])
        if slots & ~colors:
            return hint_color_of(offset, state["hands"][receiver, last_slot(slots & ~colors)])
    return NO_MOVE


@kernel
def pass_turn(states, i, seat):
    """A token spent: a rank that the next seat does not hold, if that may be said, or any hint to it."""
    state = states[i]
    receiver = (seat + 1) % state["players"]
    hints = legal_hints(states, i, receiver)
    if state["tokens"] == 0 or hints == 0:
        return NO_MOVE
    held = state["hand_low"][receiver] | state["hand_high"][receiver]
    for rank in range(state["ranks"]):
        if hints >> MAX_COLORS + rank & 1 and not held & RANK_KINDS << rank:
            return hint_rank_of(NEXT, rank)
    return FIRST_HINT + lowest_bit(hints)


@kernel
def act(states, i, seat, memory, params, rng):
    """The first rule that has a move."""
    state = states[i]
    move, reason = first_slot(sure_slots_by_hints(states, i, seat, state["playable"])), PLAYS
    if move == NO_MOVE:
        useless = first_slot(sure_slots_by_hints(states, i, seat, state["useless"]))
        move, reason = discard_of(states, i, useless), DISCARDS_USELESS
    if move == NO_MOVE:
        open_kinds = state["playable"] & ~settled_kinds(states, i, seat)
        move, reason = tell(states, i, seat, open_kinds), TELLS_PLAY
    if move == NO_MOVE:
        move, reason = tell(states, i, seat, state["useless"]), TELLS_USELESS
    if move == NO_MOVE:
        move, reason = pass_turn(states, i, seat), PASSES
    if move == NO_MOVE:
        move, reason = discard_of(states, i, oldest_slot(states, i, seat)), DISCARDS
    if move == NO_MOVE:
        move, reason = random_move(states, i, seat, rng), AT_A_LOSS
    memory[i, seat, 0] = reason
    return move


AGENT = CompiledAgent(
    AgentInfo(
        id="certainty",
        summary="plays and discards only what hints have made certain",
        family="Bouzy",
        paper="Bouzy2017",
        memory_words=1,
        reasons=REASONS,
    ),
    act,
)
