"""`kagiya bench envs`: how fast the environments for learners step, beside those of other programs."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from kagiya.cli import options
from kagiya.cli.commands.league import JsonFile
from kagiya.cli.compiling import make_ready
from kagiya.cli.progress import late_bar


def bench_envs(
    seconds: Annotated[float, typer.Option("--seconds", help="For each single measurement.")] = 0.5,
    rounds: Annotated[int, typer.Option("--rounds", help="How often each figure is measured; the median counts.")] = 3,
    json_file: JsonFile = None,
    shown: options.Format = options.Shown.TEXT,
    as_json: options.Json = False,
) -> None:
    """Steps per second of kagiya.rl.Batch, of the drop-in rl_env, of HLE's rl_env and of OpenSpiel, and their ratios.

    Vectors and masks are included, in int8 and 1,024 lanes; CPU time of one core,
    but wall time for two threads. Programs that are not installed are left out.

    [bold]Examples[/]
      kagiya bench envs
      kagiya bench envs --seconds 2 --rounds 5 --json
    """
    from kagiya.agents.register import find_agent
    from kagiya.interop.env_rates import PARTNER, environments, measure_envs
    from kagiya.lab.provenance.result_files import command_line, provenance, write_result

    if seconds <= 0 or rounds < 1:
        raise ValueError("--seconds and --rounds must be above 0")
    make_ready([find_agent(PARTNER)])
    with late_bar("measuring", len(environments()) * rounds) as advance:
        found = measure_envs(seconds, rounds, advance)
    data: dict[str, Any] = {"made": provenance(command_line()), **found}
    if json_file is not None:
        write_result(json_file, data)
    if as_json:
        typer.echo(json.dumps(data))
    else:
        from kagiya.cli.drawing.bench import draw_env_rates
        from kagiya.cli.drawing.page import print_page

        print_page(draw_env_rates(data), shown)
