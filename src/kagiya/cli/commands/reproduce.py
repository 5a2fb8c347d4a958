"""`kagiya reproduce`: published scores beside measured ones, with the difference in standard errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kagiya.cli import options
from kagiya.cli.commands.league import JsonFile
from kagiya.cli.commands.reproduce_tables import choose_tables, list_tables, reproduce_tables
from kagiya.cli.compiling import make_ready
from kagiya.cli.console import out
from kagiya.cli.errors import INTERRUPTED, complain
from kagiya.cli.progress import late_bar

if TYPE_CHECKING:
    from kagiya.agents._info import Published
    from kagiya.lab.papers.published import MeasuredFigure

DEFAULT_GAMES = 20_000


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Agents, for their own figures (everybody's if none is given), or tables."),
    ] = None,
    games: Annotated[
        int | None, typer.Option("--games", "-n", help="Games for each figure. Default: 20000, or what the table says.")
    ] = None,
    seed: options.Seed = 1,
    tables: Annotated[bool, typer.Option("--tables", help="All tables of the papers.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="The tables: cells, runnable, waiting, last result.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Measure a table's cells again that are measured.")] = False,
    folder: Annotated[
        Path, typer.Option(help="Where results/ is, and reproductions/ if the tables are your own.")
    ] = Path(),
    json_file: JsonFile = None,
    as_json: options.Json = False,
) -> None:
    """Play what the papers played and set our figure beside theirs, by their rules.

    The distance is the difference in combined standard errors, the paper's
    rounding allowed for; within 3 is what chance may do. A table keeps each
    finished match in results/reproductions, also at Ctrl-C, and goes on from
    there; [bold]kagiya report[/] writes the page.

    [bold]Examples[/]
      kagiya reproduce vdb
      kagiya reproduce --games 100000 --json-file results/published.json
      kagiya reproduce --list
      kagiya reproduce brooks-2 brooks-3
      kagiya reproduce --tables --games 50000
    """
    if listed:
        list_tables(folder, as_json)
        return
    if chosen := choose_tables(names or [], tables, folder):
        reproduce_tables(chosen, folder, games, seed, fresh, as_json)
        return
    reproduce_figures(names or [], DEFAULT_GAMES if games is None else games, seed, json_file, as_json)


def reproduce_figures(agents: list[str], games: int, seed: int, json_file: Path | None, as_json: bool) -> None:
    """The figures that the agents' own labels carry."""
    from kagiya.agents.register import find_agent
    from kagiya.lab.papers.published import published_figures
    from kagiya.lab.provenance.result_files import command_line, provenance, write_result

    figures = published_figures(agents)
    if not figures:
        raise ValueError("no published score is known of these agents; see `kagiya agents`")
    make_ready([find_agent(text) for text, _ in figures])
    found = measure(figures, games, seed)
    made = {"made": provenance(command_line()), "games": games, "seed": seed}
    data = {**made, "figures": [measured_figure.to_json() for measured_figure in found]}
    if json_file is not None and len(found) == len(figures):
        write_result(json_file, data)
    if as_json:
        typer.echo(json.dumps(data))
    elif found:
        from kagiya.cli.drawing.papers import draw_figures

        out.print(draw_figures(found))
    if len(found) < len(figures):
        complain(f"interrupted; {len(found)} of {len(figures)} figures were measured, no file was written")
        raise typer.Exit(INTERRUPTED)


def measure(figures: list[tuple[str, Published]], games: int, seed: int) -> list[MeasuredFigure]:
    """One match for each figure; those finished before an interruption."""
    from kagiya.lab.papers.published import measure_figure

    found = []
    with late_bar("playing", games * len(figures)) as advance:
        for text, figure in figures:
            measured_figure = measure_figure(text, figure, games, seed, advance)
            if measured_figure is None:
                break
            found.append(measured_figure)
    return found
