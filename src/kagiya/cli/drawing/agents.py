"""The list of agents, by family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from kagiya.agents._base import AgentType, CompiledAgent
from kagiya.agents._info import AgentInfo, Parameter
from kagiya.cli.drawing.cards import QUIET
from kagiya.cli.drawing.results import published_lines
from kagiya.lab.papers.figures import published_figures


def draw_agents(types: Sequence[AgentType]) -> RenderableType:
    """Every agent under the heading of its family."""
    ordered = sorted(types, key=lambda kind: (kind.info.family, kind.info.id))
    parts: list[RenderableType] = []
    for family, members in groupby(ordered, key=lambda kind: kind.info.family):
        parts.append(Rule(Text(family, "bold"), align="left", style=QUIET))
        parts += [part for kind in members for part in draw_agent(kind)]
    return Group(*parts)


def draw_agent(kind: AgentType) -> Iterator[RenderableType]:
    """One agent: its id and summary, and what else its label says."""
    info = kind.info
    yield Text.assemble((info.id, "bold green"), f"  {info.summary}", (_mark(info), "bold yellow"))
    language = "compiled" if isinstance(kind, CompiledAgent) else "Python"
    yield Padding(Text(f"{info.paper}; {language}; {_players(info.players)} players", QUIET), (0, 0, 0, 4))
    if info.parameters:
        yield Padding(_parameters(info.parameters), (0, 0, 0, 4))
    yield from (Padding(line, (0, 0, 0, 4)) for line in published_lines(published_figures(info.id)))
    yield Text("")


def _mark(info: AgentInfo) -> str:
    return f"  ({info.mark})" if info.mark else ""


def _players(players: Sequence[int]) -> str:
    if list(players) == list(range(players[0], players[-1] + 1)) and len(players) > 1:
        return f"{players[0]}-{players[-1]}"
    return ", ".join(map(str, players))


def _parameters(parameters: Sequence[Parameter]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    for parameter in parameters:
        value = parameter.default if isinstance(parameter.default, str) else f"{parameter.default:g}"
        table.add_row(Text(f"{parameter.name}={value}", "bold"), Text(parameter.range_text(), QUIET), parameter.meaning)
    return table
