"""`kagiya bench agents`: how many games of self-play the agents make in a second."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from kagiya.cli import options
from kagiya.cli.commands.league import JsonFile
from kagiya.cli.compiling import make_ready
from kagiya.cli.completion import agent_names
from kagiya.cli.progress import late_bar


def bench_agents(
    agents: Annotated[
        list[str] | None,
        typer.Argument(metavar="[AGENT]...", autocompletion=agent_names, help="Default: all that do not search."),
    ] = None,
    seconds: Annotated[float, typer.Option("--seconds", help="For each single measurement.")] = 0.2,
    rounds: Annotated[int, typer.Option("--rounds", help="How often each rate is measured; the median counts.")] = 3,
    json_file: JsonFile = None,
    shown: options.Format = options.Shown.TEXT,
    as_json: options.Json = False,
) -> None:
    """Games per second of CPU time on one core, in self-play, for 2 to 5 players.

    [bold]Examples[/]
      kagiya bench agents
      kagiya bench agents hanabirs-info infobot --seconds 2
    """
    from kagiya.agents.register import find_agent, prompt_agents
    from kagiya.lab.bench.agent_rates import COUNTS, measure_agents
    from kagiya.lab.provenance.result_files import command_line, provenance, write_result

    if seconds <= 0 or rounds < 1:
        raise ValueError("--seconds and --rounds must be above 0")
    chosen = [find_agent(text) for text in agents or prompt_agents()]
    make_ready(chosen)
    with late_bar("measuring", len(chosen) * len(COUNTS) * rounds) as advance:
        rows = measure_agents(chosen, seconds, rounds, advance)
    data: dict[str, Any] = {"made": provenance(command_line()), "rows": rows}
    if json_file is not None:
        write_result(json_file, data)
    if as_json:
        typer.echo(json.dumps(data))
    else:
        from kagiya.cli.drawing.bench import draw_agent_rates
        from kagiya.cli.drawing.page import print_page

        print_page([draw_agent_rates(rows)], shown)
