"""What players that see their own hand share: choosing an own card by what it is, and an idle hint."""

from kagiya._jit import kernel
from kagiya.agents.tactics.hints import NEXT
from kagiya.agents.tactics.slots import oldest_slot
from kagiya.cards import MAX_RANKS, Kinds, Seat, Slot, each_slot
from kagiya.engine.layout import Lane, States
from kagiya.kinds import rank_of
from kagiya.move_kernels import NO_SLOT, hint_rank_of
from kagiya.moves import NO_MOVE, MoveNumber

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
