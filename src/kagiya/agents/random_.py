"""Random: any legal move, each as likely. The floor of every table.

Source
    Walton-Rivers et al. 2017 call it Legal Random; every paper has one.
Published
    No self-play score. The Hanabi Learning Environment's random play ends after 12.8 moves with two
    players and scores 0 (bombed games count 0); ours does the same.
Where the source is silent
    Whether repeated hints count as one move or several. Here a hint is one move for each seat and
    value that touches a card, as in the competition framework.
    The framework's other random player, after Osawa (hint 30 %, discard 40 %, play 30 %), is not this one: it also
    draws illegal moves, which end the game there.
"""

from kagiya._jit import kernel
from kagiya.agents.api import AgentInfo, CompiledAgent
from kagiya.agents.tactics.vocabulary import random_move
from kagiya.cards import MoveNumber, Seat
from kagiya.engine.layout import Lane, Memory, Params, States, Streams


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """Nothing but luck."""
    return random_move(states, i, seat, rng)


AGENT = CompiledAgent(
    AgentInfo(
        id="random",
        summary="any legal move, each as likely",
        family="house",
        paper="WaltonRivers2017",
        reasons=("{does}, at random",),  # the only one, so its number need not be written
    ),
    act,
)
