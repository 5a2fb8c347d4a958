"""`kagiya store`: checks and repairs a store, and takes over one of an earlier version."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from kagiya.cli import options
from kagiya.cli.console import err
from kagiya.cli.errors import FAILED, complain
from kagiya.cli.running import StoreFile

HELP = """Check, repair or convert a store.

[bold]Examples[/]
  kagiya store check
  kagiya store repair --store here
"""
store = typer.Typer(no_args_is_help=True, rich_markup_mode="rich", help=HELP)


def place(chosen: Path | None) -> Path:
    """The store that was named, or the usual one."""
    from kagiya.lab.store.opening import default_store

    return default_store() if chosen is None else chosen


@store.command()
def check(store: StoreFile = None, as_json: options.Json = False) -> None:
    """Read every file of a store and say what is damaged; nothing is changed.

    [bold]Examples[/]
      kagiya store check
      kagiya store check --store here --json
    """
    from kagiya.lab.store.repair import check_store

    found = check_store(place(store))
    faults = list(found.sentences())
    if as_json:
        typer.echo(json.dumps({"games": found.games, "faults": faults, "unlisted": list(map(str, found.unlisted))}))
    for fault in faults:
        complain(fault)
    err.print(f"{found.games:,} games in {len(found.catalog.files):,} files of {found.folder.path}", style="dim")
    if found.unlisted:
        text = f"{len(found.unlisted):,} files are not in the journal (merged, or left by a killed process)"
        err.print(f"{text}; they are deleted when they are an hour old", style="dim")
    if faults:
        complain("`kagiya store repair` keeps damaged files aside and recovers what is complete")
        raise typer.Exit(FAILED)


@store.command()
def repair(store: StoreFile = None, as_json: options.Json = False) -> None:
    """Make a damaged store usable again: damaged files are kept in its folder [bold]damaged[/], the rest goes on.

    No experiment may be writing to the store. Games that are lost are played again by the command that made them.

    [bold]Examples[/]
      kagiya store repair --store here
    """
    from kagiya.lab.store.repair import repair_store

    done = repair_store(place(store))
    if as_json:
        data = {"games": done.games, "recovered": done.recovered, "lost": done.lost}
        typer.echo(json.dumps({**data, "aside": list(map(str, done.aside))}))
    for path in done.aside:
        err.print(f"kept aside: {path}", soft_wrap=True)
    err.print(f"{done.games:,} games are in the store, {done.recovered:,} of them recovered; {done.lost:,} are lost")


@store.command()
def convert(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The DuckDB file of an earlier version.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The folder to make.")],
) -> None:
    """Take over the games of a store that an earlier version wrote, one DuckDB file; the old file stays.

    [bold]Examples[/]
      kagiya store convert old.duckdb new
    """
    from kagiya.lab.store.repair import convert_store

    count = convert_store(old, new)
    err.print(f"{count:,} games in {new}; {old} is as it was", soft_wrap=True)
