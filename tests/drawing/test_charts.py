"""Timeline, distribution and lines: well-formed, named, and showing the numbers they were given."""

import re
from collections.abc import Iterator
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st

from kagiya.drawing.canvas import COLORS, Markup, number, standalone
from kagiya.drawing.charts import Line, Scale, ScoreSample, distribution, line_chart, round_ticks
from kagiya.drawing.timeline import TimelineOptions, Turn, timeline, timeline_cursor, turn_words

TURNS = (
    Turn(0, reachable=25, pace=10, disagree=3),
    Turn(1, direct=2, reachable=23, pace=9, disagree=0),
    Turn(2),
    Turn(0, indirect=1, reachable=22, pace=-1, disagree=4),
)
OPTIONS = TimelineOptions(("alice", "bob", "<cathy> the third"), 25, agents=4)
SAMPLE = ScoreSample("smartbot", (0, 0, 1, 3), 2.75, 0.25)
LOSSES = Line("by hints", (1.5, None, 0.5, 0.25))


def drawings() -> list[Markup]:
    return [
        timeline(TURNS, OPTIONS),
        timeline((), TimelineOptions(("alice", "bob"), width=400)),
        timeline(TURNS[:1], TimelineOptions(("alice", "bob"), agents=2, width=400)),
        distribution(SAMPLE),
        distribution(SAMPLE, ScoreSample("other", (4, 0, 0, 0)), mark=2),
        distribution(ScoreSample("none", ())),
        line_chart((LOSSES, Line("by past moves", (2.0,))), "log-loss", cursor=2),
        line_chart((), "log-loss"),
    ]


def test_the_cursor_lies_behind_the_timeline_and_is_not_read_out() -> None:
    strip = read(timeline(TURNS, OPTIONS))
    for cursor, marks in ((0, 1), (len(TURNS) - 1, 1), (None, 0)):
        behind = read(timeline_cursor(len(TURNS), OPTIONS, cursor))
        assert (behind.get("viewBox"), behind.get("aria-hidden")) == (strip.get("viewBox"), "true")
        assert len(list(behind.iter("rect"))) == marks


def read(drawing: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawing)


def test_every_chart_is_an_image_with_a_name_and_without_styles() -> None:
    for drawing in drawings():
        root = read(drawing)
        assert (root.tag, root.get("role")) == ("svg", "img")
        assert root.findtext("title")
        assert not any({"style", "class", "id"} & set(part.attrib) for part in root.iter())
        assert "nan" not in drawing


def test_every_chart_can_stand_alone() -> None:
    for drawing in drawings():
        alone = standalone(drawing, width=500)
        assert read(alone).get("width") == "500"
        values = re.findall(r'(?:fill|stroke)="([^"]*)"', alone)
        assert all(value == "none" or re.fullmatch("#[0-9a-f]{6}", value) for value in values)


def test_equal_data_give_equal_charts() -> None:
    assert drawings() == drawings()


def places(drawing: Markup, tag: str, **attributes: str) -> Iterator[ElementTree.Element]:
    for part in read(drawing).iter(tag):
        if all(part.get(name) == value for name, value in attributes.items()):
            yield part


def test_every_turn_of_a_timeline_takes_clicks_and_says_what_happened() -> None:
    regions = [part for part in read(timeline(TURNS, OPTIONS)).iter("rect") if part.get("data-turn")]
    assert [part.get("data-turn") for part in regions] == ["0", "1", "2", "3"]
    said = [part.findtext("title") for part in regions]
    assert said[1] == "turn 2, bob: 2 points lost, 23 reachable, pace 9, 0 of 4 agents would have moved otherwise"
    assert said[2] == "turn 3, <cathy> the third"
    assert turn_words(0, Turn(0, direct=1), OPTIONS) == "turn 1, alice: 1 point lost"
    edges = [(float(part.get("x", 0)), float(part.get("width", 0))) for part in regions]
    assert all(x + wide == pytest.approx(after, abs=0.02) for (x, wide), (after, _) in pairwise(edges))


def test_the_timeline_is_named_by_what_each_seat_lost() -> None:
    said = read(timeline(TURNS, OPTIONS)).findtext("title")
    assert said == "timeline of 4 turns; points lost: alice 1, bob 2, <cathy> the third 0"


def test_losses_are_bars_as_high_as_they_are_many() -> None:
    direct = [
        float(part.get("height", 0))
        for part in places(timeline((Turn(0, direct=1), Turn(1, direct=3)), OPTIONS), "rect")
        if part.get("fill", "").startswith("var(--draw-bad")
    ][1:]  # the first is of the key
    assert len(direct) == 2
    assert direct[1] == pytest.approx(3 * direct[0], abs=0.03)


def test_a_loss_that_is_higher_than_its_lane_has_a_number() -> None:
    bombed = timeline((Turn(0, direct=1), Turn(1, direct=20, indirect=3)), OPTIONS)
    assert "23" in [part.text for part in read(bombed).iter("text")]
    (filled,) = [part for part in places(bombed, "rect") if part.get("height") == number(16 * 20 / 23)]
    assert filled.get("fill", "").startswith("var(--draw-bad")


def test_a_distribution_says_its_counts_and_means() -> None:
    drawn = distribution(SAMPLE, ScoreSample("other", (4, 0, 0, 0)))
    assert read(drawn).findtext("title") == ("distribution of score: smartbot: 2.75 ± 0.25, 4 games; other, 4 games")
    titles = [part.text for part in read(drawn).iter("title")][1:]
    assert titles == ["2: 1 of 4, 25.0 %", "3: 3 of 4, 75.0 %"]


def test_a_line_has_a_gap_where_nothing_is_known() -> None:
    (path,) = [part.get("d", "") for part in read(line_chart((LOSSES,), "log-loss")).iter("path")]
    assert (path.count("M"), path.count("L")) == (2, 1)


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.integers(3, 10))
def test_ticks_are_few_round_and_inside(low: float, span: float, most: int) -> None:
    ticks = round_ticks(low, low + span, most)
    assert len(ticks) <= most + 1
    assert all(low - 1e-6 <= tick <= low + span + 1e-6 for tick in ticks)
    assert len(ticks) >= 1


def test_scales_keep_what_lies_outside_at_the_edge() -> None:
    scale = Scale(0, 10, 100, 200)
    assert [scale(value) for value in (-5, 0, 5, 10, 50)] == [100, 100, 150, 200, 200]
    assert Scale(3, 3, 0, 9)(3) == 0


def test_all_colors_of_charts_are_in_the_palette() -> None:
    used = {name for drawing in drawings() for name in re.findall(r"var\(--draw-([\w-]+)\)", drawing)}
    assert used <= set(COLORS)
