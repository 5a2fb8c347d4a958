"""The hand that questions are about: a copy of what everybody knows of it, narrowed by one answer after another."""

from kagiya._jit import kernel
from kagiya.agents.hats.knowledge import KNOWLEDGE_WORDS, conclude, kinds_left, knows_play, set_among
from kagiya.cards import Kinds, Seat, Slot, each_slot
from kagiya.engine.layout import Lane, Memory, States
from kagiya.rules import MAX_HAND

ASKED = KNOWLEDGE_WORDS  # words of a seat's memory, by slot: the kinds that the card can be
ASKED_WORDS = ASKED + MAX_HAND
UNKNOWN_NUMBER = -1  # of a hand in sight: to be found from its cards


@kernel
def narrow(memory: Memory, i: Lane, seat: Seat, slot: Slot, kinds: Kinds) -> None:
    """A card of the hand in question is one of these kinds, unless that contradicts what is known."""
    if memory[i, seat, ASKED + slot] & kinds:
        memory[i, seat, ASKED + slot] &= kinds


@kernel
def begin_hand(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat, speaking_silence: bool) -> None:
    """Begin with what everybody knows of a hand; that its owner got no hint may say that it holds no card that fits.

    It says nothing if there was no token for a hint, or if the owner knows of a card that fits.
    """
    excluded = Kinds(0)
    if speaking_silence and states[i]["tokens"] > 0 and not knows_play(states, i, seat, memory, owner):
        excluded = states[i]["playable"]
    alive = kinds_left(states, i)
    for slot in each_slot(states[i]["hand_size"]):
        memory[i, seat, ASKED + slot] = set_among(states, i, seat, memory, owner, slot, alive)
        narrow(memory, i, seat, slot, ~excluded)


@kernel
def keep_conclusions(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat) -> None:
    """What was found out about the hand in question becomes known to everybody."""
    for slot in each_slot(states[i]["hand_size"]):
        conclude(states, i, seat, memory, owner, slot, memory[i, seat, ASKED + slot])
