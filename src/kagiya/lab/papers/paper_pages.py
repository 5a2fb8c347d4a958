"""Generated Markdown about published figures, written from the table files and their result files.

There is the page of the agents, and single or short tables for other pages; the pages of documents are apart. What
differs from its data is stale.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from kagiya.agents.api import AgentInfo
from kagiya.agents.register import agent_types, find_agent
from kagiya.lab.papers import verdicts
from kagiya.lab.papers.measurement import TableResults
from kagiya.lab.papers.paper_tables import PaperCell, PaperRow, PaperTable, read_tables
from kagiya.lab.provenance import read_result
from kagiya.spec import SpecError

BEGIN, END = "<!-- begin {name}: written by `kagiya dev report`, do not edit -->", "<!-- end {name} -->"


class StaleError(ValueError):
    """A document that does not show what the result files say."""


def embed(document: Path, name: str, block: str, check: bool) -> bool:
    """Replace the block called `name`; returns whether it changed. With `check`, refuse to change it."""
    text = document.read_text(encoding="utf-8")
    begin, end = BEGIN.format(name=name), END.format(name=name)
    if text.count(begin) != 1 or text.count(end) != 1:
        raise StaleError(f"{document} needs one line {begin!r} and one line {end!r}")
    head, rest = text.split(begin)
    tail = rest.split(end)[1]
    new = f"{head}{begin}\n{block}\n{end}{tail}"
    if new == text:
        return False
    if check:
        raise StaleError(f"{document}: the block {name!r} is stale; run `kagiya dev report`")
    document.write_text(new, encoding="utf-8")
    return True


def write_page(document: Path, text: str, check: bool) -> bool:
    """Write a page that is generated as a whole; the same promises as `embed`."""
    if document.exists() and document.read_text(encoding="utf-8") == text:
        return False
    if check:
        raise StaleError(f"{document} is stale; run `kagiya dev report`")
    document.parent.mkdir(parents=True, exist_ok=True)
    document.write_text(text, encoding="utf-8")
    return True


def markdown_table(head: list[str], rows: list[list[str]], texts: int = 1) -> str:
    """A table whose first columns are text and whose others are numbers."""
    rule = ["---"] * texts + ["---:"] * (len(head) - texts)
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *rows))


def source_line(data: dict[str, Any], extra: str) -> str:
    """The small print below a table."""
    made = data["made"]
    return f"`{made['command']}`, {made['date']}, kagiya {made['kagiya']}, numba {made['numba']}; {extra}."


Distances = Mapping[tuple[str, str], verdicts.Distance]  # by the labels of row and column
COUNTS = (2, 3, 4, 5)
ABOUT_SEARCHES = (
    "Searches think about each move for a number of iterations, or for a time. Their games take seconds, so they take\n"
    "part in the league only when named; the [pages of documents](papers/README.md) have what was printed of them.\n"
)


def study_block(folder: Path, table: PaperTable) -> str:
    """A question of our own, for a page."""
    return study_text(table, TableResults.read(folder, table.name))


def study_text(table: PaperTable, results: TableResults) -> str:
    """A line for each row, a column for each setting, and where the numbers come from."""
    rows = []
    for row in table.rows:
        found = [results.estimate(cell) for cell in table.row_cells(row)]
        rows.append(
            [row.label, f"`{row.agent}`", *(verdicts.mean_text(each) if each else "not measured" for each in found)]
        )
    names = [column.name for column in table.columns]
    shown = [markdown_table(["", "agent", *names], rows), *pairs_block(table, results, names)]
    if table.pool:
        shown.append(f"Partners: every game a new team, drawn from {', '.join(f'`{text}`' for text in table.pool)}.")
    return "\n\n".join([*shown, verdicts.rules_line(table), source_lines(table, results)]).rstrip()


def pairs_block(table: PaperTable, results: TableResults, names: Sequence[str]) -> list[str]:
    """The differences that a question of our own asks for, on common decks."""
    cells, rows = table.by_place(), []
    names = [name for name in names if any(name in claim.expected for claim in table.claims)]
    for claim in table.claims:
        found = [
            results.pairs.get((cells[claim.row, name].run, cells[claim.against, name].run))
            if name in claim.expected
            else None
            for name in names
        ]
        rows.append([claim.text, *(f"{each.difference:+.2f} ± {each.error:.2f}" if each else "" for each in found)])
    return [markdown_table(["on the same decks, with the same partners", *names], rows)] if rows else []


def source_lines(table: PaperTable, results: TableResults) -> str:
    """The small print: which command measured, when, with what, how many games from which seed."""
    runs = {cell.run: results.runs[cell.run] for cell in table.cells() if cell.run in results.runs}
    lines: dict[str, int] = {}
    for run in runs.values():
        made = run.made
        commit = f", commit {made['commit']}" if made.get("commit") else ""
        line = (
            f"`{made['command']}`, {made['date']}, kagiya {made['kagiya']}{commit}, numba {made['numba']}; "
            f"{run.games:,} games a match from seed {run.seed}"
        )
        lines[line] = lines.get(line, 0) + 1
    return "".join(f"{line} ({count} matches).\n" for line, count in lines.items())


def tables_shown(folder: Path, document: Path) -> list[PaperTable]:
    """The published tables for which a page has a block."""
    text = document.read_text(encoding="utf-8") if document.exists() else ""
    return [table for name, table in read_tables(folder).items() if BEGIN.format(name=name) in text and not table.own]


def short_table(folder: Path, table: PaperTable, family: str) -> str:
    """The rows of a table that are about agents of a family, or searches over them."""
    measured = verdicts.distances(table, TableResults.read(folder, table.name))
    found = {(cell.row.label, cell.column.name): each for cell, each in measured}
    rows = [_short_row(table, row, found) for row in table.rows if is_about(row, family)]
    head = ["", *(column.name for column in table.columns)]
    return f"{markdown_table(head, rows)}\n\n{table.where}. {verdicts.rules_line(table)}"


def is_about(row: PaperRow, family: str) -> bool:
    """Whether an agent of the family sits in the first seat, or is what a search there thinks with."""
    try:
        agent = find_agent(row.agent)
    except (SpecError, ValueError):  # not built, or a word of its text depends on the column
        return False
    return any(each.info.family == family for each in (agent, *agent.models))


def _short_row(table: PaperTable, row: PaperRow, found: Distances) -> list[str]:
    cells = {cell.column.name: cell for cell in table.row_cells(row)}
    return [row.label, *(_short_cell(cells.get(column.name), found) for column in table.columns)]


def _short_cell(cell: PaperCell | None, found: Distances) -> str:
    if cell is None or cell.figure is None:
        return ""
    distance = found.get((cell.row.label, cell.column.name))
    if distance is None:
        return f"not measured ({cell.figure.text})"
    text = f"{verdicts.mean_text(distance.measured, finer=3)} ({cell.figure.text})"
    return text if distance.is_close else f"**{text}**"


def agents_not_on(page: Path) -> set[str]:
    """The agents that the page does not speak of, since it was written before they came."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    return set(agent_types()) - set(re.findall(r"^### `(.+)`$", text, re.MULTILINE))


def agents_page(folder: Path, left_out: Collection[str] = ()) -> str:
    """The whole page, by family, without some agents."""
    figures = verdicts.choose_figures(read_tables(folder).values())
    measured = verdicts.measured_figures(figures, folder)
    families: dict[str, list[str]] = {}
    for name, kind in agent_types().items():
        if name in left_out:
            continue
        if kind.is_search and kind.info.family not in families:
            families[kind.info.family] = [ABOUT_SEARCHES]
        of_agent = [each for each in measured if each.published.agent_id == name]
        families.setdefault(kind.info.family, []).append(agent_section(kind.info, of_agent))
    head = (
        "# The agents\n\n"
        "Written by `kagiya dev report` from the register, the published tables and `results/reproductions/*.json`; "
        "do not edit.\n\n" + summary(figures, measured) + "\n"
    )
    body = "".join(f"\n## {family}\n\n" + "\n".join(sections) for family, sections in families.items())
    return head + body + speed_section(folder / "results/bench-agents.json")


def speed_section(path: Path) -> str:
    """How fast the agents play, if that was measured."""
    if not path.exists():
        return ""
    data = read_result(path)
    head = ["agent", *(f"{count} players" for count in COUNTS)]
    rows = [[f"`{row['agent']}`", *(_rate(row, str(count)) for count in COUNTS)] for row in data["rows"]]
    return (
        "\n## How fast they play\n\nGames of self-play per second of CPU time on one core, by the standard rules "
        "(*: with empty hints). Rates move by a fifth or more from run to run on a busy machine.\n\n"
        f"{markdown_table(head, rows)}\n\n"
        f"{source_line(data, 'CPU time, median of several rounds taken in turn')}\n"
    )


def _rate(row: dict[str, Any], players: str) -> str:
    if players not in row["games_per_second"]:
        return ""
    return f"{row['games_per_second'][players]:,.0f}" + ("" if row["rules"][players] == "standard" else "*")


def summary(figures: Sequence[verdicts.PublishedFigure], measured: Sequence[verdicts.MeasuredFigure]) -> str:
    """How many of the figures agree, and where it stands how they were measured."""
    close = sum(each.distance.is_close for each in measured)
    return (
        f"Of {len(figures)} published self-play scores {len(measured)} are measured, {close} of them within "
        f"{verdicts.WITHIN:g} combined standard errors (the paper's rounding allowed for). Commands, dates, commits "
        f"and numbers of games stand on [the pages of documents](papers/README.md)."
    )


def agent_section(info: AgentInfo, figures: Sequence[verdicts.MeasuredFigure]) -> str:
    """One agent: what it does, what can be set, how it compares with its paper."""
    mark = f" **It {info.mark}.**" if info.mark else ""
    lines = [f"### `{info.id}`\n", f"{info.summary[:1].upper()}{info.summary[1:]}. Source: {info.paper}.{mark}\n"]
    if info.parameters:
        head = ["parameter", "default", "values", "meaning"]
        rows = [[f"`{p.name}`", _shown(p.default), p.range_text(), p.meaning] for p in info.parameters]
        lines.append(markdown_table(head, rows) + "\n")
    if figures:
        head = ["figure", "players", "rules", "published", "measured", "distance in s.e."]
        lines.append(markdown_table(head, [_figure_row(each) for each in figures]) + "\n")
    return "\n".join(lines)


def _shown(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _figure_row(each: verdicts.MeasuredFigure) -> list[str]:
    printed, distance = each.published, each.distance
    return [
        printed.where if printed.agent == printed.agent_id else f"{printed.where}: `{printed.agent}`",
        str(printed.run.players),
        printed.run.rules,
        printed.figure.text,
        f"{distance.measured.mean:.3f} ± {distance.measured.error:.3f}",
        f"{distance.in_errors:+.1f}" + ("" if distance.is_close else " (!)"),
    ]
