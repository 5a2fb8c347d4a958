"""The frame of the players that answer questions about all hands with one number, as hanabi.rs and InfoBot do.

They play what must fit, risk what may, hint if that is wanted, else discard; hints, and discards of one of several
cards that everybody knows to be useless, carry the sum of all hands' numbers. What differs are the parts: when to hint,
the code that turns messages into hints, and the questions that turn a hand into a number. Parts are kernels whose
addresses stand in the row of parameters, so that an agent depends on no other agent's parts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kagiya._jit import address, kernel, popcount
from kagiya.agents.api import AgentInfo, CompiledAgent, Hooks, encode_values
from kagiya.agents.convention_reader import NO_NUMBER, ConventionReader
from kagiya.agents.hats import decisions, public_table as table
from kagiya.cards import NO_MOVE, MoveNumber, Seat, Slot, Slots, each_seat
from kagiya.engine import game_kernels as game
from kagiya.engine.batch import DIALOGUE, PART, call_dialogue, call_part
from kagiya.engine.layout import REASON, Lane, Memory, Params, States, Streams

# The row of parameters: the addresses of the parts, whether a discard says something as well, then the agent's own.
WANTS_HINT, COUNT_MESSAGES, HINT_WITH, MESSAGE_OF, CONVERSE, SPEAKING_SILENCE, OWN_PARAMETERS = range(7)


@dataclass(frozen=True)
class FrameParts:
    """What an agent fills the frame with. All kernels begin with ``states, i, seat, memory, params``:

    ``wants_hint(..., useless) -> 1 or 0``: whether to hint rather than to discard, `useless` slots being known
    ``count_messages(..., giver) -> int``: how many messages a hint of the giver's has: the modulus
    ``hint_with_message(..., message) -> move`` that says it, or NO_MOVE if the hands allow none
    ``message_of_hint(..., move) -> int``
    ``converse(..., owner, modulus, number) -> int``: asks about the hand that `begin_hand` took up and narrows it by
    the answers; `number`, or UNKNOWN_NUMBER to find it from the cards. Returns the number, below the modulus.
    """

    wants_hint: Callable[..., Any]
    count_messages: Callable[..., Any]
    hint_with_message: Callable[..., Any]
    message_of_hint: Callable[..., Any]
    converse: Callable[..., Any]
    speaking_silence: bool = False  # whether a discard says that no one needed a hint

    @property
    def kernels(self) -> list[Callable[..., Any]]:
        """All parts, in the order in which the row has their addresses."""
        return [self.wants_hint, self.count_messages, self.hint_with_message, self.message_of_hint, self.converse]

    def row(self) -> list[float]:
        """The numbers that the frame finds its parts by; compiles those not compiled yet."""
        *simple, converse = self.kernels
        addresses = [*(address(part, PART) for part in simple), address(converse, DIALOGUE)]
        return [*map(float, addresses), float(self.speaking_silence)]


def framed_agent(info: AgentInfo, parts: FrameParts) -> CompiledAgent:
    """The agent that these parts make; its own parameters follow from OWN_PARAMETERS on in the row."""
    hooks = Hooks(
        row=lambda values: parts.row() + encode_values(info.parameters, values),
        parts=lambda values: parts.kernels,
        believe=table.believe,
        convention_reader=ConventionReader(numbers_read, table.knowledge_facts),
    )
    return CompiledAgent(info, act, observe, hooks=hooks)


@kernel
def ask_part(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, part: int, subject: int) -> int:
    """What a part of the agent says to this."""
    return call_part(int(params[seat, part]), states, i, seat, memory, params, subject)


@kernel
def hat_sum(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, modulus: int, by_discard: bool) -> int:
    """The numbers of all other hands, added up; nothing is concluded."""
    silence, converse = by_discard and params[seat, SPEAKING_SILENCE] != 0, int(params[seat, CONVERSE])
    total = 0
    for owner in each_seat(states[i]["players"]):
        if owner != seat:
            table.begin_hand(states, i, seat, memory, owner, silence)
            total += call_dialogue(converse, states, i, seat, memory, params, owner, modulus, table.UNKNOWN_NUMBER)
    return total % modulus


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """Look at the hand, choose, and forget the hand: searches store memories once that are equal."""
    decisions.look_at_hand(states, i, seat, memory)
    move = choose_move(states, i, seat, memory, params)
    for word in range(table.OWN, table.OWN_WORDS):
        memory[i, seat, word] = 0
    return move


@kernel
def choose_move(states: States, i: Lane, seat: Seat, memory: Memory, params: Params) -> MoveNumber:
    """Play what must fit, risk what may, hint if that is wanted, else discard what is least needed."""
    slot, reason = decisions.best_sure_play(states, i, seat, memory), decisions.PLAYS
    if slot == game.NO_SLOT:
        slot, reason = decisions.best_risk(states, i, seat, memory, decisions.RISK), decisions.RISKS
    if slot != game.NO_SLOT:
        memory[i, seat, REASON] = reason
        return game.play_move(slot)
    useless = decisions.worthless_slots(states, i, seat, memory)
    if ask_part(states, i, seat, memory, params, WANTS_HINT, useless):
        hint = coded_hint(states, i, seat, memory, params)
        if hint != NO_MOVE:
            memory[i, seat, REASON] = decisions.HINTS
            return hint
    if not game.may_discard(states, i):
        memory[i, seat, REASON] = decisions.AT_A_LOSS
        return game.play_move(decisions.least_needed(states, i, seat, memory))
    return game.discard_move(choose_discard(states, i, seat, memory, params, useless))


@kernel
def coded_hint(states: States, i: Lane, seat: Seat, memory: Memory, params: Params) -> MoveNumber:
    """The hint that answers everybody's questions; NO_MOVE without a token, or if the hand has none for it."""
    if states[i]["tokens"] == 0:
        return NO_MOVE
    modulus = ask_part(states, i, seat, memory, params, COUNT_MESSAGES, seat)
    message = hat_sum(states, i, seat, memory, params, modulus, False)
    return MoveNumber(ask_part(states, i, seat, memory, params, HINT_WITH, message))


@kernel
def choose_discard(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, useless: Slots) -> Slot:
    """Of several cards that everybody knows to be useless the one that carries the message."""
    public = decisions.useless_slots(states, i, seat, memory, seat)
    if public & (public - 1):
        memory[i, seat, REASON] = decisions.SIGNALS
        return decisions.nth_slot(public, hat_sum(states, i, seat, memory, params, popcount(public), True))
    if useless:
        memory[i, seat, REASON] = decisions.DISCARDS_USELESS
        return decisions.nth_slot(useless, 0)
    memory[i, seat, REASON] = decisions.DISCARDS
    return decisions.least_needed(states, i, seat, memory)


@kernel
def number_carried(
    states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber
) -> tuple[int, int]:
    """The message of a hint, or of discarding one of several useless cards, and how many messages there were."""
    actor = states[i]["seat"]
    if game.is_hint(move):
        modulus = ask_part(states, i, seat, memory, params, COUNT_MESSAGES, actor)
        return ask_part(states, i, seat, memory, params, MESSAGE_OF, move), modulus
    return decisions.discard_message(decisions.useless_slots(states, i, seat, memory, actor), game.slot_of(move))


@kernel
def observe(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """Hints and discards carry a number, if sometimes of a single possible one; plays carry nothing."""
    if game.is_play(move):
        return
    hear(states, i, seat, memory, params, move)
    if game.is_hint(move):
        table.conclude_literally(states, i, seat, memory, move)


@kernel
def hear(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> int:
    """Conclude what a number says of every hand but the actor's; returns what is left of it, its own hand's part."""
    actor = states[i]["seat"]
    message, modulus = number_carried(states, i, seat, memory, params, move)
    silence, converse = game.is_discard(move) and params[seat, SPEAKING_SILENCE] != 0, int(params[seat, CONVERSE])
    if modulus == 1 and not silence:
        return NO_NUMBER
    others = 0
    for owner in each_seat(states[i]["players"]):
        if owner != actor and owner != seat:
            table.begin_hand(states, i, seat, memory, owner, silence)
            others += call_dialogue(converse, states, i, seat, memory, params, owner, modulus, table.UNKNOWN_NUMBER)
            table.keep_conclusions(states, i, seat, memory, owner)
    if seat == actor:
        return NO_NUMBER
    table.begin_hand(states, i, seat, memory, seat, silence)
    own = (message - others) % modulus
    call_dialogue(converse, states, i, seat, memory, params, seat, modulus, own)
    table.keep_conclusions(states, i, seat, memory, seat)
    return own


@kernel
def numbers_read(
    states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber
) -> tuple[int, int, int]:
    """For explanations (`convention_reader.py`): what a move carries, modulo what, and the seat's own part."""
    if game.is_play(move):
        return 0, 0, NO_NUMBER
    message, modulus = number_carried(states, i, seat, memory, params, move)
    return message, modulus, hear(states, i, seat, memory, params, move)
