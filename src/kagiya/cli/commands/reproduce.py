"""`kagiya reproduce`: what papers printed beside what we measure; `kagiya dev tables`: how every table stands."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

import kagiya
from kagiya.cli import options
from kagiya.cli.console import complain, err, interruption, typed_command, write_plain
from kagiya.cli.run_options import RunOptions, open_runner

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kagiya.lab.papers.measurement import TableResults
    from kagiya.lab.papers.outdated_cells import Remeasure
    from kagiya.lab.papers.paper_tables import Order, PaperTable, Run

    Work = list[tuple[PaperTable, TableResults, Mapping[Run, Order]]]

Folder = Annotated[Path, typer.Option(help="Where results/ is, and reproductions/ if the tables are your own.")]


@options.grouped
def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME", help="Agents, for their self-play scores (all but searches by default), or tables."
        ),
    ] = None,
    games: Annotated[
        int | None, typer.Option("--games", "-n", help="Games for each match. Default: what its table says.")
    ] = None,
    seed: options.Seed = 1,
    rows: Annotated[
        list[str] | None,
        typer.Option("--row", help="Measure and show only the row called this, or else rows whose label contains it."),
    ] = None,
    all_tables: Annotated[bool, typer.Option("--tables", help="All tables, searches included: many hours.")] = False,
    remeasure: Annotated[
        Literal["all", "outdated"] | None,
        typer.Option(
            "--remeasure",
            help="Also measure again [bold]all[/] that is asked for, or what is [bold]outdated[/]: measured by older "
            "code, unless its moves are proven the same.",
        ),
    ] = None,
    folder: Folder = Path(),
    *,
    means: RunOptions,
    output: options.Output,
) -> None:
    """Play what the papers played and set our figure beside theirs, by their rules.

    The distance is the difference in combined standard errors, allowing for the
    paper's rounding; within 3 may be chance. Each finished match is kept in
    results/reproductions with its commit and a hash of its code; Ctrl-C loses
    none, and the same command goes on. [bold]kagiya dev report[/] writes the pages.

    [bold]Examples[/]
      kagiya reproduce vdb
      kagiya reproduce brooks-2 brooks-3
      kagiya reproduce osawa --remeasure outdated
      kagiya reproduce strength --row SmartBot
      kagiya reproduce --tables --games 50000
    """
    from kagiya.lab.papers.outdated_cells import Remeasure

    if games is not None and games < 2:
        raise ValueError(f"--games must be an integer of at least 2, for there to be a standard error; not {games}")
    chosen = choose(names or [], all_tables, folder).only(rows or [])
    again = {"all": Remeasure.ALWAYS, "outdated": Remeasure.OUTDATED, None: Remeasure.NEVER}[remeasure]
    work = due(chosen, folder, games, again)
    is_done = play(work, seed, means)
    present(chosen, folder, output)
    if not is_done:
        complain("interrupted; the matches that were finished are kept, and the same command goes on from there")
        raise interruption()


@dataclass(frozen=True)
class SelectedTables:
    """The tables to measure, whole or only the matches behind some figures."""

    tables: list[PaperTable]
    figures: list[kagiya.PublishedFigure] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)

    def only(self, rows: list[str]) -> SelectedTables:
        """The same tables without the rows whose labels contain none of these words."""
        labels = [row.label for table in self.tables for row in table.rows]
        if rows and self.figures:
            raise ValueError("--row goes with the names of tables, not of agents")
        for word in rows:
            if not any(word in label for label in labels):
                raise ValueError(f"no row of {', '.join(table.name for table in self.tables)} is called {word!r}")
        return replace(self, rows=rows)

    def runs(self, table: PaperTable) -> set[Run] | None:
        """The matches of a table that are wanted; None for all."""
        if self.rows:
            return {cell.run for cell in table.only(self.rows).cells()}
        return {figure.run for figure in self.figures if figure.table == table.name} if self.figures else None


def choose(names: list[str], everything: bool, folder: Path) -> SelectedTables:
    """The tables named or all of them, or the self-play figures of the agents named or of all."""
    from kagiya.lab.papers.paper_tables import FOLDER, read_tables
    from kagiya.lab.papers.verdicts import choose_figures
    from kagiya.spec import near

    known = read_tables(folder)
    if everything:
        if names:
            raise ValueError("--tables means all of them; leave out the names")
        if not known:
            raise ValueError(f"there is no table in {folder / FOLDER}")
        return SelectedTables(list(known.values()))
    found = [name for name in names if name in known]
    if found and len(found) < len(names):
        other = next(name for name in names if name not in known)
        raise ValueError(f"{other!r} is not a table; {near(other, known)} (name tables or agents, not both)")
    if found:
        return SelectedTables([known[name] for name in found])
    for name in names:
        if name.split("(")[0] not in kagiya.agent_types():
            raise ValueError(f"{name!r} is neither a table nor an agent; {near(name, [*known, *kagiya.agent_types()])}")
    figures = choose_figures(known.values(), names)
    if not figures:
        raise ValueError("no published self-play score is known of these agents; see `kagiya agents`")
    return SelectedTables([known[name] for name in dict.fromkeys(figure.table for figure in figures)], figures)


def due(chosen: SelectedTables, folder: Path, games: int | None, again: Remeasure) -> Work:
    """What there is to measure, table by table."""
    from kagiya.lab.papers.measurement import TableResults
    from kagiya.lab.papers.outdated_cells import Remeasure, pending, reuse

    work: Work = []
    for table in chosen.tables:
        results = TableResults.read(folder, table.name)
        orders = pending(table, results, games, again, chosen.runs(table))
        work.append((table, results, orders if again is Remeasure.ALWAYS else reuse(table, results, orders, folder)))
    return work


def play(work: Work, seed: int, means: RunOptions) -> bool:
    """Measure it, with one bar over all games, and keep each finished match; returns whether all was done."""
    from kagiya.lab.papers.measurement import TableWork, say_nothing
    from kagiya.lab.provenance import provenance

    made = provenance(typed_command())
    total = sum(order.games for *_, orders in work for order in orders.values())
    texts = dict.fromkeys(text for *_, orders in work for run in orders for text in run.agents)
    means.make_ready([kagiya.find_agent(text) for text in texts])
    say = say_replay if means.store is None else say_nothing
    with open_runner(means, total) as runner:
        return all(TableWork(table, results, seed, made, say).run(orders, runner) for table, results, orders in work)


def say_replay(run: Run, games: int) -> None:
    """Why a match is played that was measured before."""
    team = " + ".join(dict.fromkeys(run.agents))
    text = f"playing {games:,} games of {team} again: a claim is tested deck by deck, and only a --store keeps games"
    err.print(text, style="dim", soft_wrap=True)


def present(chosen: SelectedTables, folder: Path, output: options.Output) -> None:
    """What was asked for, for a machine or for people."""
    from kagiya.cli.agent_tables import draw_figures, draw_paper
    from kagiya.cli.text_table import print_page
    from kagiya.lab.papers.measurement import TableResults
    from kagiya.lab.papers.verdicts import measured_figures, table_json

    if chosen.figures:
        figures = measured_figures(chosen.figures, folder)
        output.present(lambda: {"figures": [figure.to_json() for figure in figures]}, lambda: [draw_figures(figures)])
        return
    standing = [(table.only(chosen.rows), TableResults.read(folder, table.name)) for table in chosen.tables]
    if output.as_json:
        write_plain(json.dumps({"tables": [table_json(*pair) for pair in standing]}))
        return
    for pair in standing:
        print_page(draw_paper(*pair), output.shown)


@options.grouped
def tables(folder: Folder = Path(), *, output: options.Output) -> None:
    """List the published tables: cells that are ours to measure, how many are measured, by which code, when.

    Waiting is what can be played and was not measured yet; not playable, what has
    an agent that is not built or does not play by these rules. Figures of agents
    that a paper only quotes are no cells to measure.

    [bold]Examples[/]
      kagiya dev tables
      kagiya dev tables --json
    """
    from kagiya.cli.agent_tables import draw_standings
    from kagiya.lab.papers.paper_tables import FOLDER, read_tables

    rows = [table_standing(table, folder) for table in read_tables(folder).values()]
    output.present(
        lambda: {"tables": rows}, lambda: [draw_standings(rows) if rows else f"no table in {folder / FOLDER}"]
    )


def table_standing(table: PaperTable, folder: Path) -> dict[str, Any]:
    """One line of the list."""
    from kagiya.lab.papers.measurement import TableResults
    from kagiya.lab.papers.outdated_cells import CodeAge, count_ages
    from kagiya.lab.papers.verdicts import tally

    results = TableResults.read(folder, table.name)
    counts, ages = tally(table, results), count_ages(table, results)
    dates = [measured.made["date"] for measured in results.runs.values()]
    return {
        "name": table.name,
        "where": table.where,
        "cells": counts.cells,
        "measured": counts.measured,
        "waiting": counts.waiting,
        "unplayable": counts.unplayable,
        "quoted": counts.quoted,
        "within": counts.close,
        "differ": counts.outside,
        "rows_off": counts.rows_off,
        "older_code": ages[CodeAge.OLDER],
        "code_unknown": ages[CodeAge.UNRECORDED],
        "last": max(dates, default=None),
    }
