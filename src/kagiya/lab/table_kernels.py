"""One game with some seats in Python: a single kernel call from one Python move to the next."""

from kagiya._jit import kernel
from kagiya.engine.batch_kernels import (
    ILLEGAL_MOVE,
    PYTHON_TO_MOVE,
    make_move,
    play_on,
    write_bad_move,
    write_log,
)
from kagiya.engine.kernels import is_legal
from kagiya.engine.layout import GAME, SEEN
from kagiya.moves import NO_MOVE
from kagiya.view.kernels import censor


@kernel
def advance(states, memory, params, rng, acts, observes, moves, shown, move):
    """Make a Python seat's move (NO_MOVE for none), play on, and write what the next Python seat sees."""
    if move != NO_MOVE:
        if not is_legal(states, GAME, move):
            write_bad_move(states, GAME, moves, shown, move)
            return ILLEGAL_MOVE
        write_log(states, GAME, moves, shown, move)
        make_move(states, GAME, memory, params, observes, move)
    stopped = play_on(states, GAME, memory, params, rng, acts, observes, moves, shown)
    if stopped == PYTHON_TO_MOVE:
        censor(states, GAME, SEEN, states[GAME]["seat"])
    return stopped
