"""One game with some seats in Python: a single kernel call from one Python move to the next."""

import numpy as np

from kagiya._jit import kernel
from kagiya.engine.batch_kernels import PYTHON_TO_MOVE, play_on
from kagiya.engine.layout import GAME, SEEN
from kagiya.view.kernels import censor

ROW = np.int64(0)  # of the results: a game with Python seats has a row of its own


@kernel
def advance(states, memory, params, rng, acts, observes, moves, shown, results, move):
    """Make a Python seat's move (NO_MOVE for none), play on, and write what the next Python seat sees."""
    stopped = play_on(states, GAME, memory, params, rng, acts, observes, moves, shown, results, ROW, move)
    if stopped == PYTHON_TO_MOVE:
        censor(states, GAME, SEEN, states[GAME]["seat"])
    return stopped
