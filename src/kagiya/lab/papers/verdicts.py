"""Verdicts on measured cells, rows and figures beside the printed ones: within reach of chance, or not, or waiting.

The documents and the terminal both take the texts of figures from here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from kagiya.agents.register import find_agent, prompt_agents
from kagiya.lab.papers.measurement import Measured, TableResults
from kagiya.lab.papers.outdated_cells import code_age
from kagiya.lab.papers.paper_tables import (
    Estimate,
    Figure,
    PaperCell,
    PaperTable,
    Quantity,
    Run,
    shipped_tables,
    why_waiting,
)
from kagiya.rules import Rules, parse_rules
from kagiya.spec import parse_spec

SCORE = Quantity()
WITHIN = 3.0  # combined standard errors
OFF = 0.001  # a row whose chi-square is rarer than that is off
SIZES = (0.1, 0.5)  # points: what hardly matters to a player, and what needs an explanation
FINE = 0.005  # a smaller standard error is worth more decimals


def errors_apart(difference: float, decimals: int, error: float) -> float:
    """A difference in standard errors, after what a paper's rounding to these decimals may explain."""
    beyond = abs(difference) - 0.5 * 10**-decimals
    if beyond <= 1e-12:  # a difference of exactly half a digit is rounding, whatever binary makes of it
        return 0.0
    return math.copysign(beyond / error, difference)


@dataclass(frozen=True)
class Distance:
    """A printed figure beside ours.

    No sample is taken to be exact: one without spread has the error of one in which a single game is one step off.
    """

    figure: Figure
    measured: Estimate
    quantity: Quantity = SCORE

    @property
    def difference(self) -> float:
        return self.measured.mean - self.figure.value

    @property
    def paper_error(self) -> float:
        """As printed; from the games that the paper played if it prints none, zero if it does not say how many."""
        if self.figure.error is not None:
            return self.figure.error
        if self.figure.games is None:
            return 0.0
        deviation = self.measured.deviation if self.figure.deviation is None else self.figure.deviation
        return max(deviation / math.sqrt(self.figure.games), self.quantity.least_error(self.figure.games))

    @property
    def our_error(self) -> float:
        return max(self.measured.error, self.quantity.least_error(self.measured.games))

    @property
    def in_errors(self) -> float:
        return errors_apart(self.difference, self.figure.decimals, math.hypot(self.our_error, self.paper_error))

    @property
    def is_close(self) -> bool:
        return abs(self.in_errors) <= WITHIN


class CellStanding(StrEnum):
    """How a cell stands; the last three are not measured."""

    WITHIN = "within"  # three standard errors of what was printed
    DIFFERS = "differs"
    MEASURED = "measured"  # and nothing was printed
    WAITING = "waiting"  # ours to measure, and not measured yet
    UNPLAYABLE = "unplayable"  # ours to measure, but its agent is not built or does not play by these rules
    QUOTED = "quoted"  # not ours to measure


def standing(table: PaperTable, results: TableResults, cell: PaperCell) -> CellStanding:
    """How one cell stands."""
    if cell.row.quoted:
        return CellStanding.QUOTED
    estimate = results.estimate(cell)
    if estimate is None:
        return CellStanding.UNPLAYABLE if why_waiting(cell.run, table.planned) else CellStanding.WAITING
    if cell.figure is None:
        return CellStanding.MEASURED
    is_close = Distance(cell.figure, estimate, cell.column.quantity).is_close
    return CellStanding.WITHIN if is_close else CellStanding.DIFFERS


@dataclass(frozen=True)
class TableCounts:
    """How the cells of a table stand, and how many of its rows are off as a whole."""

    standings: Counter[CellStanding] = field(default_factory=Counter)
    rows: int = 0
    rows_off: int = 0
    sizes: tuple[int, ...] = (0,) * (len(SIZES) + 1)  # score cells by how many points they are off, the nearest first

    @property
    def cells(self) -> int:
        """Those that are ours to measure."""
        return self.standings.total() - self.quoted

    @property
    def measured(self) -> int:
        return self.cells - self.waiting - self.unplayable

    @property
    def close(self) -> int:
        return self.standings[CellStanding.WITHIN]

    @property
    def outside(self) -> int:
        return self.standings[CellStanding.DIFFERS]

    @property
    def waiting(self) -> int:
        return self.standings[CellStanding.WAITING]

    @property
    def unplayable(self) -> int:
        return self.standings[CellStanding.UNPLAYABLE]

    @property
    def quoted(self) -> int:
        return self.standings[CellStanding.QUOTED]

    def __add__(self, other: TableCounts) -> TableCounts:
        sizes = tuple(map(sum, zip(self.sizes, other.sizes, strict=True)))
        rows = self.rows + other.rows, self.rows_off + other.rows_off
        return TableCounts(self.standings + other.standings, *rows, sizes)

    def text(self) -> str:
        """The counts in words; of what cannot be played or is only quoted, if there is any."""
        rare = {"cannot be played": self.unplayable, "quoted": self.quoted}
        counts = {f"within {WITHIN:g} s.e.": self.close, "differ": self.outside, "waiting": self.waiting}
        counts |= {words: count for words, count in rare.items() if count}
        return ", ".join(f"{count} {words}" for words, count in counts.items())


class RowTest(NamedTuple):
    """The cells of a row together: each may be within three standard errors, and all on the same side."""

    label: str
    chi_square: float
    matches: int  # degrees of freedom
    p_value: float

    @property
    def is_off(self) -> bool:
        return self.p_value < OFF

    @property
    def text(self) -> str:
        """Chi-square, degrees of freedom and p, for people."""
        return f"{self.chi_square:.1f} / {self.matches}, {small_p_text(self.p_value)}"


def distances(table: PaperTable, results: TableResults) -> list[tuple[PaperCell, Distance]]:
    """The measured cells and how far they are from print."""
    pairs = [(cell, cell.figure, results.estimate(cell)) for cell in table.cells()]
    return [
        (cell, Distance(figure, estimate, cell.column.quantity))
        for cell, figure, estimate in pairs
        if figure and estimate
    ]


def tally(table: PaperTable, results: TableResults) -> TableCounts:
    """Count the cells of a table, and the rows that are off."""
    rows = row_tests(table, results)
    standings = Counter(standing(table, results, cell) for cell in table.cells())
    return TableCounts(standings, len(rows), sum(row.is_off for row in rows), sizes_off(table, results))


def sizes_off(table: PaperTable, results: TableResults) -> tuple[int, ...]:
    """How many measured scores are off by how many points, whatever their standard errors: bins as in SIZES."""
    scores = [each for cell, each in distances(table, results) if cell.column.quantity.kind == SCORE.kind]
    bins = Counter(sum(abs(each.difference) > size for size in SIZES) for each in scores)
    return tuple(bins[number] for number in range(len(SIZES) + 1))


def row_tests(table: PaperTable, results: TableResults) -> list[RowTest]:
    """A chi-square test of each row that was measured.

    Of several cells of one match (a score and its regrets, say) only the first counts, since they vary together.
    """
    from scipy.special import chdtrc

    rows: dict[str, dict[Run, float]] = {}
    for cell, distance in distances(table, results):
        rows.setdefault(cell.row.label, {}).setdefault(cell.run, distance.in_errors**2)
    sums = [(label, sum(squares.values()), len(squares)) for label, squares in rows.items()]
    return [RowTest(label, total, count, float(chdtrc(count, total))) for label, total, count in sums]


def table_json(table: PaperTable, results: TableResults) -> dict[str, Any]:
    """A table for machines: every cell, measured or waiting, and the rows as wholes."""
    rows = [test._asdict() for test in row_tests(table, results)]
    cells = [_cell_json(table, cell, results) for cell in table.cells()]
    return {"name": table.name, "where": table.where, "cells": cells, "rows": rows}


def _cell_json(table: PaperTable, cell: PaperCell, results: TableResults) -> dict[str, Any]:
    place = {"row": cell.row.label, "column": cell.column.name, "agents": list(cell.run.agents)}
    printed = {"rules": cell.run.rules, "paper": cell.figure.text if cell.figure else None}
    verdict, estimate = {"verdict": str(standing(table, results, cell))}, results.estimate(cell)
    if estimate is None:
        return {**place, **printed, **verdict}
    measured = results.runs[cell.run]
    ours: dict[str, Any] = {"mean": estimate.mean, "se": estimate.error, "games": estimate.games}
    ours |= {"commit": measured.made.get("commit"), "code": measured.code, "code_age": code_age(measured).name.lower()}
    if cell.figure is not None:
        ours["distance"] = Distance(cell.figure, estimate, cell.column.quantity).in_errors
    return {**place, **printed, **ours, **verdict}


@dataclass(frozen=True)
class PublishedFigure:
    """A printed score of an agent in self-play."""

    table: str  # the name of its table
    where: str  # document and table, in words
    figure: Figure
    run: Run

    @property
    def agent(self) -> str:
        """The agent as written on the command line."""
        return self.run.agents[0]

    @property
    def agent_id(self) -> str:
        """The agent's id, without parameters."""
        return parse_spec(self.agent).name

    @property
    def rules(self) -> Rules:
        """The rules that it was played by, for this number of players."""
        return self.run.parsed_rules()

    @property
    def error(self) -> float | None:
        """The standard error of the printed mean, if it is known."""
        if self.figure.error is None and self.figure.deviation is not None and self.figure.games is not None:
            return self.figure.deviation / math.sqrt(self.figure.games)
        return self.figure.error

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "agent": self.agent,
            "players": self.run.players,
            "rules": self.run.rules,
            "table": self.table,
            "where": self.where,
            "published": self.figure.value,
            "published_games": self.figure.games,
            "published_error": self.error,
        }

    def repeats(self, other: PublishedFigure) -> bool:
        """Whether this is the other figure printed again, perhaps with fewer digits."""
        decimals = min(self.figure.decimals, other.figure.decimals)
        is_near = abs(self.figure.value - other.figure.value) <= 0.5 * 10**-decimals + 1e-9
        return is_near and self.agent == other.agent and self.rules == other.rules


@dataclass(frozen=True)
class MeasuredFigure:
    """A printed figure beside ours."""

    published: PublishedFigure
    measured: Measured

    @property
    def distance(self) -> Distance:
        return Distance(self.published.figure, self.measured.estimates[SCORE.key])

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        ours, far = self.measured.estimates[SCORE.key], self.distance
        return {
            **self.published.to_json(),
            "mean": ours.mean,
            "se": ours.error,
            "games": ours.games,
            "code": self.measured.code,
            "made": dict(self.measured.made),
            "distance": far.in_errors,
            "is_close": far.is_close,
        }


def choose_figures(tables: Iterable[PaperTable], ids: Sequence[str] = ()) -> list[PublishedFigure]:
    """The figures of some agents, or of all that answer at once; each once, where it has the most digits.

    Searches must be named: their games take seconds.
    """
    return self_play_figures(tables, {find_agent(name).info.id for name in ids} or set(prompt_agents()))


def self_play_figures(tables: Iterable[PaperTable], ids: Collection[str]) -> list[PublishedFigure]:
    """Every figure of these agents that can be measured, by agent; none that only repeats another."""
    found = [figure for table in tables for figure in _figures_of(table, ids)]
    kept: dict[tuple[str, ...], list[PublishedFigure]] = {}
    for figure in sorted(found, key=lambda each: -each.figure.decimals):
        alike = kept.setdefault(figure.run.agents, [])
        if not any(figure.repeats(other) for other in alike):
            alike.append(figure)
    chosen = [figure for figure in found if figure in kept[figure.run.agents]]
    return sorted(chosen, key=lambda each: each.agent_id)


def _figures_of(table: PaperTable, ids: Collection[str]) -> Iterator[PublishedFigure]:
    for cell in table.cells():
        is_self_play = cell.column.quantity.kind == SCORE.kind and len(set(cell.run.agents)) == 1
        is_wanted = is_self_play and parse_spec(cell.run.agents[0]).name in ids
        if cell.figure and is_wanted and not cell.row.quoted and not why_waiting(cell.run, table.planned):
            yield PublishedFigure(table.name, table.where, cell.figure, cell.run)


def measured_figures(figures: Sequence[PublishedFigure], folder: Path) -> list[MeasuredFigure]:
    """The figures that were measured, each with its match."""
    results = {name: TableResults.read(folder, name) for name in dict.fromkeys(figure.table for figure in figures)}
    found = [(figure, results[figure.table].runs.get(figure.run)) for figure in figures]
    return [MeasuredFigure(figure, measured) for figure, measured in found if measured is not None]


@cache
def published_figures(agent_id: str) -> tuple[PublishedFigure, ...]:
    """What the tables that come with Kagiya print of an agent, with whatever parameters."""
    return tuple(self_play_figures(shipped_tables(agent_id).values(), [agent_id]))


def rules_line(table: PaperTable) -> str:
    """The rules that the cells of a table are played by."""
    return cells_rules(table.cells())


def cells_rules(cells: Iterable[PaperCell]) -> str:
    """The rules that cells are played by, with their bomb and empty-hint rules."""
    shown = [f"{', '.join(f'`{text}`' for text in texts)} ({caption})" for caption, texts in captions(cells).items()]
    return f"Rules: {'; '.join(shown)}."


def captions(cells: Iterable[PaperCell]) -> dict[str, list[str]]:
    """The rules of cells by what they say of bombs and empty hints."""
    found: dict[str, list[str]] = {}
    for text in dict.fromkeys(cell.run.rules for cell in cells):
        found.setdefault(parse_rules(text).caption().split("; ", 1)[1], []).append(text)
    return found


def mean_text(found: Estimate, finer: int = 4) -> str:
    """A mean with its standard error; more decimals where it is worth them."""
    decimals = 2 if found.error >= FINE else finer
    return f"{found.mean:.{decimals}f} ± {found.error:.{decimals}f}"


def percent_text(found: Estimate | None) -> str:
    """A share of games, with its standard error unless no game or every game is in it."""
    if found is None:
        return ""
    return f"{mean_text(found)} %" if found.deviation else f"{found.mean:g} %"


def cpu_text(found: Estimate | None) -> str:
    """Processor time, in a unit that fits."""
    if found is None:
        return ""
    return f"{found.mean:.3g} s" if found.mean >= 0.1 else f"{1000 * found.mean:.2g} ms"


def small_p_text(p_value: float) -> str:
    """A p-value with two digits, however small."""
    return "p < 1e-6" if p_value < 1e-6 else f"p = {p_value:.2g}"
