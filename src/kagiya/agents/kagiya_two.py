"""Kagiya's convention bot for two: SmartBot with hints judged by what the partner then knows and would do.

Source
    Our own, on the conventions of SmartBot (`smartbot.py`); its losses were found by regret. Each repair can be
    switched off.
Published
    Nothing by others; `docs/strength.md` has our table, with each repair taken back.
Where the source is silent
    `reclaim`: with all tokens there SmartBot gives a hint that only spends one, so that a warning or a play that
    needs the same hint is lost; here such a hint is true and useful as any other. With the last life it says no more
    than its words: a player that may not discard has to hint, perhaps with nothing true to promise.
    `judge`: SmartBot takes the hint that strikes most kinds. Here it is weighed what the hint makes known (cards that
    fit, are useless, are the last of their kind) and what the partner would discard after it, a card that is the
    last of its kind above all. So is the hint that must be given to save a card. It is worth more while the partner
    has a card to play, for then nothing is discarded.
    `last_token`: the last token is kept for a warning while the deck has more cards than this.
    `after_warning`: who was warned, and finds this many tokens, tells something rather than discard the next card,
    of which nothing is known.
    `pace`: with at most one turn to spare for the points still to be made, a hint that is worth something is given
    rather than a card discarded.
    `gamble`: cards that may fit are played with so few cards in the deck (SmartBot: 3, or 1 after an error), the
    likeliest first, counting copies; never with the last life.
"""

import numpy as np

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents import convention_bots as bots, smartbot
from kagiya.agents.api import AgentInfo, CompiledAgent, Parameter
from kagiya.agents.tactics.vocabulary import NEXT, oldest_slot
from kagiya.cards import MAX_RANKS, NO_MOVE, Card, Kinds, MoveNumber, Seat, Slot, each_slot
from kagiya.engine import game_kernels as game
from kagiya.engine.layout import REASON, Lane, Memory, Params, States, Streams
from kagiya.kinds import count_matching, is_single, kind_bit, rank_of, undecided, within
from kagiya.view.view_kernels import critical_kinds, unseen_planes

# The reading of hints is SmartBot's, but for the hint that only spends a token: unless `reclaim` is set, every hint
# means what it says.
RECLAIM, JUDGE = 0, 1  # places in the row of parameters

# What a hint is worth, found by hill climbing on games that are not reported on.
NEW_PLAY, LOWER_RANK, NEW_USELESS, NEW_CRITICAL, NEW_CERTAINTY, STRUCK = 10.0, 1.0, 2.0, 2.0, 1.0, 0.1
CRITICAL_NEXT, NEEDED_NEXT, USELESS_NEXT = -10.0, -2.0, 1.0  # what the partner would discard then
PLAYS_ANYWAY = 4.0  # the partner knows a card to play already, so that this turn costs no card
MISLEADING = -1000.0
NOT_MISLEADING = MISLEADING / 2  # what a hint that misleads is worth less than
NOBODY = Seat(2)  # of two players: in its row of sets stands what the partner would know after a hint


@kernel
def promise(
    states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber
) -> tuple[Slot, Kinds, bool]:
    """The card of which a hint says more than its words, the kinds it is then one of, and whether that is a warning."""
    state = states[i]
    receiver, touched = game.hint_receiver(states, i, move), game.touched_slots(states, i, move)
    is_forced = not game.may_discard(states, i)  # perhaps with nothing true to promise: too little for the last life
    if (is_forced and state["lives"] == 1) or (params[seat, RECLAIM] and bots.is_reclaim(states, i, move)):
        return game.NO_SLOT, state["kinds"], False
    if not game.is_color_hint(move):
        chop = smartbot.chop_slot(states, i, seat, memory, receiver)
        is_touched = chop != game.NO_SLOT and touched >> chop & 1 == 1
        if is_touched and smartbot.reads_as_warning(states, i, seat, memory, receiver, chop, game.named_rank(move)):
            return chop, critical_kinds(states, i), True
    target, _ = smartbot.read_hint(states, i, seat, memory, receiver, game.hint_kinds(states, i, move), touched)
    return max(target, game.NO_SLOT), state["playable"], False


@kernel
def take_hint(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> bool:
    """Conclude what a hint says, in words and between the lines; returns whether it warns."""
    receiver = game.hint_receiver(states, i, move)
    slot, kinds, warns = promise(states, i, seat, memory, params, move)
    if slot != game.NO_SLOT:
        bots.narrow(memory, i, seat, receiver, slot, kinds)
    bots.narrow_by_hint(states, i, seat, memory, move)
    return warns


@kernel
def worth_of_card(states: States, i: Lane, card: Card, before: Kinds, after: Kinds) -> float:
    """What it is worth that the partner now knows a card of its own so much better."""
    state = states[i]
    if before == after or not after & kind_bit(card):  # the second if a partner has already been misled
        return 0.0
    worth = STRUCK * popcount(before ^ after)
    critical = critical_kinds(states, i)
    if within(after, critical) and not within(before, critical):
        worth += NEW_CRITICAL
    if within(after, state["playable"]):
        if within(before, state["playable"]):
            return worth
        worth += NEW_PLAY + LOWER_RANK * (MAX_RANKS - 1 - rank_of(card))
    elif within(after, state["useless"]):
        worth += 0.0 if within(before, state["useless"]) else NEW_USELESS
    elif is_single(after):
        worth += NEW_CERTAINTY
    return worth


@kernel
def worth_of_hint(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> float:
    """What a hint is worth to the partner: the cards it then knows, and, if judged by that, its next discard."""
    state = states[i]
    receiver = game.hint_receiver(states, i, move)
    named, touched = game.hint_kinds(states, i, move), game.touched_slots(states, i, move)
    promised, kinds, _ = promise(states, i, seat, memory, params, move)
    worth = 0.0
    for slot in each_slot(state["hand_size"]):
        before = bots.get_kinds(memory, i, seat, receiver, slot)
        after = before & (named if touched >> slot & 1 else ~named)
        if slot == promised:
            after &= kinds
        bots.put_kinds(memory, i, seat, NOBODY, slot, after)
        card: Card = state["hands"][receiver, slot]
        if card < 0:
            continue
        if before & ~after & kind_bit(card):
            return MISLEADING
        worth += worth_of_card(states, i, card, before, after)
    return worth + worth_of_discard(states, i, seat, memory, receiver) if params[seat, JUDGE] else worth


@kernel
def worth_of_discard(states: States, i: Lane, seat: Seat, memory: Memory, receiver: Seat) -> float:
    """What the partner's next discard costs or brings, by the sets in the row of no seat."""
    state = states[i]
    chop = smartbot.chop_by_row(states, i, seat, memory, receiver, NOBODY)
    if chop == game.NO_SLOT:
        return 0.0
    card: Card = state["hands"][receiver, chop]
    if critical_kinds(states, i) >> card & 1:
        return CRITICAL_NEXT
    return USELESS_NEXT if state["useless"] >> card & 1 else NEEDED_NEXT


@kernel
def knows_play(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat) -> bool:
    """Whether all know of a card in a hand that it fits."""
    for slot in each_slot(states[i]["hand_size"]):
        if within(bots.get_kinds(memory, i, seat, owner, slot), states[i]["playable"]):
            return True
    return False


@kernel
def best_hint_to_partner(
    states: States, i: Lane, seat: Seat, memory: Memory, params: Params
) -> tuple[MoveNumber, float]:
    """The hint worth most, colors before ranks, and its worth; NO_MOVE if there is none to give."""
    best, most = NO_MOVE, -np.inf
    partner = (seat + 1) % states[i]["players"]
    values = game.legal_hints(states, i, partner) if states[i]["tokens"] else 0
    while values:
        move = game.hint_move(NEXT, lowest_bit(values))
        worth = worth_of_hint(states, i, seat, memory, params, move)
        if worth > most:
            best, most = move, worth
        values &= values - 1
    if params[seat, JUDGE] and knows_play(states, i, seat, memory, partner):
        most += PLAYS_ANYWAY
    return best, most


REASONS = (
    "warns {receiver} that {critical}",
    "discards {slot}, which the partner will play instead",
    "plays {slot}, which must fit",
    "tells {receiver} that {playable}",
    "plays {slot}, which may fit",
    "tells {receiver} that {touched}, for all tokens are there",
    "tells {receiver} that {touched}, for turns run out",
    "discards {slot}, which is useless",
    "tells {receiver} that {touched}, having been warned",
    "discards {slot}, the likeliest to be useless",
    "tells {receiver} that {touched}, for all cards are valuable",
    "discards {slot}, the highest of valuable cards",
    "has nothing to tell and no token to win",
)
SAVES, FINESSES, PLAYS, TELLS, GAMBLES, SPENDS, PAUSES, DISCARDS_USELESS = range(8)
TALKS, DISCARDS_CHOP, KEEPS, DISCARDS_VALUABLE, AT_A_LOSS = range(8, len(REASONS))

LAST_ROUND = np.array((PLAYS, GAMBLES, *(rule for rule in range(len(REASONS)) if rule not in (PLAYS, GAMBLES))))

WARNED = bots.SETS_ONLY  # word of memory: whether the partner's last move was a warning
LAST_TOKEN, AFTER_WARNING, PACE, GAMBLE = range(JUDGE + 1, JUDGE + 5)
PARAMETERS = (
    Parameter("reclaim", "no", "whether some hints only spend a token, as SmartBot's do", choices=("no", "yes")),
    Parameter("judge", "yes", "whether hints are judged by the partner's next discard", choices=("no", "yes")),
    Parameter("last_token", 14, "cards in the deck down to which the last token is kept", 0, 60, whole=True),
    Parameter("after_warning", 4, "tokens with which to tell something after a warning", 1, 100, whole=True),
    Parameter("pace", "yes", "whether to tell something when turns run out", choices=("no", "yes")),
    Parameter("gamble", 1, "cards in the deck with which to play what may fit", 0, 60, whole=True),
)
ALWAYS, NEVER = -np.inf, np.inf
WORTH_TELLING, WORTH_A_TURN, WORTH_A_TOKEN = 5.0, 4.0, -5.0
SPARE_TURNS = 1


@kernel
def is_in_danger(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat) -> bool:
    """Whether the card that a player would discard next is the last of its kind."""
    chop = smartbot.chop_slot(states, i, seat, memory, owner)
    return chop != game.NO_SLOT and critical_kinds(states, i) >> states[i]["hands"][owner, chop] & 1 == 1


@kernel
def turns_to_spare(states: States, i: Lane) -> int:
    """How many of the turns left, if cards are drawn by playing only, the points still to be made do not need."""
    state = states[i]
    turns = state["deck_size"] - state["drawn"] + state["players"]
    return turns - (game.reachable_points(states, i) - game.points(states, i))


@kernel
def worth_needed(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rule: int) -> float:
    """What the best hint must be worth to be given for this reason; NEVER if the reason does not hold."""
    state = states[i]
    if rule == SAVES:
        return ALWAYS if is_in_danger(states, i, seat, memory, (seat + 1) % state["players"]) else NEVER
    if rule == TELLS:
        deck = state["deck_size"] - state["drawn"]
        return NEVER if state["tokens"] == 1 and deck > params[seat, LAST_TOKEN] else WORTH_TELLING
    if rule == SPENDS:
        return NEVER if game.may_discard(states, i) else ALWAYS
    if rule == PAUSES:
        return WORTH_A_TURN if params[seat, PACE] and turns_to_spare(states, i) <= SPARE_TURNS else NEVER
    if rule == TALKS:
        is_warned = memory[i, seat, WARNED] != 0
        return WORTH_A_TOKEN if is_warned and state["tokens"] >= params[seat, AFTER_WARNING] else NEVER
    return NOT_MISLEADING


@kernel
def gamble(states: States, i: Lane, seat: Seat, memory: Memory, params: Params) -> MoveNumber:
    """When the deck is nearly gone: play the card most likely to fit, copies counted; ties go to the newest."""
    state = states[i]
    limit = params[seat, GAMBLE] if state["lives"] >= 3 else 0
    if state["deck_size"] - state["drawn"] > limit or state["lives"] == 1:
        return NO_MOVE
    unseen = smartbot.unseen_kinds(states, i, seat, memory)
    low, high = unseen_planes(states, i, seat, seat)
    best, most = game.NO_SLOT, 0.0
    for slot in each_slot(state["hand_size"]):
        kinds = smartbot.private_set(bots.get_kinds(memory, i, seat, seat, slot), unseen)
        if not undecided(kinds, state["playable"]):
            continue
        chance = count_matching(low, high, kinds & state["playable"]) / max(count_matching(low, high, kinds), 1)
        newer = best == game.NO_SLOT or state["order"][seat, slot] > state["order"][seat, best]
        if chance > most or (chance == most and newer):
            best, most = slot, chance
    return game.play_move(best)


@kernel
def card_move(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rule: int) -> MoveNumber:
    """The play or discard for this reason; NO_MOVE if there is none."""
    if rule == FINESSES:
        return smartbot.finesse(states, i, seat, memory)
    if rule == PLAYS:
        return smartbot.play(states, i, seat, memory, smartbot.unseen_kinds(states, i, seat, memory))
    if rule == GAMBLES:
        return gamble(states, i, seat, memory, params)
    if rule == AT_A_LOSS:
        return game.play_move(oldest_slot(states, i, seat))
    if not game.may_discard(states, i):
        return NO_MOVE
    if rule == DISCARDS_USELESS:
        return smartbot.discard_useless(states, i, seat, memory, smartbot.unseen_kinds(states, i, seat, memory))
    if rule == DISCARDS_CHOP:
        return game.discard_move(smartbot.chop_slot(states, i, seat, memory, seat))
    return bots.discard_valuable(states, i, seat, memory, bots.SETS)


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The first rule that has a move; once the deck is empty, playing comes first."""
    bots.settle_sets(states, i, seat, memory)
    hint, worth, is_judged = NO_MOVE, NEVER, False
    is_last_round = states[i]["drawn"] == states[i]["deck_size"]
    move = NO_MOVE
    for place in range(len(REASONS)):
        rule = LAST_ROUND[place] if is_last_round else place
        memory[i, seat, REASON] = rule
        if rule == SPENDS and params[seat, RECLAIM]:
            move = bots.reclaim(states, i, seat)
        elif rule in (SAVES, TELLS, SPENDS, PAUSES, TALKS, KEEPS):
            needed = worth_needed(states, i, seat, memory, params, rule)
            if needed < NEVER and not is_judged:  # most moves are plays, for which no hint is judged
                hint, worth = best_hint_to_partner(states, i, seat, memory, params)
                is_judged = True
            move = hint if needed <= worth < NEVER else NO_MOVE
        else:
            move = card_move(states, i, seat, memory, params, rule)
        if move != NO_MOVE:
            break
    return move


@kernel
def observe(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """What each move tells both, before it takes effect."""
    bots.settle_sets(states, i, seat, memory)
    if states[i]["seat"] != seat:
        memory[i, seat, WARNED] = 0
    if game.is_hint(move):
        warns = take_hint(states, i, seat, memory, params, move)
        if game.hint_receiver(states, i, move) == seat:
            memory[i, seat, WARNED] = warns
        return
    smartbot.hear_no_warning(states, i, seat, memory)
    if game.is_discard(move):
        smartbot.hear_finesse(states, i, seat, memory, game.slot_of(move))
    bots.forget_card(states, i, seat, memory, bots.SETS, move)


AGENT = CompiledAgent(
    AgentInfo(
        id="kagiya-two",
        summary="two players: hints judged by what the partner then knows and would do",
        family="convention bots",
        paper="Kagiya",
        players=(2,),
        memory_words=WARNED + 1,
        reasons=REASONS,
        parameters=PARAMETERS,
        convention=(
            "As with smartbot: a hint asks you to play the newest card that it touches and that is still in doubt; a "
            "rank hint on your next discard (the oldest card not told of) warns that it is valuable. No hint only "
            "spends a token: with all tokens there, it still tells the truth that helps most."
        ),
    ),
    act,
    observe,
)
