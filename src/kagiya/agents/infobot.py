"""InfoBot: the older cousin of hanabi.rs's information player, known to the literature as WTFWThat.

Source
    A. O'Dwyer, `Quuxplusone/Hanabi` on GitHub, InfoBot, commit daef9de (2019): a port to C++ of what hanabi.rs did in
    2016.
Published
    README (quuxplusone): points kept after a bomb (it never bombs), empty hints illegal. Bard et al. 2019 quote it as
    WTFWThat (goodman-report-6).
Where the source is silent
    Nothing that matters by its own rules: of hints that carry the same message and say as much, the lowest color, then
    rank, is given. By other rules: where no hint carries the message (a hand of identical cards, or none), it
    discards, or with all tokens there plays the card least needed.
"""

from kagiya._jit import kernel, popcount
from kagiya.agents._base import CompiledAgent
from kagiya.agents._info import AgentInfo
from kagiya.agents.hanabirs_cheat import has_time
from kagiya.agents.hats.fixed_questions import FIXED_WORDS, conclude_number, number_from_cards, settle_questions
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
from kagiya.agents.hats.knowledge import conclude_literally, held_by_others
from kagiya.agents.hats.packed_classes import count_classes, hint_of_class, message_of_class
from kagiya.agents.tactics.discard import may_discard
from kagiya.cards import Seat, Slot, Slots, each_seat
from kagiya.dice import Streams
from kagiya.engine.layout import REASON, Lane, Memory, Params, States
from kagiya.move_kernels import NO_SLOT, discard_move, is_discard, is_hint, play_move, slot_of
from kagiya.moves import NO_MOVE, MoveNumber


@kernel
def wants_hint(states: States, i: Lane, seat: Seat, useless: Slots) -> bool:
    """Whether to hint rather than to discard."""
    if not may_discard(states, i):
        return True
    if has_time(states, i) and useless:
        return False
    return held_by_others(states, i, seat) & states[i]["playable"] != 0


@kernel
def hat_sum(states: States, i: Lane, seat: Seat, memory: Memory, modulus: int) -> int:
    """The numbers of all hands in sight, added up."""
    total = 0
    for owner in each_seat(states[i]["players"]):
        if owner != seat:
            settle_questions(states, i, seat, memory, owner, modulus)
            total += number_from_cards(states, i, seat, memory, owner)
    return total % modulus


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """Play what must fit, risk what may, hint if somebody can play, else discard what is least needed."""
    slot = sure_play(states, i, seat, memory)
    if slot != NO_SLOT:
        memory[i, seat, REASON] = PLAYS
        return play_move(slot)
    slot = risky_play(states, i, seat, memory)
    if slot != NO_SLOT:
        memory[i, seat, REASON] = RISKS
        return play_move(slot)
    useless = useless_slots(states, i, seat, memory, seat, False)
    if wants_hint(states, i, seat, useless):
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
    message = hat_sum(states, i, seat, memory, count_classes(states, i, seat, memory, seat))
    return hint_of_class(states, i, seat, memory, message)


@kernel
def choose_discard(states: States, i: Lane, seat: Seat, memory: Memory, useless: Slots) -> Slot:
    """Of several cards that everybody knows to be useless the one that carries the message."""
    public = useless_slots(states, i, seat, memory, seat, True)
    if public & (public - 1):
        memory[i, seat, REASON] = SIGNALS
        return nth_slot(public, hat_sum(states, i, seat, memory, popcount(public)))
    if useless:
        memory[i, seat, REASON] = DISCARDS_USELESS
        return nth_slot(useless, 0)
    memory[i, seat, REASON] = DISCARDS
    return least_needed(states, i, seat, memory)


@kernel
def observe(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """Hints, and discards of one of several useless cards, carry a number; plays carry nothing."""
    actor = states[i]["seat"]
    if is_hint(move):
        modulus = count_classes(states, i, seat, memory, actor)
        hear(states, i, seat, memory, modulus, message_of_class(states, i, seat, memory, move))
        conclude_literally(states, i, seat, memory, move)
    elif is_discard(move):
        useless, slot = useless_slots(states, i, seat, memory, actor, True), slot_of(move)
        if useless >> slot & 1:
            hear(states, i, seat, memory, popcount(useless), place_among(useless, slot))


@kernel
def hear(states: States, i: Lane, seat: Seat, memory: Memory, modulus: int, message: int) -> None:
    """Conclude what a number says of every hand but the actor's; the own part is what is left of it."""
    actor = states[i]["seat"]
    others = 0
    for owner in each_seat(states[i]["players"]):
        if owner != actor and owner != seat:
            settle_questions(states, i, seat, memory, owner, modulus)
            number = number_from_cards(states, i, seat, memory, owner)
            others += number
            conclude_number(states, i, seat, memory, owner, number)
    if seat != actor:
        settle_questions(states, i, seat, memory, seat, modulus)
        conclude_number(states, i, seat, memory, seat, (message - others) % modulus)


AGENT = CompiledAgent(
    AgentInfo(
        id="infobot",
        summary="every hint answers questions about all other hands, settled beforehand",
        family="hat players",
        paper="Quuxplusone",
        reasons=REASONS,
        memory_words=FIXED_WORDS,
    ),
    act,
    observe,
)
