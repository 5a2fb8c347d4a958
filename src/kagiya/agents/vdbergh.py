"""Van den Bergh's own player, with the six parameters over which he and his co-authors searched.

Source
    van den Bergh, Hommelberg, Kosters and Spieksma 2016, and van den Bergh's thesis of 2015. In order: play a card
    likely enough to fit; discard one likely enough to be useless; hint with some probability; else discard.
Published
    15.4 for three players with the best setting, the default here: 10,000 deals played ten times each, the third
    error scoring 0, empty hints legal.
Where the source is silent
    Who is told. We tell the next seat only: Brooks 2020 says that the original did, and with it the default scores
    what was printed; telling all seats in turn order gains about two points, whichever way the rest is read. A card
    whose chance equals the threshold is played. Of several such cards, and of equally useless ones, any is taken.
    A hint of rules 3 and 4 names a part that is not known yet. Hints of rule 2 count all cards touched, known or not;
    ranks win ties. When the rules forbid a discard, a hint is given whatever its probability.
"""

import numpy as np

from kagiya._jit import kernel
from kagiya.agents._base import CompiledAgent
from kagiya.agents._info import AgentInfo, Parameter
from kagiya.agents._rule_list import NOTHING_APPLIED, random_move
from kagiya.agents.tactics._hints import hint_about
from kagiya.agents.tactics._manner import NEXT_ONLY, REPEATS
from kagiya.agents.tactics._slots import (
    ANY_CHANCE,
    likeliest_slots,
    likely_slots,
    occupied_slots,
    oldest_slot,
    random_bit,
)
from kagiya.agents.tactics.discard import discard_of, may_discard
from kagiya.agents.tactics.tell_most import largest_hint
from kagiya.dice import WORD, next_word
from kagiya.engine.kernels import RANK_KINDS, legal_hints
from kagiya.moves import FIRST_HINT, NO_MOVE
from kagiya.view.kernels import critical_kinds

PLAY, SAFETY, DISCARD, HINT, HINT_RULE, DISCARD_RULE = range(6)  # where the parameters stand in the row
RANDOM_HINT, LARGEST_HINT, PLAYABLE_HINT, USELESS_HINT = range(1, 5)
RANDOM_DISCARD, USELESS_DISCARD, OLDEST_DISCARD, SPARE_DISCARD = range(1, 5)
REASONS = ("plays what fits", "discards what is useless", "tells", "discards to get a token", NOTHING_APPLIED)
CERTAIN = np.float64(1.0)
TO_NEXT = NEXT_ONLY | REPEATS


@kernel
def lowest_playable_hint(states, i, seat):
    """About the next seat's card of the lowest rank that fits and is not fully known: its rank, or else its color."""
    for rank in range(states[i]["ranks"]):
        move = hint_about(states, i, seat, states[i]["playable"] & (RANK_KINDS << rank), NEXT_ONLY)
        if move != NO_MOVE:
            return move
    return NO_MOVE


@kernel
def random_hint(states, i, seat, rng):
    """Any hint to the next seat that the rules allow, each as likely."""
    hints = legal_hints(states, i, (seat + 1) % states[i]["players"])
    return FIRST_HINT + random_bit(hints, i, seat, rng) if hints else NO_MOVE


@kernel
def choose_hint(states, i, seat, rule, rng):
    """A hint to the next seat by one of the four hint rules; none without a token."""
    if states[i]["tokens"] == 0:
        return NO_MOVE
    if rule == RANDOM_HINT:
        return random_hint(states, i, seat, rng)
    move = NO_MOVE
    if rule != LARGEST_HINT:
        move = lowest_playable_hint(states, i, seat)
    if move == NO_MOVE and rule == USELESS_HINT:
        move = hint_about(states, i, seat, states[i]["useless"], NEXT_ONLY)
    return largest_hint(states, i, seat, TO_NEXT) if move == NO_MOVE else move


@kernel
def choose_discard(states, i, seat, rule, rng):
    """A discard by one of the four discard rules; none if the rules of the game forbid it now."""
    if not may_discard(states, i):
        return NO_MOVE
    if rule == OLDEST_DISCARD:
        return discard_of(states, i, oldest_slot(states, i, seat))
    slots = occupied_slots(states, i, seat)
    if rule == USELESS_DISCARD:
        slots = likeliest_slots(states, i, seat, states[i]["useless"], ANY_CHANCE)
    elif rule == SPARE_DISCARD:
        slots = likeliest_slots(states, i, seat, states[i]["kinds"] & ~critical_kinds(states, i), ANY_CHANCE)
    return discard_of(states, i, random_bit(slots, i, seat, rng))


@kernel
def wants_to_hint(states, i, seat, chance, rng):
    """Whether the dice say so, or nothing else is allowed."""
    return next_word(rng, i, 1 + seat) < chance * (WORD + 1) or not may_discard(states, i)


@kernel
def act(states, i, seat, memory, params, rng):
    """Play, discard, hint, discard: the first that has a move. Leaves its reason in the memory."""
    state = states[i]
    memory[i, seat, 0] = 0
    is_last_life = state["lives"] == 1 and params[seat, SAFETY] > 0
    threshold = CERTAIN if is_last_life else params[seat, PLAY]
    move = random_bit(likely_slots(states, i, seat, state["playable"], threshold), i, seat, rng)
    if move == NO_MOVE and may_discard(states, i):
        memory[i, seat, 0] = 1
        useless = likely_slots(states, i, seat, state["useless"], params[seat, DISCARD])
        move = discard_of(states, i, random_bit(useless, i, seat, rng))
    if move == NO_MOVE and wants_to_hint(states, i, seat, params[seat, HINT], rng):
        memory[i, seat, 0] = 2
        move = choose_hint(states, i, seat, int(params[seat, HINT_RULE]), rng)
    if move == NO_MOVE:
        memory[i, seat, 0] = 3
        move = choose_discard(states, i, seat, int(params[seat, DISCARD_RULE]), rng)
    if move == NO_MOVE:
        memory[i, seat, 0] = 4
        move = random_move(states, i, seat, rng)
    return move


AGENT = CompiledAgent(
    AgentInfo(
        id="vdbergh",
        summary="the original: plays what probably fits, tells the next seat, discards what is likely useless",
        family="van den Bergh",
        paper="VanDenBergh2016",
        parameters=(
            Parameter("play", 0.6, "the least chance to fit of a card that is played"),
            Parameter("safety", 1, "1: on the last life play only what is certain", whole=True),
            Parameter("discard", 1.0, "the least chance to be useless of a card discarded before any hint"),
            Parameter("hint", 1.0, "the probability to hint when a hint is possible"),
            Parameter("hint_rule", 3, "1 any, 2 largest, 3 playable, 4 playable or useless", 1, 4, whole=True),
            Parameter("discard_rule", 2, "1 any, 2 useless, 3 oldest, 4 least likely the last copy", 1, 4, whole=True),
        ),
        reasons=REASONS,
    ),
    act,
)
