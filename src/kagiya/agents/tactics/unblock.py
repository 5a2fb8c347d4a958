"""A tactic that gives back a token for a seat that can do nothing safe without one."""

from kagiya._jit import kernel
from kagiya.agents.tactics._tactic import tactic
from kagiya.agents.tactics.discard import discard_of, known_useless_slot
from kagiya.agents.tactics.modes import FRAMEWORK
from kagiya.agents.tactics.play import known_slot
from kagiya.cards import Seat, each_offset
from kagiya.dice import Streams
from kagiya.engine.layout import Lane, States
from kagiya.kinds import rank_kinds
from kagiya.move_kernels import NO_SLOT, play_move
from kagiya.moves import NO_MOVE, MoveNumber


@kernel
def token_move(states: States, i: Lane, owner: Seat) -> MoveNumber:
    """The safe move by which this seat would give back a token: a known useless card, or a known five that fits."""
    state = states[i]
    useless = known_useless_slot(states, i, owner, FRAMEWORK)
    if useless != NO_SLOT:
        return discard_of(states, i, useless)
    last_rank = rank_kinds(state["ranks"] - 1)
    return play_move(known_slot(states, i, owner, state["playable"] & last_rank, FRAMEWORK))


@tactic("unblock")
def unblock(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """Without tokens: a safe move that gives one back, if someone needs it before another seat can do the same."""
    state = states[i]
    move = token_move(states, i, seat)
    if state["tokens"] > 0 or move == NO_MOVE:
        return NO_MOVE
    for offset in each_offset(1, state["players"]):
        other = (seat + offset) % state["players"]
        if token_move(states, i, other) != NO_MOVE:
            return NO_MOVE
        if known_slot(states, i, other, state["playable"], FRAMEWORK) == NO_SLOT:
            return move
    return NO_MOVE
