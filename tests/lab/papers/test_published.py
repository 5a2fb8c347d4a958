import math

import pytest

from kagiya.agents._info import AgentInfo, Parameter, Published
from kagiya.lab.documents.report import agent_section
from kagiya.lab.papers.published import MeasuredFigure, published_figures
from kagiya.lab.statistics.summary import Summary


def summary(mean: float, se: float, sd: float = 2.0) -> Summary:
    return Summary(10_000, mean, se, sd, 0.0, 0.0, mean, 60.0, (0,) * 26)


def measured_figure(score: float, mean: float, **known: float) -> MeasuredFigure:
    figure = Published(3, score, "Somebody 2020, Table 1", "standard", **known)  # type: ignore[arg-type]
    return MeasuredFigure("agent", "family", figure, summary(mean, 0.02))


def test_the_distance_counts_both_errors_and_the_rounding() -> None:
    assert measured_figure(17.0, 17.1, standard_error=0.0, decimals=1).distance == pytest.approx(0.05 / 0.02)
    assert measured_figure(17.0, 16.9, standard_error=0.03, decimals=3).distance == pytest.approx(
        -0.0995 / math.hypot(0.02, 0.03)
    )
    assert measured_figure(17.0, 17.004).distance == 0
    assert measured_figure(17.0, 17.2, games=100).distance == pytest.approx(0.195 / math.hypot(0.02, 0.2))
    assert measured_figure(17.0, 17.2, games=100, sd=4.0).distance == pytest.approx(0.195 / math.hypot(0.02, 0.4))


def test_close_means_within_three() -> None:
    assert measured_figure(17.0, 17.06).is_close
    assert not measured_figure(17.0, 17.07).is_close


def test_figures_of_one_agent_or_of_all() -> None:
    everything = published_figures()
    assert {text.split("(")[0] for text, _ in published_figures(["random"])} <= {"random"}
    assert len(everything) >= len(published_figures(["random"]))


def test_an_agents_section_says_what_it_sees_and_how_it_compares() -> None:
    info = AgentInfo(
        id="seer",
        summary="looks at its hand",
        family="x",
        paper="Y2020",
        parameters=(Parameter("nerve", 0.5, "how bold"),),
        sees_own_hand=True,
    )
    text = agent_section(info, [measured_figure(17.0, 17.5).to_json()])
    assert "sees its own hand" in text
    assert "`nerve`" in text
    assert "17.00" in text
    assert "(!)" in text
