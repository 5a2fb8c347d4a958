"""What the seats hear in a move by their conventions, a line for each."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from kagiya.agents.conventions.convention_reader import Heard, message_text
from kagiya.cards import SEAT_NAMES, Seat

STYLE = "italic dim"


def draw_hearing(heard: Sequence[Heard], eyes: Seat | None) -> list[RenderableType]:
    """The number that a move carries, and what each seat makes of it."""
    carried, lines = hearing_lines(heard, eyes)
    table = Table.grid(padding=(0, 1, 0, 0))
    for name, words in lines:
        table.add_row(Text(f"  {name}", "bold"), Text(words, STYLE))
    return [*([Text(carried, STYLE)] if carried else []), *([table] if lines else [])]


def brief_hearing(heard: Sequence[Heard], eyes: Seat | None) -> list[Text]:
    """The same as plain lines."""
    carried, lines = hearing_lines(heard, eyes)
    return [*([Text(carried, STYLE)] if carried else []), *(Text(" ".join(line), STYLE) for line in lines)]


def hearing_lines(heard: Sequence[Heard], eyes: Seat | None) -> tuple[str, list[tuple[str, str]]]:
    """What is common to all, and each seat's name and words; through the eyes of one seat only its own.

    What another seat knows of its cards follows in part from the hand of the one who looks.
    """
    common = message_text(heard)
    shown = [each for each in heard if eyes is None or each.seat == eyes]
    return common, [(SEAT_NAMES[each.seat], ("" if common else _number(each)) + each.words()) for each in shown]


def _number(heard: Heard) -> str:
    return f"(of {heard.message} modulo {heard.modulus}) " if heard.modulus > 1 else ""
