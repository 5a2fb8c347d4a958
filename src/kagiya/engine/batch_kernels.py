"""Many games with no Python in the loop. Arrays belong to the caller; lanes are indices into them.

Each seat's agent is an address in `acts` and `observes` (NO_KERNEL for none); `memory` holds a row of
integers per lane and seat, `params` a row of numbers per seat, `rng` the streams.
"""

import numpy as np

from kagiya._jit import kernel
from kagiya.engine.calls import NO_KERNEL, call_act, call_observe
from kagiya.engine.kernels import apply_move, deal, is_legal, is_over, points, reachable_points, score

RESULT = np.dtype(
    [
        ("seed", np.int64),
        ("score", np.int64),
        ("points", np.int64),
        ("reachable", np.int64),  # the most points the discards still allowed at the end
        ("lives", np.int64),
        ("turns", np.int64),
    ]
)

# What stops `play_on`.
GAME_OVER, PYTHON_TO_MOVE, ILLEGAL_MOVE = 0, 1, 2


@kernel
def tell_observers(states, i, memory, params, observes, move):
    """Every seat that listens hears the move announced, before it takes effect."""
    for seat in range(states[i]["players"]):
        if observes[seat] != NO_KERNEL:
            call_observe(observes[seat], states, i, seat, memory, params, move)


@kernel
def make_move(states, i, memory, params, observes, move):
    """Announce a legal move to all seats and carry it out."""
    tell_observers(states, i, memory, params, observes, move)
    apply_move(states, i, move)


@kernel
def clear_memory(memory, i, kept):
    """A new game begins: every seat's memory is zero but for the first `kept[seat]` words."""
    for seat in range(memory.shape[1]):
        for word in range(kept[seat], memory.shape[2]):
            memory[i, seat, word] = 0


@kernel
def play_on(states, i, memory, params, rng, acts, observes, moves):
    """Play the compiled seats until the game ends, a Python seat is to move, or a move is illegal.

    `moves` receives each move at its turn number; an illegal one is written there and not carried out.
    """
    state = states[i]
    while not is_over(states, i):
        seat = state["seat"]
        if acts[seat] == NO_KERNEL:
            return PYTHON_TO_MOVE
        move = call_act(acts[seat], states, i, seat, memory, params, rng)
        moves[state["turn"]] = move
        if not is_legal(states, i, move):
            return ILLEGAL_MOVE
        make_move(states, i, memory, params, observes, move)
    return GAME_OVER


@kernel
def write_result(states, i, seed, results, game):
    """The outcome of the game in lane `i`, as row `game` of the results."""
    row = results[game]
    row["seed"] = seed
    row["score"] = score(states, i)
    row["points"] = points(states, i)
    row["reachable"] = reachable_points(states, i)
    row["lives"] = states[i]["lives"]
    row["turns"] = states[i]["turn"]


@kernel
def play_games(states, memory, params, rng, acts, observes, kept, moves, results, seed):
    """Play one game per row of `results`, with seeds counting up from `seed`; lane 0 is the template.

    `moves[game]` receives the moves. Returns the number of games finished: fewer than asked for means
    that the next one met an illegal move, which is the last in its row of `moves`.
    """
    for game in range(len(results)):
        deal(states, 0, 1, rng, seed + game)
        clear_memory(memory, 1, kept)
        if play_on(states, 1, memory, params, rng, acts, observes, moves[game]) != GAME_OVER:
            return game
        write_result(states, 1, seed + game, results, game)
    return len(results)
