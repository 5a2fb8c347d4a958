"""What the seers of hat players do when they cannot play: wait for a partner at the price of a token, or discard."""

from kagiya._jit import kernel
from kagiya.agents.hanabirs_cheat import temporize
from kagiya.agents.hats.public_table import held_by_others
from kagiya.agents.tactics.discard import may_discard
from kagiya.cards import NO_MOVE, MoveNumber, Seat, Slot
from kagiya.engine.game_kernels import discard_move, play_move
from kagiya.engine.layout import REASON, Lane, Memory, States

REASONS = (
    "plays {slot}, which fits",
    "spends a token, for a partner can play",
    "discards {slot}, the card least needed",
    "spends a token, for all are there",
    "has nothing better to do",
    "discards {slot}, which is useless",
)
PLAYS, WAITS, DISCARDS, PASSES, AT_A_LOSS, DISCARDS_USELESS = range(6)


@kernel
def wait_or_discard(states: States, i: Lane, seat: Seat, memory: Memory, slot: Slot, is_useless: bool) -> MoveNumber:
    """Discard this slot, unless it may not be or can wait; a useless card does not wait for a partner."""
    idle = temporize(states, i, seat)
    if not may_discard(states, i):
        memory[i, seat, REASON] = PASSES if idle != NO_MOVE else AT_A_LOSS
        return idle if idle != NO_MOVE else play_move(slot)
    if is_useless:
        memory[i, seat, REASON] = DISCARDS_USELESS
        return discard_move(slot)
    if idle != NO_MOVE and held_by_others(states, i, seat) & states[i]["playable"]:
        memory[i, seat, REASON] = WAITS
        return idle
    memory[i, seat, REASON] = DISCARDS
    return discard_move(slot)
