"""Four messages for each receiver: rank or color, touching its index card or not, whether or not the hand has them all.

As `hint_slots.py`, but that the hand may be all of one color or of one rank does not cost a message: it hardly ever is,
and then a hint that would carry the message does not exist. With a single life that could be the end, so the code is
that of `hint_slots.py` then.
"""

from kagiya._jit import kernel
from kagiya.agents.hats.hint_slots import (
    MORE,
    count_messages,
    hint_by_touch,
    hint_with_message,
    index_slot,
    message_by_touch,
    message_of_hint,
)
from kagiya.cards import Offset, Seat
from kagiya.engine.kernels import hint_receiver
from kagiya.engine.layout import Lane, Memory, Params, States
from kagiya.move_kernels import hint_offset
from kagiya.moves import MoveNumber


@kernel
def count_four(states: States, i: Lane, seat: Seat, memory: Memory, params: Params) -> int:
    """How many messages a hint has: the modulus of the hats."""
    if states[i]["lives"] < 2:
        return count_messages(states, i, seat, memory, params, states[i]["seat"])
    return MORE * (states[i]["players"] - 1)


@kernel
def message_of_four(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> int:
    """The message that a hint carries: those of the receivers between giver and receiver come before."""
    if states[i]["lives"] < 2:
        return message_of_hint(states, i, seat, memory, params, move)
    index = index_slot(states, i, seat, memory, hint_receiver(states, i, move), False)
    return MORE * (hint_offset(move) - 1) + message_by_touch(states, i, move, index, MORE)


@kernel
def hint_of_four(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, message: int) -> MoveNumber:
    """The hint that carries this message, the one that says most of its own; NO_MOVE if the hand allows none."""
    if states[i]["lives"] < 2:
        return hint_with_message(states, i, seat, memory, params, message)
    return hint_by_touch(states, i, seat, memory, Offset(1 + message // MORE), message % MORE, MORE)
