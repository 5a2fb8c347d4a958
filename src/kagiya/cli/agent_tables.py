"""Agents in the terminal: the list, everything about one, tactics; and published figures beside ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from kagiya.cli.console import QUIET
from kagiya.cli.contest_tables import published_lines
from kagiya.cli.text_table import ColumnKind, Part, TextCell, TextColumn, TextTable, mean_cell, name_cell, number_cell
from kagiya.lab.papers import verdicts
from kagiya.lab.papers.outdated_cells import CodeAge, ages_text, code_age, count_ages
from kagiya.lab.papers.paper_tables import CPU, Estimate, PaperTable, Quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kagiya.agents.api import AgentType, Parameter
    from kagiya.agents.tactics.vocabulary import Tactic
    from kagiya.lab.league import MeasuredLeague
    from kagiya.lab.papers.measurement import TableResults

MAX_LINES = 8  # of published scores
HEADINGS = (
    "measured\n/ cells",
    "waiting",
    "not\nplayable",
    "within\n/ differ",
    "rows\noff",
    "older\ncode",
    "no\ncode",
    "last",
)
CODES = {CodeAge.CURRENT: "", CodeAge.SAME: "", CodeAge.OLDER: "older", CodeAge.UNRECORDED: "unknown"}
FAR = "bold yellow"


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
    mark = f"  ({info.mark})" if info.mark else ""
    yield Text.assemble((info.id, "bold green"), f"  {info.summary}", (mark, "bold yellow"))
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
    lines = list(published_lines(verdicts.published_figures(agent)))
    yield from lines[:MAX_LINES]
    if len(lines) > MAX_LINES:
        yield Text(f"and {len(lines) - MAX_LINES} more; --json has all of them", QUIET)


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


def draw_figures(figures: Sequence[verdicts.MeasuredFigure]) -> TextTable:
    """The figures of agents, paper and measurement side by side."""
    table = TextTable(
        [
            *(
                TextColumn("agent", ColumnKind.NAME),
                TextColumn("rules", ColumnKind.TEXT, leaves=3),
                TextColumn("table", ColumnKind.TEXT, leaves=1),
            ),
            *(TextColumn("players"), TextColumn("published"), TextColumn("measured"), TextColumn("distance")),
        ],
        errors_leave=2,
    )
    for each in figures:
        printed, distance = each.published, each.distance
        who = (printed.agent, printed.run.rules, printed.table, printed.run.players)
        table.add(*who, *_numbers(distance), style="" if distance.is_close else FAR)
    return table


def _numbers(distance: verdicts.Distance) -> tuple[TextCell, TextCell, TextCell]:
    published = TextCell(distance.figure.text, value=distance.figure.value)
    measured = mean_cell(distance.measured.mean, distance.measured.error, 3)
    return published, measured, TextCell(f"{distance.in_errors:+.1f} s.e.", value=distance.in_errors)


def draw_paper(paper: PaperTable, results: TableResults) -> list[Part]:
    """The measured cells of one table, the rows as wholes, and a count of the other cells."""
    if paper.own:
        return draw_study(paper, results)
    counts = verdicts.tally(paper, results)
    title = Text.assemble((paper.name, "bold"), f"  {paper.title} ({paper.where})")
    rows = f"{counts.rows_off} of {counts.rows} rows are off as a whole (chi-square, p < {verdicts.OFF:g})"
    cells: list[Part] = []
    if counts.measured:
        cells = [_cells(paper, results), *_rows(paper, results), Text(rows)]
    return [
        title,
        Text(verdicts.rules_line(paper), QUIET),
        *cells,
        Text(counts.text()),
        Text(_age(paper, results), QUIET),
    ]


def _cells(paper: PaperTable, results: TableResults) -> TextTable:
    numbers = [TextColumn("paper"), TextColumn("measured"), TextColumn("distance")]
    table = TextTable(
        [
            TextColumn("row", ColumnKind.LABEL),
            TextColumn("figure", ColumnKind.TEXT),
            *numbers,
            TextColumn("code", ColumnKind.TEXT, 1),
        ]
    )
    for cell, distance in verdicts.distances(paper, results):
        style = "" if distance.is_close else FAR
        code = TextCell(CODES[code_age(results.runs[cell.run])], style=QUIET)
        table.add(cell.row.label, cell.column.name, *_numbers(distance), code, style=style)
    return table


def _rows(paper: PaperTable, results: TableResults) -> list[TextTable]:
    table = TextTable(
        [TextColumn("row as a whole", ColumnKind.LABEL), TextColumn("chi-square / matches", ColumnKind.TEXT)]
    )
    for test in verdicts.row_tests(paper, results):
        if test.matches > 1:
            table.add(test.label, test.text, style=FAR if test.is_off else "")
    return [table] if table.rows else []


def _age(paper: PaperTable, results: TableResults) -> str:
    text = ages_text(count_ages(paper, results))
    return f"{text}; --remeasure outdated measures them again\n" if text else ""


def draw_study(paper: PaperTable, results: TableResults) -> list[Part]:
    """What was measured for a question of our own."""
    table = TextTable(
        [TextColumn("", ColumnKind.LABEL, least=30), *(TextColumn(column.name) for column in paper.columns)]
    )
    for row in paper.rows:
        found = [(cell.column.quantity, results.estimate(cell)) for cell in paper.row_cells(row)]
        label = f"{row.label}, {row.players} players" if row.players else row.label
        table.add(label, *(_figure(quantity, each) for quantity, each in found))
    return [Text.assemble((paper.name, "bold"), f"  {paper.title}"), table]


def _figure(quantity: Quantity, found: Estimate | None) -> TextCell:
    if found is None:
        return mean_cell(None, None)
    if quantity.kind == CPU:
        return TextCell(verdicts.cpu_text(found), value=found.mean)
    return mean_cell(found.mean, found.error, 3)


def draw_standings(rows: Sequence[dict[str, Any]]) -> TextTable:
    """How many cells of each table are measured, how they stand, and by which code and when they were measured."""
    leaves = (0, 6, 1, 5, 4, 3, 2, 7)
    pairs = zip(HEADINGS, leaves, strict=True)
    table = TextTable([TextColumn("table", ColumnKind.NAME), *(TextColumn(name, leaves=rank) for name, rank in pairs)])
    for row in rows:
        measured, standing = f"{row['measured']} / {row['cells']}", f"{row['within']} / {row['differ']}"
        counts = [row[name] for name in ("rows_off", "older_code", "code_unknown")]
        table.add(row["name"], measured, row["waiting"], row["unplayable"], standing, *counts, row["last"] or "never")
    return table
