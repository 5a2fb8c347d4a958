"""One game with some seats in Python: a single kernel call from one Python move to the next."""

from kagiya._jit import kernel
from kagiya.dice import Streams
from kagiya.engine.batch_kernels import PYTHON_TO_MOVE, Addresses, Moves, Results, play_on
from kagiya.engine.layout import GAME, SEEN, Memory, Params, States
from kagiya.engine.memory_kernels import Words
from kagiya.moves import MoveNumber
from kagiya.view.kernels import censor

ROW = 0  # of the results: a game with Python seats has a row of its own


@kernel
def advance(
    states: States,
    memory: Memory,
    params: Params,
    rng: Streams,
    acts: Addresses,
    observes: Addresses,
    moves: Moves,
    shown: Words,
    results: Results,
    move: int,
) -> int:
    """Make a Python seat's move (NO_MOVE for none), play on, and write what the next Python seat sees."""
    stopped = play_on(states, GAME, memory, params, rng, acts, observes, moves, shown, results, ROW, MoveNumber(move))
    if stopped == PYTHON_TO_MOVE:
        censor(states, GAME, SEEN, states[GAME]["seat"])
    return stopped
