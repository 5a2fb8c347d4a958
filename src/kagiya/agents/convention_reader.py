"""What a seat makes of a move by its convention: the number it carries, the seat's own part, and what it then knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kagiya.cards import SEAT_NAMES, Kinds, Seat, Slot, card_name, mask_cards
from kagiya.engine.layout import Memory, Params, States

NO_NUMBER = -1  # of the seat that moves, which is told nothing
SHORT_LIST = 4  # kinds that are named one by one


@dataclass(frozen=True)
class Fact:
    """What a seat now knows of one of its cards: it is one of these kinds, or what to do with it."""

    slot: Slot
    kinds: Kinds
    words: str  # what the slot is: ``playable: B3``


@dataclass(frozen=True)
class Heard:
    """What one seat heard in a move. Numbers are counted modulo `modulus`; 1 stands for a move that carries none."""

    seat: Seat
    message: int  # that the move carries for all seats together
    modulus: int
    number: int  # the seat's own part of it
    facts: tuple[Fact, ...]

    def words(self) -> str:
        """``hears 3: slot 2 is playable: B3``."""
        heard = f"hears {self.number}: " if self.modulus > 1 else ""
        return heard + (facts_text(self.facts) or "nothing new")

    def __str__(self) -> str:
        return f"{SEAT_NAMES[self.seat]} {self.words()}"

    def to_json(self) -> dict[str, Any]:
        """As plain data; slots count from 1."""
        slots = [
            {"slot": fact.slot + 1, "kinds": list(map(card_name, mask_cards(fact.kinds))), "words": fact.words}
            for fact in self.facts
        ]
        numbers = {"message": self.message, "modulus": self.modulus, "number": self.number}
        return {"seat": SEAT_NAMES[self.seat], **numbers, "slots": slots, "words": self.words()}


@dataclass(frozen=True)
class Scene:
    """A move that is about to be made, for one seat to hear: four lanes of states, and of memories.

    BEFORE holds the position as it is, with the seat's memory. The others hold what the seat may see: SEEN_BEFORE the
    move, SEEN_LITERALLY with what a hint literally says, and SEEN_AFTER the same with what the seat makes of the move.
    """

    states: States
    memory: Memory
    params: Params
    seat: Seat
    move: int


BEFORE, SEEN_BEFORE, SEEN_LITERALLY, SEEN_AFTER = range(4)


@dataclass(frozen=True)
class ConventionReader:
    """How an agent's moves are put into words.

    `numbers` is a kernel called as `observe` is, in the lane BEFORE, which may write to the seat's memory there; it
    returns the message of the move, the modulus (0 if the move says nothing at all) and the seat's own number.
    `facts` are read in the lanes in which the seat's own cards are hidden.
    """

    numbers: Callable[..., Any]
    facts: Callable[[Scene], Iterable[Fact]]

    def read(self, scene: Scene) -> Heard | None:
        """What the seat hears in a move; None if nothing."""
        arrays = scene.states, BEFORE, scene.seat, scene.memory, scene.params
        message, modulus, number = map(int, self.numbers(*arrays, scene.move))
        facts = tuple(self.facts(scene)) if modulus > 0 and number != NO_NUMBER else ()
        if number == NO_NUMBER or (modulus <= 1 and not facts):
            return None
        return Heard(scene.seat, message, modulus, number, facts)


def message_text(heard: Sequence[Heard]) -> str:
    """``carries 11 modulo 16``; empty if the move carries no number, or seats by different conventions disagree."""
    carried = {(each.message, each.modulus) for each in heard}
    (message, modulus), *others = carried or {(0, 1)}
    return "" if others or modulus <= 1 else f"carries {message} modulo {modulus}"


def facts_text(facts: Sequence[Fact]) -> str:
    """``slot 2 is playable: B3; slots 1 and 3 are not playable``, those of which the same is known together."""
    slots: dict[str, list[str]] = {}
    for fact in facts:
        slots.setdefault(fact.words, []).append(str(fact.slot + 1))
    return "; ".join(
        f"slot {numbers[0]} is {words}" if len(numbers) == 1 else f"slots {listed(numbers, 'and')} are {words}"
        for words, numbers in slots.items()
    )


def listed(words: Sequence[str], last: str) -> str:
    """``1, 2 and 3``, with this word before the last."""
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def kinds_words(kinds: Kinds, before: Kinds, playable: Kinds, useless: Kinds) -> str:
    """What a card is that can be one of these kinds, and could be more before."""
    if kinds & ~before:
        return "open again, for what was concluded contradicts itself"
    names = list(map(card_name, mask_cards(kinds)))
    brief = listed(names, "or") if len(names) <= SHORT_LIST else ""
    if kinds & ~playable == 0:
        return f"playable: {brief}" if brief else "playable"
    if kinds & ~useless == 0:
        return f"useless: {brief}" if len(names) == 1 else "useless"
    if not kinds & playable and before & playable and len(names) > 1:
        return f"not playable: {brief}" if brief else "not playable"
    return brief or f"one of {len(names)} kinds"
