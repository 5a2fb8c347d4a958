"""Rule classifier: a network names the rule that a search would follow here, and the move is that rule's.

Source
    Goodman 2019, section VI of the report, "a direct classifier to pick a rule": 31 features of the position, one
    hidden layer of 30 units, an output for each rule; trained to point where the rules of the search's move point
    (cosine). He left it for the second variant, EvalFn.
Published
    Nothing: the report does not say how it played.
Where the source is silent
    Under the convention there is a tenth rule, to hint at one card that fits; it has an output of its own. A rule
    without a legal move is passed over. The network is ours, from the games of EvalFn's first iteration
    (`kagiya train fit --kind rules`).
"""

from __future__ import annotations

from kagiya._jit import kernel, lowest_bit, stack_array
from kagiya.agents._candidate_kernels import rule_move
from kagiya.agents._info import AgentInfo, Parameter
from kagiya.agents._playable_now_kernels import (
    CONVENTIONS,
    GROUNDED,
    Convention,
    misleading_hints,
    narrow_hand,
    restore_hand,
)
from kagiya.agents._rule_list import list_length
from kagiya.cards import Seat
from kagiya.dice import Streams
from kagiya.engine.kernels import legal_moves
from kagiya.engine.layout import Lane, Memory, Params, States
from kagiya.learn.agents.evalfn import AFTER_THE_LIST, Values, convention_place, network_agent
from kagiya.learn.feature_kernels import STATE_FEATURES, write_state_features
from kagiya.learn.network_kernels import MAX_WIDTH, finish_network, start_layer
from kagiya.learn.shipped import SHIPPED, NetworkParameter, network_file
from kagiya.moves import NO_MOVE, MoveNumber
from kagiya.rules import MAX_DECK, MAX_HAND

position = stack_array("float64", STATE_FEATURES)
outputs = stack_array("float64", MAX_WIDTH)
saved_hand = stack_array("int64", MAX_HAND)


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The legal move of the rule with the highest output; the first legal move if no rule has one."""
    masks, place = memory[i, seat, 0:MAX_DECK], convention_place(params, seat)
    convention = Convention(int(params[seat, place]))
    features, units, saved = position(), outputs(), saved_hand()
    write_state_features(states, i, seat, masks, features)
    start_layer(params, seat, place + AFTER_THE_LIST, features, STATE_FEATURES, units)
    finish_network(params, seat, place + AFTER_THE_LIST, units)
    forbidden, legal = 0, legal_moves(states, i)
    if convention != GROUNDED:
        forbidden = misleading_hints(states, i, seat, convention)
        narrow_hand(states, i, seat, masks, saved)
    best, highest = NO_MOVE, -1e300
    for rule in range(list_length(params, seat)):
        move = MoveNumber(rule_move(states, i, seat, params, seat, rule, rng, masks, convention, forbidden))
        if move != NO_MOVE and (legal & ~forbidden) >> move & 1 and units[rule] > highest:
            best, highest = move, units[rule]
    if convention != GROUNDED:
        restore_hand(states, i, seat, saved)
    return best if best != NO_MOVE else lowest_bit(legal)


def file_of(values: Values) -> str:
    """The file that the network is read from."""
    model = values.get("model", SHIPPED)
    return str(network_file("rule-classifier")) if model == SHIPPED else str(model)


AGENT = network_agent(
    AgentInfo(
        id="rule-classifier",
        summary="follows the rule that a network trained on a search's moves names",
        family="learned",
        paper="Goodman2019",
        parameters=(
            Parameter("convention", "none", "what a hint that touches one card says besides", choices=CONVENTIONS),
            NetworkParameter("model", SHIPPED, "the network", choices=(SHIPPED,), kind="rules"),
        ),
        memory_words=MAX_DECK,
    ),
    act,
    file_of,
    kind="rules",
)
