"""Rows as wholes: cells that are each within reach of chance, and off together."""

import math
from pathlib import Path

import pytest
from scipy import stats

from kagiya.agents.api import AgentInfo, Parameter
from kagiya.agents.register import prompt_agents
from kagiya.lab.papers.document_pages import all_pages
from kagiya.lab.papers.measurement import Measured, TableResults
from kagiya.lab.papers.paper_pages import agent_section, agents_page
from kagiya.lab.papers.paper_tables import Estimate, Figure, Quantity, Run, read_table, read_tables, shipped_tables
from kagiya.lab.papers.verdicts import (
    Distance,
    MeasuredFigure,
    PublishedFigure,
    choose_figures,
    published_figures,
    row_tests,
    self_play_figures,
    sizes_off,
    table_json,
    tally,
)
from tests.lab.papers.documents import write_document
from tests.lab.papers.test_measurement import SMALL

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
SELF_PLAY = """
title = "Self-play"
document = "{author}"
table = "Table 1"
rules = "{rules}"
columns = [{{ name = "2 players", players = 2 }}, {{ name = "4 players", players = 4 }}]

[[rows]]
label = "careful"
agent = "careful"
printed = {printed}
"""


def test_games_that_were_all_alike_have_an_error_too() -> None:
    """That no game of 1,000 was bombed does not make the rate certain."""
    rate = Quantity("bombs")
    distance = Distance(Figure("0.00", 0.0, 2, games=1000), Estimate(0.0, 0.0, 100), rate)
    assert (distance.paper_error, distance.our_error) == (rate.least_error(1000), rate.least_error(100))
    assert min(distance.paper_error, distance.our_error) > 0


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
    write_document(tmp_path, "row")
    pages = all_pages(tmp_path)
    page = pages["docs/papers/somebody.md"]
    assert "| together | 21.2 / 4, p = 0.0003 | **off** |" in page
    assert "| cells | 5 | 5 | 4 | 1 | 0 | 1 of 1 | 0 | 0 | 4 |" in page
    assert "commit abc" in page
    assert "| all |  | 5 | 5 | 4 | 1 | 0 | 1 of 1 |" in pages["docs/papers/README.md"]


def test_sizes_are_counted_apart_from_significance(tmp_path: Path) -> None:
    results = measured_row(tmp_path, 0.0, 0.1, -0.5, 2.0)  # times half a point
    assert sizes_off(read_tables(tmp_path)["row"], results) == (2, 1, 1)


def test_a_row_for_machines(tmp_path: Path) -> None:
    results = measured_row(tmp_path, 2.7, 2.5, 1.9, 2.0)
    data = table_json(read_tables(tmp_path)["row"], results)
    (row,) = data["rows"]
    assert (row["label"], row["matches"]) == ("together", 4)
    assert {(cell["commit"], cell["code_age"]) for cell in data["cells"]} == {("abc", "unrecorded")}


def figures_of(folder: Path, *tables: tuple[str, str, str]) -> list[tuple[str, str]]:
    """Where each figure is taken from, and its text."""
    paths = [folder / f"{number}.toml" for number in range(len(tables))]
    for path, (author, rules, printed) in zip(paths, tables, strict=True):
        path.write_text(SELF_PLAY.format(author=author, rules=rules, printed=printed))
    return [
        (each.where.split(",")[0], each.figure.text) for each in self_play_figures(map(read_table, paths), ["careful"])
    ]


def test_a_figure_that_is_quoted_counts_once_where_it_has_the_most_digits(tmp_path: Path) -> None:
    quoted, first = ("Quoting", "standard", '["10.3", "17.2"]'), ("First", "standard", '["10.31", "17.24"]')
    assert figures_of(tmp_path, quoted, first) == [("First", "10.31"), ("First", "17.24")]


def test_other_rules_and_other_numbers_are_other_figures(tmp_path: Path) -> None:
    one = ("One", "standard", '["10.3", ""]')
    assert len(figures_of(tmp_path, one, ("Other", "goodman", '["10.3", ""]'))) == 2
    assert len(figures_of(tmp_path, one, ("Other", "standard", '["10.4", ""]'))) == 2
    # Hands of four for four players, as usual: the same rules written in another way.
    four = ("Four", "standard", '["", "17.2"]')
    assert len(figures_of(tmp_path, four, ("Same", "standard(hand_size=4)", '["", "17.2"]'))) == 1


def test_only_self_play_that_can_be_measured_is_a_figure(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    assert [figure.agent for figure in self_play_figures([read_table(path)], ["careful", "random"])] == ["careful"]


def test_searches_must_be_named() -> None:
    tables = shipped_tables().values()
    everything = choose_figures(tables)
    assert {figure.agent_id for figure in everything} <= set(prompt_agents())
    assert {"vdb", "certainty", "osawa-self", "smartbot", "hanabirs-cheat"} <= {each.agent_id for each in everything}
    assert {figure.agent_id for figure in choose_figures(tables, ["ris-mcts"])} == {"ris-mcts"}


def test_the_printed_scores_of_an_agent() -> None:
    assert [(each.run.players, each.figure.value) for each in published_figures("vdb")] == [
        (4, 17.2),
        (2, 13.8),
        (3, 17.7),
        (5, 16.3),
        (3, 16.95),
    ]
    (osawa,) = published_figures("osawa-outer")
    assert osawa.error == pytest.approx(0.224)
    assert published_figures("careful") == ()


def test_an_agents_section_says_what_it_sees_and_how_it_compares() -> None:
    info = AgentInfo(
        id="seer",
        summary="looks at its hand",
        family="x",
        paper="Y2020",
        parameters=(Parameter("nerve", 0.5, "how bold"),),
        sees_own_hand=True,
    )
    run = Run(("seer", "seer"), "standard", 2)
    published = PublishedFigure("y-1", "Y 2020, Table 1", Figure("17.00", 17.0, 2), run)
    text = agent_section(
        info, [MeasuredFigure(published, Measured(run, 100, 1, {}, {"score": Estimate(17.5, 1, 100)}))]
    )
    for words in ("sees its own hand", "`nerve`", "17.00", "17.500 ± 0.100", "+4.9 (!)"):
        assert words in text


def test_the_page_counts_what_is_not_measured(tmp_path: Path) -> None:
    assert "0 are measured" in agents_page(tmp_path)
