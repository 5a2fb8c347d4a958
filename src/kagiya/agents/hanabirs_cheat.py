"""The cheating player of hanabi.rs: all hands lie open, the deck does not.

Source
    Jeff Wu, `WuTheFWasThat/hanabi.rs` on GitHub, strategy "cheat", commit ef77311 (2023).
Published
    Means of its README over seeds 0-19999, points kept after a bomb, empty hints illegal: 24.8209, 24.9781,
    24.9734, 24.9618 for 2-5 players, each +- 0.004 at most. It never bombs.
Where the source is silent
    In hands of a single card, with all tokens there and no one to tell, it plays.
"""

from kagiya._jit import kernel
from kagiya.agents.api import AgentInfo, CompiledAgent
from kagiya.agents.hats.public_table import has_time, held_by_others
from kagiya.agents.tactics.vocabulary import NEXT, oldest_slot
from kagiya.cards import MAX_RANKS, NO_MOVE, Kinds, MoveNumber, Seat, Slot, each_seat, each_slot
from kagiya.engine.game_kernels import NO_SLOT, discard_move, hint_rank_of, may_discard, play_move
from kagiya.engine.layout import REASON, Lane, Memory, Params, States, Streams
from kagiya.kinds import rank_of
from kagiya.view.view_kernels import critical_kinds

LOWEST, OLDEST, HIGHEST = -1, 0, 1


@kernel
def own_slot(states: States, i: Lane, seat: Seat, kinds: Kinds, by_rank: int) -> Slot:
    """The player's LOWEST, HIGHEST or simply OLDEST card of these kinds; ties go to the oldest. NO_SLOT if none."""
    state = states[i]
    best, best_score = NO_SLOT, -MAX_RANKS
    for slot in each_slot(state["hand_size"]):
        card = state["hands"][seat, slot]
        if card < 0 or not kinds >> card & 1:
            continue
        score = by_rank * rank_of(card)
        if score > best_score or (score == best_score and state["order"][seat, slot] < state["order"][seat, best]):
            best, best_score = slot, score
    return best


@kernel
def temporize(states: States, i: Lane, seat: Seat) -> MoveNumber:
    """Spend a token on the rank of the next seat's oldest card."""
    state = states[i]
    left = (seat + 1) % state["players"]
    slot = oldest_slot(states, i, left)
    if state["tokens"] == 0 or slot == NO_SLOT:
        return NO_MOVE
    return hint_rank_of(NEXT, state["hands"][left, slot])


REASONS = (
    "plays {slot}",
    "spends a token, for nothing may be discarded",
    "discards {slot}, which is useless, while there is time",
    "spends a token, for a partner can play",
    "discards {slot}, which is useless",
    "discards {slot}, which is least missed",
)
PLAYS, RECLAIMS, DISCARDS_EARLY, WAITS, DISCARDS_USELESS, DISCARDS = range(6)


@kernel
def urgency(states: States, i: Lane, seat: Seat) -> int:
    """How much a hand has to do: its last copies weigh most, the lower the more; useless cards nothing."""
    state, total = states[i], 0
    critical = critical_kinds(states, i)
    for slot in each_slot(state["hand_size"]):
        card = state["hands"][seat, slot]
        if card >= 0 and not state["useless"] >> card & 1:
            total += MAX_RANKS * 2 - 1 - rank_of(card) if critical >> card & 1 else 1
    return total


@kernel
def others_kinds(states: States, i: Lane, seat: Seat, limit: int) -> Kinds:
    """The kinds held by the other seats whose hands are less urgent than the limit."""
    state, kinds = states[i], Kinds(0)
    for other in each_seat(state["players"]):
        if other != seat and urgency(states, i, other) < limit:
            kinds |= state["hand_low"][other] | state["hand_high"][other]
    return kinds


@kernel
def play(states: States, i: Lane, seat: Seat) -> MoveNumber:
    """The lowest card that fits, last those that a partner with less to do could play instead."""
    fitting = states[i]["playable"]
    left_to_others = others_kinds(states, i, seat, urgency(states, i, seat))
    slot = own_slot(states, i, seat, fitting & ~left_to_others, LOWEST)
    return play_move(slot if slot != NO_SLOT else own_slot(states, i, seat, fitting, LOWEST))


@kernel
def discard_useless(states: States, i: Lane, seat: Seat) -> MoveNumber:
    """The oldest own card that is useless or repeats an older one."""
    state, best = states[i], NO_SLOT
    for slot in each_slot(state["hand_size"]):
        card, place = state["hands"][seat, slot], state["order"][seat, slot]
        if card < 0 or (best != NO_SLOT and place > state["order"][seat, best]):
            continue
        first = own_slot(states, i, seat, 1 << card, OLDEST)
        if first != slot or state["useless"] >> card & 1:
            best = slot
    return discard_move(best)


@kernel
def discard_least_missed(states: States, i: Lane, seat: Seat) -> MoveNumber:
    """A card that a partner holds too, then one that is no last copy, then the highest; ties go to the oldest."""
    elsewhere, dispensable = held_by_others(states, i, seat), ~critical_kinds(states, i)
    for kinds in (elsewhere & dispensable, elsewhere, dispensable, states[i]["kinds"]):
        slot = own_slot(states, i, seat, kinds, HIGHEST)
        if slot != NO_SLOT:
            return discard_move(slot)
    return NO_MOVE


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The first rule that has a move."""
    state = states[i]
    move, reason = play(states, i, seat), PLAYS
    if move == NO_MOVE and not may_discard(states, i):
        move, reason = temporize(states, i, seat), RECLAIMS
        move = play_move(own_slot(states, i, seat, state["kinds"], OLDEST)) if move == NO_MOVE else move
    if move == NO_MOVE and has_time(states, i):
        move, reason = discard_useless(states, i, seat), DISCARDS_EARLY
    if move == NO_MOVE and held_by_others(states, i, seat) & state["playable"]:
        move, reason = temporize(states, i, seat), WAITS
    if move == NO_MOVE:
        move, reason = discard_useless(states, i, seat), DISCARDS_USELESS
    if move == NO_MOVE:
        move, reason = discard_least_missed(states, i, seat), DISCARDS
    memory[i, seat, REASON] = reason
    return move


AGENT = CompiledAgent(
    AgentInfo(
        id="hanabirs-cheat",
        summary="sees all hands, plays what no idler partner could play instead",
        family="convention bots",
        paper="hanabi.rs",
        reasons=REASONS,
        sees_own_hand=True,
    ),
    act,
)
