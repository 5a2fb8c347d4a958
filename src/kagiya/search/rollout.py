"""From a leaf to a result: the models play on, to the end of the game or for a number of moves."""

from kagiya._jit import kernel
from kagiya.agents.conventions.playable_now import GROUNDED
from kagiya.agents.rule_list import random_move
from kagiya.cards import Seat
from kagiya.engine.batch_kernels import tell_observers
from kagiya.engine.calls import call_act
from kagiya.engine.kernels import apply_move, is_legal, is_over, points, reachable_points, score
from kagiya.engine.layout import Lane, States
from kagiya.move_kernels import is_hint
from kagiya.moves import MoveNumber
from kagiya.search.deals.convention import hear_move, narrow_possible, restore_possible
from kagiya.search.deals.sampling import top_deck
from kagiya.search.layout import BY_REGRET, TRIAL, SearchRecord, acts_of, memory_of, observes_of, params_of, rng_of


@kernel
def model_move(states: States, i: Lane, seat: Seat, work: SearchRecord) -> MoveNumber:
    """The move of the seat's model, which believes the convention if the search is told so."""
    rng, memories, params = rng_of(work), memory_of(work), params_of(work)
    believes = work["convention"] != GROUNDED and work["modeled"]
    if believes:
        narrow_possible(states, i, seat, work)
    move = call_act(acts_of(work)[seat], states, i, seat, memories, params, rng)
    if believes:
        restore_possible(states, i, seat, work)
    return move if is_legal(states, i, move) else random_move(states, i, seat, rng)


@kernel
def try_move(states: States, i: Lane, work: SearchRecord, move: MoveNumber) -> None:
    """Make a move in the search: the models hear it, and a card drawn is settled first."""
    if work["listening"]:
        tell_observers(states, i, memory_of(work), params_of(work), observes_of(work), move)
    if not is_hint(move):
        top_deck(states, i, rng_of(work))
    apply_move(states, i, move)
    work["steps_done"] += 1


@kernel
def play_out(states: States, work: SearchRecord, plies: int) -> None:
    """Let the models play lane TRIAL on for at most `plies` moves."""
    believes = work["convention"] != GROUNDED and work["modeled"]
    while plies > 0 and not is_over(states, TRIAL):
        move = model_move(states, TRIAL, states[TRIAL]["seat"], work)
        if believes:
            hear_move(states, TRIAL, work, move)
        try_move(states, TRIAL, work, move)
        plies -= 1


@kernel
def reward_of(states: States, i: Lane, work: SearchRecord) -> float:
    """What a line of play is worth: the score where it stopped, or the points less what was lost on the way."""
    if work["reward"] == BY_REGRET:
        if states[i]["lives"] == 0:
            return float(points(states, i) - work["reachable_at_root"])
        return float(points(states, i) - work["reachable_at_root"] + reachable_points(states, i))
    return float(score(states, i))
