"""The book of Kagiya's hat players: what they do without looking ahead, what others conclude.

The rules are those of hanabi.rs's information player, but
  - the public table strikes what other identified cards leave no copy of (`decisions.settle`);
  - so does the player to move with its own cards (`study_hand`);
  - a card that may be the last of its kind is discarded only if there is no token for a hint;
  - every receiver has four messages, though now and then the hand has no hint for one (`count_four`);
    then who owes somebody a hint plays a card rather than mislead by a discard;
  - that a discard is no hint says nothing once players look ahead (`lookahead.py`), for then they discard as they like.
One copy of the table serves all seats in a simulated game: `seat` is the row of memory, the state says who moves.
"""

from kagiya._jit import kernel, popcount
from kagiya.agents.hanabirs_cheat import has_time
from kagiya.agents.hats.codes import count_four, hint_of_four, message_of_four
from kagiya.agents.hats.decisions import (
    AT_A_LOSS,
    DISCARDS,
    DISCARDS_USELESS,
    HINTS,
    PLAYS,
    RISKS,
    SIGNALS,
    best_discard,
    best_risk,
    best_sure_play,
    discard_message,
    may_be_last_copy,
    nth_slot,
    settle,
    study_hand,
    useless_slots,
    worthless_slots,
)
from kagiya.agents.hats.public_table import (
    UNKNOWN_NUMBER,
    begin_hand,
    conclude_literally,
    held_by_others,
    held_kinds,
    keep_conclusions,
    knows_play,
)
from kagiya.agents.hats.questions import converse
from kagiya.agents.tactics.discard import may_discard
from kagiya.cards import NO_MOVE, MoveNumber, Seat, Slot, each_seat
from kagiya.engine.game_kernels import NO_SLOT, discard_move, is_discard, is_hint, is_play, play_move, slot_of
from kagiya.engine.layout import REASON, Lane, Memory, Params, States

ENOUGH_TOKENS = 5
DECK = 0  # in the row of parameters: so many cards left in the deck, or fewer, and players look ahead; -1 for never
NO_SEAT = Seat(-1)


@kernel
def book_move(states: States, i: Lane, seat: Seat, memory: Memory, params: Params) -> MoveNumber:
    """Play what must fit, risk what may, hint if somebody needs it or no discard is safe, else discard."""
    settle(states, i, seat, memory)
    study_hand(states, i, seat, memory)
    slot, reason = best_sure_play(states, i, seat, memory), PLAYS
    if slot == NO_SLOT:
        slot, reason = best_risk(states, i, seat, memory), RISKS
    if slot != NO_SLOT:
        memory[i, seat, REASON] = reason
        return play_move(slot)
    if wants_hint(states, i, seat, memory):
        hint = coded_hint(states, i, seat, memory, params)
        if hint != NO_MOVE:
            memory[i, seat, REASON] = HINTS
            return hint
    misleads = silence_speaks(states, i, seat, params) and someone_needs_hint(states, i, seat, memory)
    if not may_discard(states, i) or (misleads and states[i]["lives"] > 1):
        memory[i, seat, REASON] = AT_A_LOSS
        return play_move(best_discard(states, i, seat, memory))
    return discard_move(choose_discard(states, i, seat, memory, params))


@kernel
def wants_hint(states: States, i: Lane, seat: Seat, memory: Memory) -> bool:
    """Whether to hint rather than to discard."""
    state = states[i]
    if not may_discard(states, i):
        return True
    if state["tokens"] == 0:
        return False
    if someone_needs_hint(states, i, seat, memory):
        return True
    worthless = worthless_slots(states, i, seat, memory)
    if worthless and has_time(states, i):
        return False
    if state["tokens"] > ENOUGH_TOKENS or held_by_others(states, i, state["seat"]) & state["playable"]:
        return True
    return not worthless and may_be_last_copy(states, i, seat, memory, best_discard(states, i, seat, memory))


@kernel
def someone_needs_hint(states: States, i: Lane, seat: Seat, memory: Memory) -> bool:
    """Whether another player holds a card that fits, and knows of none."""
    state = states[i]
    for owner in each_seat(state["players"]):
        can_play = owner != state["seat"] and held_kinds(states, i, owner) & state["playable"] != 0
        if can_play and not knows_play(states, i, seat, memory, owner):
            return True
    return False


@kernel
def silence_speaks(states: States, i: Lane, seat: Seat, params: Params) -> bool:
    """Whether a discard says that nobody needed a hint: there was a token, and all go by the book."""
    return states[i]["tokens"] > 0 and not looks_ahead(states, i, seat, params)


@kernel
def coded_hint(states: States, i: Lane, seat: Seat, memory: Memory, params: Params) -> MoveNumber:
    """The hint that answers everybody's questions; NO_MOVE without a token, or if the hand has none for it."""
    if states[i]["tokens"] == 0:
        return NO_MOVE
    modulus = count_four(states, i, seat, memory, params)
    return hint_of_four(states, i, seat, memory, params, hat_sum(states, i, seat, memory, params, modulus, False))


@kernel
def choose_discard(states: States, i: Lane, seat: Seat, memory: Memory, params: Params) -> Slot:
    """Of several cards that everybody knows to be useless the one that carries the message; else the least needed."""
    public = useless_slots(states, i, seat, memory, states[i]["seat"], True)
    if public & (public - 1):
        memory[i, seat, REASON] = SIGNALS
        return nth_slot(public, hat_sum(states, i, seat, memory, params, popcount(public), True))
    worthless = worthless_slots(states, i, seat, memory)
    if worthless:
        memory[i, seat, REASON] = DISCARDS_USELESS
        return nth_slot(worthless, 0)
    memory[i, seat, REASON] = DISCARDS
    return best_discard(states, i, seat, memory)


@kernel
def looks_ahead(states: States, i: Lane, seat: Seat, params: Params) -> bool:
    """Whether so few cards are left in the deck that players no longer go by the book."""
    return states[i]["deck_size"] - states[i]["drawn"] <= params[seat, DECK]


@kernel
def begin(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, owner: Seat, by_discard: bool) -> None:
    """Take up a hand; a discard says that it holds no card that fits, if it could have been told of one."""
    begin_hand(states, i, seat, memory, owner, by_discard and silence_speaks(states, i, seat, params))


@kernel
def hat_sum(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, modulus: int, by_discard: bool) -> int:
    """The numbers of all hands but the mover's, added up; nothing is concluded."""
    total = 0
    for owner in each_seat(states[i]["players"]):
        if owner != states[i]["seat"]:
            begin(states, i, seat, memory, params, owner, by_discard)
            total += converse(states, i, seat, memory, params, owner, modulus, UNKNOWN_NUMBER)
    return total % modulus


@kernel
def number_carried(
    states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber
) -> tuple[int, int]:
    """The message of a hint, or of discarding one of several useless cards, and how many messages there were."""
    mover = states[i]["seat"]
    if is_hint(move):
        modulus = count_four(states, i, seat, memory, params)
        return message_of_four(states, i, seat, memory, params, move), modulus
    return discard_message(useless_slots(states, i, seat, memory, mover, True), slot_of(move))


@kernel
def hear(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, listener: Seat, move: MoveNumber) -> None:
    """Conclude what a move says of every hand but the mover's, before it is made; the table must be settled.

    The listener's own number is what is left of the message; NO_SEAT, who knows all cards, finds it from them.
    """
    if is_play(move):
        return
    mover = states[i]["seat"]
    message, modulus = number_carried(states, i, seat, memory, params, move)
    others = 0
    for owner in each_seat(states[i]["players"]):
        if owner != mover and owner != listener:
            begin(states, i, seat, memory, params, owner, is_discard(move))
            others += converse(states, i, seat, memory, params, owner, modulus, UNKNOWN_NUMBER)
            keep_conclusions(states, i, seat, memory, owner)
    if listener not in (mover, NO_SEAT):
        begin(states, i, seat, memory, params, listener, is_discard(move))
        converse(states, i, seat, memory, params, listener, modulus, (message - others) % modulus)
        keep_conclusions(states, i, seat, memory, listener)
    if is_hint(move):
        conclude_literally(states, i, seat, memory, move)
