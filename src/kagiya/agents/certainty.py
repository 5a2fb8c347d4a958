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
from kagiya.agents.api import AgentInfo, CompiledAgent
from kagiya.agents.tactics import vocabulary
from kagiya.cards import MAX_COLORS, NO_MOVE, Kinds, MoveNumber, Seat, each_rank
from kagiya.engine import game_kernels as game
from kagiya.engine.layout import REASON, Lane, Memory, Params, States, Streams
from kagiya.kinds import rank_kinds

REASONS = (
    "plays {slot}, which can only fit",
    "discards {slot}, which can only be useless",
    "tells {receiver} that {playable}",
    "tells {receiver} that {useless}, which is useless",
    "passes: there is nothing to tell",
    "discards {slot}, its oldest card, for no token is left",
    vocabulary.NOTHING_APPLIED,
)
PLAYS, DISCARDS_USELESS, TELLS_PLAY, TELLS_USELESS, PASSES, DISCARDS, AT_A_LOSS = range(7)
BOTH_PARTS = 2  # color and rank


@kernel
def tell(states: States, i: Lane, seat: Seat, kinds: Kinds) -> MoveNumber:
    """Of the first seat, by number, that does not know such a card: the rank of its newest, or else its color."""
    state = states[i]
    for step in range(vocabulary.count_receivers(states, i, vocabulary.SEAT_ORDER)):
        offset = vocabulary.nth_offset(states, i, seat, step, vocabulary.SEAT_ORDER)
        receiver = (seat + offset) % state["players"]
        slots = vocabulary.slots_of(states, i, receiver, kinds)
        if slots == 0:
            continue
        colors, ranks = vocabulary.known_slots(states, i, receiver, vocabulary.FRAMEWORK)
        if slots & ~ranks:
            return game.hint_rank_of(offset, state["hands"][receiver, vocabulary.last_slot(slots & ~ranks)])
        if slots & ~colors:
            return game.hint_color_of(offset, state["hands"][receiver, vocabulary.last_slot(slots & ~colors)])
    return NO_MOVE


@kernel
def pass_turn(states: States, i: Lane, seat: Seat) -> MoveNumber:
    """A token spent: a rank that the next seat does not hold, if that may be said, or any hint to it."""
    state = states[i]
    receiver = (seat + 1) % state["players"]
    hints = game.legal_hints(states, i, receiver)
    if state["tokens"] == 0 or hints == 0:
        return NO_MOVE
    held = state["hand_low"][receiver] | state["hand_high"][receiver]
    for rank in each_rank(state["ranks"]):
        if hints >> MAX_COLORS + rank & 1 and not held & rank_kinds(rank):
            return game.hint_rank(vocabulary.NEXT, rank)
    return game.hint_move(vocabulary.NEXT, lowest_bit(hints))


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The first rule that has a move."""
    state = states[i]
    sure = vocabulary.sure_slots_by_hints(states, i, seat, state["playable"])
    move, reason = game.play_move(vocabulary.first_slot(sure)), PLAYS
    if move == NO_MOVE:
        useless = vocabulary.first_slot(vocabulary.sure_slots_by_hints(states, i, seat, state["useless"]))
        move, reason = game.discard_of(states, i, useless), DISCARDS_USELESS
    if move == NO_MOVE:
        open_kinds = state["playable"] & ~vocabulary.told_kinds(states, i, seat, BOTH_PARTS)
        move, reason = tell(states, i, seat, open_kinds), TELLS_PLAY
    if move == NO_MOVE:
        move, reason = tell(states, i, seat, state["useless"]), TELLS_USELESS
    if move == NO_MOVE:
        move, reason = pass_turn(states, i, seat), PASSES
    if move == NO_MOVE:
        move, reason = game.discard_of(states, i, vocabulary.oldest_slot(states, i, seat)), DISCARDS
    if move == NO_MOVE:
        move, reason = vocabulary.random_move(states, i, seat, rng), AT_A_LOSS
    memory[i, seat, REASON] = reason
    return move


AGENT = CompiledAgent(
    AgentInfo(
        id="certainty",
        summary="plays and discards only what hints have made certain",
        family="Bouzy",
        paper="Bouzy2017",
        reasons=REASONS,
    ),
    act,
)
