"""What a command shows: sentences and tables, on the terminal or in a format for documents and programs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rich.console import RenderableType
from rich.text import Text

from kagiya.cli.console import Shown, out
from kagiya.cli.drawing.fitting import Letters, draw_key, draw_tables
from kagiya.cli.drawing.formats import comma_separated, latex, markdown
from kagiya.cli.drawing.table import Table

Part = RenderableType | Table

WRITERS: dict[Shown, Callable[[Sequence[str | Table]], str]] = {
    Shown.MARKDOWN: markdown,
    Shown.LATEX: latex,
    Shown.CSV: comma_separated,
}


def print_page(parts: Sequence[Part], shown: Shown = Shown.TEXT) -> None:
    """On stdout. Formats other than text have sentences and tables, no drawings."""
    if shown is Shown.TEXT:
        for part in draw_page(parts, out.width):
            out.print(part)
        return
    written = [part if isinstance(part, Table) else str(part) for part in parts if isinstance(part, str | Text | Table)]
    out.print(Text(WRITERS[shown](written)), soft_wrap=True)


def draw_page(parts: Sequence[Part], width: int) -> list[RenderableType]:
    """The page for a terminal of this width. Letters stand for the same agents everywhere, also in sentences."""
    tables = [part for part in parts if isinstance(part, Table)]
    drawn, letters = draw_tables(tables, width)
    after = max((place for place, part in enumerate(parts) if isinstance(part, Table)), default=-1)
    page: list[RenderableType] = []
    for place, part in enumerate(parts):
        if isinstance(part, Table) and place and isinstance(parts[place - 1], Table):
            page.append(Text(""))
        page += drawn.pop(0) if isinstance(part, Table) else [_with_letters(part, letters)]
        if place == after and letters:
            page += [Text(""), draw_key(letters), *_space_before(parts[place + 1 :])]
    return page


def _space_before(following: Sequence[Part]) -> list[RenderableType]:
    return [Text("")] if following and str(following[0]) else []


def _with_letters(part: RenderableType, letters: Letters) -> RenderableType:
    """A sentence about agents that the tables call by letters."""
    if not letters or not isinstance(part, Text):
        return part
    longest_first = sorted(letters, key=len, reverse=True)
    pattern = "|".join(rf"(?<![\w-]){re.escape(agent)}(?![\w(-])" for agent in longest_first)
    return Text(re.sub(pattern, lambda found: letters[found[0]], part.plain), part.style)
