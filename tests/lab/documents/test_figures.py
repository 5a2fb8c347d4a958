"""Every picture is written as PNG and as SVG, with its words in it; the same data give the same file."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kagiya import Match, Rules, find_agent, play_match
from kagiya.lab.documents.figures import (
    Curve,
    FigureError,
    crossplay_figure,
    curve_figure,
    regret_figure,
    scores_figure,
    sources_figure,
)
from kagiya.lab.documents.figures.scores import short
from kagiya.lab.documents.pictures import Picture, read_range, with_parameter

CURVES = [Curve("one", [1, 10, 100], [10, 14, 16], [1, 0.5, 0.2]), Curve("two", [1, 10], [9, 12], [1, 1])]
HISTOGRAM = np.bincount([0, 0, 14, 15, 15, 16, 18], minlength=26)
LOST = np.repeat([0, 3, 25], 20)
PARTS = {"score": 15.0, "discard": 5.0, "play": 1.0, "bomb": 1.0, "indirect": 3.0}

Draw = Callable[[Path], None]

PICTURES: dict[str, tuple[Draw, list[str]]] = {
    "crossplay": (
        lambda path: crossplay_figure(["a", "b"], [[20, 3], [4, float("nan")]], "few", path),
        ["20.0", "few"],
    ),
    "scores": (lambda path: scores_figure({"vdb": HISTOGRAM, "none": HISTOGRAM * 0}, "few", path), ["vdb", "11.14"]),
    "regret": (lambda path: regret_figure(LOST, 25 - LOST, "few", path), ["team regret", "median"]),
    "curve": (lambda path: curve_figure(CURVES, "iterations", "mean score", "few", path), ["Mean score by iterations"]),
    "sources": (
        lambda path: sources_figure({"vdb": PARTS, "x": PARTS}, "few", path),
        ["bomb", "indirect", "15.00"],
    ),
}


@pytest.mark.parametrize("kind", PICTURES)
def test_pictures_are_written_as_png_and_svg(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib as mpl

    monkeypatch.setitem(mpl.rcParams, "svg.fonttype", "none")  # words stay words, so that they can be found
    draw, words = PICTURES[kind]
    png, svg, again = (tmp_path / name for name in ("folder/picture.png", "picture.svg", "again.svg"))
    for path in (png, svg, again):
        draw(path)
    assert png.read_bytes().startswith(b"\x89PNG")
    assert png.stat().st_size > 8000
    text = svg.read_text()
    assert all(word in text for word in words)
    assert text == again.read_text()


def test_what_cannot_be_drawn_is_refused(tmp_path: Path) -> None:
    none = np.zeros(0, np.int64)
    with pytest.raises(FigureError, match=r"ends in \.png, \.svg or \.pdf"):
        scores_figure({"a": HISTOGRAM}, "few", tmp_path / "picture.gif")
    with pytest.raises(FigureError, match="no scores"):
        scores_figure({}, "few", tmp_path / "a.png")
    with pytest.raises(FigureError, match="no games"):
        regret_figure(none, none, "few", tmp_path / "a.png")
    with pytest.raises(FigureError, match="play more"):
        regret_figure(np.array([1]), np.array([24]), "few", tmp_path / "a.png")
    with pytest.raises(FigureError, match="no points"):
        curve_figure([], "x", "y", "few", tmp_path / "a.png")
    with pytest.raises(FigureError, match="as many rows and columns"):
        crossplay_figure(["a", "b"], [[1.0]], "few", tmp_path / "a.png")
    with pytest.raises(FigureError, match="no agents"):
        sources_figure({}, "few", tmp_path / "a.png")


def test_counts_are_written_short() -> None:
    assert [short(count) for count in (7, 950, 1234, 35_400, 1_400_000)] == ["7", "950", "1.2k", "35k", "1.4M"]


# From agents to pictures.


def picture(kind: str, over: str = "") -> Picture:
    return Picture(kind, (find_agent("careful"), find_agent("random")), Rules(players=3), 20, 1, over)


@pytest.mark.parametrize("kind", ["scores", "regret", "sources", "crossplay"])
def test_agents_become_a_picture(kind: str, tmp_path: Path) -> None:
    planned = picture(kind)
    results = {key: play_match(match) for key, match in planned.matches().items()}
    assert len(results) == (4 if kind == "crossplay" else 2)
    planned.draw(results, tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 8000
    assert "a bomb scores 0; empty hints illegal" in planned.caption


def test_crossplay_seats_one_with_all_others() -> None:
    match = picture("crossplay").matches()["careful", "random"]
    assert [agent.text for agent in match.agents] == ["careful", "random", "random"]


def test_a_curve_sets_its_parameter() -> None:
    assert read_range("iterations=10, 100,1000") == ("iterations", ["10", "100", "1000"])
    for text in ("", "iterations", "iterations=", "=3", "iterations=many", "iterations=1,inf"):
        with pytest.raises(ValueError, match="written iterations=10,100,1000"):
            read_range(text)
    with pytest.raises(ValueError, match="careful has no parameter 'speed'"):
        with_parameter(find_agent("careful"), "speed", "3")
    with pytest.raises(ValueError, match="no parameter 'speed'"):
        picture("curve", "speed=1,2").matches()


def test_a_curve_is_drawn_of_what_was_played(tmp_path: Path) -> None:
    planned = picture("curve", "speed=1,2")
    match = Match.of(Rules(players=3), [find_agent("careful")], 10)
    results = {("careful", value): play_match(match) for value in ("1", "2")}
    planned.draw(results, tmp_path / "curve.svg")
    assert "<svg" in (tmp_path / "curve.svg").read_text()
