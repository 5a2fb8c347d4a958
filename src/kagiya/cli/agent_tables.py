"""The lists of agents and of tactics, a line for each, and everything about one agent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from kagiya.agents.api import AgentInfo, AgentType, Parameter
from kagiya.agents.tactics.vocabulary import Tactic
from kagiya.cli.card_text import QUIET
from kagiya.cli.contest_tables import published_lines
from kagiya.cli.text_table import ColumnKind, Part, TextColumn, TextTable, mean_cell, name_cell, number_cell
from kagiya.lab.league import MeasuredLeague
from kagiya.lab.papers.verdicts import published_figures

MAX_LINES = 8  # of published scores


def list_agents(types: Sequence[AgentType], league: MeasuredLeague) -> list[Part]:
    """A line for each agent, the highest mean first; searches, which the league leaves out, at the end."""
    table = TextTable(
        [
            TextColumn("agent", ColumnKind.NAME),
            TextColumn("mean"),
            TextColumn("what it does", ColumnKind.LINE, least=50),
            TextColumn("family", ColumnKind.TEXT, leaves=1),
            TextColumn("source", ColumnKind.TEXT, leaves=2),
        ]
    )
    means = {kind.info.id: league.mean(kind.info.id) for kind in types}
    for kind in sorted(types, key=lambda kind: -1.0 if (mean := means[kind.info.id]) is None else mean, reverse=True):
        info = kind.info
        name = name_cell(info.id, " *" if info.mark else "")
        table.add(name, number_cell(means[info.id], 2), info.summary, info.family, info.paper)
    played = f"{league.rules}: {league.caption}; {league.games:,} games for each number of players, {league.date}"
    notes = [
        f"mean: self-play, over the numbers of players that it can play with ({played})",
        "- searches are not in the league: their games take seconds, and their scores depend on the agent inside",
        "* sees what no player may",
    ]
    return [table, Text(""), *(Text(note, QUIET) for note in notes), Text("kagiya agents NAME says more about one")]


def draw_agents(types: Sequence[AgentType], league: MeasuredLeague) -> RenderableType:
    """Everything about some agents."""
    return Group(*(part for kind in types for part in draw_agent(kind, league)))


def draw_agent(kind: AgentType, league: MeasuredLeague) -> Iterator[RenderableType]:
    """One agent: its id and summary, and what else its label says."""
    info = kind.info
    yield Text.assemble((info.id, "bold green"), f"  {info.summary}", (_mark(info), "bold yellow"))
    language = "compiled" if kind.is_compiled else "Python"
    about = f"{info.family}; {info.paper}; {language}; {_players(info.players)} players"
    yield Padding(Text(about, QUIET), (0, 0, 0, 4))
    if info.parameters:
        yield Padding(_parameters(info.parameters), (0, 0, 0, 4))
    if cells := league.rows.get(info.id):
        each = ((n, mean_cell(cell.mean, cell.se)) for n, cell in sorted(cells.items()))
        means = ", ".join(f"{mean.text}{mean.error} ({n} players)" for n, mean in each)
        yield Padding(Text(f"measured: {means}; rules {league.rules}, {league.games:,} games each"), (0, 0, 0, 4))
    yield from (Padding(line, (0, 0, 0, 4)) for line in _published(info.id))
    yield Text("")


def _published(agent: str) -> Iterator[Text]:
    """What was printed of an agent; of searches, which were tried with many settings, the first few."""
    lines = list(published_lines(published_figures(agent)))
    yield from lines[:MAX_LINES]
    if len(lines) > MAX_LINES:
        yield Text(f"and {len(lines) - MAX_LINES} more; --json has all of them", QUIET)


def _mark(info: AgentInfo) -> str:
    return f"  ({info.mark})" if info.mark else ""


def _players(players: Sequence[int]) -> str:
    if list(players) == list(range(players[0], players[-1] + 1)) and len(players) > 1:
        return f"{players[0]}-{players[-1]}"
    return ", ".join(map(str, players))


def _parameters(parameters: Sequence[Parameter]) -> Grid:
    table = Grid.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    for parameter in parameters:
        value = parameter.default if isinstance(parameter.default, str) else f"{parameter.default:g}"
        table.add_row(Text(f"{parameter.name}={value}", "bold"), Text(parameter.range_text(), QUIET), parameter.meaning)
    return table


def draw_tactics(tactics: Iterable[Tactic]) -> TextTable:
    """A line for each tactic; dots where it takes a value."""
    table = TextTable([TextColumn("tactic", ColumnKind.NAME), TextColumn("what it does", ColumnKind.PROSE)])
    for tactic in tactics:
        table.add(tactic.name + ("(…)" if tactic.value else ""), tactic.meaning)
    return table
