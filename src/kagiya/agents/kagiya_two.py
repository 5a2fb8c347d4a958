"""Kagiya's convention bot for two: SmartBot with hints judged by what the partner then knows and would do.

Source
    Our own, on the conventions of SmartBot (`smartbot.py`); its losses were found by regret. Each repair can be
    switched off.
Published
    Nothing by others; `docs/strength.md` has our table, with each repair taken back.
Where the source is silent
    `reclaim`: with all tokens there SmartBot gives a hint that only spends one, so that a warning or a play that
    needs the same hint is lost; here such a hint is true and useful as any other. With the last life it says no more
    than its words: whoever may not discard has to hint, perhaps with nothing true to promise.
    `judge`: SmartBot takes the hint that strikes most kinds. Here it is weighed what the hint makes known (cards that
    fit, are useless, are the last of their kind) and what the partner would discard after it, a card that is the
    last of its kind above all. So is the hint that must be given to save a card. It is worth more while the partner
    has a card to play, for then nothing is discarded.
    `last_token`: the last token is kept for a warning while the deck has more cards than this.
    `after_warning`: who was warned, and finds so many tokens, tells something rather than discard the next card,
    of which nothing is known.
    `pace`: with at most one turn to spare for the points still to be made, a hint that is worth something is given
    rather than a card discarded.
    `gamble`: cards that may fit are played with so many cards left in the deck (SmartBot: 3, or 1 after an error), most
    likely first, counting copies; never with the last life.
"""

import numpy as np

from kagiya._jit import kernel
from kagiya.agents._base import CompiledAgent
from kagiya.agents._convention_kernels import SETS, SETS_ONLY, forget_card, reclaim
from kagiya.agents._info import AgentInfo, Parameter
from kagiya.agents._set_kernels import get_kinds, settle_sets
from kagiya.agents._smart_kernels import chop_slot, hear_finesse, hear_no_warning
from kagiya.agents._two_kernels import JUDGE, NOT_MISLEADING, RECLAIM, best_hint_to_partner, take_hint
from kagiya.agents.smartbot import discard_useless, discard_valuable, finesse, play, private_set, unseen_kinds
from kagiya.agents.tactics.discard import may_discard
from kagiya.agents.tactics.slots import oldest_slot
from kagiya.cards import Seat, each_slot
from kagiya.dice import Streams
from kagiya.engine.kernels import hint_receiver, points, reachable_points
from kagiya.engine.layout import REASON, Lane, Memory, Params, States
from kagiya.kinds import undecided
from kagiya.move_kernels import NO_SLOT, discard_move, is_discard, is_hint, play_move, slot_of
from kagiya.moves import NO_MOVE, MoveNumber
from kagiya.planes import count_matching
from kagiya.view.kernels import critical_kinds, unseen_planes

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
(
    SAVES,
    FINESSES,
    PLAYS,
    TELLS,
    GAMBLES,
    SPENDS,
    PAUSES,
    DISCARDS_USELESS,
    TALKS,
    DISCARDS_CHOP,
    KEEPS,
    DISCARDS_VALUABLE,
    AT_A_LOSS,
) = range(len(REASONS))

LAST_ROUND = np.array((PLAYS, GAMBLES, *(rule for rule in range(len(REASONS)) if rule not in (PLAYS, GAMBLES))))

WARNED = SETS_ONLY  # word of memory: whether the partner's last move was a warning
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
    chop = chop_slot(states, i, seat, memory, owner)
    return chop != NO_SLOT and critical_kinds(states, i) >> states[i]["hands"][owner, chop] & 1 == 1


@kernel
def turns_to_spare(states: States, i: Lane) -> int:
    """How many of the turns left, if nobody draws but by playing, are not needed for the points still to be made."""
    state = states[i]
    turns = state["deck_size"] - state["drawn"] + state["players"]
    return turns - (reachable_points(states, i) - points(states, i))


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
        return NEVER if may_discard(states, i) else ALWAYS
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
    unseen = unseen_kinds(states, i, seat, memory)
    low, high = unseen_planes(states, i, seat, seat)
    best, most = NO_SLOT, 0.0
    for slot in each_slot(state["hand_size"]):
        kinds = private_set(get_kinds(memory, i, seat, seat, slot), unseen)
        if not undecided(kinds, state["playable"]):
            continue
        chance = count_matching(low, high, kinds & state["playable"]) / max(count_matching(low, high, kinds), 1)
        newer = best == NO_SLOT or state["order"][seat, slot] > state["order"][seat, best]
        if chance > most or (chance == most and newer):
            best, most = slot, chance
    return play_move(best)


@kernel
def card_move(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rule: int) -> MoveNumber:
    """The play or discard for this reason; NO_MOVE if there is none."""
    if rule == FINESSES:
        return finesse(states, i, seat, memory)
    if rule == PLAYS:
        return play(states, i, seat, memory, unseen_kinds(states, i, seat, memory))
    if rule == GAMBLES:
        return gamble(states, i, seat, memory, params)
    if rule == AT_A_LOSS:
        return play_move(oldest_slot(states, i, seat))
    if not may_discard(states, i):
        return NO_MOVE
    if rule == DISCARDS_USELESS:
        return discard_useless(states, i, seat, memory, unseen_kinds(states, i, seat, memory))
    if rule == DISCARDS_CHOP:
        return discard_move(chop_slot(states, i, seat, memory, seat))
    return discard_valuable(states, i, seat, memory)


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The first rule that has a move; once the deck is empty, playing comes first."""
    settle_sets(states, i, seat, memory)
    hint, worth, is_judged = NO_MOVE, NEVER, False
    is_last_round = states[i]["drawn"] == states[i]["deck_size"]
    move = NO_MOVE
    for place in range(len(REASONS)):
        rule = LAST_ROUND[place] if is_last_round else place
        memory[i, seat, REASON] = rule
        if rule == SPENDS and params[seat, RECLAIM]:
            move = reclaim(states, i, seat)
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
    settle_sets(states, i, seat, memory)
    if states[i]["seat"] != seat:
        memory[i, seat, WARNED] = 0
    if is_hint(move):
        warns = take_hint(states, i, seat, memory, params, move)
        if hint_receiver(states, i, move) == seat:
            memory[i, seat, WARNED] = warns
        return
    hear_no_warning(states, i, seat, memory)
    if is_discard(move):
        hear_finesse(states, i, seat, memory, slot_of(move))
    forget_card(states, i, seat, memory, SETS, move)


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
    ),
    act,
    observe,
)
