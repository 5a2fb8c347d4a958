"""Every legal move on the same samples, each result kept: for a judge that compares moves, not for a player.

Unlike a flat search it drops no move, gives none a head start, and can be left and taken up again between two lines of
play, so that whoever waits for it can stop it.
"""

import numpy as np
import numpy.typing as npt

from kagiya._jit import kernel, now
from kagiya.cards import NO_MOVE, MoveNumber, Seat
from kagiya.engine.batch import NO_KERNEL
from kagiya.engine.layout import Lane, Memory, Params, States, Streams
from kagiya.moves import NUM_MOVES
from kagiya.search.deals.beliefs import narrow_by_belief
from kagiya.search.deals.past_moves import count_unexplained
from kagiya.search.flat_samples import deal_game, deal_hand, try_line
from kagiya.search.flat_search import ask_evaluator
from kagiya.search.nodes import begin_search
from kagiya.search.search_layout import KNOWN, states_of, work_at


@kernel
def begin_sampling(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> None:
    """Settle what a seat, to move or not, may know of its cards, as a flat search does."""
    work = work_at(int(params[seat, 0]))
    begin_search(states, i, seat, memory, work, rng)
    if work["believe_address"] != NO_KERNEL:
        deal_hand(states, i, seat, work)
        narrow_by_belief(i, seat, memory, work)


@kernel
def deal_sample(states: States, i: Lane, seat: Seat, memory: Memory, params: Params) -> None:
    """Lane DEALT of the search becomes the next sample: the seat's hand, the deck, memories and dice."""
    deal_game(states, i, seat, memory, work_at(int(params[seat, 0])))


@kernel
def evaluator_choice(states: States, i: Lane, seat: Seat, memory: Memory, params: Params) -> MoveNumber:
    """What the evaluator itself would do as the seat to move, asked in a sample; NO_MOVE if that is illegal."""
    deal_sample(states, i, seat, memory, params)
    work = work_at(int(params[seat, 0]))
    ask_evaluator(seat, work)
    return work["evaluator_move"]


@kernel
def judge_on(
    states: States,
    i: Lane,
    seat: Seat,
    memory: Memory,
    params: Params,
    moves: int,
    values: npt.NDArray[np.float64],
    place: int,
    nanoseconds: int,
) -> int:
    """Fill `values[sample, move]` for a mask of moves from `place` on, for so long; returns the place reached.

    A place counts the moves of all samples before it. One line of play is made at least, and the last sample dealt is
    taken up where it was left.
    """
    work, started = work_at(int(params[seat, 0])), now()
    while place < len(values) * NUM_MOVES:
        sample, move = place // NUM_MOVES, MoveNumber(place % NUM_MOVES)
        if move == 0:
            deal_sample(states, i, seat, memory, params)
        place += 1
        if moves >> move & 1:
            values[sample, move] = try_line(work, move, NO_MOVE)
            if now() - started >= nanoseconds:
                break
    return place


@kernel
def weigh_on(
    states: States,
    i: Lane,
    seat: Seat,
    memory: Memory,
    params: Params,
    hands: npt.NDArray[np.int64],
    unexplained: npt.NDArray[np.int64],
    place: int,
    nanoseconds: int,
) -> int:
    """Sample hands that fit hints and convention from `place` on, for so long; returns the place reached.

    `unexplained[place]` are the past moves of others that the hand leaves unexplained; none where the history is not
    known or nobody has moved.
    """
    work, started = work_at(int(params[seat, 0])), now()
    knows = work["whole_history"] and work["turns"]
    while place < len(hands):
        deal_hand(states, i, seat, work)
        for slot in range(states_of(work)[KNOWN]["hand_size"]):
            hands[place, slot] = work["hand"][slot]
        unexplained[place] = count_unexplained(i, seat, memory, work) if knows else 0
        place += 1
        if now() - started >= nanoseconds:
            break
    return place
