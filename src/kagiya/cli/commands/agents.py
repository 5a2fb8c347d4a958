"""`kagiya agents`: who can play, where they come from and what can be set."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kagiya.cli import options
from kagiya.cli.completion import agent_names
from kagiya.cli.console import out

if TYPE_CHECKING:
    from kagiya.agents.api import AgentType


def agents(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="AGENT", autocompletion=agent_names, help="Say everything about these."),
    ] = None,
    shown: options.Format = options.Shown.TEXT,
    as_json: options.Json = False,
) -> None:
    """List all agents with their mean scores; or say everything about some: parameters, source, published scores.

    [bold]Examples[/]
      kagiya agents
      kagiya agents ris-mcts vdb
      kagiya agents --json
    """
    from kagiya.agents.register import agent_types, find_agent

    types = [find_agent(name).type for name in names] if names else list(agent_types().values())
    if as_json:
        typer.echo(json.dumps({"agents": [describe(kind) for kind in types]}))
        return
    from kagiya.cli.drawing.agents import draw_agents, list_agents
    from kagiya.cli.drawing.page import print_page
    from kagiya.lab.contests.measured_league import measured_league

    if names and shown is options.Shown.TEXT:
        out.print(draw_agents(types, measured_league()))
    else:
        print_page(list_agents(types, measured_league()), shown)


def describe(kind: AgentType) -> dict[str, Any]:
    """An agent's label as plain data."""
    from kagiya.lab.contests.measured_league import measured_league
    from kagiya.lab.papers.verdicts import published_figures

    cells = measured_league().rows.get(kind.info.id, {})
    measured = {str(players): {"mean": cell.mean, "se": cell.se} for players, cell in sorted(cells.items())}
    found = {"mark": kind.info.mark, "is_compiled": kind.is_compiled, "is_search": kind.is_search}
    parameters = [asdict(parameter) | {"values": parameter.range_text()} for parameter in kind.info.parameters]
    published = [figure.to_json() for figure in published_figures(kind.info.id)]
    return asdict(kind.info) | found | {"parameters": parameters, "measured": measured, "published": published}
