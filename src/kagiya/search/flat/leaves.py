"""What a line of play of a flat search is worth where it stops: its score, or what a learned function makes of it."""

from kagiya._jit import kernel, lowest_bit
from kagiya.agents.rule_list import candidate_moves
from kagiya.engine.kernels import is_over
from kagiya.learn.forecast_kernels import forecast
from kagiya.learn.value_kernels import value_moves
from kagiya.search.layout import BY_POSITION, NO_LEAF, TRIAL, SearchRecord, leaf_of, rng_of, rules_of, states_of
from kagiya.search.rollout import reward_of

THE_ROW = 0  # the only one of the learned function, and of the rules


@kernel
def line_value(work: SearchRecord) -> float:
    """The value of the game in lane TRIAL, over or cut off."""
    lanes = states_of(work)
    if work["leaf"] == NO_LEAF or is_over(lanes, TRIAL):
        return reward_of(lanes, TRIAL, work)
    if work["leaf"] == BY_POSITION:
        return forecast(lanes, TRIAL, leaf_of(work), THE_ROW)
    return best_value(work)


@kernel
def best_value(work: SearchRecord) -> float:
    """What the evaluation function expects of the best move of the seat to move, of those that the rules propose."""
    lanes, rows = states_of(work), leaf_of(work)
    seat, masks, values = lanes[TRIAL]["seat"], work["convention_masks"][:], work["leaf_values"][:]
    convention, start = work["convention"], work["leaf_start"]
    moves = candidate_moves(lanes, TRIAL, seat, rules_of(work), THE_ROW, rng_of(work), masks, convention)
    value_moves(lanes, TRIAL, seat, masks, convention, rows, THE_ROW, start, moves, values)
    best = -1e300
    while moves:
        best = max(best, values[lowest_bit(moves)])
        moves &= moves - 1
    return best
