"""CheatBot: all hands lie open, the deck does not. What good players could reach if they knew their cards.

Source
    Arthur O'Dwyer, `Quuxplusone/Hanabi` on GitHub, CheatBot, commit daef9de (2019).
Published
    Means of its README, points kept after a bomb, empty hints illegal: 24.90, 24.98, 24.97, 24.95 for 2-5
    players. The original program, run again over 100,000 games: 24.903, 24.981, 24.975, 24.955, each +- 0.001.
    It never bombs.
Where the source is silent
    Its table of how many points may be missing for each number of tokens ends at eight; with more tokens the
    last entry holds. In hands of a single card, with all tokens there and no one to tell, it plays.
"""

import numpy as np

from kagiya._jit import kernel, popcount
from kagiya.agents.api import CompiledAgent
from kagiya.agents.convention_bots import convention_bot
from kagiya.agents.hanabirs_cheat import HIGHEST, LOWEST, OLDEST, own_slot, temporize
from kagiya.cards import MAX_RANKS, NO_MOVE, Kinds, MoveNumber, Rank, Seat, each_offset, each_slot
from kagiya.engine.game_kernels import NO_SLOT, discard_move, may_discard, play_move
from kagiya.engine.layout import REASON, Lane, Memory, Params, States, Streams
from kagiya.kinds import add_planes, color_of, rank_kinds, rank_of
from kagiya.view.view_kernels import critical_kinds

REASONS = (
    "plays {slot}, for a partner's next card if it can",
    "discards {slot}, which is useless",
    "discards {slot}, seen elsewhere",
    "spends a token",
    "discards {slot}, needed late",
    "discards {slot}, its highest card",
)
PLAYS, DROPS_USELESS, DROPS_DUPLICATE, TEMPORIZES, DROPS_LATE, DROPS_HIGHEST = range(6)
SAVING, HURRYING, WAITING = range(3)
LAST_RANK = Rank(MAX_RANKS - 1)
RULES = np.array(
    (
        (DROPS_USELESS, DROPS_DUPLICATE, TEMPORIZES, DROPS_LATE, DROPS_HIGHEST),
        (TEMPORIZES, DROPS_USELESS, DROPS_DUPLICATE, DROPS_LATE, DROPS_HIGHEST),
        (DROPS_LATE, TEMPORIZES, DROPS_USELESS, DROPS_DUPLICATE, DROPS_HIGHEST),
    )
)
TEMPO = np.array((0, 1, 2, 3, 4, 5, 8, 25, 25))  # by tokens: with so few points missing, hint rather than discard


@kernel
def play(states: States, i: Lane, seat: Seat) -> MoveNumber:
    """The lowest card that fits, if possible one whose successor a partner holds, the nearest partner's first."""
    state = states[i]
    below_top = state["playable"] & ~rank_kinds(LAST_RANK)
    for offset in each_offset(1, state["players"]):
        partner = (seat + offset) % state["players"]
        held = state["hand_low"][partner] | state["hand_high"][partner]
        slot = own_slot(states, i, seat, below_top & held >> 1, LOWEST)
        if slot != NO_SLOT:
            return play_move(slot)
    return play_move(own_slot(states, i, seat, state["playable"], LOWEST))


@kernel
def visible_planes(states: States, i: Lane) -> tuple[Kinds, Kinds]:
    """All cards in all hands."""
    state = states[i]
    low, high = state["hand_low"][0], state["hand_high"][0]
    for seat in range(1, state["players"]):
        low, high = add_planes(low, high, state["hand_low"][seat], state["hand_high"][seat])
    return low, high


@kernel
def drop_useless(states: States, i: Lane, seat: Seat) -> MoveNumber:
    """Discard a useless card, or one held twice; misplay it where discarding is forbidden and a life can be spared."""
    state = states[i]
    slot = own_slot(states, i, seat, state["useless"] | state["hand_high"][seat], OLDEST)
    if slot == NO_SLOT:
        return NO_MOVE
    if may_discard(states, i):
        return discard_move(slot)
    return play_move(slot) if state["lives"] >= 2 else NO_MOVE


@kernel
def drop_late(states: States, i: Lane, seat: Seat) -> MoveNumber:
    """Discard the card furthest from its turn; no five, and no last copy."""
    state = states[i]
    best, best_gap = NO_SLOT, 0
    for slot in each_slot(state["hand_size"]):
        card = state["hands"][seat, slot]
        if card < 0 or rank_of(card) == state["ranks"] - 1 or critical_kinds(states, i) >> card & 1:
            continue
        gap = rank_of(card) + 1 - state["fireworks"][color_of(card)]
        older = best != NO_SLOT and state["order"][seat, slot] < state["order"][seat, best]
        if gap > best_gap or (gap == best_gap and older):
            best, best_gap = slot, gap
    return discard_move(best)


@kernel
def try_rule(states: States, i: Lane, seat: Seat, rule: int) -> MoveNumber:
    """The move that a rule has, or NO_MOVE."""
    state = states[i]
    if rule == DROPS_USELESS:
        return drop_useless(states, i, seat)
    if rule == TEMPORIZES:
        return temporize(states, i, seat)
    if not may_discard(states, i):
        return play_move(own_slot(states, i, seat, state["kinds"], OLDEST)) if rule == DROPS_HIGHEST else NO_MOVE
    if rule == DROPS_LATE:
        return drop_late(states, i, seat)
    if rule == DROPS_HIGHEST:
        return discard_move(own_slot(states, i, seat, state["kinds"], HIGHEST))
    _, twice = visible_planes(states, i)
    return discard_move(own_slot(states, i, seat, twice, OLDEST))


@kernel
def mood(states: States, i: Lane) -> int:
    """Which rules come first: to win tokens, to lose no turn, or, where nothing plays or is spare, to wait."""
    state = states[i]
    low, high = visible_planes(states, i)
    if not (low | high) & state["playable"]:
        return SAVING if (low | high) & state["useless"] | high else WAITING
    missing = popcount(state["kinds"] & ~state["played"])
    no_discard_left = missing > state["deck_size"] - state["drawn"]
    return HURRYING if no_discard_left or missing <= TEMPO[min(state["tokens"], len(TEMPO) - 1)] else SAVING


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """Play, or else the first rule that has a move."""
    memory[i, seat, REASON] = PLAYS
    move = play(states, i, seat)
    order = mood(states, i)
    for place in range(RULES.shape[1]):
        if move != NO_MOVE:
            break
        memory[i, seat, REASON] = RULES[order, place]
        move = try_rule(states, i, seat, RULES[order, place])
    return move


INFO = convention_bot("cheatbot", "sees all hands, plays for its partners' next cards", REASONS, 1, sees_own_hand=True)
AGENT = CompiledAgent(INFO, act)
