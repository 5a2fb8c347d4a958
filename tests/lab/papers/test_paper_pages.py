"""Published tables in short: which rows they show, and what stands in a cell."""

from __future__ import annotations

from pathlib import Path

import pytest

from kagiya.lab.papers.paper_pages import BEGIN, is_about, short_table, tables_shown
from kagiya.lab.papers.paper_tables import PaperRow, read_tables

FAMILY = "hat players"
TABLE = """
title = "A table"
document = "Somebody 2000"
table = "Table 1"
rules = "bouzy"
games = 100
planned = ["nobody-yet"]
columns = [{ name = "two", players = 2 }, { name = "three", players = 3 }]

[[rows]]
label = "a hat player"
agent = "hat-recommendation"
printed = ["16.0", ""]

[[rows]]
label = "somebody else"
agent = "vdb"
printed = ["17.0", "18.0"]
"""


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        ("hat-information", True),
        ("seer-recommendation", True),
        ("depth-one(evaluator=hanabirs-info, deals=3)", True),
        ("depth-one(deals=3)", False),
        ("vdb", False),
        ("ris-mcts(steps={budget})", False),
        ("not-built-yet", False),
    ],
)
def test_a_row_is_about_a_family_if_its_agent_or_what_it_searches_over_is(agent: str, expected: bool) -> None:
    assert is_about(PaperRow("label", agent), FAMILY) == expected


def test_a_cell_that_is_not_measured_says_so_and_an_empty_one_nothing(tmp_path: Path) -> None:
    (tmp_path / "reproductions").mkdir()
    (tmp_path / "reproductions/somebody-1.toml").write_text(TABLE, encoding="utf-8")
    block = short_table(tmp_path, read_tables(tmp_path)["somebody-1"], FAMILY)
    assert "| a hat player | not measured (16.0) |  |" in block
    assert "somebody else" not in block
    page = tmp_path / "page.md"
    page.write_text(BEGIN.format(name="somebody-1"), encoding="utf-8")
    assert [table.name for table in tables_shown(tmp_path, page)] == ["somebody-1"]
    assert tables_shown(tmp_path, tmp_path / "missing.md") == []
