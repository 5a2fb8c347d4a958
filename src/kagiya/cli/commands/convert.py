"""`kagiya convert`: games from one file format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kagiya.cli.console import err
from kagiya.cli.records import Games, read_all
from kagiya.cli.seating import check_writable

STDOUT = "-"


def convert(
    source: Games,
    out: Annotated[
        str, typer.Argument(metavar="OUT", help="The file to write, or - for the terminal.", show_default=False)
    ],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="kagiya, lines, live (hanab.live's JSON), link, hle (HLE's numbers) or safetensors. Default: by the "
            "ending of OUT: .json kagiya, .jsonl lines, .txt link, .safetensors.",
        ),
    ] = "",
    names: Annotated[bool, typer.Option("--names", help="Keep the players' names.")] = False,
) -> None:
    """Read games of any format and write them in another; every move is played again and checked.

    What a file is, its contents say: our JSON, one game or one on each line; hanab.live's JSON or links; decks and
    actions by the numbers of the Hanabi Learning Environment; the arrays of the open human data (AH2AC2). A game by
    rules that we or the other format do not have is refused by its name, and nothing is written.

    [bold]Examples[/]
      kagiya convert game.json game.txt                      a hanab.live link
      kagiya convert game.json exported.json --format live   hanab.live's JSON
      kagiya convert game.json games.safetensors
      kagiya convert game.json - --format hle
    """
    if out != STDOUT:
        check_writable(Path(out))
    records = read_all(source, names)
    from kagiya.interop.files.writing import games_content, write_games

    if out == STDOUT:
        content = games_content(records, form or "lines", names)
        if form == "safetensors":
            raise ValueError("arrays are not written to a terminal: name a file")
        typer.echo(content.decode(), nl=False)
        return
    write_games(records, out, form, names)
    err.print(f"{len(records):,} game{'' if len(records) == 1 else 's'} written: {out}", style="dim", markup=False)
