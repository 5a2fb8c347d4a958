"""`kagiya bench web`: how quick the web table is with many visitors."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from kagiya.cli import options
from kagiya.cli.commands.league import JsonFile
from kagiya.cli.compiling import make_ready
from kagiya.cli.progress import late_bar


def bench_web(
    tables: Annotated[int, typer.Option("--tables", help="Tables at once, of one person and two agents.")] = 100,
    seconds: Annotated[float, typer.Option("--seconds", help="Of play, for each measurement.")] = 20.0,
    opened: Annotated[int, typer.Option("--opened", help="Tables to open and leave.")] = 1_000,
    json_file: JsonFile = None,
    shown: options.Format = options.Shown.TEXT,
    as_json: options.Json = False,
) -> None:
    """How long a move at the web table takes to be answered: at one table, at many, and while two searches think.

    A server in a process of its own, a move every 2 s at each table; also its
    CPU time and memory, the bytes of the first page, and how long its loop is held.

    [bold]Examples[/]
      kagiya bench web --tables 20 --seconds 10 --opened 100 --json
    """
    from kagiya.agents.register import find_agent
    from kagiya.lab.provenance.result_files import command_line, provenance, write_result
    from kagiya.web.bench.report import AGENTS, STAGES, measure

    if tables < 1 or seconds <= 0 or opened < 1:
        raise ValueError("--tables, --seconds and --opened must be above 0")
    make_ready([find_agent(name) for name in AGENTS])
    with late_bar("measuring", STAGES) as advance:
        report = measure(tables, seconds, opened, lambda _: advance(1))
    data: dict[str, Any] = {"made": provenance(command_line()), "seconds": seconds, **report.to_json()}
    if json_file is not None:
        write_result(json_file, data)
    if as_json:
        typer.echo(json.dumps(data))
    else:
        from kagiya.cli.drawing.page import print_page
        from kagiya.cli.drawing.web import draw_web

        print_page(draw_web(report), shown)
