"""SimpleBot: hints say that all the cards they touch are playable, and nothing else is ever said.

Source
    Arthur O'Dwyer, `Quuxplusone/Hanabi` on GitHub, SimpleBot, commit daef9de (2019).
Published
    Means of its README, points kept after a bomb, empty hints illegal: 16.92, 18.48, 19.32, 18.50 for 2-5
    players. The original program, run again over 100,000 games: 16.917, 18.478, 19.322, 18.495, each +- 0.009
    at most.
Where the source is silent
    It never plays blind and never loses a life among its own kind, so it has no safe variant. A color hint for
    a finished firework, which it never gives, is not taken for a promise. In hands of a single card, with all
    tokens there and no one to tell, it plays.
"""

from kagiya._jit import kernel
from kagiya.agents import convention_bots as bots
from kagiya.agents.api import CompiledAgent
from kagiya.agents.tactics.vocabulary import oldest_slot
from kagiya.cards import NO_MOVE, MoveNumber, Seat, each_slot
from kagiya.engine import game_kernels as game
from kagiya.engine.layout import REASON, Lane, Memory, Params, States, Streams

REASONS = (
    "plays {slot}, told to be playable",
    "tells {receiver} that {playable}",
    "spends a token, for nothing may be discarded",
    "discards {slot}, its oldest card",
)
PLAYS, TELLS, RECLAIMS, DISCARDS = range(4)


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The first rule that has a move."""
    move, reason = bots.play_marked(states, i, seat, memory), PLAYS
    if move == NO_MOVE:
        move, reason = bots.tell(states, i, seat, memory, bots.EVERYONE, bots.SIMPLE), TELLS
    if move == NO_MOVE:
        move, reason = bots.reclaim(states, i, seat), RECLAIMS
    if move == NO_MOVE:
        move, reason = game.discard_move(oldest_slot(states, i, seat)), DISCARDS
    memory[i, seat, REASON] = reason
    return move


@kernel
def hear_hint(states: States, i: Lane, seat: Seat, memory: Memory, move: MoveNumber) -> None:
    """All the cards that a hint touches are playable; a color names their rank as well."""
    state = states[i]
    if bots.is_reclaim(states, i, move):
        return
    receiver, touched = game.hint_receiver(states, i, move), game.touched_slots(states, i, move)
    color = game.named_color(move)
    if game.is_color_hint(move) and state["fireworks"][color] == state["ranks"]:
        return
    for slot in each_slot(state["hand_size"]):
        if not touched >> slot & 1:
            continue
        note = bots.get_note(memory, i, seat, receiver, slot) | bots.PLAYABLE
        if game.is_color_hint(move):
            note = bots.with_rank(bots.with_color(note, color), state["fireworks"][color])
        else:
            note = bots.with_rank(note, game.named_rank(move))
        bots.put_note(memory, i, seat, receiver, slot, note)


@kernel
def observe(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """What each move tells all, before it takes effect."""
    state = states[i]
    if game.is_hint(move):
        hear_hint(states, i, seat, memory, move)
        return
    if game.is_play(move):
        bots.unmark_duplicates(states, i, seat, memory, state["hands"][state["seat"], game.slot_of(move)])
    bots.forget_card(states, i, seat, memory, bots.NOTES, move)


AGENT = CompiledAgent(
    bots.convention_bot(
        "simplebot",
        "tells of cards to play, all those touched",
        REASONS,
        bots.SETS_AND_NOTES,
        "Every card that a hint touches can be played now. Play the cards you were told of, oldest first; hint only "
        "cards that can all be played.",
    ),
    act,
    observe,
)
