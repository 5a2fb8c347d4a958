"""Games that a person names on the command line: a file of any format, or a link."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kagiya.cli.console import err

if TYPE_CHECKING:
    from kagiya.engine.record import GameRecord

Games = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A file of games (written by --save, or of another program; see [bold]kagiya convert[/]), or a link.",
        show_default=False,
    ),
]
GameNumber = Annotated[
    int | None, typer.Option("--game", "-g", help="Which game of a file with several, counted from 1.")
]
TRAILING = "moves_after_the_end"
LINK_MARKS = ("://", ",", "hanab.live/")  # enough to tell a link from the name of a file


def read_all(source: str, names: bool = False) -> list[GameRecord]:
    """All games of a file, each checked; what was left out is said."""
    check_readable(source)
    from kagiya.interop.files import read_games

    records = read_games(source, names)
    for number, record in enumerate(records, start=1):
        if count := record.source.get(TRAILING):
            moves = "1 move after the end is" if count == "1" else f"{count} moves after the end are"
            err.print(f"game {number}: {moves} left out", style="dim", markup=False)
    return records


def read_one(source: str, number: int | None = None) -> GameRecord:
    """One game: the only one of a file, or the one that is named."""
    records = read_all(source)
    if number is None and len(records) > 1:
        raise ValueError(f"{source}: there are {len(records)} games in it; choose one with --game 1")
    if number is not None and not 1 <= number <= len(records):
        raise ValueError(f"--game: games are 1 to {len(records)} here, not {number}")
    return records[(number or 1) - 1]


def check_readable(source: str) -> None:
    """A file that cannot be read is not worth compiling."""
    is_file = not any(mark in source for mark in LINK_MARKS) and not source.lstrip().startswith(("{", "["))
    if is_file or Path(source).exists():
        Path(source).open("rb").close()
