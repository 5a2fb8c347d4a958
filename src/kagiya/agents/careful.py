"""Careful: plays only what surely fits, tells what fits, throws away the rest. A model of a compiled agent.

Source
    Ours, to show the form: five tactics in order. Close in spirit to the Cautious and IGGI players of
    Walton-Rivers et al. 2017.
Published
    Nothing.
Where the source is silent
    With all tokens there and nothing to tell, it spends a token on the rank of the next seat's first card. If
    that hand is empty (hands of one card, last round), it makes the first legal move.
"""

from kagiya._jit import kernel, lowest_bit
from kagiya.agents.api import AgentInfo, CompiledAgent
from kagiya.agents.tactics.play_or_discard import discard_oldest, discard_useless, play_safe
from kagiya.agents.tactics.tell import hle_tell_playable, tell_anything
from kagiya.agents.tactics.vocabulary import NOTHING_APPLIED
from kagiya.cards import NO_MOVE, MoveNumber, Seat
from kagiya.engine.game_kernels import legal_moves
from kagiya.engine.layout import REASON, Lane, Memory, Params, States, Streams

REASONS = (
    "plays {slot}, which surely fits",
    "tells {receiver} that {playable}",
    "discards {slot}, which is surely useless",
    "discards {slot}, its oldest card",
    "tells {receiver} that {touched}, for want of anything better",
    NOTHING_APPLIED,
)
PLAYS, TELLS, DISCARDS_USELESS, DISCARDS_OLDEST, TELLS_ANYTHING, AT_A_LOSS = range(6)


@kernel
def choose(states: States, i: Lane, seat: Seat, rng: Streams) -> tuple[MoveNumber, int]:
    """The first tactic that has a move, and the place of its reason."""
    move, reason = play_safe(states, i, seat, rng, 0.0), PLAYS
    if move == NO_MOVE:
        move, reason = hle_tell_playable(states, i, seat, rng, 0.0), TELLS
    if move == NO_MOVE:
        move, reason = discard_useless(states, i, seat, rng, 0.0), DISCARDS_USELESS
    if move == NO_MOVE:
        move, reason = discard_oldest(states, i, seat, rng, 0.0), DISCARDS_OLDEST
    if move == NO_MOVE:
        move, reason = tell_anything(states, i, seat, rng, 0.0), TELLS_ANYTHING
    if move == NO_MOVE:
        move, reason = lowest_bit(legal_moves(states, i)), AT_A_LOSS
    return move, reason


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The move alone, for agents that build on this one and use their memory otherwise."""
    return choose(states, i, seat, rng)[0]


@kernel
def act_with_reason(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The same, which leaves its reason."""
    move, reason = choose(states, i, seat, rng)
    memory[i, seat, REASON] = reason
    return move


AGENT = CompiledAgent(
    AgentInfo(
        id="careful",
        summary="plays what surely fits, tells what fits, discards the oldest",
        family="house",
        paper="Kagiya",
        reasons=REASONS,
    ),
    act_with_reason,
)
