"""Every picture is written as PNG and as SVG, with its words in it; the same data give the same file."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kagiya import Match, Rules, __version__, find_agent, play_match
from kagiya.lab.experiment import Experiment
from kagiya.lab.papers import figures
from kagiya.lab.papers.figures import (
    Curve,
    FigureError,
    ScoredRegret,
    Setting,
    all_texts,
    behaviour_figure,
    crossplay_figure,
    curve_figure,
    league_figure,
    ranking_figure,
    regret_figure,
    scores_figure,
    short,
    sources_figure,
    texts_outside,
)
from kagiya.lab.papers.pictures import Key, Picture, PicturePlan, PictureSample, read_range, with_parameter
from kagiya.lab.table.table import GameResults

CURVES = [Curve("one", [1, 10, 100], [10, 14, 16], [1, 0.5, 0.2]), Curve("two", [1, 10], [9, 12], [1, 1])]
HISTOGRAM = np.bincount([0, 0, 14, 15, 15, 16, 18], minlength=26)
LOST = np.repeat([0, 3, 25], 20)
SCORED = ScoredRegret(LOST, 25 - LOST)
PARTS = {"score": 15.0, "discard": 5.0, "play": 1.0, "bomb": 1.0, "indirect": 3.0}

Draw = Callable[[Path], None]

PICTURES: dict[str, tuple[Draw, list[str]]] = {
    "crossplay": (
        lambda path: crossplay_figure(["a", "b"], [[20, 3], [4, float("nan")]], "few", path),
        ["20.0", "few"],
    ),
    "scores": (lambda path: scores_figure({"vdb": HISTOGRAM, "none": HISTOGRAM * 0}, "few", path), ["vdb", "11.14"]),
    "regret": (
        lambda path: regret_figure({"vdb": SCORED, "iggi": SCORED}, "few", path),
        ["direct regret", "median", "vdb", "iggi"],
    ),
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
        regret_figure({"a": ScoredRegret(none, none)}, "few", tmp_path / "a.png")
    with pytest.raises(FigureError, match="play more"):
        regret_figure({"a": ScoredRegret(np.array([1]), np.array([24]))}, "few", tmp_path / "a.png")
    with pytest.raises(FigureError, match="no points"):
        curve_figure([], "x", "y", "few", tmp_path / "a.png")
    with pytest.raises(FigureError, match="as many rows and columns"):
        crossplay_figure(["a", "b"], [[1.0]], "few", tmp_path / "a.png")
    with pytest.raises(FigureError, match="no agents"):
        sources_figure({}, "few", tmp_path / "a.png")


LONG = [
    "rules(play-probably-safe(0.6, lives=2), play-safe, tell-playable, discard-oldest)",
    "rules(play-safe, tell-playable, tell-anything, discard-oldest)",
    "averylongmodulename_without_any_place_to_break_it:AnAgentOfSomebodysOwnWithAnEvenLongerName",
    "depth-one(evaluator=smartbot(safe=yes), samples=400, leaf=forecast, plies=12)",
    "vdb",
]
LONG_CAPTION = "standard: 3 players, 5 cards; a bomb scores 0; empty hints illegal; 1,000 games each, seeds 1 to 1000"
LONG_TITLE = "A title that says all that there is to say about these agents, and some more than would fit into one line"
LEAGUE: dict[str, Any] = {
    "rules": "standard",
    "caption": "a bomb scores 0; empty hints illegal",
    **{"games": 12, "seed": 1},
    "rows": [
        {"agent": name, "mark": "", "players": {"2": {"mean": 20.0, "se": 1.0, "interval": [None, None]}}}
        for name in LONG
    ],
}
WITH_LONG_NAMES: dict[str, Callable[[Setting], Any]] = {
    "crossplay": lambda words: crossplay_figure(LONG, np.full((5, 5), 12.5).tolist(), words),
    "scores": lambda words: scores_figure(dict.fromkeys(LONG, HISTOGRAM), words),
    "regret": lambda words: regret_figure(dict.fromkeys(LONG, SCORED), words),
    "one regret": lambda words: regret_figure({LONG[1]: SCORED}, words),
    "curve": lambda words: curve_figure(
        [Curve(name, [1, 2], [9, 12], [1, 1]) for name in LONG], "iterations", "mean score", words
    ),
    "sources": lambda words: sources_figure(dict.fromkeys(LONG, PARTS), words),
    "league": lambda words: league_figure(LEAGUE),
    "behaviours": lambda words: behaviour_figure(
        4, [(0, 0, 3.0), (3, 3, 15.0)], [("vdb", 0.98, 0.97)], (words.caption, "few")
    ),
}


def words_on(sheet: Any) -> list[str]:
    return [text.get_text() for text in all_texts(sheet)]


@pytest.mark.parametrize("size", [None, (5.0, 4.0)])
@pytest.mark.parametrize("kind", WITH_LONG_NAMES)
def test_no_text_leaves_the_sheet(kind: str, size: tuple[float, float] | None) -> None:
    sheet = WITH_LONG_NAMES[kind](Setting(LONG_CAPTION, LONG_TITLE, size))
    assert texts_outside(sheet) == []
    flat = "".join(words_on(sheet)).replace("\n", "").replace(" ", "")
    if kind not in ("behaviours", "one regret"):
        assert all(name.replace(" ", "") in flat for name in LONG)
    if kind not in ("behaviours", "league"):
        assert LONG_TITLE.replace(" ", "") in flat
        assert LONG_CAPTION.replace(" ", "") in flat
    assert f"kagiya {__version__}".replace(" ", "") in flat


def test_a_text_that_leaves_the_sheet_is_found(tmp_path: Path) -> None:
    canvas = figures.Canvas("few", [], "title", (4, 3))
    canvas.panel().text(0.5, 0.5, "far too long for a sheet as small as this one, which is four inches wide")
    assert texts_outside(canvas.sheet)
    canvas.fit()
    assert not texts_outside(canvas.sheet)
    with pytest.raises(FigureError, match="too small for its words"):
        scores_figure(dict.fromkeys(LONG, HISTOGRAM), Setting("few", size=(1, 1)), tmp_path / "a.png")


def test_labels_take_the_place_of_agents() -> None:
    words = words_on(sources_figure({LONG[0]: PARTS}, Setting("few", labels={LONG[0]: "mine"})))
    assert "mine" in words
    assert "rules(" not in "".join(words)


def test_a_league_of_sixteen_is_wide_and_explains_its_stars() -> None:
    few, many = (
        {**LEAGUE, "rows": [{**LEAGUE["rows"][4], "agent": f"a{n}"} for n in range(rows)]} for rows in (16, 17)
    )
    few["rows"][0]["mark"] = "sees its own hand"
    sheet, tall = league_figure(few), league_figure(many)
    assert "a0 *" in words_on(sheet)
    assert any("* sees its own hand, which no player may" in text for text in words_on(sheet))
    assert not any("*" in text for text in words_on(tall))
    assert sheet.get_figwidth() > 1.6 * sheet.get_figheight()
    assert tall.get_figwidth() < 1.3 * tall.get_figheight()


def test_a_ranking_has_room_for_the_lowest_interval() -> None:
    cells = {"2": {"mean": 9.4, "interval": [7.7, 11.1]}, "3": {"mean": 17.0, "interval": [None, None]}}
    sheet = ranking_figure([{"agent": "a", "mark": "", "players": cells}], "few", "title")
    assert sheet.get_axes()[0].get_xlim()[0] < 7.7


def test_epochs_are_linear_and_budgets_logarithmic_and_no_error_has_no_bar() -> None:
    epochs = Curve("held out", range(1, 41), [1.0] * 40, [0.0] * 40)
    (linear,), (logarithmic,) = (curve_figure(curves, "x", "y", "").get_axes() for curves in ([epochs], CURVES))
    assert (linear.get_xscale(), logarithmic.get_xscale()) == ("linear", "log")
    assert (len(linear.containers), len(logarithmic.containers)) == (0, 2)


def test_crossplay_is_shaded_by_its_own_range_and_has_errors_in_its_cells() -> None:
    means, errors = [[20.0, 16.0], [15.0, float("nan")]], [[0.1, 0.25], [0.3, float("nan")]]
    sheet = crossplay_figure(["a", "b"], means, "few", None, errors)
    (image,) = sheet.get_axes()[0].get_images()
    assert image.get_clim() == (15, 20)
    assert {"20.0", "±0.10", "16.0", "±0.25", "15.0", "±0.30"} <= set(words_on(sheet))


def test_a_notebook_shows_a_picture() -> None:
    assert scores_figure({"vdb": HISTOGRAM}, "few")._repr_png_().startswith(b"\x89PNG")


def test_counts_are_written_short() -> None:
    assert [short(count) for count in (7, 950, 1234, 35_400, 1_400_000)] == ["7", "950", "1.2k", "35k", "1.4M"]


# From agents to pictures.


def plan(kind: str, over: str = "") -> PicturePlan:
    return PicturePlan(kind, (find_agent("careful"), find_agent("random")), Rules(players=3), 20, 1, over)


def samples(planned: PicturePlan) -> dict[Key, PictureSample]:
    found: dict[Key, list[GameResults]] = {}
    for key, match in planned.matches():
        found.setdefault(key, []).append(play_match(match).results)
    return {key: PictureSample(planned.rules, np.concatenate(results)) for key, results in found.items()}


@pytest.mark.parametrize("kind", ["scores", "regret", "sources", "crossplay"])
def test_agents_become_a_picture(kind: str, tmp_path: Path) -> None:
    planned = plan(kind)
    picture = Picture(kind, planned.rules, samples(planned))
    assert len(picture.samples) == (4 if kind == "crossplay" else 2)
    picture.draw(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 8000
    assert "a bomb scores 0; empty hints illegal" in picture.caption
    assert f"seeds 1 to {21 if kind == 'crossplay' else 20}" in picture.caption


def test_a_picture_of_means_says_how_well_they_are_known() -> None:
    planned = plan("scores")
    played = samples(planned)
    words = words_on(Picture("scores", planned.rules, played).draw())
    largest = max(sample.summary.se for sample in played.values())
    assert f"standard errors at most {largest:.2g}" in " ".join(" ".join(words).split())


def test_a_single_curve_is_named() -> None:
    assert "one" in words_on(curve_figure(CURVES[:1], "iterations", "mean score", "few"))


def test_crossplay_seats_the_guest_as_the_command_does() -> None:
    found = [match for key, match in plan("crossplay").matches() if key == ("careful", "random")]
    assert [[agent.text for agent in match.agents].index("careful") for match in found] == [0, 1, 2]
    assert [match.seeds for match in found] == [(1, 8), (8, 15), (15, 22)]
    experiment = Experiment(("careful", "random"), "one-of", games=20)
    planned = [each.match for each in experiment.plan() if each.cell == ("careful", "random")]
    assert [(match.agents, match.seeds) for match in planned] == [(match.agents, match.seeds) for match in found]


def test_a_curve_sets_its_parameter() -> None:
    assert read_range("iterations=10, 100,1000") == ("iterations", ["10", "100", "1000"])
    for text in ("", "iterations", "iterations=", "=3", "iterations=many", "iterations=1,inf"):
        with pytest.raises(ValueError, match="written iterations=10,100,1000"):
            read_range(text)
    with pytest.raises(ValueError, match="careful has no parameter 'speed'"):
        with_parameter(find_agent("careful"), "speed", "3")
    with pytest.raises(ValueError, match="no parameter 'speed'"):
        plan("curve", "speed=1,2").matches()


def test_a_curve_is_drawn_of_what_was_played(tmp_path: Path) -> None:
    match = Match.of(Rules(players=3), [find_agent("careful")], 10)
    played = {("careful", value): PictureSample(match.rules, play_match(match).results) for value in ("1", "2")}
    Picture("curve", match.rules, played, "speed").draw(tmp_path / "curve.svg")
    assert "<svg" in (tmp_path / "curve.svg").read_text()
