"""`kagiya dev pins`: whether the tools that check the code are those it was checked with."""

from pathlib import Path
from typing import Annotated

import typer

from kagiya.cli.console import out


def pins(
    write: Annotated[bool, typer.Option("--write", help="Pin the versions that are installed.")] = False,
    file: Annotated[Path, typer.Option(help="The file of pins.")] = Path("constraints.txt"),
) -> None:
    """Compare the tools that are installed with those pinned in constraints.txt; `make style` begins with it.

    A tool of another version may find what the pinned one does not. Such a
    finding is no defect of the code: install the pinned tools, or take the newest
    ones with [bold]make pins[/] and put right what they find in the same commit.

    [bold]Examples[/]
      kagiya dev pins
      kagiya dev pins --write --file pins.txt
    """
    from kagiya.dev.pins import stale_pins, write_pins

    if write:
        write_pins(file)
    stale = stale_pins(file)
    if not stale:
        out.print(f"every tool is the one pinned in {file}", soft_wrap=True)
        return
    out.print(f"other tools are installed than {file} pins: {', '.join(map(str, stale))}.", soft_wrap=True)
    out.print(
        "What they find below may be due to that, not a defect of the code. The pinned ones come with "
        f"`pip install --constraint {file} --editable .[dev]`; `make pins` renews the pins.",
        soft_wrap=True,
    )
