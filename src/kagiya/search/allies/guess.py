"""The report's likelihood: a network that guesses who made a move, from the features of the position and the move."""

import math

from kagiya._jit import kernel, stack_array
from kagiya.agents.conventions.playable_now import GROUNDED
from kagiya.cards import Seat
from kagiya.learn.feature_kernels import FEATURES, write_move_features, write_state_features
from kagiya.learn.network_kernels import MAX_WIDTH, finish_network, start_layer
from kagiya.moves import MoveNumber
from kagiya.search.allies.layout import AlliesRecord, network_of
from kagiya.search.layout import TRIAL, SearchRecord, states_of

NETWORK = 0  # the only row
FIRST = 0  # place of it

features_seen = stack_array("float64", FEATURES)
units_seen = stack_array("float64", MAX_WIDTH)


@kernel
def guess_policy(work: SearchRecord, allies: AlliesRecord, actor: Seat, turn: int, move: MoveNumber) -> None:
    """Add the network's probabilities of the policies, those of the search alone, to what was counted for the turn."""
    lanes, features, units = states_of(work), features_seen(), units_seen()
    masks = work["convention_masks"][:]  # nothing has been said by any convention
    write_state_features(lanes, TRIAL, actor, masks, features)
    write_move_features(lanes, TRIAL, actor, masks, GROUNDED, move, features)
    start_layer(network_of(allies), NETWORK, FIRST, features, FEATURES, units)
    finish_network(network_of(allies), NETWORK, FIRST, units)
    highest, total = units[0], 0.0
    for policy in range(allies["policies"]):
        highest = max(highest, units[policy])
    for policy in range(allies["policies"]):
        units[policy] = math.exp(units[policy] - highest)
        total += units[policy]
    for policy in range(allies["policies"]):
        allies["matches"][turn, policy] += units[policy] / total
