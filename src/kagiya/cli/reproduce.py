"""`kagiya reproduce`: published scores beside measured ones, with the difference in standard errors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from kagiya.cli import options
from kagiya.cli.compiling import make_ready
from kagiya.cli.console import out
from kagiya.cli.errors import INTERRUPTED, complain
from kagiya.cli.league import JsonFile
from kagiya.cli.progress import late_bar

if TYPE_CHECKING:
    from rich.table import Table

    from kagiya.agents._info import Published
    from kagiya.lab.published import Comparison


def reproduce(
    agents: Annotated[
        list[str] | None, typer.Argument(metavar="AGENT", help="Whose figures; everybody's if none is given.")
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", help="Games for each figure.")] = 20_000,
    seed: options.Seed = 1,
    json_file: JsonFile = None,
    as_json: options.Json = False,
) -> None:
    """Play what the papers played and set our figure beside theirs, by their rules.

    The distance is the difference in combined standard errors, the paper's
    rounding allowed for; within 3 is what chance may do.

    [bold]Examples[/]
      kagiya reproduce vdb
      kagiya reproduce --games 100000 --json-file results/published.json
    """
    from kagiya.agents.register import find_agent
    from kagiya.lab.provenance import command_line, provenance, write_result
    from kagiya.lab.published import published_figures

    figures = published_figures(agents or ())
    if not figures:
        raise ValueError("no published score is known of these agents; see `kagiya agents`")
    make_ready([find_agent(text) for text, _ in figures])
    found = measure(figures, games, seed)
    made = {"made": provenance(command_line()), "games": games, "seed": seed}
    data = {**made, "figures": [comparison.to_json() for comparison in found]}
    if json_file is not None and len(found) == len(figures):
        write_result(json_file, data)
    if as_json:
        typer.echo(json.dumps(data))
    elif found:
        out.print(comparison_table(found))
    if len(found) < len(figures):
        complain(f"interrupted; {len(found)} of {len(figures)} figures were measured, no file was written")
        raise typer.Exit(INTERRUPTED)


def measure(figures: list[tuple[str, Published]], games: int, seed: int) -> list[Comparison]:
    """One match for each figure; those finished before an interruption."""
    from kagiya.lab.published import compare

    found = []
    with late_bar("playing", games * len(figures)) as advance:
        for text, figure in figures:
            comparison = compare(text, figure, games, seed, advance)
            if comparison is None:
                break
            found.append(comparison)
    return found


def comparison_table(found: list[Comparison]) -> Table:
    """Paper and measurement, side by side."""
    from rich.table import Table

    table = Table(box=None, header_style="dim")
    for name in ("agent", "rules", "where"):
        table.add_column(name)
    for name in ("players", "published", "measured", "distance"):
        table.add_column(name, justify="right", no_wrap=True)
    for comparison in found:
        figure, measured = comparison.published, comparison.measured
        style = "" if comparison.is_close else "bold yellow"
        table.add_row(
            f"[bold]{comparison.agent}[/]",
            figure.rules,
            figure.where,
            str(figure.players),
            f"{figure.score:.{figure.decimals}f}",
            f"{measured.mean:.3f} [dim]± {measured.se:.3f}[/]",
            f"{comparison.distance:+.1f} s.e.",
            style=style,
        )
    return table
