"""`kagiya results`, `sql` and `store`: shows, filters and exports what the store has, asks it anything, repairs it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kagiya.cli import options
from kagiya.cli.console import FAILED, complain, err, write_plain
from kagiya.cli.run_options import late_bar

if TYPE_CHECKING:
    from kagiya.lab.store.queries import GameFilter, QueryResult
    from kagiya.lab.store.store import Store


SHOWN_ROWS = 40
# Where a list is too wide these leave, in this order; never the rules, without which a mean says nothing.
GIVING_WAY = ("git_commit", "outcome", "bombs", "players", "date", "code", "seating", "se")
SHARES = ("bombs",)
SHORT_CODE = 7  # characters of a hash that people need
DETAILS = ("newest", "terms", "first_seed", "kagiya", "ended")  # for --all and for machines

Export = Annotated[
    Path | None, typer.Option("--export", help="Write the games to this file: CSV, Parquet or JSON by its ending.")
]
Everything = Annotated[
    bool, typer.Option("--all", help=f"All lines, not only the first {SHOWN_ROWS}, and all columns.")
]


def results(
    agent: Annotated[str | None, typer.Option("--agent", "-a", help="Only teams with this agent.")] = None,
    players: Annotated[int | None, typer.Option("--players", "-p", help="Only games with N players.")] = None,
    rules: Annotated[str | None, typer.Option("--rules", "-r", help="Only by these rules.")] = None,
    run: Annotated[int | None, typer.Option("--run", help="Only what belongs to this run.")] = None,
    crossplay: Annotated[
        bool, typer.Option("--crossplay", help="As matrices: the mean of each guest (row) among copies of each host.")
    ] = False,
    runs: Annotated[bool, typer.Option("--runs", help="List the runs: when, what, by which versions.")] = False,
    game: Annotated[
        str | None, typer.Option("--game", metavar="SEATING/SEED", help="Show one game, or write it with --save.")
    ] = None,
    save: options.Save = None,
    export: Export = None,
    everything: Everything = False,
    older: Annotated[bool, typer.Option("--older", help="Also games that older code played.")] = False,
    store: options.StoreFile = None,
    shown: options.Format = options.TableFormat.TEXT,
    as_json: options.Json = False,
) -> None:
    """What the store has: a line for each team, the runs, single games; or the games themselves, in a file.

    Of each team, the games of the code that played last; [bold]--older[/] adds those of earlier code, and
    [bold]--run[/] shows all that a run consists of.

    [bold]Examples[/]
      kagiya results
      kagiya results --agent careful --players 3 --json
      kagiya results --crossplay --players 3
      kagiya results --runs
      kagiya results --agent careful --export games.parquet
      kagiya results --game 1/42 --save game.json    then: kagiya replay game.json
    """
    from kagiya.lab.store.queries import GameFilter, count_older, list_runs, list_seatings
    from kagiya.lab.store.store import Store

    chosen = GameFilter(rules, players, None if agent is None else options.stored_text(agent), run, older=older)
    options.check_writable(save or export)
    with Store.read(store, export) as opened:
        if game is not None:
            show_game(opened, game, save, as_json)
        elif crossplay:
            show_crossplay(opened, chosen, options.Output(shown, as_json))
        elif export is not None:
            export_games(opened, chosen, export)
        else:
            found = list_runs(opened) if runs else list_seatings(opened, chosen)
            present(found, everything, None if as_json else shown, DETAILS)
            say_what_is_older(0 if runs else count_older(opened.catalog, chosen))


def sql(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="In DuckDB's SQL.", show_default=False)],
    export: Export = None,
    everything: Everything = False,
    store: options.StoreFile = None,
    shown: options.Format = options.TableFormat.TEXT,
    as_json: options.Json = False,
) -> None:
    """Ask the store anything; it cannot be changed this way.

    Views: games, seatings (of each team, the games of the code that played last), games_all, seatings_all (of any
    code); tables: run, part, chunk, late. [bold]DESCRIBE games[/] lists the columns.

    [bold]Examples[/]
      kagiya sql "SELECT rules, team, avg(score) FROM games GROUP BY ALL"
      kagiya sql "SELECT score, count(*) FROM games GROUP BY 1 ORDER BY 1" --json
      kagiya sql "DESCRIBE games"
    """
    from kagiya.lab.store.queries import ask, export_query
    from kagiya.lab.store.store import Store

    options.check_writable(export)
    with Store.read(store, export) as opened, late_bar("asking", None):
        if export is not None:
            export_query(opened, query, export)
        else:
            answer = ask(opened, query)
    if export is None:
        present(answer, everything, None if as_json else shown)


def say_what_is_older(seatings: int) -> None:
    """A line on stderr about the teams that are not shown, if there are some."""
    if seatings:
        err.print(f"older code played {seatings:,} of these teams as well; --older shows them", style="dim")


def show_game(store: Store, name: str, save: Path | None, as_json: bool) -> None:
    """One game, played again."""
    from kagiya.cli.commands.show import ShowOptions, present as present_game, save_record
    from kagiya.cli.run_options import make_ready
    from kagiya.lab.replayed_decisions import stamped

    make_ready([])
    seating, seed = read_game(name)
    record = stamped(store.record(seating, seed), store.catalog.seatings[seating]["code"])
    if save is None or as_json:
        present_game(record, ShowOptions(eyes=None, brief=True), as_json)
    save_record(record, save)


def show_crossplay(store: Store, chosen: GameFilter, output: options.Output) -> None:
    """A matrix for each rules and number of players."""
    from kagiya.cli.contest_tables import draw_crossplay
    from kagiya.lab.tournament import stored_crossplay

    tables = stored_crossplay(store, chosen)
    output.present(
        lambda: {"tables": [table.to_json() for table in tables]}, lambda: [draw_crossplay(table) for table in tables]
    )
    if not tables:
        err.print("no agent played with copies of another; kagiya crossplay does that", style="dim")


def read_game(name: str) -> tuple[int, int]:
    """Seating and seed of ``1/42``."""
    seating, _, seed = name.partition("/")
    if not (seating.isdecimal() and seed.isdecimal()):
        raise ValueError(f"a game is named by its seating and its seed, like 1/42, not {name!r}")
    return int(seating), int(seed)


def export_games(store: Store, chosen: GameFilter, path: Path) -> None:
    """All games that pass the filter."""
    from kagiya.lab.store.queries import export_query, games_query

    with late_bar("writing", None):
        count = export_query(store, games_query(store, chosen), path)
    err.print(f"{count:,} games in {path}", style="dim")


def present(
    answer: QueryResult, everything: bool, shown: options.TableFormat | None, details: Sequence[str] = ()
) -> None:
    """The answer on stdout, None: as JSON. Details are for `--all`, and for formats that programs read."""
    if shown is None:
        write_plain(json.dumps(answer.to_json(), allow_nan=False))
        return
    if not answer.rows:
        err.print("nothing found", style="dim")
        return
    from kagiya.cli import text_table

    everything = everything or shown is options.TableFormat.CSV
    rows = answer.rows if everything else answer.rows[:SHOWN_ROWS]
    kept = answer if everything else answer.without(details)
    short = {"code": SHORT_CODE} if details and not everything else {}
    leaving = GIVING_WAY if details and not everything else ()  # columns that were asked for stay
    shares = SHARES if details else ()
    table = text_table.draw_answer(kept.columns, kept.rows[: len(rows)], leaving, short, shares)
    played = [row[answer.columns.index("rules")] for row in rows] if details and "rules" in answer.columns else []
    text_table.print_page([table, *text_table.rules_lines(played)], shown)
    if len(rows) < len(answer.rows):
        err.print(f"and {len(answer.rows) - len(rows):,} more; --all shows them", style="dim")


HELP = """Check or repair a store.

[bold]Examples[/]
  kagiya store check
  kagiya store repair --store here
"""
store = typer.Typer(no_args_is_help=True, rich_markup_mode="rich", help=HELP)


def place(chosen: Path | None) -> Path:
    """The store that was named, or the usual one."""
    from kagiya.lab.store.store import default_store

    return default_store() if chosen is None else chosen


@store.command()
def check(store: options.StoreFile = None, as_json: options.Json = False) -> None:
    """Read every file of a store and say what is damaged; nothing is changed.

    [bold]Examples[/]
      kagiya store check
      kagiya store check --store here --json
    """
    from kagiya.lab.store.repair import check_store

    found = check_store(place(store))
    faults = list(found.sentences())
    if as_json:
        write_plain(json.dumps({"games": found.games, "faults": faults, "unlisted": list(map(str, found.unlisted))}))
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
def repair(store: options.StoreFile = None, as_json: options.Json = False) -> None:
    """Make a damaged store usable again: damaged files are kept in its folder [bold]damaged[/], the rest goes on.

    No experiment may be writing to the store. Games that are lost are played again by the command that made them.

    [bold]Examples[/]
      kagiya store repair --store here
    """
    from kagiya.lab.store.repair import repair_store

    done = repair_store(place(store))
    if as_json:
        data = {"games": done.games, "recovered": done.recovered, "lost": done.lost}
        write_plain(json.dumps({**data, "aside": list(map(str, done.aside))}))
    for path in done.aside:
        err.print(f"kept aside: {path}", soft_wrap=True)
    err.print(f"{done.games:,} games are in the store, {done.recovered:,} of them recovered; {done.lost:,} are lost")
