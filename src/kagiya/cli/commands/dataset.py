"""`kagiya dataset`: games as rows for learners."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kagiya.cli import options
from kagiya.cli.compiling import make_ready
from kagiya.cli.console import out
from kagiya.cli.progress import late_bar
from kagiya.cli.running import StoreFile
from kagiya.cli.seating import read_seating

if TYPE_CHECKING:
    from kagiya.interop.dataset.sources import Source


def need_pyarrow() -> None:
    """Parquet is written by pyarrow."""
    from importlib.util import find_spec

    if find_spec("pyarrow") is None:
        raise ValueError("data sets need pyarrow: pip install 'kagiya[data]'")


def dataset(
    folder: Annotated[Path, typer.Argument(help="The folder to write to.", show_default=False)],
    agents: Annotated[
        list[str] | None, typer.Argument(help="Who plays: one agent for all seats, or one for each.")
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", help="How many games are played.", min=1)] = 1_000,
    players: options.Players = None,
    rules: options.Rules = "standard",
    seed: options.Seed = 1,
    source: Annotated[Path | None, typer.Option("--from", help="The games of this file instead.")] = None,
    seating: Annotated[int | None, typer.Option(help="The stored games of this seating instead.")] = None,
    store: StoreFile = None,
    kind: Annotated[str, typer.Option(help="minimal, card-knowledge, seer or belief (floats).")] = "card-knowledge",
    own_hand: Annotated[
        bool, typer.Option("--own-hand", help="Add the player's own hand, for learning beliefs.")
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Write every decision of many games as Parquet: vector, legal moves, action, reward and return.

    Vectors and actions are those of the Hanabi Learning Environment (docs/observation.md). Shards are written one by
    one; after an interruption the same command goes on. `kagiya.interop.dataset.Dataset` reads them.

    [bold]Examples[/]
      kagiya dataset data smartbot --games 10000
      kagiya dataset data --from game.json --own-hand
    """
    from kagiya.interop.dataset import FileGames, FreshGames, StoredGames, write_dataset
    from kagiya.lab.store.store import Store
    from kagiya.rl.encoding import Encoding

    need_pyarrow()
    if sum((bool(agents), source is not None, seating is not None)) > 1:
        raise ValueError("games are played by agents, read --from a file or taken from a --seating: give one of them")
    encoding = Encoding(kind, "float32" if kind == "belief" else "packed")
    if source is not None:
        chosen: Source = FileGames(source)
    elif seating is not None:
        chosen = StoredGames(Store.read(store), seating)
    else:
        parsed, seated = read_seating(agents or ["careful"], players, rules)
        make_ready(seated)
        chosen = FreshGames(parsed, seated, games, seed)
    with late_bar("writing", chosen.games) as advance:
        card = write_dataset(folder, chosen, encoding, own_hand, advance)
    if as_json:
        typer.echo(json.dumps(card))
        return
    out.print(f"{card['games']:,} games of {card['entries']} entries a vector: {folder}", markup=False)
