"""The page of agents: every label, its parameters, and what was printed of it beside what we measured."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from kagiya.agents._info import AgentInfo
from kagiya.agents.register import agent_types, is_search
from kagiya.lab.documents.markdown import markdown_table, source_line
from kagiya.lab.papers.distance import WITHIN
from kagiya.lab.papers.figures import MeasuredFigure, PublishedFigure, choose_figures
from kagiya.lab.papers.reading import read_tables
from kagiya.lab.papers.results import TableResults
from kagiya.lab.provenance.result_files import read_result

COUNTS = (2, 3, 4, 5)
ABOUT_SEARCHES = (
    "Searches think about each move for a number of iterations, or for a time. Their games take seconds, so they take\n"
    "part in the league only when named; what was printed of them stands in [reproductions.md](reproductions.md).\n"
)


def measured_figures(figures: Sequence[PublishedFigure], folder: Path) -> list[MeasuredFigure]:
    """The figures that were measured, each with its match."""
    results = {name: TableResults.read(folder, name) for name in dict.fromkeys(figure.table for figure in figures)}
    found = [(figure, results[figure.table].runs.get(figure.run)) for figure in figures]
    return [MeasuredFigure(figure, measured) for figure, measured in found if measured is not None]


def agents_not_on(page: Path) -> set[str]:
    """The agents that the page does not speak of, since it was written before they came."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    return set(agent_types()) - set(re.findall(r"^### `(.+)`$", text, re.MULTILINE))


def agents_page(folder: Path, left_out: Collection[str] = ()) -> str:
    """The whole page, by family, without some agents."""
    figures = choose_figures(read_tables(folder).values())
    measured = measured_figures(figures, folder)
    families: dict[str, list[str]] = {}
    for name, kind in agent_types().items():
        if name in left_out:
            continue
        if is_search(kind) and kind.info.family not in families:
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


def summary(figures: Sequence[PublishedFigure], measured: Sequence[MeasuredFigure]) -> str:
    """How many of the figures agree, and where it stands how they were measured."""
    close = sum(each.distance.is_close for each in measured)
    return (
        f"Of {len(figures)} published self-play scores {len(measured)} are measured, {close} of them within {WITHIN:g} "
        f"combined standard errors (the paper's rounding allowed for). Commands, dates, commits and numbers of games "
        f"stand in [reproductions.md](reproductions.md)."
    )


def agent_section(info: AgentInfo, figures: Sequence[MeasuredFigure]) -> str:
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


def _figure_row(each: MeasuredFigure) -> list[str]:
    printed, distance = each.published, each.distance
    return [
        printed.where if printed.agent == printed.agent_id else f"{printed.where}: `{printed.agent}`",
        str(printed.run.players),
        printed.run.rules,
        printed.figure.text,
        f"{distance.measured.mean:.3f} ± {distance.measured.error:.3f}",
        f"{distance.in_errors:+.1f}" + ("" if distance.is_close else " (!)"),
    ]
