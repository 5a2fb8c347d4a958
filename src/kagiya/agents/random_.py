"""Random: any legal move, each as likely. The floor of every table.

Source
    Walton-Rivers et al. 2017 call it Legal Random; every paper has one.
Published
    No self-play score. The Hanabi Learning Environment's random play ends after 12.8 moves with two
    players and scores 0 (bombed games count 0); ours does the same.
Where the source is silent
    Whether repeated hints count as one move or several. Here a hint is one move for each seat and
    value that touches a card, as in the competition framework.
"""

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents._base import CompiledAgent
from kagiya.agents._info import AgentInfo
from kagiya.dice import below
from kagiya.engine.kernels import legal_moves


@kernel
def act(states, i, seat, memory, params, rng):
    """One bit of the mask of legal moves."""
    legal = legal_moves(states, i)
    for _ in range(below(rng, i, 1 + seat, popcount(legal))):
        legal &= legal - 1
    return lowest_bit(legal)


AGENT = CompiledAgent(
    AgentInfo(id="random", summary="any legal move, each as likely", family="house", paper="WaltonRivers2017"),
    act,
)
