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

from typing import Any

import numpy as np

from kagiya._jit import kernel, lowest_bit, stack_array
from kagiya.agents import playable_now
from kagiya.agents.api import AgentInfo, Parameter, Values
from kagiya.agents.rule_list import RULE_LISTS, list_length, rule_move
from kagiya.cards import MAX_HAND, NO_MOVE, MoveNumber, Seat
from kagiya.engine.game_kernels import legal_moves
from kagiya.engine.layout import Lane, Memory, Params, States, Streams
from kagiya.learn.evalfn import AFTER_THE_LIST, convention_place, network_agent
from kagiya.learn.features import STATE_FEATURES, Features, write_state_features
from kagiya.learn.networks import SHIPPED, NetworkParameter, network_file
from kagiya.learn.values import MAX_WIDTH, finish_network, start_layer
from kagiya.rules import MAX_DECK

position = stack_array("float64", STATE_FEATURES)
outputs = stack_array("float64", MAX_WIDTH)
rule_moves = stack_array("int64", MAX_WIDTH)
saved_hand = stack_array("int64", MAX_HAND)

RULES = (*RULE_LISTS["goodman"], "tell-single-playable")  # the last one under the convention alone
CONVENTIONS = playable_now.CONVENTIONS[: playable_now.DISCARDABLE]  # which has a rule more than the network has outputs


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The legal move of the rule with the highest output; the first legal move if no rule has one."""
    proposed, units = rule_moves(), outputs()
    propose(states, i, seat, memory, params, rng, proposed, units)
    best, highest = NO_MOVE, -1e300
    for rule in range(list_length(params, seat)):
        if proposed[rule] != NO_MOVE and units[rule] > highest:
            best, highest = MoveNumber(proposed[rule]), units[rule]
    return best if best != NO_MOVE else lowest_bit(legal_moves(states, i))


@kernel
def propose(
    states: States,
    i: Lane,
    seat: Seat,
    memory: Memory,
    params: Params,
    rng: Streams,
    proposed: playable_now.Masks,
    units: Features,
) -> None:
    """Write the legal move of each rule, or NO_MOVE, and the network's output for it."""
    masks, place = memory[i, seat, 0:MAX_DECK], convention_place(params, seat)
    convention = playable_now.Convention(int(params[seat, place]))
    features, saved = position(), saved_hand()
    write_state_features(states, i, seat, masks, features)
    start_layer(params, seat, place + AFTER_THE_LIST, features, STATE_FEATURES, units)
    finish_network(params, seat, place + AFTER_THE_LIST, units)
    forbidden, legal = 0, legal_moves(states, i)
    if convention != playable_now.GROUNDED:
        forbidden = playable_now.misleading_hints(states, i, seat, convention)
        playable_now.narrow_hand(states, i, seat, masks, saved)
    for rule in range(list_length(params, seat)):
        move = rule_move(states, i, seat, params, seat, rule, rng, masks, convention, forbidden)
        is_allowed = move != NO_MOVE and (legal & ~forbidden) >> move & 1
        proposed[rule] = move if is_allowed else NO_MOVE
    if convention != playable_now.GROUNDED:
        playable_now.restore_hand(states, i, seat, saved)


def say_rules(move: int, asked: Any) -> tuple[str, int | None]:
    """The rule that the network named with its output, and the rule with the next highest."""
    arguments = (*asked, proposed := np.full(MAX_WIDTH, NO_MOVE), units := np.zeros(MAX_WIDTH))
    propose(*arguments)
    ranked = sorted(np.flatnonzero(proposed != NO_MOVE).tolist(), key=lambda rule: (-units[rule], rule))
    if not ranked:
        return "{does}: no rule has a legal move", None
    first, *others = [f"{RULES[rule]} ({units[rule]:.2f})" for rule in ranked]
    return f"{{does}}: the network names {first}{f', then {others[0]}' if others else ''}", None


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
    say_rules,
    file_of,
    kind="rules",
)
