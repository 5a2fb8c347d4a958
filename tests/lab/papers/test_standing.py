"""Rows as wholes: cells that are each within reach of chance, and off together."""

import math
from pathlib import Path

import pytest
from scipy import stats

from kagiya.lab.papers.page import reproductions_page
from kagiya.lab.papers.reading import read_tables
from kagiya.lab.papers.results import Measured, TableResults
from kagiya.lab.papers.standing import row_tests, table_json, tally
from kagiya.lab.statistics.quantities import Estimate

ROW = """
title = "A row"
document = "Somebody 2020"
table = "Table 1"
rules = "standard"
columns = [
    { name = "2", players = 2 },
    { name = "2, regret", players = 2, quantity = "team regret" },
    { name = "3", players = 3 },
    { name = "4", players = 4 },
    { name = "5", players = 5 },
]

[[rows]]
label = "together"
agent = "careful"
printed = ["10.000 (0.3)", "5.000 (0.3)", "10.000 (0.3)", "10.000 (0.3)", "10.000 (0.3)"]
"""
MADE = {"command": "kagiya reproduce", "date": "2026-01-01", "kagiya": "0", "numba": "0", "commit": "abc"}


def measured_row(folder: Path, *differences: float) -> TableResults:
    """Scores that are off by so many of the combined standard errors of 0.5, and a regret that is far off."""
    (folder / "reproductions").mkdir(exist_ok=True)
    (folder / "reproductions/row.toml").write_text(ROW)
    table, results = read_tables(folder)["row"], TableResults.read(folder, "row")
    runs = dict.fromkeys(cell.run for cell in table.cells())
    for run, difference in zip(runs, differences, strict=True):
        score = Estimate(10 + 0.5 * difference + math.copysign(0.0005, difference), 4.0, 100)  # rounding is allowed for
        regret = Estimate(50.0, 4.0, 100)
        results.runs[run] = Measured(run, 100, 1, MADE, {"score": score, "team regret": regret})
    results.write(table)
    return results


def test_a_row_that_is_off_together_is_found(tmp_path: Path) -> None:
    results = measured_row(tmp_path, 2.7, 2.5, 1.9, 2.0)
    table = read_tables(tmp_path)["row"]
    (row,) = row_tests(table, results)
    assert row.matches == 4  # the regret is of a match that counts already
    assert row.chi_square == pytest.approx(2.7**2 + 2.5**2 + 1.9**2 + 2.0**2)
    assert row.p_value == pytest.approx(stats.chi2.sf(row.chi_square, 4))
    assert row.is_off
    counts = tally(table, results)
    assert (counts.close, counts.outside, counts.rows, counts.rows_off) == (4, 1, 1, 1)


def test_a_row_within_chance_is_not_off(tmp_path: Path) -> None:
    results = measured_row(tmp_path, 2.7, -0.5, 0.9, -1.0)
    (row,) = row_tests(read_tables(tmp_path)["row"], results)
    assert not row.is_off
    assert tally(read_tables(tmp_path)["row"], results).rows_off == 0


def test_the_page_shows_each_row_and_counts_those_off(tmp_path: Path) -> None:
    measured_row(tmp_path, 2.7, 2.5, 1.9, 2.0)
    page = reproductions_page(tmp_path)
    assert "| together | 21.2 / 4, p = 0.0003 | **off** |" in page
    assert "| all |  | 5 | 5 | 4 | 1 | 0 | 1 | 1 |" in page
    assert "commit abc" in page


def test_a_row_for_machines(tmp_path: Path) -> None:
    results = measured_row(tmp_path, 2.7, 2.5, 1.9, 2.0)
    data = table_json(read_tables(tmp_path)["row"], results)
    (row,) = data["rows"]
    assert (row["label"], row["matches"]) == ("together", 4)
    assert {(cell["commit"], cell["code_age"]) for cell in data["cells"]} == {("abc", "unrecorded")}
