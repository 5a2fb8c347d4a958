"""Reasons in words: the templates that agents declare, filled with what the move is about.

``tells {receiver} that {playable}`` becomes ``tells bob that slot 1 is R5``. The fields are read from the move and the
position before it, or from words of the agent's memory; `FIELDS` lists them. A reason that is the name of a tactic is
followed by what the tactic did. For the eyes of one seat, a hint to that seat is told as it was given, and words of
memory, which may be cards, are not told at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from kagiya.cards import COLOR_NAMES, MAX_KINDS, SEAT_NAMES, Card, Seat, Slot, card_name, mask_cards
from kagiya.engine.kernels import touched_slots
from kagiya.engine.layout import States
from kagiya.engine.sentences import slots_text
from kagiya.moves import MOVES, Move
from kagiya.spec import near
from kagiya.view.kernels import critical_kinds, possible_kinds

# What a template may name, and what it stands for.
FIELDS = {
    "does": "the move itself: plays slot 2, tells bob that slot 1 is R5",
    "receiver": "who gets the hint",
    "touched": "what the hint is about: slot 1 is R5",
    "playable": "the same, of the touched cards those that fit now",
    "useless": "the same, those that can never score",
    "critical": "the same, those that are the last copies of cards still needed",
    "slot": "the slot played or discarded, and what its owner knows it to be: slot 2 (R3)",
    "card[n]": "word n of the agent's memory as a card: R5",
    "seat[n]": "the same as a seat: bob",
    "place[n]": "the same as a slot: slot 1",
    "number[n]": "the same as a number",
}
TACTIC = re.compile(r"[a-z]+(-[a-z]+)+(\(.*\))?")
OF_MEMORY = re.compile(r"\{(card|seat|place|number)\[")
MOST_NAMED = 2  # cards or kinds that are named one by one


class ReasonError(ValueError):
    """A template that cannot be filled."""


def fill(template: str, states: States, lane: int, move: int, memory: Sequence[int], eyes: Seat | None = None) -> str:
    """The reason for a move that is about to be made in this lane; `memory` is the row of the seat to act.

    With `eyes`, in words that show that seat none of its hidden cards; empty if there are none.
    """
    if eyes is not None and OF_MEMORY.search(template):
        return ""
    fields = _Fields(states, lane, MOVES[move], memory, eyes)
    if not template:
        return fields.does
    if TACTIC.fullmatch(template):
        return f"{template}: {fields.by_tactic(template)}"
    try:
        return template.format_map(fields)
    except (ValueError, IndexError, KeyError, AttributeError, TypeError) as error:
        raise ReasonError(f"its reason {template!r} cannot be filled: {error}") from None


class _Fields(dict[str, Any]):
    """The fields of one move, worked out as they are asked for."""

    def __init__(self, states: States, lane: int, move: Move, memory: Sequence[int], eyes: Seat | None) -> None:
        self.eyes = eyes
        self.states, self.lane, self.move, self.state = states, lane, move, states[lane]
        self.seat = Seat(int(self.state["seat"]))
        self.owner = Seat((self.seat + (move.offset or 0)) % int(self.state["players"]))
        words: dict[str, Callable[[int], str]] = {"card": _card, "seat": _seat, "place": _place, "number": str}
        super().__init__({name: _Words(memory, show) for name, show in words.items()})

    def __missing__(self, name: str) -> str:
        if name not in FIELDS:
            raise ReasonError(f"there is no field {name!r}; {near(name, FIELDS)}")
        return str(getattr(self, name))

    @property
    def does(self) -> str:
        if self.move.is_hint:
            return f"tells {self.receiver} that {self.touched}"
        return f"{'plays' if self.move.is_play else 'discards'} {self.slot}"

    def by_tactic(self, name: str) -> str:
        """What a tactic did, the cards chosen that its name speaks of."""
        if not self.move.is_hint:
            return self.does
        told = self.playable if "playable" in name else self.useless if "dispensable" in name else self.touched
        return f"tells {self.receiver} that {told}"

    @property
    def receiver(self) -> str:
        return SEAT_NAMES[self.owner] if self.move.is_hint else "nobody"

    @property
    def touched(self) -> str:
        return self._told((1 << MAX_KINDS) - 1)

    @property
    def playable(self) -> str:
        return self._told(int(self.state["playable"]))

    @property
    def useless(self) -> str:
        return self._told(int(self.state["useless"]))

    @property
    def critical(self) -> str:
        return self._told(int(critical_kinds(self.states, self.lane)))

    def _told(self, kinds: int) -> str:
        """The touched cards of these kinds; all of them if there is none, for a hint may mean something else."""
        if not self.move.is_hint:
            return "nothing"
        touched = int(touched_slots(self.states, self.lane, int(self.move)))  # type: ignore[arg-type]
        slots = [Slot(slot) for slot in range(int(self.state["hand_size"])) if touched >> slot & 1]
        if slots and self.owner == self.eyes:
            return self._as_given(slots)
        meant = [slot for slot in slots if kinds >> self._card(slot) & 1] or slots
        if not meant:
            return f"no card is {self._hint()}"
        if len(meant) > MOST_NAMED:
            return self._as_given(meant)
        return " and ".join(f"slot {slot + 1} is {card_name(self._card(slot))}" for slot in meant)

    def _as_given(self, slots: Sequence[Slot]) -> str:
        """What the hint itself says of these slots."""
        if len(slots) > 1:
            return f"{slots_text(slots)} are {self._hint()}"
        one = self._hint() if self.move.color is not None else f"a {self._hint()[0]}"
        return f"slot {slots[0] + 1} is {one}"

    def _card(self, slot: Slot) -> Card:
        return Card(int(self.state["hands"][self.owner, slot]))

    def _hint(self) -> str:
        return COLOR_NAMES[self.move.color] if self.move.color is not None else f"{(self.move.rank or 0) + 1}s"

    @property
    def slot(self) -> str:
        slot = self.move.slot
        if slot is None:
            return "no slot"
        kinds = list(mask_cards(self._possible(slot)))
        known = f" ({' or '.join(map(card_name, kinds))})" if 0 < len(kinds) <= MOST_NAMED else ""
        return f"slot {slot + 1}{known}"

    def _possible(self, slot: Slot) -> int:
        """What the player knows of its card; for eyes only what the hints say, not what it sees in their hand."""
        if self.eyes is not None:
            return int(self.state["possible"][self.seat, slot])
        return int(possible_kinds(self.states, self.lane, self.seat, self.seat, slot))


class _Words:
    """Words of memory, shown as something."""

    def __init__(self, memory: Sequence[int], show: Callable[[int], str]) -> None:
        self.memory, self.show = memory, show

    def __getitem__(self, word: int) -> str:
        if not isinstance(word, int) or not 0 <= word < len(self.memory):
            raise ReasonError(f"there is no word {word} in a memory of {len(self.memory)}")
        return self.show(int(self.memory[word]))


def _card(word: int) -> str:
    return card_name(Card(word)) if -2 <= word < MAX_KINDS else f"card {word}"


def _seat(word: int) -> str:
    return SEAT_NAMES[word] if 0 <= word < len(SEAT_NAMES) else f"seat {word}"


def _place(word: int) -> str:
    return f"slot {word + 1}"
