"""Random."""
from kagiya._jit import kernel, popcount, lowest_bit
from kagiya.dice import below
from kagiya.engine.kernels import legal_moves

@kernel
def act(states, i, seat, memory, params, rng):
    legal = legal_moves(states, i)
    for _ in range(below(rng, i, 1 + seat, popcount(legal))):
        legal &= legal - 1
    return lowest_bit(legal)
