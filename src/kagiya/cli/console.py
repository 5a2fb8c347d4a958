"""The two places that every command writes to: results on `out`, all else (progress, complaints) on `err`.

Names in records, errors of agents and answers of the store are other people's text. It is shown, never obeyed: what
would move the cursor, change colors or turn the writing direction is escaped.
"""

import re
from collections.abc import Iterable
from enum import StrEnum

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

# Control characters but for tab and newline, marks that turn the writing direction or end lines, halves of characters.
HARMFUL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f" r"\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069" r"\ud800-\udfff]")


class TableFormat(StrEnum):
    """The formats of tables on `out`."""

    TEXT = "text"
    MARKDOWN = "markdown"
    LATEX = "latex"
    CSV = "csv"


def visible(text: str) -> str:
    """A text that can be shown on a terminal: what would control it is escaped."""
    return HARMFUL.sub(lambda found: ascii(found[0])[1:-1], text)


class PlainConsole(Console):
    """A console on which only our own styles control the terminal."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments to write; those that control the terminal are rich's own."""
        for segment in super().render(renderable, options):
            plain = segment.control is not None or not HARMFUL.search(segment.text)
            yield segment if plain else Segment(visible(segment.text), segment.style)


out = PlainConsole(highlight=False)
err = PlainConsole(stderr=True, highlight=False)
