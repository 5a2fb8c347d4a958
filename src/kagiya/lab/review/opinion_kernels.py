"""One agent asked at every turn of a game that went another way."""

from kagiya._jit import kernel
from kagiya.dice import Streams
from kagiya.engine.batch_kernels import Addresses, Moves, make_move
from kagiya.engine.calls import call_act
from kagiya.engine.kernels import is_legal
from kagiya.engine.layout import GAME, Memory, Params, States
from kagiya.engine.memory_kernels import Words
from kagiya.moves import NO_MOVE


@kernel
def ask_along(
    states: States,
    memory: Memory,
    params: Params,
    rng: Streams,
    acts: Addresses,
    observes: Addresses,
    moves: Moves,
    turns: int,
    choices: Words,
) -> None:
    """Write what the seat to move would do at each turn, NO_MOVE if that is illegal, while the moves are made."""
    for turn in range(turns):
        seat = states[GAME]["seat"]
        choice = call_act(acts[seat], states, GAME, seat, memory, params, rng)
        choices[turn] = choice if is_legal(states, GAME, choice) else NO_MOVE
        make_move(states, GAME, memory, params, observes, int(moves[turn]))
