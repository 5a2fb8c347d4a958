"""Printed self-play scores by agent: found in the tables, each once, and set beside ours."""

from pathlib import Path

import pytest

from kagiya.agents.api import AgentInfo, Parameter
from kagiya.agents.register import prompt_agents
from kagiya.lab.papers.agents_page import agent_section, agents_page
from kagiya.lab.papers.figures import (
    MeasuredFigure,
    PublishedFigure,
    choose_figures,
    published_figures,
    self_play_figures,
)
from kagiya.lab.papers.reading import read_table, shipped_tables
from kagiya.lab.papers.results import Measured
from kagiya.lab.papers.tables import Figure, Run
from kagiya.lab.statistics.quantities import Estimate
from tests.lab.papers.test_reproduction import SMALL

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
