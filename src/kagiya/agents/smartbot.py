"""SmartBot: hints ask for one card, and all that players do or leave undone is understood by everyone.

Its conventions: a hint asks to play the newest card that it touches and leaves in doubt, unless it settles a
card by itself; a rank hint on the next player's next discard warns that this card is valuable; without a
warning it is not; who discards a card known to fit has seen the same one as someone's newest card.

Source
    Arthur O'Dwyer, `Quuxplusone/Hanabi` on GitHub, SmartBot, commit daef9de (2019).
Published
    Means of its README, points kept after a bomb, empty hints illegal: 23.09, 23.30, 22.44, 20.69 for 2-5
    players. The original program, run again over 40,000 games: 23.110, 23.307, 22.439, 20.675, each +- 0.009
    at most. It bombs in 0.4, 1.8, 2.6 and 8 games of a hundred. Bard et al. 2020 print 22.99, 23.12, 22.19,
    20.25 for it, a bomb scoring 0; of these the original program, run again, bears out the first only (23.01,
    22.92, 21.88, 19.19, each +- 0.06 at most).
Where the source is silent
    The source plays mystery cards down to the last life; `safe` keeps from that, and is ours. What partners
    without these conventions do may leave a card no kind at all: it is then what the hints say literally. If
    eyesight contradicts what all know, it is not believed. In hands of a single card, with all tokens there
    and no one to tell, it plays.
"""

import numpy as np

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents import convention_bots as bots
from kagiya.agents.api import CompiledAgent
from kagiya.agents.tactics.vocabulary import NEXT, newest_slot
from kagiya.cards import NO_MOVE, Card, Kinds, MoveNumber, Rank, Seat, Slot, Slots, each_offset, each_seat, each_slot
from kagiya.engine import game_kernels as game
from kagiya.engine.layout import REASON, Lane, Memory, Params, States, Streams
from kagiya.kinds import is_single, kind_bit, only_rank, rank_kinds, rank_of, remove_bit, undecided, within
from kagiya.moves import HINTS_PER_SEAT
from kagiya.view.view_kernels import critical_kinds, unseen_planes

EXPLAINED = Slot(-2)  # instead of a slot: the hint needs no reading between the lines


@kernel
def chop_slot(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat) -> Slot:
    """The card that a player would discard next: likeliest useless, ties go to the oldest.

    NO_SLOT if there is something to play or surely useless, or if all cards are known to be valuable.
    """
    return chop_by_row(states, i, seat, memory, owner, owner)


@kernel
def chop_by_row(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat, row: Seat) -> Slot:
    """The card that a player would discard next if what all know of its hand stood in the row of another seat."""
    state = states[i]
    critical = critical_kinds(states, i)
    chop, chop_useless, chop_size = game.NO_SLOT, 0, 1
    for slot in each_slot(state["hand_size"]):
        kinds = bots.get_kinds(memory, i, seat, row, slot)
        if within(kinds, state["playable"]) or within(kinds, state["useless"]):
            return game.NO_SLOT
        if kinds & ~critical == 0:
            continue
        useless, size = popcount(kinds & state["useless"]), popcount(kinds)
        lead = useless * chop_size - chop_useless * size
        older = chop == game.NO_SLOT or state["order"][owner, slot] < state["order"][owner, chop]
        if chop == game.NO_SLOT or lead > 0 or (lead == 0 and older):
            chop, chop_useless, chop_size = slot, useless, size
    return chop


@kernel
def reads_as_warning(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat, chop: Slot, rank: Rank) -> bool:
    """Whether a rank hint that touches the next discard says that this card is valuable."""
    critical = critical_kinds(states, i)
    kinds = bots.get_kinds(memory, i, seat, owner, chop)
    return kinds & ~critical != 0 and kinds & critical & rank_kinds(rank) != 0


@kernel
def read_hint(
    states: States, i: Lane, seat: Seat, memory: Memory, receiver: Seat, kinds: Kinds, touched: Slots
) -> tuple[Slot, int]:
    """The card that a hint asks to play, and how many kinds the hint strikes from the hand.

    It is the newest card that the hint touches and leaves in doubt: NO_SLOT if there is none, EXPLAINED if
    the hint by itself removes all doubt that some card fits.
    """
    state = states[i]
    target, struck, is_explained = game.NO_SLOT, 0, False
    for slot in each_slot(state["hand_size"]):
        before = bots.get_kinds(memory, i, seat, receiver, slot)
        is_touched = touched >> slot & 1
        after = before & (kinds if is_touched else ~kinds)
        struck += popcount(before ^ after)
        if undecided(before, state["playable"]):
            is_explained |= within(after, state["playable"])
            newer = target == game.NO_SLOT or state["order"][receiver, slot] > state["order"][receiver, target]
            if is_touched and newer and after & state["playable"]:
                target = slot
    return EXPLAINED if is_explained else target, struck


@kernel
def hidden_fits(states: States, i: Lane, seat: Seat, memory: Memory, receiver: Seat) -> tuple[Kinds, Kinds]:
    """The cards of a hand that fit and are not known to; and the kinds, fitting nowhere, that all of them can be."""
    state = states[i]
    cards, doubts = Kinds(0), state["kinds"]
    for slot in each_slot(state["hand_size"]):
        card: Card = state["hands"][receiver, slot]
        kinds = bots.get_kinds(memory, i, seat, receiver, slot)
        if card >= 0 and state["playable"] >> card & 1 and undecided(kinds, state["playable"]):
            cards |= kind_bit(card)
            doubts &= kinds & ~state["playable"]
    return cards, doubts


@kernel
def best_hint(states: States, i: Lane, seat: Seat, memory: Memory, reach: int) -> MoveNumber:
    """The hint worth most over the next `reach` seats, in order, colors before ranks; NO_MOVE if none is."""
    state = states[i]
    best, best_worth = NO_MOVE, 0
    for offset in each_offset(1, reach + 1):
        receiver = (seat + offset) % state["players"]
        cards, doubts = hidden_fits(states, i, seat, memory, receiver)
        if cards == 0:
            continue
        held = state["hand_low"][receiver] | state["hand_high"][receiver]
        avoided = NO_MOVE
        chop = chop_slot(states, i, seat, memory, receiver) if offset == 1 else game.NO_SLOT
        if chop != game.NO_SLOT:
            rank = rank_of(state["hands"][receiver, chop])
            if reads_as_warning(states, i, seat, memory, receiver, chop, rank):
                avoided = game.hint_rank(offset, rank)
        for value in range(HINTS_PER_SEAT):
            move, kinds = game.hint_move(offset, value), game.value_kinds(value) & state["kinds"]
            # Most hints can be passed over: they neither touch a card that fits nor remove the doubts about it.
            if move == avoided or not kinds & held or (not kinds & cards and doubts & ~kinds):
                continue
            target, worth = read_hint(states, i, seat, memory, receiver, kinds, game.touched_slots(states, i, move))
            fits = target == EXPLAINED or (target >= 0 and state["playable"] >> state["hands"][receiver, target] & 1)
            if fits and worth > best_worth:
                best, best_worth = move, worth
    return best


@kernel
def newest_holders(states: States, i: Lane, seat: Seat, card: Card) -> int:
    """The seats, as a mask, whose newest card is this one; neither `seat` nor the actor is looked at."""
    state, holders = states[i], 0
    for other in each_seat(state["players"]):
        if other in (seat, state["seat"]):
            continue
        newest = newest_slot(states, i, other)
        holders |= (newest != game.NO_SLOT and state["hands"][other, newest] == card) << other
    return holders


@kernel
def hear_hint(states: States, i: Lane, seat: Seat, memory: Memory, move: MoveNumber) -> None:
    """A hint says what it says literally, and that a card plays, or that the next discard is valuable."""
    state = states[i]
    receiver = game.hint_receiver(states, i, move)
    kinds, touched = game.hint_kinds(states, i, move), game.touched_slots(states, i, move)
    if not bots.is_reclaim(states, i, move):
        chop = game.NO_SLOT
        if not game.is_color_hint(move) and receiver == (state["seat"] + 1) % state["players"]:
            chop = chop_slot(states, i, seat, memory, receiver)
        is_warning = chop != game.NO_SLOT and touched >> chop & 1 == 1
        if is_warning and reads_as_warning(states, i, seat, memory, receiver, chop, game.named_rank(move)):
            bots.narrow(memory, i, seat, receiver, chop, critical_kinds(states, i))
        else:
            target, _ = read_hint(states, i, seat, memory, receiver, kinds, touched)
            if target >= 0:
                bots.narrow(memory, i, seat, receiver, target, state["playable"])
    bots.narrow_by_hint(states, i, seat, memory, move)


@kernel
def hear_no_warning(states: States, i: Lane, seat: Seat, memory: Memory) -> None:
    """The actor could have warned the next seat of a valuable discard, and did not: so it is not valuable."""
    state = states[i]
    left = (state["seat"] + 1) % state["players"]
    if state["tokens"] == 0 or state["drawn"] == state["deck_size"]:
        return
    chop = chop_slot(states, i, seat, memory, left)
    if chop != game.NO_SLOT:
        bots.narrow(memory, i, seat, left, chop, ~critical_kinds(states, i))


@kernel
def hear_finesse(states: States, i: Lane, seat: Seat, memory: Memory, slot: Slot) -> None:
    """Who discards a card that all know to fit says that it is someone's newest: mine, if I see no one else's."""
    state = states[i]
    actor = state["seat"]
    known = bots.get_kinds(memory, i, seat, actor, slot)
    if popcount(known) != 1 or not known & state["playable"]:
        return
    card: Card = state["hands"][actor, slot]
    holders = newest_holders(states, i, seat, card)
    holder = lowest_bit(holders) if holders else seat
    newest = newest_slot(states, i, holder)
    if holder != actor and newest != game.NO_SLOT:
        bots.narrow(memory, i, seat, holder, newest, kind_bit(card))


REASONS = (
    "warns {receiver} that {critical}",
    "discards {slot}, which a partner will play instead",
    "plays {slot}, which must fit",
    "tells {receiver} that {playable}",
    "plays {slot}, not knowing what it is",
    "spends a token, for nothing may be discarded",
    "discards {slot}, which is useless",
    "discards {slot}, the likeliest to be useless",
    "discards {slot}, the highest of valuable cards",
)
WARNS, FINESSES, PLAYS, TELLS, GAMBLES, RECLAIMS, DISCARDS_USELESS, DISCARDS_CHOP, DISCARDS_VALUABLE = range(9)
LAST_ROUND = np.array(
    (PLAYS, GAMBLES, WARNS, FINESSES, TELLS, RECLAIMS, DISCARDS_USELESS, DISCARDS_CHOP, DISCARDS_VALUABLE)
)


@kernel
def unseen_kinds(states: States, i: Lane, seat: Seat, memory: Memory) -> Kinds:
    """The kinds that the player's unknown cards can be, given all the cards it sees."""
    low, high = unseen_planes(states, i, seat, seat)
    for slot in each_slot(states[i]["hand_size"]):
        kinds = bots.get_kinds(memory, i, seat, seat, slot)
        if is_single(kinds) and kinds & (low | high):
            low, high = remove_bit(low, high, kinds)
    return low | high


@kernel
def private_set(kinds: Kinds, unseen: Kinds) -> Kinds:
    """The kinds that one of the player's cards can be, by what all know of it and by what the player sees."""
    return kinds if is_single(kinds) or kinds & unseen == 0 else kinds & unseen


@kernel
def tell(states: States, i: Lane, seat: Seat, memory: Memory, rule: int) -> MoveNumber:
    """The hint worth most; to warn, one that makes the next seat play, or else the rank of its next discard."""
    state = states[i]
    left = (seat + 1) % state["players"]
    if state["tokens"] == 0:
        return NO_MOVE
    reach, otherwise = state["players"] - 1, NO_MOVE
    if rule == WARNS:
        chop = chop_slot(states, i, seat, memory, left)
        if chop == game.NO_SLOT or not critical_kinds(states, i) >> state["hands"][left, chop] & 1:
            return NO_MOVE
        reach, otherwise = NEXT, game.hint_rank_of(NEXT, state["hands"][left, chop])
    move = best_hint(states, i, seat, memory, reach)
    return otherwise if move == NO_MOVE else move


@kernel
def finesse(states: States, i: Lane, seat: Seat, memory: Memory) -> MoveNumber:
    """Discard a card that all know to fit if it is the newest card of one other seat, who will play that one."""
    state = states[i]
    if not game.may_discard(states, i):
        return NO_MOVE
    fitting = state["playable"] & ~critical_kinds(states, i)
    best = game.NO_SLOT
    for slot in each_slot(state["hand_size"]):
        kinds = bots.get_kinds(memory, i, seat, seat, slot)
        if not kinds & fitting or not is_single(kinds):
            continue
        older = best == game.NO_SLOT or state["order"][seat, slot] < state["order"][seat, best]
        if older and popcount(newest_holders(states, i, seat, lowest_bit(kinds))) == 1:
            best = slot
    return game.discard_move(best)


@kernel
def play(states: States, i: Lane, seat: Seat, memory: Memory, unseen: Kinds) -> MoveNumber:
    """A card that must fit: first one that the others do not know to fit, then the lowest, then the oldest."""
    state = states[i]
    best, best_score = game.NO_SLOT, 0
    for slot in each_slot(state["hand_size"]):
        known = bots.get_kinds(memory, i, seat, seat, slot)
        kinds = private_set(known, unseen)
        if not within(kinds, state["playable"]):
            continue
        rank = only_rank(kinds)
        score = (5 - rank if rank >= 0 else 7) + (0 if within(known, state["playable"]) else 100)
        if score > best_score or (score == best_score and state["order"][seat, slot] < state["order"][seat, best]):
            best, best_score = slot, score
    return game.play_move(best)


@kernel
def gamble(states: States, i: Lane, seat: Seat, memory: Memory, unseen: Kinds, safe: bool) -> MoveNumber:
    """When the deck is nearly gone: play the card most likely to fit; ties go to the newest."""
    state = states[i]
    limit = 3 if state["lives"] >= 3 else 1
    if state["deck_size"] - state["drawn"] > limit or (safe and state["lives"] == 1):
        return NO_MOVE
    best, best_fitting, best_size = game.NO_SLOT, 0, 1
    for slot in each_slot(state["hand_size"]):
        kinds = private_set(bots.get_kinds(memory, i, seat, seat, slot), unseen)
        if not undecided(kinds, state["playable"]):
            continue
        fitting, size = popcount(kinds & state["playable"]), popcount(kinds)
        lead = fitting * best_size - best_fitting * size
        if lead > 0 or (lead == 0 and state["order"][seat, slot] > state["order"][seat, best]):
            best, best_fitting, best_size = slot, fitting, size
    return game.play_move(best)


@kernel
def discard_useless(states: States, i: Lane, seat: Seat, memory: Memory, unseen: Kinds) -> MoveNumber:
    """A card that cannot be of use: first the one that the others know least to be so, then the oldest."""
    state = states[i]
    best, best_useless, best_size = game.NO_SLOT, 1, 0
    for slot in each_slot(state["hand_size"]):
        kinds = bots.get_kinds(memory, i, seat, seat, slot)
        if not within(private_set(kinds, unseen), state["useless"]):
            continue
        useless, size = popcount(kinds & state["useless"]), popcount(kinds)
        lead = best_useless * size - useless * best_size
        if lead > 0 or (lead == 0 and state["order"][seat, slot] < state["order"][seat, best]):
            best, best_useless, best_size = slot, useless, size
    return game.discard_move(best)


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The first rule that has a move; once the deck is empty, playing comes first."""
    bots.settle_sets(states, i, seat, memory)
    unseen = unseen_kinds(states, i, seat, memory)
    is_last_round = states[i]["drawn"] == states[i]["deck_size"]
    move = NO_MOVE
    for place in range(len(REASONS)):
        rule = LAST_ROUND[place] if is_last_round else place
        memory[i, seat, REASON] = rule
        if rule in (WARNS, TELLS):
            move = tell(states, i, seat, memory, rule)
        elif rule == FINESSES:
            move = finesse(states, i, seat, memory)
        elif rule == PLAYS:
            move = play(states, i, seat, memory, unseen)
        elif rule == GAMBLES:
            move = gamble(states, i, seat, memory, unseen, params[seat, 0] != 0)
        elif rule == RECLAIMS:
            move = bots.reclaim(states, i, seat)
        elif rule == DISCARDS_USELESS:
            move = discard_useless(states, i, seat, memory, unseen)
        elif rule == DISCARDS_CHOP:
            move = game.discard_move(chop_slot(states, i, seat, memory, seat))
        else:
            move = bots.discard_valuable(states, i, seat, memory, bots.SETS)
        if move != NO_MOVE:
            break
    return move


@kernel
def observe(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """What each move tells all, before it takes effect."""
    state = states[i]
    bots.settle_sets(states, i, seat, memory)
    if game.is_hint(move):
        hear_hint(states, i, seat, memory, move)
        if game.hint_receiver(states, i, move) == (state["seat"] + 1) % state["players"]:
            return
    hear_no_warning(states, i, seat, memory)
    if game.is_discard(move):
        hear_finesse(states, i, seat, memory, game.slot_of(move))
    if not game.is_hint(move):
        bots.forget_card(states, i, seat, memory, bots.SETS, move)


AGENT = CompiledAgent(
    bots.convention_bot(
        "smartbot",
        "hints ask for one card, and what is left undone is understood too",
        REASONS,
        bots.SETS_ONLY,
        "A hint asks you to play the newest card that it touches and that is still in doubt, unless it makes a card "
        "known by itself. A rank hint on your next discard (the oldest card not told of) warns that it is valuable. "
        "Where a warning could have been given and was not, the card may go. Who discards a card known to fit has "
        "seen the same card as somebody's newest.",
        parameters=(bots.SAFE,),
    ),
    act,
    observe,
)
