"""The exact likelihood: every policy is asked what it would have done, and a move speaks for those that agree with it.

What another seat saw is public, or one of the hands that this seat sees, or this seat's own hand. That one is
sampled from what is known of it now, several times, and answers are averaged over the samples; a policy that rolls dice
is asked several times with each. With a small probability, the noise, any legal move may come of any policy, so that a
player that is like a policy most of the time is still recognised.
"""

import math

from kagiya._jit import kernel, popcount
from kagiya.cards import Seat, each_seat
from kagiya.dice import STREAM_WORDS, Streams
from kagiya.engine.batch_kernels import make_move
from kagiya.engine.calls import NO_KERNEL, call_act
from kagiya.engine.kernels import apply_move, legal_moves
from kagiya.engine.layout import Lane, Memory, States
from kagiya.moves import MoveNumber
from kagiya.search.allies.drawing import seat_policy
from kagiya.search.allies.guess import guess_policy
from kagiya.search.allies.layout import MOST_POLICIES, NATS, STUDIED, WEIGHTS, AlliesRecord, allies_at
from kagiya.search.deals.history import HISTORY_MOVES, HISTORY_WORDS, restart_game
from kagiya.search.deals.sampling import hold_hand, sample_hand
from kagiya.search.layout import (
    DEALT,
    KNOWN,
    TRIAL,
    SearchRecord,
    acts_of,
    memory_of,
    observes_of,
    params_of,
    rng_of,
    states_of,
)

LOWEST = 200.0  # nats below the best policy at which a weight stays
SILENT = -1  # in the place of a policy: all those that do not listen, which need one replay together


@kernel
def begin_game(states: States, i: Lane, seat: Seat, memory: Memory) -> None:
    """Before the first move of a game: forget the history of the last one, if memory is kept. The weights stay."""
    if states[i]["turn"] > 0:
        return
    for word in range(HISTORY_WORDS):
        memory[i, seat, word] = 0
    memory[i, seat, STUDIED] = 0


@kernel
def study_allies(i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> None:
    """Weigh the policies by the moves made since the last look, and write the posterior; with fixed models, nothing."""
    if work["allies_address"] == 0:
        return
    allies = allies_at(work["allies_address"])
    first = memory[i, seat, STUDIED]
    if work["whole_history"] and first < work["turns"]:
        clear_matches(allies, first, work["turns"])
        for _ in range(allies["hands"]):
            sample_own_hand(seat, work)
            ask_all(i, seat, memory, work, first)
        for turn in range(first, work["turns"]):
            if allies["actors"][turn] != seat:
                weigh_move(i, seat, memory, work, turn)
        memory[i, seat, STUDIED] = work["turns"]
    for other in each_seat(states_of(work)[KNOWN]["players"]):
        write_posterior(i, seat, memory, work, other)
    work["listening"] = allies["listening"]


@kernel
def clear_matches(allies: AlliesRecord, first: int, end: int) -> None:
    """Nothing counted yet for the moves of these turns."""
    for turn in range(first, end):
        allies["choices"][turn] = 0.0
        for policy in range(allies["policies"]):
            allies["matches"][turn, policy] = 0.0


@kernel
def sample_own_hand(seat: Seat, work: SearchRecord) -> None:
    """Lane DEALT becomes the known game with a hand for the seat that fits the hints."""
    lanes = states_of(work)
    sample_hand(lanes, KNOWN, seat, work, rng_of(work))
    lanes[DEALT] = lanes[KNOWN]
    hold_hand(lanes, DEALT, seat, work)


@kernel
def ask_all(i: Lane, seat: Seat, memory: Memory, work: SearchRecord, first: int) -> None:
    """Count the moves from turn `first` on that each policy would have made with the hand in lane DEALT."""
    allies = allies_at(work["allies_address"])
    replay(i, seat, memory, work, first, SILENT)
    if allies["by_network"]:
        return
    for policy in range(allies["policies"]):
        if allies["observes"][policy] != NO_KERNEL:
            for other in each_seat(states_of(work)[KNOWN]["players"]):
                if other != seat:
                    seat_policy(work, allies, other, policy)
            replay(i, seat, memory, work, first, policy)


@kernel
def replay(i: Lane, seat: Seat, memory: Memory, work: SearchRecord, first: int, asked: int) -> None:
    """Play the game again from its deal and ask one policy, or all SILENT ones, at the others' moves."""
    lanes, allies = states_of(work), allies_at(work["allies_address"])
    restart_game(i, seat, memory, work)
    for turn in range(work["turns"]):
        move, actor = memory[i, seat, HISTORY_MOVES + turn], lanes[TRIAL]["seat"]
        if turn >= first:
            allies["actors"][turn] = actor
            if asked == SILENT:
                allies["choices"][turn] += popcount(legal_moves(lanes, TRIAL))
            if actor != seat:
                if allies["by_network"]:
                    guess_policy(work, allies, actor, turn, move)
                elif asked != SILENT:
                    allies["matches"][turn, asked] += count_matches(work, allies, actor, move)
                else:
                    ask_silent(work, allies, actor, turn, move)
        if asked == SILENT:
            apply_move(lanes, TRIAL, move)
        else:
            make_move(lanes, TRIAL, memory_of(work), params_of(work), observes_of(work), move)


@kernel
def ask_silent(work: SearchRecord, allies: AlliesRecord, actor: Seat, turn: int, move: MoveNumber) -> None:
    """Ask all policies that do not listen to moves, one after the other."""
    for policy in range(allies["policies"]):
        if allies["observes"][policy] == NO_KERNEL and not allies["is_uniform"][policy]:
            seat_policy(work, allies, actor, policy)
            allies["matches"][turn, policy] += count_matches(work, allies, actor, move)


@kernel
def count_matches(work: SearchRecord, allies: AlliesRecord, actor: Seat, move: MoveNumber) -> float:
    """How many answers of the policy in the actor's seat are this move; one that rolls no dice is asked only once."""
    lanes, dice = states_of(work), rng_of(work)
    found = 0
    for draw in range(allies["draws"]):
        before = fold_stream(dice, actor)
        found += call_act(acts_of(work)[actor], lanes, TRIAL, actor, memory_of(work), params_of(work), dice) == move
        if draw == 0 and fold_stream(dice, actor) == before:
            return float(found * allies["draws"])
    return float(found)


@kernel
def fold_stream(dice: Streams, seat: Seat) -> int:
    """A number that changes when the seat's stream does."""
    folded = 0
    for word in range(STREAM_WORDS):
        folded = (folded * 31 + dice[TRIAL, 1 + seat, word]) & 0xFFFFFFFFFFFF
    return folded


@kernel
def likelihood(allies: AlliesRecord, turn: int, policy: int) -> float:
    """How likely the policy makes the move that was made at this turn."""
    if allies["by_network"]:
        return allies["matches"][turn, policy] / float(allies["hands"])
    any_move = allies["hands"] / allies["choices"][turn]
    if allies["is_uniform"][policy]:
        return any_move
    share = allies["matches"][turn, policy] / float(allies["hands"] * allies["draws"])
    return (1.0 - allies["noise"]) * share + allies["noise"] * any_move


@kernel
def weigh_move(i: Lane, seat: Seat, memory: Memory, work: SearchRecord, turn: int) -> None:
    """Multiply the weights of the actor's policies by their likelihoods; one move costs a policy `cap` nats at most."""
    allies = allies_at(work["allies_address"])
    best = 0.0
    for policy in range(allies["policies"]):
        best = max(best, likelihood(allies, turn, policy))
    if best <= 0.0:
        return
    first = WEIGHTS + allies["actors"][turn] * MOST_POLICIES
    for policy in range(allies["policies"]):
        lost = allies["cap"]
        if likelihood(allies, turn, policy) > 0.0:
            lost = min(lost, math.log(best / likelihood(allies, turn, policy)))
        memory[i, seat, first + policy] -= int(lost / NATS)
    keep_in_range(i, seat, memory, work, first)


@kernel
def keep_in_range(i: Lane, seat: Seat, memory: Memory, work: SearchRecord, first: int) -> None:
    """The best weight of a seat becomes 0; none falls so low that a changed partner could not be recognised again."""
    allies = allies_at(work["allies_address"])
    highest = memory[i, seat, first]
    for policy in range(allies["policies"]):
        highest = max(highest, memory[i, seat, first + policy])
    lowest = int(-LOWEST / NATS)
    for policy in range(allies["policies"]):
        memory[i, seat, first + policy] = max(memory[i, seat, first + policy] - highest, lowest)


@kernel
def write_posterior(i: Lane, seat: Seat, memory: Memory, work: SearchRecord, other: Seat) -> None:
    """The posterior of one seat: prior times likelihood, made to sum to one."""
    allies = allies_at(work["allies_address"])
    first, highest, total = WEIGHTS + other * MOST_POLICIES, -1e300, 0.0
    for policy in range(allies["policies"]):
        weight = allies["prior"][policy]
        if work["whole_history"]:
            weight += memory[i, seat, first + policy] * NATS
        allies["posterior"][other, policy] = weight
        highest = max(highest, weight)
    for policy in range(allies["policies"]):
        allies["posterior"][other, policy] = math.exp(allies["posterior"][other, policy] - highest)
        total += allies["posterior"][other, policy]
    for policy in range(allies["policies"]):
        allies["posterior"][other, policy] /= total
