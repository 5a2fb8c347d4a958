"""`kagiya bench deals`: how evenly the searches deal hidden cards, and how fast."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kagiya.cli import options
from kagiya.cli.commands.league import JsonFile
from kagiya.cli.compiling import make_ready
from kagiya.cli.completion import agent_names
from kagiya.cli.progress import late_bar

if TYPE_CHECKING:
    from kagiya.lab.bench.deal_bias import Seating
    from kagiya.lab.bench.deal_report import DealReport

# Agent, rules, players, convention: where drawn cards take the vacated slot, and where they go to the end.
USUAL = (
    ("vdb", "goodman", 4, "none"),
    ("vdb", "goodman", 4, "playable-now"),
    ("smartbot", "hle", 3, "none"),
    ("smartbot", "hle", 3, "playable-now"),
)


def bench_deals(
    agent: Annotated[
        str | None,
        typer.Argument(
            metavar="AGENT",
            autocompletion=agent_names,
            help="Whose games to take positions from; vdb and smartbot if none is given.",
        ),
    ] = None,
    players: options.Players = None,
    rules: options.Rules = "standard",
    convention: Annotated[
        str, typer.Option("--convention", help="How hints are read: none, playable-now or next-seat.")
    ] = "none",
    positions: Annotated[int, typer.Option("--positions", "-n", help="Each from a game of its own.")] = 300,
    samples: Annotated[int, typer.Option("--samples", help="Hands dealt in each position.")] = 20_000,
    seed: options.Seed = 1,
    json_file: JsonFile = None,
    shown: options.Format = options.Shown.TEXT,
    as_json: options.Json = False,
) -> None:
    """How far each way of dealing hidden cards is from giving every consistent hand the same chance.

    Positions are taken at random turns of games; what is filled slot by slot is
    computed exactly, the assignment is sampled. Means over positions ± standard error.

    [bold]Examples[/]
      kagiya bench deals
      kagiya bench deals piers -p 5 --rules goodman --convention playable-now
    """
    from kagiya.lab.bench.deal_report import measure_seating

    if positions < 1 or samples < 2:
        raise ValueError("--positions must be above 0, and --samples above 1")
    if agent is None and (players is not None or rules != "standard" or convention != "none"):
        raise ValueError("--players, --rules and --convention belong to an agent; give one")
    tables = USUAL if agent is None else ((agent, rules, players or options.DEFAULT_PLAYERS, convention),)
    seatings = [seating(*table) for table in tables]
    make_ready([one.agent for one in seatings])
    with late_bar("dealing", positions * len(seatings)) as advance:
        reports = [measure_seating(one, positions, samples, seed, advance) for one in seatings]
    present(reports, {"positions": positions, "samples": samples, "seed": seed}, json_file, None if as_json else shown)


def seating(agent: str, rules: str, players: int, convention: str) -> Seating:
    """The agent in every seat."""
    from kagiya.agents.conventions.playable_now import CONVENTIONS
    from kagiya.agents.register import find_agent
    from kagiya.lab.bench.deal_bias import Seating
    from kagiya.rules import parse_rules

    if convention not in CONVENTIONS:
        raise ValueError(f"--convention is one of {', '.join(CONVENTIONS)}, not {convention!r}")
    return Seating(find_agent(agent), parse_rules(rules, players), convention)


def present(reports: list[DealReport], asked: dict[str, int], json_file: JsonFile, shown: options.Shown | None) -> None:
    """Tables or (None) JSON, and the file if one is wanted."""
    from kagiya.lab.provenance.result_files import command_line, provenance, write_result
    from kagiya.lab.statistics.summary import without_nan

    data: dict[str, Any] = {
        "made": provenance(command_line()),
        **asked,
        "seatings": [without_nan(asdict(report)) for report in reports],
    }
    if json_file is not None:
        write_result(json_file, data)
    if shown is None:
        typer.echo(json.dumps(data))
        return
    from kagiya.cli.drawing.deals import draw_deals
    from kagiya.cli.drawing.page import print_page

    print_page(draw_deals(reports), shown)
