"""Conventions inside a search: hands that fit what past moves meant, moves that mislead nobody, one card redealt.

By the playable-now convention a search keeps in its record what each card has been called.
A model's `believe` is told every move of the game as its `observe` would be, in a lane of its own where it narrows the
possible kinds of the seat's cards. What it says of a card stays with the card, whatever is played later.
A hat player decodes with the hands it sees: what the others remember is right only if the sampled hand fits all that
was decoded before, so a hand is sampled again once that is known.
"""

from kagiya._jit import kernel
from kagiya.agents.playable_now import GROUNDED, hear_hint, narrow_hand, restore_hand
from kagiya.cards import NO_CARD, MoveNumber, Seat, Slot, each_seat, each_slot
from kagiya.engine.batch import call_observe, tell_observers
from kagiya.engine.game_kernels import NO_SLOT, apply_move
from kagiya.engine.layout import Lane, Memory, States
from kagiya.engine.memory import copy_memory
from kagiya.kinds import add_bit, kind_bit, remove_bit
from kagiya.moves import FIRST_DISCARD, NUM_MOVES
from kagiya.search.deals.history import HISTORY_MOVES, restart_game
from kagiya.search.deals.sampling import pool_of, random_card, sample_hand
from kagiya.search.search_layout import (
    DEALT,
    KNOWN,
    TRIAL,
    SearchRecord,
    extents_of,
    memory_of,
    observes_of,
    params_of,
    rng_of,
    states_of,
)
from kagiya.view.view_kernels import NOTHING, SUBSETS, count_deals


@kernel
def hear_move(states: States, i: Lane, work: SearchRecord, move: MoveNumber) -> None:
    """Keep the convention masks up to date with a move about to be made in the search."""
    hear_hint(states, i, work["convention_masks"][:], work["convention"], move)


@kernel
def narrow_possible(states: States, i: Lane, seat: Seat, work: SearchRecord) -> None:
    """Let the seat to move believe what the hints have said; `restore_possible` takes it back."""
    narrow_hand(states, i, seat, work["convention_masks"][:], work["hint_possible"][:])


@kernel
def restore_possible(states: States, i: Lane, seat: Seat, work: SearchRecord) -> None:
    """The possible kinds as the hints alone leave them."""
    restore_hand(states, i, seat, work["hint_possible"][:])


@kernel
def sample_meant_hand(states: States, i: Lane, seat: Seat, work: SearchRecord) -> None:
    """The same as `sample_hand`, of the hands that also fit what hints have said by the convention."""
    if work["convention"] == GROUNDED:
        sample_hand(states, i, seat, work, rng_of(work))
        return
    narrow_possible(states, i, seat, work)
    sample_hand(states, i, seat, work, rng_of(work))
    restore_possible(states, i, seat, work)


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


@kernel
def redeal_card(states: States, i: Lane, seat: Seat, slot: Slot, work: SearchRecord) -> bool:
    """The card that a seat is about to show becomes one it could hold; returns whether it is the true one.

    The other slots keep their cards. If the card shown was the last of its kind and lay in one of them, that
    slot takes any unseen card its hints allow (any at all if none is left, its hints forgotten).
    """
    state, rng = states[i], rng_of(work)
    sample_meant_hand(states, i, seat, work)
    shown = work["hand"][slot]
    if shown == state["hands"][seat, slot]:
        return True
    low, high = pool_of(states, i, seat)
    low, high = remove_bit(low, high, kind_bit(shown))
    state["hands"][seat, slot] = shown
    hand_low, hand_high, robbed = kind_bit(shown), NOTHING, NO_SLOT
    for other in each_slot(state["hand_size"]):
        card = state["hands"][seat, other]
        if other == slot or card == NO_CARD:
            continue
        if not (low | high) >> card & 1:
            robbed = other
            continue
        low, high = remove_bit(low, high, kind_bit(card))
        hand_low, hand_high = add_bit(hand_low, hand_high, kind_bit(card))
    if robbed != NO_SLOT:
        card = random_card(low, high, state["possible"][seat, robbed], rng)
        if card == NO_CARD:
            card = random_card(low, high, state["kinds"], rng)
            state["possible"][seat, robbed], state["told"][seat, robbed] = state["kinds"], 0
        state["hands"][seat, robbed] = card
        low, high = remove_bit(low, high, kind_bit(card))
        hand_low, hand_high = add_bit(hand_low, hand_high, kind_bit(card))
    state["deck_low"], state["deck_high"] = low, high
    state["hand_low"][seat], state["hand_high"][seat] = hand_low, hand_high
    return False
