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
from kagiya.agents._base import CompiledAgent
from kagiya.agents._info import AgentInfo
from kagiya.agents.tactics.discard import discard_oldest, discard_useless
from kagiya.agents.tactics.play import play_safe
from kagiya.agents.tactics.tell import tell_anything
from kagiya.agents.tactics.tell_hle import hle_tell_playable
from kagiya.cards import Seat
from kagiya.dice import Streams
from kagiya.engine.kernels import legal_moves
from kagiya.engine.layout import Lane, Memory, Params, States
from kagiya.moves import NO_MOVE, MoveNumber


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The first tactic that has a move."""
    move = play_safe(states, i, seat, rng, 0.0)
    if move == NO_MOVE:
        move = hle_tell_playable(states, i, seat, rng, 0.0)
    if move == NO_MOVE:
        move = discard_useless(states, i, seat, rng, 0.0)
    if move == NO_MOVE:
        move = discard_oldest(states, i, seat, rng, 0.0)
    if move == NO_MOVE:
        move = tell_anything(states, i, seat, rng, 0.0)
    return move if move != NO_MOVE else lowest_bit(legal_moves(states, i))


AGENT = CompiledAgent(
    AgentInfo(
        id="careful",
        summary="plays what surely fits, tells what fits, discards the oldest",
        family="house",
        paper="Kagiya",
    ),
    act,
)
