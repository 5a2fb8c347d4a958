"""`kagiya crossplay`: one of each agent with copies of each other one; `kagiya run`: any experiment from a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kagiya.cli import options
from kagiya.cli.commands.league import JsonFile, player_counts
from kagiya.cli.completion import agent_names
from kagiya.cli.running import (
    Cluster,
    Means,
    StoreFile,
    WorkerCount,
    leave,
    open_store,
    play_into,
    say_what_was_done,
)

if TYPE_CHECKING:
    from kagiya.lab.contests.crossplay import Cell
    from kagiya.lab.contests.experiment import Experiment
    from kagiya.lab.store.queries import GameTally
    from kagiya.lab.store.recording import RunReport


def crossplay(
    agents: Annotated[
        list[str],
        typer.Argument(metavar="AGENT", autocompletion=agent_names, help="Who meets whom.", show_default=False),
    ],
    players: Annotated[str, typer.Option("--players", "-p", help="Numbers of players.")] = "3",
    games: Annotated[int, typer.Option("--games", "-n", help="For each pair, all seats together.")] = 1000,
    seed: options.Seed = 1,
    rules: options.Rules = "standard",
    deals: options.Deals = "own",
    store: StoreFile = None,
    workers: WorkerCount = None,
    cluster: Cluster = None,
    json_file: JsonFile = None,
    shown: options.Format = options.Shown.TEXT,
    as_json: options.Json = False,
) -> None:
    """One of each agent (row) with copies of each other one (column): who gets along with whom.

    The guest takes every seat for an equal share of the games, and all pairs
    play the same decks. Every game is stored; the same command again, after
    Ctrl-C or a crash, computes only what is missing.

    [bold]Examples[/]
      kagiya crossplay careful random
      kagiya crossplay careful random "rules(play-safe)" -p 2,5 --games 10000
      kagiya crossplay careful random --cluster tcp://127.0.0.1:8786 --json
    """
    from kagiya.lab.contests.crossplay import crossplay as matrices
    from kagiya.lab.contests.experiment import Experiment
    from kagiya.lab.provenance.result_files import command_line, provenance, write_result

    counts = tuple(player_counts(players))
    experiment = Experiment(tuple(agents), "one-of", (rules,), counts, games, seed, deals=deals)
    report, cells = play(experiment, Means(workers, cluster, store))
    tables = matrices(cells)
    data = {"made": provenance(command_line()), "seed": seed, "tables": [table.to_json() for table in tables]}
    if json_file is not None:
        write_result(json_file, data)
    if as_json:
        typer.echo(json.dumps(data))
    else:
        from kagiya.cli.drawing.crossplay import draw_crossplay
        from kagiya.cli.drawing.page import print_page

        print_page([draw_crossplay(table) for table in tables], shown)
    leave(report)


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An experiment in TOML.", show_default=False)],
    store: StoreFile = None,
    workers: WorkerCount = None,
    cluster: Cluster = None,
    json_file: JsonFile = None,
    shown: options.Format = options.Shown.TEXT,
    as_json: options.Json = False,
) -> None:
    """Run an experiment from a file, for a minute or a weekend; stop it at will, run it again to go on.

    The file lists the agents and any settings that differ from the defaults:

      agents = ["careful", "random"]
      seatings = "self"   # or one-of, round-robin, all, random (with teams = 10)
      rules = "standard"  # or a list, like players
      players = [2, 3]
      games = 1000        # for each team
      seed = 1
      deals = "own"       # or live: the decks that hanab.live deals by its seeds

    An agent may hold {budget}, for each of budgets = [100, 1000]; time = 0.04
    and late = "warn", "random" or "forfeit" put searches and Python agents on the clock.

    [bold]Examples[/]
      kagiya run experiment.toml
      kagiya run experiment.toml --store here --json
    """
    from kagiya.lab.contests.crossplay import team_of
    from kagiya.lab.contests.experiment_file import read_experiment
    from kagiya.lab.provenance.result_files import command_line, provenance, write_result

    report, cells = play(read_experiment(file), Means(workers, cluster, store))
    rows = [
        {"rules": rules, "players": players, "agents": list(cell), "team": team_of(cell, players), **tally.to_json()}
        for (rules, players, cell), tally in cells.items()
    ]
    done = {"run": report.run, "computed": report.computed, "stored_before": report.stored_before}
    data = {"made": provenance(command_line()), **done, "interrupted": report.interrupted, "rows": rows}
    if json_file is not None:
        write_result(json_file, data)
    if as_json:
        typer.echo(json.dumps(data))
    elif cells:
        from kagiya.cli.drawing.crossplay import draw_teams
        from kagiya.cli.drawing.page import print_page
        from kagiya.cli.drawing.story import rules_lines

        print_page([draw_teams(cells), *rules_lines(rules for rules, _, _ in cells)], shown)
    leave(report)


def play(experiment: Experiment, means: Means) -> tuple[RunReport, dict[Cell, GameTally]]:
    """Play an experiment into the store and count what it has of it."""
    from kagiya.lab.contests.crossplay import tally_cells

    planned = experiment.plan()
    with open_store(means.store) as store:
        report = play_into(store, [plan.match for plan in planned], means)
        say_what_was_done(report, store)
        return report, tally_cells(store, report, planned)
