"""What a convention makes of past moves: samples of the player's own hand that fit what a model would have concluded.

A model's `believe` is told every move of the game as its `observe` would be, in a lane of its own where it narrows the
possible kinds of the seat's cards. What it says of a card stays with the card, whatever is played later.
A hat player decodes with the hands it sees: what the others remember is right only if the sampled hand fits all that
was decoded before, so a hand is sampled again once that is known.
"""

from kagiya._jit import kernel
from kagiya.cards import NO_CARD, Seat, each_seat
from kagiya.engine.batch_kernels import tell_observers
from kagiya.engine.calls import call_observe
from kagiya.engine.kernels import apply_move
from kagiya.engine.layout import Lane, Memory, States
from kagiya.engine.memory_kernels import copy_memory
from kagiya.moves import FIRST_DISCARD, NUM_MOVES
from kagiya.search.deals.history import HISTORY_MOVES, restart_game
from kagiya.search.deals.sampling import pool_of
from kagiya.search.layout import (
    DEALT,
    KNOWN,
    TRIAL,
    SearchRecord,
    extents_of,
    memory_of,
    observes_of,
    params_of,
    states_of,
)
from kagiya.view.kernels import SUBSETS, count_deals


@kernel
def narrow_by_belief(i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> None:
    """Leave open in lane KNOWN only what the believer, in this seat, takes the seat's cards for.

    Lane DEALT must hold a hand that fits the hints, any such: an honest model concludes the same from all.
    """
    lanes, memories, params, observes = states_of(work), memory_of(work), params_of(work), observes_of(work)
    if not work["whole_history"]:
        return
    restart_game(i, seat, memory, work)
    lanes[DEALT] = lanes[TRIAL]
    for turn in range(work["turns"]):
        move = memory[i, seat, HISTORY_MOVES + turn]
        if work["listening"]:
            tell_observers(lanes, TRIAL, memories, params, observes, move)
            copy_memory(memories, TRIAL, DEALT, extents_of(work))
        call_observe(work["believe_address"], lanes, DEALT, seat, memories, params, move)
        apply_move(lanes, TRIAL, move)
        apply_move(lanes, DEALT, move)
    adopt_belief(lanes, seat, work)


@kernel
def adopt_belief(lanes: States, seat: Seat, work: SearchRecord) -> None:
    """Take over what lane DEALT believes, slot by slot, as long as some hand still fits: not all moves keep to it."""
    known, believed = lanes[KNOWN], lanes[DEALT]
    low, high = pool_of(lanes, KNOWN, seat)
    table = work["deal_table"][:]
    for slot in range(known["hand_size"]):
        possible = known["possible"][seat, slot]
        if believed["possible"][seat, slot] == possible:
            continue
        known["possible"][seat, slot] = possible & believed["possible"][seat, slot]
        occupied = count_deals(lanes, KNOWN, seat, low, high, table)
        if table[SUBSETS + occupied] == 0:
            known["possible"][seat, slot] = possible


@kernel
def honest_moves(seat: Seat, work: SearchRecord, moves: int) -> int:
    """The moves without hints and discards from which another seat would conclude what is not so; all if none is left.

    Lane DEALT must hold a hand for the seat itself that fits what it believes, and what the models remember.
    """
    lanes, memories, params, observes = states_of(work), memory_of(work), params_of(work), observes_of(work)
    honest = moves
    for move in range(FIRST_DISCARD, NUM_MOVES):
        if not moves >> move & 1:
            continue
        lanes[TRIAL] = lanes[DEALT]
        if work["listening"]:
            copy_memory(memories, DEALT, TRIAL, extents_of(work))
            tell_observers(lanes, TRIAL, memories, params, observes, move)
        for other in each_seat(lanes[TRIAL]["players"]):
            if other == seat:
                continue
            call_observe(work["believe_address"], lanes, TRIAL, other, memories, params, move)
            if not is_true_of(lanes, TRIAL, other):
                honest &= ~(1 << move)
    return honest if honest else moves


@kernel
def is_true_of(states: States, i: Lane, owner: Seat) -> bool:
    """Whether every card of a hand is one of its possible kinds."""
    state = states[i]
    for slot in range(state["hand_size"]):
        card = state["hands"][owner, slot]
        if card != NO_CARD and not state["possible"][owner, slot] >> card & 1:
            return False
    return True
