"""HolmesBot: as ValueBot, with deduction: sets of kinds, what hints leave out, cards accounted for elsewhere.

Source
    Arthur O'Dwyer, `Quuxplusone/Hanabi` on GitHub, HolmesBot, commit daef9de (2019).
Published
    Means of its README, points kept after a bomb, empty hints illegal: 20.75, 20.86, 20.46, 18.40 for 2-5
    players. The original program, run again over 40,000 games: 20.752, 20.868, 20.477, 18.404, each +- 0.013
    at most. It bombs in 6, 12, 27 and 57 games of a hundred.
Where the source is silent
    The source plays mystery cards down to the last life; `safe` keeps from that, and is ours. What partners
    without these conventions say may leave a card no kind at all: it is then what the hints say literally, and
    unmarked. A color hint for a finished firework is no more than literal. In hands of a single card, with all
    tokens there and no one to tell, it plays.
"""

from kagiya._jit import kernel, popcount
from kagiya.agents import convention_bots as bots
from kagiya.agents.api import CompiledAgent
from kagiya.cards import MAX_COLORS, NO_MOVE, Card, MoveNumber, Seat, each_seat, each_slot
from kagiya.engine import game_kernels as game
from kagiya.engine.layout import REASON, Lane, Memory, Params, States, Streams
from kagiya.kinds import UNKNOWN_COLOR, UNKNOWN_RANK, is_single, kind_bit, only_color, only_rank, within
from kagiya.view.view_kernels import last_copies

REASONS = (
    "warns {receiver} that {critical}",
    "plays {slot}, which must fit",
    "tells {receiver} that {playable}",
    "plays {slot}, not knowing what it is",
    "spends a token, for nothing may be discarded",
    "discards {slot}, which is useless",
    "discards {slot}, the oldest not known to be valuable",
    "discards {slot}, the highest of valuable cards",
)
WARNS, PLAYS, TELLS, GAMBLES, RECLAIMS, DISCARDS = range(6)  # the last three are steps of one rule


@kernel
def settle(states: States, i: Lane, seat: Seat, memory: Memory) -> None:
    """Before a turn, once: from marks to sets, by counting, and back to marks."""
    if memory[i, seat, bots.SETTLED] != states[i]["turn"] + 1:
        apply_marks(states, i, seat, memory)
        bots.settle_sets(states, i, seat, memory)
        set_marks(states, i, seat, memory)


@kernel
def apply_marks(states: States, i: Lane, seat: Seat, memory: Memory) -> None:
    """A card not known is of no kind that its marks contradict; if that leaves none, the marks were wrong."""
    state = states[i]
    last = last_copies(states, i)
    for owner in each_seat(state["players"]):
        for slot in each_slot(state["hand_size"]):
            kinds = bots.get_kinds(memory, i, seat, owner, slot)
            note = bots.get_note(memory, i, seat, owner, slot)
            if not is_single(kinds):
                kinds &= last if note & bots.VALUABLE else kinds
                kinds &= state["playable"] if note & bots.PLAYABLE else kinds
                kinds &= state["played"] if note & bots.WORTHLESS else kinds
                bots.put_kinds(memory, i, seat, owner, slot, kinds)
            if kinds == 0:
                bots.put_note(memory, i, seat, owner, slot, bots.NO_NOTE)


@kernel
def set_marks(states: States, i: Lane, seat: Seat, memory: Memory) -> None:
    """What follows from a card's set: its color, its rank, its marks."""
    state = states[i]
    last = last_copies(states, i)
    for owner in each_seat(state["players"]):
        for slot in each_slot(state["hand_size"]):
            kinds = bots.get_kinds(memory, i, seat, owner, slot)
            note = bots.get_note(memory, i, seat, owner, slot)
            if kinds == 0:
                continue
            if popcount(kinds) <= MAX_COLORS:
                note = bots.with_rank(bots.with_color(note, only_color(kinds)), only_rank(kinds))
            if not note & (bots.PLAYABLE | bots.VALUABLE) and within(kinds, state["played"]):
                note |= bots.WORTHLESS
            if not note & bots.WORTHLESS:
                note |= bots.VALUABLE if within(kinds, last) else 0
                note |= bots.PLAYABLE if within(kinds, state["playable"]) else 0
            bots.put_note(memory, i, seat, owner, slot, note)


@kernel
def gamble(states: States, i: Lane, seat: Seat, memory: Memory, safe: bool) -> MoveNumber:
    """When the deck is nearly gone: play the newest card that is neither worthless nor known."""
    state, newest = states[i], game.NO_SLOT
    if state["deck_size"] - state["drawn"] > 1 or (safe and state["lives"] == 1):
        return NO_MOVE
    for slot in each_slot(state["hand_size"]):
        kinds, note = bots.get_kinds(memory, i, seat, seat, slot), bots.get_note(memory, i, seat, seat, slot)
        if is_single(kinds) or note & bots.WORTHLESS:
            continue
        if newest == game.NO_SLOT or state["order"][seat, slot] > state["order"][seat, newest]:
            newest = slot
    return game.play_move(newest)


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The first rule that has a move."""
    settle(states, i, seat, memory)
    move, reason = bots.warn(states, i, seat, memory, bots.HOLMES), WARNS
    if move == NO_MOVE:
        move, reason = bots.play_marked(states, i, seat, memory), PLAYS
    if move == NO_MOVE:
        move, reason = bots.tell(states, i, seat, memory, bots.EVERYONE, bots.HOLMES), TELLS
    if move == NO_MOVE:
        move, reason = gamble(states, i, seat, memory, params[seat, 0] != 0), GAMBLES
    if move == NO_MOVE:
        move, reason = bots.reclaim(states, i, seat), RECLAIMS
    if move == NO_MOVE:
        move, step = bots.discard_by_notes(states, i, seat, memory)
        reason = DISCARDS + step
    memory[i, seat, REASON] = reason
    return move


@kernel
def hear_color(states: States, i: Lane, seat: Seat, memory: Memory, move: MoveNumber) -> None:
    """Cards whose color is named are the next one needed, but for those of known rank and the worthless."""
    receiver, touched = game.hint_receiver(states, i, move), game.touched_slots(states, i, move)
    needed = game.hint_kinds(states, i, move) & states[i]["playable"]
    for slot in each_slot(states[i]["hand_size"]):
        note = bots.get_note(memory, i, seat, receiver, slot)
        if touched >> slot & 1 and bots.noted_rank(note) == UNKNOWN_RANK and not note & bots.WORTHLESS and needed != 0:
            bots.narrow(memory, i, seat, receiver, slot, needed)


@kernel
def hear_rank(states: States, i: Lane, seat: Seat, memory: Memory, move: MoveNumber) -> None:
    """A rank says that the next discard is valuable if it can be; else that the cards touched are playable."""
    receiver, touched = game.hint_receiver(states, i, move), game.touched_slots(states, i, move)
    warned = bots.warned_slot(states, i, seat, memory, move, bots.HOLMES)
    is_lowest = game.named_rank(move) == bots.lowest_needed_rank(states, i)
    for slot in each_slot(states[i]["hand_size"]):
        if not touched >> slot & 1:
            continue
        note = bots.get_note(memory, i, seat, receiver, slot)
        if slot == warned:
            note |= bots.VALUABLE | (bots.PLAYABLE if is_lowest else 0)
        if warned == game.NO_SLOT and bots.noted_color(note) == UNKNOWN_COLOR and not note & bots.WORTHLESS:
            note |= bots.PLAYABLE
        bots.put_note(memory, i, seat, receiver, slot, note)


@kernel
def hear_play(states: States, i: Lane, seat: Seat, memory: Memory, card: Card) -> None:
    """Once a card is played, no other that may be the same is sure to fit."""
    state, bit = states[i], kind_bit(card)
    if not state["playable"] & bit or last_copies(states, i) & bit:
        return
    for owner in each_seat(state["players"]):
        for slot in each_slot(state["hand_size"]):
            kinds = bots.get_kinds(memory, i, seat, owner, slot)
            note = bots.get_note(memory, i, seat, owner, slot)
            if note & bots.PLAYABLE and not note & bots.VALUABLE and kinds & bit:
                bots.put_note(memory, i, seat, owner, slot, note & ~bots.PLAYABLE)


@kernel
def observe(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """What each move tells all, before it takes effect."""
    state = states[i]
    settle(states, i, seat, memory)
    if not game.is_hint(move):
        if game.is_play(move):
            hear_play(states, i, seat, memory, state["hands"][state["seat"], game.slot_of(move)])
        bots.forget_card(states, i, seat, memory, bots.SETS, move)
        bots.forget_card(states, i, seat, memory, bots.NOTES, move)
    elif not bots.is_reclaim(states, i, move):
        if game.is_color_hint(move):
            hear_color(states, i, seat, memory, move)
        else:
            hear_rank(states, i, seat, memory, move)
        bots.narrow_by_hint(states, i, seat, memory, move)


AGENT = CompiledAgent(
    bots.convention_bot(
        "holmesbot",
        "tells of cards to play, warns of last copies, and deduces",
        REASONS,
        bots.SETS_AND_NOTES,
        f"{bots.VALUE_CONVENTION} It also counts cards and deduces what hints leave out.",
        parameters=(bots.SAFE,),
    ),
    act,
    observe,
)
