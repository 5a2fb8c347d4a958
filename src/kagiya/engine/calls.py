"""How compiled play calls an agent's kernels through their addresses (see `kagiya._jit.calls`)."""

from kagiya._jit import (
    act_caller,
    act_signature,
    dialogue_caller,
    dialogue_signature,
    observe_caller,
    observe_signature,
    part_caller,
    part_signature,
    tactic_caller,
    tactic_signature,
)
from kagiya.engine.layout import STATE

ACT = act_signature(STATE)
OBSERVE = observe_signature(STATE)
TACTIC = tactic_signature(STATE)
PART = part_signature(STATE)
DIALOGUE = dialogue_signature(STATE)
NO_KERNEL = -1  # in `acts`: the seat is played from Python; in `observes`: this seat needs no telling

call_act = act_caller(ACT)
call_observe = observe_caller(OBSERVE)
call_tactic = tactic_caller(TACTIC)
call_part = part_caller(PART)
call_dialogue = dialogue_caller(DIALOGUE)
