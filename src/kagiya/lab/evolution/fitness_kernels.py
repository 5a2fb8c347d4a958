"""Games of one rule list in all seats, without Python in the loop: scores, and how the list behaves."""

import numpy as np
import numpy.typing as npt

from kagiya._jit import kernel
from kagiya.agents.tactics.modes import FRAMEWORK
from kagiya.agents.tactics.slots import known_slots
from kagiya.cards import Seat
from kagiya.dice import Streams
from kagiya.engine.batch_kernels import Addresses, make_move
from kagiya.engine.calls import call_act
from kagiya.engine.kernels import deal, is_legal, is_over, points, score
from kagiya.engine.layout import GAME, TEMPLATE, Lane, Memory, Params, States
from kagiya.engine.memory_kernels import Words, clear_memory
from kagiya.move_kernels import is_hint, is_play, slot_of
from kagiya.moves import MoveNumber
from kagiya.view.kernels import slot_chance, unseen_planes

Sums = npt.NDArray[np.float64]

# What is added up over all games.
GAMES, SCORE, SQUARES, POINTS, UNBOMBED, BOMBS, HINTS, COULD_HINT, PLAYS, CHANCE, KNOWN, TURNS, SUMS = range(13)


@kernel
def add_behaviour(states: States, i: Lane, seat: Seat, move: MoveNumber, sums: Sums) -> None:
    """Count a move that is about to be made."""
    state = states[i]
    sums[TURNS] += 1
    if state["tokens"] > 0:
        sums[COULD_HINT] += 1
    if is_hint(move):
        sums[HINTS] += 1
    elif is_play(move):
        slot = slot_of(move)
        low, high = unseen_planes(states, i, seat, seat)
        colors, ranks = known_slots(states, i, seat, FRAMEWORK)
        sums[PLAYS] += 1
        sums[CHANCE] += slot_chance(low, high, state["possible"][seat, slot], state["playable"])
        sums[KNOWN] += ((colors >> slot & 1) + (ranks >> slot & 1)) / 2


@kernel
def add_outcome(states: States, i: Lane, sums: Sums) -> None:
    """Count a game that is over."""
    result, is_bombed = score(states, i), states[i]["lives"] == 0
    sums[GAMES] += 1
    sums[SCORE] += result
    sums[SQUARES] += result * result
    sums[POINTS] += points(states, i)
    sums[UNBOMBED] += 0 if is_bombed else points(states, i)
    sums[BOMBS] += is_bombed


@kernel
def play_list(
    states: States,
    memory: Memory,
    params: Params,
    rng: Streams,
    acts: Addresses,
    observes: Addresses,
    extents: Words,
    sums: Sums,
    seed: int,
    games: int,
) -> bool:
    """Play games with seeds counting up from `seed` and add up what came of them; False after an illegal move."""
    state = states[GAME]
    for game in range(games):
        deal(states, TEMPLATE, GAME, rng, seed + game)
        clear_memory(memory, GAME, extents)
        while not is_over(states, GAME):
            seat = state["seat"]
            move = call_act(acts[seat], states, GAME, seat, memory, params, rng)
            if not is_legal(states, GAME, move):
                return False
            add_behaviour(states, GAME, seat, move, sums)
            make_move(states, GAME, memory, params, observes, move)
        add_outcome(states, GAME, sums)
    return True
