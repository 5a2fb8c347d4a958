"""What the store answered: rows and columns of any kind."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from rich.table import Table
from rich.text import Text

from kagiya.cli.console import visible


def draw_answer(columns: Sequence[str], rows: Sequence[tuple[Any, ...]], hidden: Sequence[str]) -> Table:
    """A plain table without the hidden columns; numbers to the right."""
    table = Table(box=None, header_style="dim")
    places = [place for place, name in enumerate(columns) if name not in hidden]
    for place in places:
        is_number = isinstance(rows[0][place], int | float)
        table.add_column(Text(visible(columns[place])), justify="right" if is_number else "left", no_wrap=is_number)
    for row in rows:
        table.add_row(*(Text(text_of(row[place])) for place in places))
    return table


def text_of(value: Any) -> str:
    """A value as people read it."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1 else f"{value:.3f}"
    return f"{value:%Y-%m-%d %H:%M:%S}" if isinstance(value, datetime) else visible(str(value))
