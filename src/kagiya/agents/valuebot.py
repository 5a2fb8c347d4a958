"""ValueBot: as SimpleBot, and a rank hint that touches the next discard may warn that it is a last copy.

Source
    Arthur O'Dwyer, `Quuxplusone/Hanabi` on GitHub, ValueBot, commit daef9de (2019).
Published
    Means of its README, points kept after a bomb, empty hints illegal: 19.79, 19.43, 19.39, 17.76 for 2-5
    players. The original program, run again over 100,000 games: 19.784, 19.433, 19.392, 17.750, each +- 0.008
    at most.
Where the source is silent
    It never plays blind and never loses a life among its own kind, so it has no safe variant. Hints that it
    never gives: cards told a rank already played in all colors, or the color of a finished firework, are
    worthless. In hands of a single card, with all tokens there and no one to tell, it plays.
"""

from kagiya._jit import kernel
from kagiya.agents import convention_bots as bots
from kagiya.agents.api import CompiledAgent
from kagiya.cards import NO_MOVE, Card, Color, MoveNumber, Rank, Seat, each_seat, each_slot
from kagiya.engine import game_kernels as game
from kagiya.engine.layout import REASON, Lane, Memory, Params, States, Streams
from kagiya.kinds import UNKNOWN_RANK, color_kinds, kind_bit, rank_kinds, rank_of
from kagiya.view.view_kernels import last_copies

REASONS = (
    "warns {receiver} that {critical}",
    "plays {slot}, told to be playable",
    "tells {receiver} that {playable}",
    "spends a token, for nothing may be discarded",
    "discards {slot}, which is useless",
    "discards {slot}, the oldest not known to be valuable",
    "discards {slot}, the highest of valuable cards",
)
WARNS, PLAYS, TELLS, RECLAIMS, DISCARDS = range(5)  # the last three are steps of one rule


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The first rule that has a move."""
    move, reason = bots.warn(states, i, seat, memory, bots.VALUE), WARNS
    if move == NO_MOVE:
        move, reason = bots.play_marked(states, i, seat, memory), PLAYS
    if move == NO_MOVE:
        move, reason = bots.tell(states, i, seat, memory, bots.EVERYONE, bots.VALUE), TELLS
    if move == NO_MOVE:
        move, reason = bots.reclaim(states, i, seat), RECLAIMS
    if move == NO_MOVE:
        move, step = bots.discard_by_notes(states, i, seat, memory)
        reason = DISCARDS + step
    memory[i, seat, REASON] = reason
    return move


@kernel
def note_by_color(states: States, i: Lane, note: bots.Note, color: Color) -> bots.Note:
    """A card whose color is named is the next one needed, unless its rank is known."""
    state = states[i]
    if bots.noted_rank(note) == UNKNOWN_RANK:
        if state["fireworks"][color] == state["ranks"]:
            return bots.with_color(note, color) | bots.WORTHLESS
        note = bots.with_rank(note, state["fireworks"][color])
    bit = color_kinds(color) & rank_kinds(bots.noted_rank(note))
    if state["played"] & bit:
        return bots.with_color(note, color) | bots.WORTHLESS
    note |= bots.PLAYABLE if state["playable"] & bit else 0
    note |= bots.VALUABLE if last_copies(states, i) & bit else 0
    return bots.with_color(note, color)


@kernel
def note_by_rank(states: States, i: Lane, note: bots.Note, rank: Rank, is_chop: bool, is_warning: bool) -> bots.Note:
    """A card whose rank is named is playable; but in a warning, the next discard alone is marked."""
    lowest = bots.lowest_needed_rank(states, i)
    note = bots.with_rank(note, rank)
    if not is_warning:
        return note | (bots.PLAYABLE if rank >= lowest else bots.WORTHLESS)
    if is_chop:
        note |= bots.VALUABLE | (bots.PLAYABLE if rank == lowest else 0)
    return note


@kernel
def hear_hint(states: States, i: Lane, seat: Seat, memory: Memory, move: MoveNumber) -> None:
    """A hint marks every card that it touches."""
    state = states[i]
    if bots.is_reclaim(states, i, move):
        return
    receiver, touched = game.hint_receiver(states, i, move), game.touched_slots(states, i, move)
    warned = bots.warned_slot(states, i, seat, memory, move, bots.VALUE)
    for slot in each_slot(state["hand_size"]):
        if not touched >> slot & 1:
            continue
        note = bots.get_note(memory, i, seat, receiver, slot)
        if game.is_color_hint(move):
            note = note_by_color(states, i, note, game.named_color(move))
        else:
            note = note_by_rank(states, i, note, game.named_rank(move), slot == warned, warned != game.NO_SLOT)
        bots.put_note(memory, i, seat, receiver, slot, note)


@kernel
def hear_play(states: States, i: Lane, seat: Seat, memory: Memory, card: Card) -> None:
    """Other copies of a card just played no longer fit; a rank played in all colors is worthless."""
    state, bit = states[i], kind_bit(card)
    if not state["playable"] & bit:
        return
    if not last_copies(states, i) & bit:
        bots.unmark_duplicates(states, i, seat, memory, card)
    rank = rank_of(card)
    if state["kinds"] & rank_kinds(rank) & ~(state["played"] | bit):
        return
    for owner in each_seat(state["players"]):
        for slot in each_slot(state["hand_size"]):
            note = bots.get_note(memory, i, seat, owner, slot)
            if bots.noted_rank(note) == rank:
                bots.put_note(memory, i, seat, owner, slot, note | bots.WORTHLESS)


@kernel
def observe(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """What each move tells all, before it takes effect."""
    state = states[i]
    if game.is_hint(move):
        hear_hint(states, i, seat, memory, move)
        return
    if game.is_play(move):
        hear_play(states, i, seat, memory, state["hands"][state["seat"], game.slot_of(move)])
    bots.forget_card(states, i, seat, memory, bots.NOTES, move)


AGENT = CompiledAgent(
    bots.convention_bot(
        "valuebot",
        "tells of cards to play, and warns of last copies",
        REASONS,
        bots.SETS_AND_NOTES,
        bots.VALUE_CONVENTION,
    ),
    act,
    observe,
)
