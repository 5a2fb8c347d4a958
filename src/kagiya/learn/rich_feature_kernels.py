"""Features beyond Goodman's: what a player's cards really are, which card it would discard, how much is still open.

A rich network has the 38 inputs of `feature_kernels` first, then these. Goodman's describe another player's hand
only as its owner knows it; but the seat to move sees the cards, and whether the one that will be played fits, or the
one that will be discarded is critical, decides what a hint is worth. Of its own hand it has chances instead.
docs/learning.md defines each. A change of any of them needs a new RICH_VERSION.
"""

from kagiya._jit import kernel, popcount
from kagiya.agents.conventions.playable_now import NOBODY, Convention, Masks, pointed_order, said_now
from kagiya.cards import NO_CARD, Kinds, Seat, Slot, each_offset, each_slot
from kagiya.engine.kernels import hint_kinds, hint_receiver
from kagiya.engine.layout import Lane, States
from kagiya.kinds import RANK_KINDS
from kagiya.learn.feature_kernels import FEATURE_NAMES, FEATURES, Features, believed_in
from kagiya.move_kernels import is_discard, is_hint, is_play, slot_of
from kagiya.moves import NO_MOVE, MoveNumber
from kagiya.planes import count_matching
from kagiya.rules import MAX_PLAYERS
from kagiya.view.kernels import critical_kinds, unseen_planes

RICH_VERSION = 1
LIKELY = 0.7  # the chance from which Goodman's rules play a card

# Places, after Goodman's: the table, then seven of each player, the one to move first, then the move.
TABLE_SIZE, PACE, RICH_PLAYERS = range(FEATURES, FEATURES + 3)
SECOND_FITS, LIKELY_PLAYS, FITTING, BEST_FITS, CHOP_CRITICAL, CHOP_USELESS, OPEN_KINDS = range(7)  # of each player
RICH_PER_PLAYER = 7
RICH_MOVE = RICH_PLAYERS + RICH_PER_PLAYER * MAX_PLAYERS
PLAY_LOSES, PLAY_ENDS, DISCARD_FITS, HINT, TOUCHED, TOUCHED_FITTING, TOUCHED_USELESS, POINTED, WAIT = range(
    RICH_MOVE, RICH_MOVE + 9
)
RICH_FEATURES = RICH_MOVE + 9

RICH_NAMES = (
    *FEATURE_NAMES,
    "table_size",
    "pace",
    *(
        f"{name}_{n}"
        for n in range(MAX_PLAYERS)
        for name in (
            "second_fits",
            "likely_plays",
            "fitting",
            "best_fits",
            "chop_critical",
            "chop_useless",
            "open_kinds",
        )
    ),
    *("play_loses", "play_ends", "discard_fits"),
    *("hint", "touched", "touched_fitting", "touched_useless", "pointed", "wait"),
)


@kernel
def write_rich_state(states: States, i: Lane, seat: Seat, masks: Masks, out: Features) -> None:
    """The features of the position, those between Goodman's and those of the move."""
    state = states[i]
    players, perfect = state["players"], popcount(state["kinds"])
    reachable = perfect - popcount(state["useless"] & ~state["played"])
    deck_left = state["deck_size"] - state["drawn"]
    out[TABLE_SIZE] = players / MAX_PLAYERS
    out[PACE] = (popcount(state["played"]) + deck_left + players - reachable) / perfect
    for place in range(RICH_PLAYERS, RICH_MOVE):
        out[place] = 0.0
    for offset in each_offset(0, players):
        write_rich_hand(states, i, seat, (seat + offset) % players, masks, NO_MOVE, NOBODY, out)


@kernel
def write_rich_hand(
    states: States, i: Lane, seat: Seat, owner: Seat, masks: Masks, move: MoveNumber, pointed: int, out: Features
) -> None:
    """The seven features of one player's hand; `move` and `pointed` are as for `write_hand_features`."""
    state = states[i]
    low, high = unseen_planes(states, i, seat, owner)
    unseen, critical = low | high, critical_kinds(states, i)
    named = hint_kinds(states, i, move) if move != NO_MOVE else Kinds(0)
    best, second, best_kinds, chop, chop_kinds = -1.0, 0.0, Kinds(0), -1.0, Kinds(0)
    likely, fitting, open_kinds, cards = 0, 0.0, 0, 0
    for slot in each_slot(state["hand_size"]):
        card, order = state["hands"][owner, slot], state["order"][owner, slot]
        if card == NO_CARD:
            continue
        possible, said = state["possible"][owner, slot], masks[order]
        if named:
            possible &= named if named >> card & 1 else ~named
        if order == pointed:
            said = said_now(Kinds(said), state["playable"])
        believed = possible & said if possible & said & unseen else possible
        count = max(count_matching(low, high, believed), 1)
        fits = count_matching(low, high, believed & state["playable"]) / count
        useless = count_matching(low, high, believed & state["useless"]) / count
        truly = believed if owner == seat else Kinds(1 << card)
        cards += 1
        likely += fits >= LIKELY
        fitting += fits if owner == seat else float(state["playable"] >> card & 1)
        open_kinds += popcount(believed & unseen)
        if fits > best:
            best, second, best_kinds = fits, max(best, 0.0), truly
        else:
            second = max(second, fits)
        if useless >= chop:  # ties go to the last slot, as with the rule that discards
            chop, chop_kinds = useless, truly
    if cards == 0:
        return
    place = RICH_PLAYERS + RICH_PER_PLAYER * ((owner - seat) % state["players"])
    out[place + SECOND_FITS], out[place + LIKELY_PLAYS], out[place + FITTING] = second, likely / cards, fitting / cards
    out[place + BEST_FITS] = share_of(low, high, best_kinds, state["playable"])
    out[place + CHOP_CRITICAL] = share_of(low, high, chop_kinds, critical)
    out[place + CHOP_USELESS] = share_of(low, high, chop_kinds, state["useless"])
    out[place + OPEN_KINDS] = open_kinds / (cards * popcount(state["kinds"]))


@kernel
def share_of(low: Kinds, high: Kinds, kinds: Kinds, wanted: Kinds) -> float:
    """The chance that one of the unseen cards of these kinds is of the wanted ones."""
    return count_matching(low, high, kinds & wanted) / max(count_matching(low, high, kinds), 1)


@kernel
def write_rich_move(
    states: States, i: Lane, seat: Seat, masks: Masks, convention: Convention, move: MoveNumber, out: Features
) -> None:
    """The features of the move; those of a hint's receiver are changed to what they are after it."""
    for place in range(RICH_MOVE, RICH_FEATURES):
        out[place] = 0.0
    if is_hint(move):
        receiver, pointed = hint_receiver(states, i, move), pointed_order(states, i, move, convention)
        write_rich_hand(states, i, seat, receiver, masks, move, pointed, out)
        write_hint(states, i, seat, receiver, move, pointed, out)
    elif is_play(move) or is_discard(move):
        write_rich_card(states, i, seat, slot_of(move), masks, is_play(move), out)


@kernel
def write_rich_card(states: States, i: Lane, seat: Seat, slot: Slot, masks: Masks, plays: bool, out: Features) -> None:
    """Of a play: the chances that it loses a critical card, and that it ends a color; of a discard: that it fits."""
    state = states[i]
    low, high = unseen_planes(states, i, seat, seat)
    believed = believed_in(states, i, seat, slot, masks, low | high)
    if plays:
        out[PLAY_LOSES] = share_of(low, high, believed, critical_kinds(states, i) & ~state["playable"])
        out[PLAY_ENDS] = share_of(low, high, believed, state["playable"] & RANK_KINDS << state["ranks"] - 1)
    else:
        out[DISCARD_FITS] = share_of(low, high, believed, state["playable"])


@kernel
def write_hint(
    states: States, i: Lane, seat: Seat, receiver: Seat, move: MoveNumber, pointed: int, out: Features
) -> None:
    """What a hint touches: how many cards, how many that fit and are useless, and how far away they are."""
    state = states[i]
    low, high, named = state["hand_low"][receiver], state["hand_high"][receiver], hint_kinds(states, i, move)
    cards = state["hand_size"]
    out[HINT] = 1.0
    out[TOUCHED] = count_matching(low, high, named) / cards
    out[TOUCHED_FITTING] = count_matching(low, high, named & state["playable"]) / cards
    out[TOUCHED_USELESS] = count_matching(low, high, named & state["useless"]) / cards
    out[POINTED] = 1.0 if pointed != NOBODY else 0.0
    out[WAIT] = ((receiver - seat) % state["players"]) / MAX_PLAYERS
