"""The result file of a table: what several processes measure for it at the same time is all kept."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from kagiya.lab.papers.claims import PairedTest
from kagiya.lab.papers.reading import read_tables
from kagiya.lab.papers.results import Measured, TableResults
from kagiya.lab.papers.tables import PaperTable, Run, wanted
from kagiya.lab.statistics.quantities import Estimate

TABLE = """
title = "Sixteen matches"
document = "Ours"
table = "none"
rules = "standard"
own = true
columns = [
    { name = "2", players = 2 },
    { name = "3", players = 3 },
    { name = "4", players = 4 },
    { name = "5", players = 5 },
]
rows = [
    { label = "1", agent = "careful" },
    { label = "2", agent = "random" },
    { label = "3", agent = "vdb" },
    { label = "4", agent = "iggi" },
]
"""
MADE = {"command": "kagiya reproduce", "date": "2026-01-01", "kagiya": "0", "numba": "0"}


@pytest.fixture
def table(tmp_path: Path) -> PaperTable:
    (tmp_path / "reproductions").mkdir()
    (tmp_path / "reproductions/many.toml").write_text(TABLE)
    return read_tables(tmp_path)["many"]


def measured(run: Run, mean: float = 17.0) -> Measured:
    return Measured(run, 100, 1, MADE, {"score": Estimate(mean, 2.0, 100)})


def mean_of(results: TableResults, run: Run) -> float:
    return results.runs[run].estimates["score"].mean


def test_what_another_has_written_since_is_kept(table: PaperTable, tmp_path: Path) -> None:
    first, second, third, *_ = wanted(table)
    for run in (first, second):
        before = TableResults.read(tmp_path, table.name)
        before.runs[run] = measured(run)
        before.write(table)
    one, other = (TableResults.read(tmp_path, table.name) for _ in range(2))
    one.runs[first], one.pairs[first, second] = measured(first, 18.0), PairedTest(100, 1, 1.0, 0.1, 0.01)
    one.write(table)
    other.runs[third], other.pairs[second, third] = measured(third), PairedTest(100, 1, 2.0, 0.1, 0.01)
    other.write(table)
    one.runs[second] = measured(second, 19.0)
    one.write(table)
    kept = TableResults.read(tmp_path, table.name)
    assert [mean_of(kept, run) for run in (first, second, third)] == [18.0, 19.0, 17.0]
    assert {pair: test.difference for pair, test in kept.pairs.items()} == {(first, second): 1.0, (second, third): 2.0}
    assert kept.runs == one.runs


def test_nobody_writes_between_another_ones_reading_and_writing(table: PaperTable, tmp_path: Path) -> None:
    runs = list(wanted(table))

    def write_all(share: Sequence[Run]) -> None:
        results = TableResults.read(tmp_path, table.name)
        for run in share:
            results.runs[run] = measured(run)
            results.write(table)

    writers = [threading.Thread(target=write_all, args=(runs[place::4],)) for place in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert set(TableResults.read(tmp_path, table.name).runs) == set(runs)
