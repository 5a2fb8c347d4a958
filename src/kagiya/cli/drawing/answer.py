"""What the store answered: rows and columns of any kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from kagiya.cli.console import visible
from kagiya.cli.drawing.table import Cell, Column, Kind, Table, name_cell

NAMES = ("team", "agent")  # columns that hold agents' texts, wherever they occur
PROSE = ("command",)
SMALL = 0.01  # numbers below it are shown with two digits that count, others with three decimals
NOTHING_SHORT: Mapping[str, int] = {}


def draw_answer(
    columns: Sequence[str],
    rows: Sequence[tuple[Any, ...]],
    leaving: Sequence[str] = (),
    short: Mapping[str, int] = NOTHING_SHORT,
    shares: Sequence[str] = (),
) -> Table:
    """All columns and rows.

    `leaving` lists the columns that give way where they do not fit, in that order; `short` says how many characters of
    a column of hashes are shown; `shares` lists the columns that people read in percent.
    """
    ranks = {name: rank for rank, name in enumerate(leaving, 1)}
    kinds = [_kind(name, [row[place] for row in rows]) for place, name in enumerate(columns)]
    if Kind.NAME not in kinds and Kind.TEXT in kinds:
        kinds[kinds.index(Kind.TEXT)] = Kind.NAME  # what the other columns are about
    pairs = zip(columns, kinds, strict=True)
    table = Table([Column(visible(name), kind, ranks.get(name, 0)) for name, kind in pairs])
    for row in rows:
        cut = [value[: short[name]] if name in short else value for name, value in zip(columns, row, strict=True)]
        table.add(*(_cell(kind, value, name in shares) for name, kind, value in zip(columns, kinds, cut, strict=True)))
    return table


def _kind(name: str, values: Sequence[Any]) -> Kind:
    if any(isinstance(value, int | float) for value in values):
        return Kind.NUMBER
    return Kind.NAME if name in NAMES else Kind.PROSE if name in PROSE else Kind.TEXT


def _cell(kind: Kind, value: Any, is_share: bool) -> Cell:
    if is_share and value is not None:
        return Cell(f"{value:.1%}", value=value)
    if kind is Kind.NAME and isinstance(value, str):
        return name_cell(value)
    return Cell(text_of(value), value="" if value is None else value)


def text_of(value: Any) -> str:
    """A value as people read it."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.2g}" if 0 < abs(value) < SMALL else f"{value:.3f}"
    return f"{value:%Y-%m-%d %H:%M:%S}" if isinstance(value, datetime) else visible(str(value))
