"""Who plays the other seats in a sample: a policy for each, drawn from its posterior."""

from kagiya._jit import kernel
from kagiya.cards import Seat, each_seat
from kagiya.dice import next_word
from kagiya.engine.calls import NO_KERNEL
from kagiya.engine.memory_kernels import clear_memory
from kagiya.search.allies.layout import AlliesRecord, allies_at, rows_of
from kagiya.search.layout import (
    DEALT,
    KNOWN,
    SEARCH_STREAM,
    TRIAL,
    SearchRecord,
    acts_of,
    extents_of,
    memory_of,
    observes_of,
    params_of,
    rng_of,
    states_of,
)

WORD_VALUES = 2.0**32


@kernel
def draw_allies(work: SearchRecord) -> None:
    """Seat a policy for every other player, each drawn by itself; nothing if the search has fixed models."""
    if work["allies_address"] == 0:
        return
    allies = allies_at(work["allies_address"])
    for other in each_seat(states_of(work)[KNOWN]["players"]):
        if other != work["seat"]:
            allies["drawn"][other] = draw_policy(work, allies, other)
            seat_policy(work, allies, other, allies["drawn"][other])
    note_listeners(work)
    if allies["remembering"]:
        clear_memory(memory_of(work), DEALT, extents_of(work))


@kernel
def draw_policy(work: SearchRecord, allies: AlliesRecord, seat: Seat) -> int:
    """A policy by its posterior probability; if rounding leaves none, the last that is possible."""
    roll = next_word(rng_of(work), TRIAL, SEARCH_STREAM) / WORD_VALUES
    last = 0
    for policy in range(allies["policies"]):
        chance = allies["posterior"][seat, policy]
        if chance > 0.0:
            last = policy
            if roll < chance:
                return policy
            roll -= chance
    return last


@kernel
def seat_policy(work: SearchRecord, allies: AlliesRecord, seat: Seat, policy: int) -> None:
    """Let a policy play a seat in the search."""
    acts_of(work)[seat] = allies["acts"][policy]
    observes_of(work)[seat] = allies["observes"][policy]
    params, rows = params_of(work), rows_of(allies)
    for word in range(allies["rows_words"]):
        params[seat, word] = rows[policy, word]


@kernel
def note_listeners(work: SearchRecord) -> None:
    """Whether one of those who play the sample observes moves, so that their memories must be rebuilt."""
    observes = observes_of(work)
    work["listening"] = 0
    for seat in range(len(observes)):
        if observes[seat] != NO_KERNEL:
            work["listening"] = 1
