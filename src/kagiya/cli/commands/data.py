"""`kagiya analyse`, `agree`, `who`, `convert` and `dataset`: recorded games summed up, compared, converted, as rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import kagiya
from kagiya.cli import options
from kagiya.cli.console import err, out, write_plain
from kagiya.cli.run_options import late_bar, make_ready
from kagiya.spec import parse_spec

if TYPE_CHECKING:
    from kagiya.interop.dataset import GameSource


@options.grouped
def analyse(source: options.Games, skip_bad: options.SkipBad = None, *, output: options.Output) -> None:
    """What recorded games come to, as for matches: scores, who lost the points and how, pace, efficiency.

    Games by different rules are told apart. The players may have been people or other programs; the file may be of any
    format that [bold]kagiya convert[/] reads.

    [bold]Examples[/]
      kagiya analyse game.json
      kagiya analyse game.json --format markdown
      kagiya analyse game.json --json
    """
    from kagiya.interop.files import SkippedGames

    records = options.read_all(source, skipped=(skipped := SkippedGames(skip_bad)))
    options.say_skipped(skipped)
    from kagiya.cli.contest_tables import draw_analysis
    from kagiya.lab.review import opinions

    with late_bar("analysing", None):
        found = opinions.analyse(records)
    output.present(
        lambda: [each.to_json() for each in found], lambda: [part for each in found for part in draw_analysis(each)]
    )


@options.grouped
def agree(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="Who is asked, in every seat.", show_default=False)],
    source: options.Games,
    skip_bad: options.SkipBad = None,
    *,
    output: options.Output,
) -> None:
    """How often an agent, in each seat and after the same moves, makes the move that was made.

    It is asked at every turn as if it sat in that seat and had heard all moves before, and never plays.

    [bold]Examples[/]
      kagiya agree smartbot game.json
      kagiya agree "rules(play-safe, discard-oldest)" game.json --json
    """
    from kagiya.interop.files import SkippedGames

    chosen, skipped = kagiya.find_agent(agent), SkippedGames(skip_bad)
    records = skipped.fitting(options.read_all(source, skipped=skipped), lambda record: chosen.why_not(record.rules))
    options.say_skipped(skipped)
    make_ready([chosen])
    from kagiya.cli.contest_tables import draw_agreement
    from kagiya.lab.review.opinions import agreement

    with late_bar("asking", len(records)) as advance:
        found = agreement(records, chosen, advance)
    output.present(found.to_json, lambda: draw_agreement(found, chosen.info.mark))


@options.grouped
def who(
    sources: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="Files of games, or links, as [bold]kagiya convert[/] reads them."),
    ],
    agents: Annotated[
        str, typer.Option(help="Ask these, with commas between. Default: every compiled agent but the searches.")
    ] = "",
    names: Annotated[bool, typer.Option("--names", help="Tell players apart by name, not by seat.")] = False,
    *,
    output: options.Output,
) -> None:
    """Which agents the players of recorded games play like.

    Every agent is asked what it would have done at each turn, with what the player saw. The posterior is by the exact
    likelihood, as in the search `ally`: a tenth of the moves may be any. "Explained" is the share of moves that are
    most likely the agent's own, the rest being any legal ones; below half, a player is like nobody. "Behind" counts
    nats. The last table takes all players for one: `ally(seen=FILE)` begins with that posterior over its policies.

    [bold]Examples[/]
      kagiya who game.json
      kagiya who game.json --agents "careful, vdb, risky(threshold=0.6)"
      kagiya who game.json --json
    """
    records = [record for source in sources for record in options.read_all(source, names)]
    asked, left_out = candidates(agents, list(dict.fromkeys(record.rules for record in records)))
    make_ready(asked)
    from kagiya.cli.contest_tables import draw_styles
    from kagiya.search.player_styles import player_styles

    with late_bar("asking", len(records)) as advance:
        found = player_styles(records, asked, advance)
    told = {"agents": [agent.text for agent in asked], "left_out": left_out}
    output.present(lambda: told | {"players": [each.to_json() for each in found]}, lambda: draw_styles(found, left_out))


def candidates(text: str, rules: list[kagiya.Rules]) -> tuple[list[kagiya.Agent], dict[str, str]]:
    """The agents that are asked who is like them, and why others are not; one that was asked for must be able to."""
    from kagiya.search.ally_likelihood import ZOO, checked_policy, named_policies

    listed = parse_spec(f"list({text})").values if text.strip() else ()
    able = [checked_policy(kagiya.find_agent(str(each)).text, "who") for each in listed] or named_policies(ZOO)
    left_out = {agent.text: reason for agent in able for each in rules if (reason := agent.why_not(each))}
    if listed and left_out:
        raise ValueError(next(iter(left_out.values())))
    for agent in able if listed else ():
        kagiya.Table(rules[0], [agent]).start_game(0)  # which inspects the user's own
    return [agent for agent in able if agent.text not in left_out], left_out


STDOUT = "-"


def convert(
    source: options.Games,
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
    skip_bad: options.SkipBad = None,
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
        options.check_writable(Path(out))
    from kagiya.interop.files import SkippedGames, games_content, write_games

    skipped = SkippedGames(skip_bad)
    records = options.read_all(source, names, skipped)
    number = len(records) + skipped.reasons.total()
    if out == STDOUT:
        content = games_content(records, form or "lines", names, skipped)
        if form == "safetensors":
            raise ValueError("arrays are not written to a terminal: name a file")
        write_plain(content.decode(), end="")
    else:
        write_games(records, out, form, names, skipped)
        number -= skipped.reasons.total()
        err.print(f"{number:,} game{'' if number == 1 else 's'} written: {out}", style="dim", markup=False)
    options.say_skipped(skipped)


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
    store: options.StoreFile = None,
    kind: Annotated[str, typer.Option(help="minimal, card-knowledge, seer or belief (floats).")] = "card-knowledge",
    own_hand: Annotated[
        bool, typer.Option("--own-hand", help="Add the player's own hand, for learning beliefs.")
    ] = False,
    packed: Annotated[
        bool, typer.Option("--packed", help="Vectors as bits, eight in a byte: smaller, for our loader.")
    ] = False,
    skip_bad: options.SkipBad = None,
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
    from kagiya.interop.files import SkippedGames
    from kagiya.lab.store.store import Store
    from kagiya.rl.encoding import Encoding

    need_pyarrow()
    if sum((bool(agents), source is not None, seating is not None)) > 1:
        raise ValueError("games are played by agents, read --from a file or taken from a --seating: give one of them")
    encoding = Encoding(kind, "packed" if packed else "float32" if kind == "belief" else "int8")
    if source is not None:
        skipped = SkippedGames(skip_bad)
        chosen: GameSource = FileGames(source, skipped)
        options.say_skipped(skipped)
    elif seating is not None:
        chosen = StoredGames(Store.read(store), seating)
    else:
        parsed, seated = options.read_seating(agents or ["careful"], players, rules)
        make_ready(seated)
        chosen = FreshGames(parsed, seated, games, seed)
    with late_bar("writing", chosen.games) as advance:
        card = write_dataset(folder, chosen, encoding, own_hand, advance)
    if as_json:
        write_plain(json.dumps(card))
        return
    out.print(f"{card['games']:,} games of {card['entries']} entries a vector: {folder}", markup=False)
