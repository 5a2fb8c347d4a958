"""Moves in words, as one would tell them at the table, in the colors of a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.text import Text

from kagiya.cards import Seat
from kagiya.cli.drawing.cards import INKS
from kagiya.engine import telling
from kagiya.engine.log import Event
from kagiya.engine.telling import Tone, Word
from kagiya.rules import Rules

STYLES = {Tone.SEAT: "bold", Tone.RANK: "bold", Tone.GOOD: "bold green", Tone.BAD: "bold red"}


def tell(events: Iterable[Event], rules: Rules, you: Seat | None = None) -> Iterator[tuple[Event, Text]]:
    """Each event with its sentence; `events` start at the beginning of the game. `you` is addressed as such."""
    for sentence in telling.tell(events, rules, you):
        yield sentence.event, Text.assemble(*map(_colored, sentence.words))


def _colored(word: Word) -> tuple[str, str]:
    return word.text, STYLES.get(word.tone, "") if word.color is None else f"bold {INKS[word.color]}"
