"""The information player of hanabi.rs: every hint answers questions about all other hands at once.

Source
    Jeff Wu, `WuTheFWasThat/hanabi.rs` on GitHub, strategy "info", commit ef77311 (2023).
Published
    README (hanabirs): seeds 0-19999, points kept after a bomb, empty hints illegal.
Where the source is silent
    Nothing that matters by its own rules: ties between hints that carry the same message, which it breaks by the order
    of a hash table, go to the lowest color, then rank. By other rules: where no hint carries the message (a hand of
    identical cards, or none), it discards, or with all tokens there plays the card least needed.
"""

from kagiya._jit import kernel, popcount
from kagiya.agents._base import CompiledAgent
from kagiya.agents._info import AgentInfo
from kagiya.agents.hanabirs_cheat import has_time
from kagiya.agents.hats.hint_slots import count_messages, hint_with_message, message_of_hint
from kagiya.agents.hats.judgement import (
    AT_A_LOSS,
    DISCARDS,
    DISCARDS_USELESS,
    HINTS,
    PLAYS,
    REASONS,
    RISKS,
    SIGNALS,
    least_needed,
    nth_slot,
    place_among,
    risky_play,
    sure_play,
    useless_slots,
)
from kagiya.agents.hats.knowledge import conclude_literally, held_kinds, knows_play
from kagiya.agents.hats.questions import QUESTION_WORDS, UNKNOWN_NUMBER, converse, keep_conclusions, take_up_hand
from kagiya.agents.tactics.discard import may_discard
from kagiya.cards import Kinds, Seat, Slot, Slots, each_seat
from kagiya.dice import Streams
from kagiya.engine.layout import REASON, Lane, Memory, Params, States
from kagiya.move_kernels import NO_SLOT, discard_move, is_discard, is_hint, is_play, play_move, slot_of
from kagiya.moves import NO_MOVE, MoveNumber

ENOUGH_TOKENS = 4


@kernel
def wants_hint(states: States, i: Lane, seat: Seat, memory: Memory, useless: Slots) -> bool:
    """Whether to hint rather than to discard."""
    state = states[i]
    if not may_discard(states, i):
        return True
    if state["tokens"] == 0:
        return False
    someone_can_play = False
    for owner in each_seat(state["players"]):
        if owner != seat and held_kinds(states, i, owner) & state["playable"]:
            someone_can_play = True
            if not knows_play(states, i, seat, memory, owner):
                return True
    if has_time(states, i) and useless:
        return False
    return someone_can_play or state["tokens"] > ENOUGH_TOKENS


@kernel
def unexpected_kinds(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat) -> Kinds:
    """What a discard says that no hand holds: kinds that fit, unless its owner knows of one; else nothing."""
    if states[i]["tokens"] == 0 or knows_play(states, i, seat, memory, owner):
        return Kinds(0)
    return states[i]["playable"]


@kernel
def begin(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat, by_discard: bool) -> None:
    """Take up a hand; that its owner was not given a hint says something as well."""
    excluded = unexpected_kinds(states, i, seat, memory, owner) if by_discard else Kinds(0)
    take_up_hand(states, i, seat, memory, owner, excluded)


@kernel
def hat_sum(states: States, i: Lane, seat: Seat, memory: Memory, modulus: int, by_discard: bool) -> int:
    """The numbers of all other hands, added up; nothing is concluded."""
    total = 0
    for owner in each_seat(states[i]["players"]):
        if owner != seat:
            begin(states, i, seat, memory, owner, by_discard)
            total += converse(states, i, seat, memory, owner, modulus, UNKNOWN_NUMBER)
    return total % modulus


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """Play what must fit, risk what may, hint if somebody needs it, else discard what is least needed."""
    slot = sure_play(states, i, seat, memory)
    if slot != NO_SLOT:
        memory[i, seat, REASON] = PLAYS
        return play_move(slot)
    slot = risky_play(states, i, seat, memory)
    if slot != NO_SLOT:
        memory[i, seat, REASON] = RISKS
        return play_move(slot)
    useless = useless_slots(states, i, seat, memory, seat, False)
    if wants_hint(states, i, seat, memory, useless):
        hint = coded_hint(states, i, seat, memory)
        if hint != NO_MOVE:
            memory[i, seat, REASON] = HINTS
            return hint
    if not may_discard(states, i):
        memory[i, seat, REASON] = AT_A_LOSS
        return play_move(least_needed(states, i, seat, memory))
    return discard_move(choose_discard(states, i, seat, memory, useless))


@kernel
def coded_hint(states: States, i: Lane, seat: Seat, memory: Memory) -> MoveNumber:
    """The hint that answers everybody's questions; NO_MOVE without a token, or if the hand has none for it."""
    if states[i]["tokens"] == 0:
        return NO_MOVE
    message = hat_sum(states, i, seat, memory, count_messages(states, i, seat, memory, seat), False)
    return hint_with_message(states, i, seat, memory, message)


@kernel
def choose_discard(states: States, i: Lane, seat: Seat, memory: Memory, useless: Slots) -> Slot:
    """Of several cards that everybody knows to be useless the one that carries the message."""
    public = useless_slots(states, i, seat, memory, seat, True)
    if public & (public - 1):
        memory[i, seat, REASON] = SIGNALS
        return nth_slot(public, hat_sum(states, i, seat, memory, popcount(public), True))
    if useless:
        memory[i, seat, REASON] = DISCARDS_USELESS
        return nth_slot(useless, 0)
    memory[i, seat, REASON] = DISCARDS
    return least_needed(states, i, seat, memory)


@kernel
def number_carried(states: States, i: Lane, seat: Seat, memory: Memory, move: MoveNumber) -> tuple[int, int]:
    """The message of a hint, or of discarding one of several useless cards, and how many messages there were."""
    if is_hint(move):
        modulus = count_messages(states, i, seat, memory, states[i]["seat"])
        return message_of_hint(states, i, seat, memory, move), modulus
    useless, slot = useless_slots(states, i, seat, memory, states[i]["seat"], True), slot_of(move)
    if useless >> slot & 1:
        return place_among(useless, slot), popcount(useless)
    return 0, 1


@kernel
def observe(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """Hints and discards carry a number, if sometimes of a single possible one; plays carry nothing."""
    if is_play(move):
        return
    hear(states, i, seat, memory, move)
    if is_hint(move):
        conclude_literally(states, i, seat, memory, move)


@kernel
def hear(states: States, i: Lane, seat: Seat, memory: Memory, move: MoveNumber) -> None:
    """Conclude what a number says of every hand but the actor's; the own part is what is left of it."""
    actor = states[i]["seat"]
    message, modulus = number_carried(states, i, seat, memory, move)
    others = 0
    for owner in each_seat(states[i]["players"]):
        if owner != actor and owner != seat:
            begin(states, i, seat, memory, owner, is_discard(move))
            others += converse(states, i, seat, memory, owner, modulus, UNKNOWN_NUMBER)
            keep_conclusions(states, i, seat, memory, owner)
    if seat != actor:
        begin(states, i, seat, memory, seat, is_discard(move))
        converse(states, i, seat, memory, seat, modulus, (message - others) % modulus)
        keep_conclusions(states, i, seat, memory, seat)


AGENT = CompiledAgent(
    AgentInfo(
        id="hanabirs-info",
        summary="every hint answers questions about all other hands at once",
        family="hat players",
        paper="hanabi.rs",
        reasons=REASONS,
        memory_words=QUESTION_WORDS,
    ),
    act,
    observe,
)
