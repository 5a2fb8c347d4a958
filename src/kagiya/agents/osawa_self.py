"""Osawa's self-recognition: asks under which hands its partner would have given the hint that it gave.

Source
    Osawa 2015: the outer strategy, and before its last step an inference. Enumerate its own hands that agree with
    what is known; keep those under which the partner, playing the outer strategy, would have moved as it did; if a
    slot's most frequent card is more than 2.5 times as frequent as the second, take it for that card.
Published
    15.85, deviation 2.26, 100 games of two players. How a bomb scores is not said; here about one game in a hundred
    ends in one, and counting it 0 costs 0.1. The rules entered keep the points.
Where the source is silent
    Only hints are reasoned about: before a play, a useless discard or a discard without tokens the outer strategy
    does not look at the partner's hand. The partner is taken to have had nothing sure to play or discard. What it
    leaves to a coin weighs half. Hands with two equal cards are left out and the copies of a card counted once (with
    copies counted 15.9 as well, but nearly three times as many bombs). All kept hands count: a card that fits in each
    of them is played, whichever it is (by the frequencies alone: 15.5). The player must itself hint as it thinks that
    others do; with hints at random where no card fits it scores 15.4. Reasoning before hinting: 16.1; no coins, rank
    before color: 16.1; guesses kept for later turns: 16.2.
"""

from kagiya._jit import kernel
from kagiya.agents._base import CompiledAgent
from kagiya.agents._info import AgentInfo, Parameter
from kagiya.agents._osawa_kernels import (
    MEMORY_WORDS,
    forget_guesses,
    guess_hand,
    guessed_slots,
    tally_hands,
    tell_playable,
)
from kagiya.agents._rule_list import NOTHING_APPLIED, random_move
from kagiya.agents.tactics.discard import discard_of, discard_random, discard_useless
from kagiya.agents.tactics.hints import hint_about
from kagiya.agents.tactics.modes import NAMED
from kagiya.agents.tactics.play import play_safe
from kagiya.agents.tactics.slots import first_slot
from kagiya.cards import Seat
from kagiya.dice import Streams
from kagiya.engine.layout import REASON, Lane, Memory, Params, States
from kagiya.move_kernels import is_hint, play_move
from kagiya.moves import NO_MOVE, MoveNumber

RATIO = 0  # its place in the row of parameters
REASONS = (
    "plays {slot}, which can only fit",
    "discards {slot}, which can only be useless",
    "tells {receiver} something new: {playable}",
    "tells {receiver} something new: {touched}",
    "plays {slot}, which its partner's hint must have meant",
    "discards {slot}, which its partner's hint must have meant",
    "discards {slot}, as good as any",
    NOTHING_APPLIED,
)
PLAYS, DISCARDS_USELESS, TELLS_PLAYABLE, TELLS_NEWS, PLAYS_GUESS, DISCARDS_GUESS, DISCARDS, AT_A_LOSS = range(8)


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The outer strategy; before a card is thrown away at random, what was inferred is acted on."""
    state = states[i]
    move, reason = play_safe(states, i, seat, rng, 0.0), PLAYS
    if move == NO_MOVE:
        move, reason = discard_useless(states, i, seat, rng, 0.0), DISCARDS_USELESS
    if move == NO_MOVE:
        move, reason = tell_playable(states, i, seat, rng), TELLS_PLAYABLE
    if move == NO_MOVE:
        move, reason = hint_about(states, i, seat, state["kinds"], NAMED), TELLS_NEWS
    if move == NO_MOVE:
        move, reason = play_move(first_slot(guessed_slots(states, i, seat, memory, state["playable"]))), PLAYS_GUESS
    if move == NO_MOVE:
        useless = first_slot(guessed_slots(states, i, seat, memory, state["useless"]))
        move, reason = discard_of(states, i, useless), DISCARDS_GUESS
    if move == NO_MOVE:
        move, reason = discard_random(states, i, seat, rng, 0.0), DISCARDS
    if move == NO_MOVE:
        move, reason = random_move(states, i, seat, rng), AT_A_LOSS
    memory[i, seat, REASON] = reason
    return move


@kernel
def observe(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """The partner's last move is the only one that is reasoned about, and only if it is a hint."""
    if states[i]["seat"] == seat:
        return
    forget_guesses(memory, i, seat)
    if is_hint(move):
        tally_hands(states, i, seat, memory, move)
        guess_hand(states, i, seat, memory, params[seat, RATIO])


AGENT = CompiledAgent(
    AgentInfo(
        id="osawa-self",
        summary="infers its hand from its partner's hints",
        family="Osawa",
        paper="Osawa2015",
        parameters=(
            Parameter("ratio", 2.5, "how many times the likeliest card must outweigh the second", low=1.0, high=1000.0),
        ),
        players=(2,),
        memory_words=MEMORY_WORDS,
        reasons=REASONS,
    ),
    act,
    observe,
)
