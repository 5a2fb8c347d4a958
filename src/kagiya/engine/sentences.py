"""Moves in sentences, as a player would describe them: words with what they stand for, for any way of drawing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from kagiya.cards import COLOR_NAMES, SEAT_NAMES, Card, Color, Seat, Slot, card_color, card_name, card_rank
from kagiya.engine.game import Event
from kagiya.rules import Rules


class Tone(StrEnum):
    """How a word is meant to be drawn."""

    PLAIN = "plain"
    SEAT = "seat"
    CARD = "card"
    COLOR = "color"
    RANK = "rank"
    GOOD = "good"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Word:
    """Part of a sentence."""

    text: str
    tone: Tone = Tone.PLAIN
    color: Color | None = None  # of a card, or of a color that is named


@dataclass(frozen=True, slots=True)
class Sentence:
    """What happened in one turn."""

    event: Event
    words: tuple[Word, ...]

    def __str__(self) -> str:
        return "".join(word.text for word in self.words)


def describe(
    events: Iterable[Event],
    rules: Rules,
    you: Seat | None = None,
    *,
    names: Sequence[str] = SEAT_NAMES,
    suits: Sequence[str] = COLOR_NAMES,
    fireworks: Sequence[int] = (),
) -> Iterator[Sentence]:
    """Each event with its sentence. `you` is addressed as such; `suits` are called as in the game that was imported.

    `fireworks` are the heights before the first event, none if the events start at the beginning of the game.
    """
    narrator = _Narrator(rules, you, names, suits, list(fireworks) or [0] * rules.colors)
    for event in events:
        yield Sentence(event, tuple(narrator.words(event)))


def slots_text(slots: Sequence[Slot]) -> str:
    """``slot 2``, ``slots 1 and 3``, ``no slot``."""
    if not slots:
        return "no slot"
    *first, last = (str(slot + 1) for slot in slots)
    return f"slots {', '.join(first)} and {last}" if first else f"slot {last}"


@dataclass
class _Narrator:
    rules: Rules
    you: Seat | None
    names: Sequence[str]
    suits: Sequence[str]
    fireworks: list[int]  # go along with the plays

    def words(self, event: Event) -> Iterator[Word]:
        verb = "hint" if event.move.is_hint else "play" if event.move.is_play else "discard"
        yield self._seat(event.seat)
        yield Word(f" {verb}{'' if event.seat == self.you else 's'} ")
        if event.move.is_hint:
            yield from self._hint(event)
            return
        assert event.card is not None
        assert event.move.slot is not None
        yield Word(f"slot {event.move.slot + 1}: ")
        yield self._card(event.card)
        if event.move.is_play:
            yield from self._outcome(event.card)

    def _seat(self, seat: Seat) -> Word:
        return Word("you" if seat == self.you else self.names[seat], Tone.SEAT)

    def _card(self, card: Card) -> Word:
        color = card_color(card)
        letter = self.suits[color][0].upper()
        return Word(f"{letter}{card_name(card)[1:]}", Tone.CARD, color)

    def _outcome(self, card: Card) -> Iterator[Word]:
        """Whether the card fitted."""
        color, rank = card_color(card), card_rank(card)
        if self.fireworks[color] != rank:
            yield Word(" does ")
            yield Word("not fit, a life is lost", Tone.BAD)
            return
        self.fireworks[color] += 1
        if rank + 1 == self.rules.ranks:
            yield Word(" fits and ")
            yield Word(f"finishes {self.suits[color]}", Tone.GOOD)
        else:
            yield Word(" fits")

    def _hint(self, event: Event) -> Iterator[Word]:
        move = event.move
        assert event.receiver is not None
        yield self._seat(event.receiver)
        yield Word(" ")
        if move.color is not None:
            yield Word(self.suits[move.color], Tone.COLOR, move.color)
        else:
            yield Word(str((move.rank or 0) + 1), Tone.RANK)
        yield Word(f": {slots_text(event.touched)}")
