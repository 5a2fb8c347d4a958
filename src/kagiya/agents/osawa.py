"""Osawa's strategies without inference: internal, outer, and the ideal one that sees its own hand.

Source
    Osawa 2015, two players. `osawa-internal` plays what surely fits, discards what is surely useless, tells about a
    card of its partner's that fits, else anything, else discards any card. `osawa-outer` remembers what its partner
    was told and tells only what is new. `osawa-ideal` sees its hand: it plays, passes with a hint while its partner
    can play, else discards a useless card, one of which a copy is left, or the highest.
Published
    Means and deviations of 100 games: 10.97 (1.94), 14.53 (2.24), 24.6 (1.10). How a bomb scores is not said, and
    hardly matters: they play only what is sure.
Where the source is silent
    What is sure: the cards seen are counted (by hints alone internal and outer fall to 10.0 and 13.7), and cards above
    a lost one are useless. Which card that fits is told: the first, in turn order; its rank or its color by a coin
    (rank first: 14.7). What outer tells without such a card: the first one not told in full, its rank before its color;
    at random it scores the same. Which card ideal plays or discards of several: the first. With more players than
    two, hints go to the nearest seat, those at random to the next.
"""

from kagiya._jit import kernel
from kagiya.agents.api import AgentInfo, CompiledAgent
from kagiya.agents.hats.public_table import held_by_others
from kagiya.agents.rule_list import rule_agent
from kagiya.agents.tactics.play_or_discard import discard_random, discard_useless, play_safe
from kagiya.agents.tactics.tell import missing_or_coin_hint, tell_anything
from kagiya.agents.tactics.vocabulary import NAMED, NOTHING_APPLIED, first_slot, hint_about, random_move, slots_of
from kagiya.cards import MAX_RANKS, NO_MOVE, MoveNumber, Rank, Seat, Slot
from kagiya.engine.game_kernels import NO_SLOT, discard_of, play_move
from kagiya.engine.layout import REASON, Lane, Memory, Params, States, Streams
from kagiya.kinds import rank_kinds
from kagiya.view.view_kernels import critical_kinds

INTERNAL = rule_agent(
    AgentInfo(
        id="osawa-internal",
        summary="plays what is sure, tells what fits, else anything",
        family="Osawa",
        paper="Osawa2015",
    ),
    "play-safe",
    "discard-useless",
    "hle-tell-playable-at-random",
    "tell-next-at-random",
    "discard-random",
)

NEWS_REASONS = (
    "plays {slot}, which can only fit",
    "discards {slot}, which can only be useless",
    "tells {receiver} something new: {playable}",
    "tells {receiver} something new: {touched}",
)
LAST_REASONS = ("discards {slot}, as good as any", NOTHING_APPLIED)
PLAYS, DISCARDS_USELESS, TELLS_PLAYABLE, TELLS_NEWS, DISCARDS, AT_A_LOSS = range(6)


@kernel
def tell_news(states: States, i: Lane, seat: Seat, rng: Streams) -> tuple[MoveNumber, int]:
    """The outer strategy before it throws away any card, and the place of its reason in NEWS_REASONS."""
    move, reason = play_safe(states, i, seat, rng, 0.0), PLAYS
    if move == NO_MOVE:
        move, reason = discard_useless(states, i, seat, rng, 0.0), DISCARDS_USELESS
    if move == NO_MOVE:
        move, reason = missing_or_coin_hint(states, i, seat, rng), TELLS_PLAYABLE
    if move == NO_MOVE:
        move, reason = hint_about(states, i, seat, states[i]["kinds"], NAMED), TELLS_NEWS
    return move, reason


@kernel
def act_outer(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The first rule that has a move."""
    move, reason = tell_news(states, i, seat, rng)
    if move == NO_MOVE:
        move, reason = discard_random(states, i, seat, rng, 0.0), DISCARDS
    if move == NO_MOVE:
        move, reason = random_move(states, i, seat, rng), AT_A_LOSS
    memory[i, seat, REASON] = reason
    return move


OUTER = CompiledAgent(
    AgentInfo(
        id="osawa-outer",
        summary="plays what is sure, tells only what is new",
        family="Osawa",
        paper="Osawa2015",
        reasons=NEWS_REASONS + LAST_REASONS,
    ),
    act_outer,
)

IDEAL_REASONS = (
    "plays {slot}, which fits",
    "passes, for another can play",
    "discards {slot}, which is useless",
    "discards {slot}, of which a copy is left",
    "discards {slot}, its highest card",
    "passes, for all tokens are there",
    NOTHING_APPLIED,
)
FITS, LETS_PLAY, USELESS, SPARE, HIGHEST, WAITS, LOST = range(7)


@kernel
def highest_slot(states: States, i: Lane, seat: Seat) -> Slot:
    """The first slot with a card of the highest rank in the hand."""
    for rank in range(MAX_RANKS - 1, -1, -1):
        slots = slots_of(states, i, seat, rank_kinds(Rank(rank)))
        if slots:
            return first_slot(slots)
    return NO_SLOT


@kernel
def act_ideal(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The first rule that has a move; the player's own hand is looked at."""
    state = states[i]
    spare = state["kinds"] & ~critical_kinds(states, i)
    move, reason = play_move(first_slot(slots_of(states, i, seat, state["playable"]))), FITS
    if move == NO_MOVE and held_by_others(states, i, seat) & state["playable"]:
        move, reason = tell_anything(states, i, seat, rng, 0.0), LETS_PLAY
    if move == NO_MOVE:
        move, reason = discard_of(states, i, first_slot(slots_of(states, i, seat, state["useless"]))), USELESS
    if move == NO_MOVE:
        move, reason = discard_of(states, i, first_slot(slots_of(states, i, seat, spare))), SPARE
    if move == NO_MOVE:
        move, reason = discard_of(states, i, highest_slot(states, i, seat)), HIGHEST
    if move == NO_MOVE:
        move, reason = tell_anything(states, i, seat, rng, 0.0), WAITS
    if move == NO_MOVE:
        move, reason = random_move(states, i, seat, rng), LOST
    memory[i, seat, REASON] = reason
    return move


IDEAL = CompiledAgent(
    AgentInfo(
        id="osawa-ideal",
        summary="sees its hand: plays, waits for others, discards what is spare",
        family="Osawa",
        paper="Osawa2015",
        reasons=IDEAL_REASONS,
        sees_own_hand=True,
    ),
    act_ideal,
)
