"""The palette can be read on both grounds, and suits can be told apart whatever cones one has."""

from itertools import combinations

import pytest

from kagiya.cards import COLOR_LETTERS, COLOR_NAMES
from kagiya.drawing.canvas import (
    ALL_SUITS,
    COLORS,
    SHAPES,
    SUITS,
    TEAL,
    WHITE,
    custom_properties,
    paint,
    stylesheet,
    suits_named,
)
from tests.drawing.vision import VISIONS, ciede2000, contrast, distance, seen

THEMES = ("light", "dark")
GROUNDS = ("ground", "panel")


def shade(name: str, theme: str) -> str:
    return str(getattr(COLORS[name], theme))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [  # of the published test data: ordinary, hues around 180 and 360 degrees, grey, near blue, large
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
        ((50.0, 2.4900, -0.0010), (50.0, -2.4900, 0.0009), 7.1792),
        ((50.0, 2.4900, -0.0010), (50.0, -2.4900, 0.0011), 7.2195),
        ((50.0, -0.0010, 2.4900), (50.0, 0.0011, -2.4900), 4.7461),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((50.0, 2.5, 0.0), (58.0, 24.0, 15.0), 19.4535),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_distance_is_that_of_sharmas_pairs(
    one: tuple[float, float, float], other: tuple[float, float, float], expected: float
) -> None:
    assert ciede2000(one, other) == pytest.approx(expected, abs=5e-5)
    assert ciede2000(other, one) == pytest.approx(expected, abs=5e-5)


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("theme", THEMES)
def test_suits_are_14_apart_for_everyone(theme: str, vision: str) -> None:
    pairs = [pair for pair in combinations(ALL_SUITS, 2) if set(pair) != {WHITE, TEAL}]
    apart = {(a.name, b.name): distance(shade(a.name, theme), shade(b.name, theme), vision) for a, b in pairs}
    assert min(apart.values()) >= 14, min(apart.items(), key=lambda item: item[1])


@pytest.mark.parametrize("theme", THEMES)
def test_suits_step_in_lightness(theme: str) -> None:
    light = sorted(seen(shade(suit.name, theme), "normal")[0] for suit in SUITS)
    assert light[-1] - light[0] > 40


@pytest.mark.parametrize("suit", ALL_SUITS, ids=lambda suit: suit.name)
@pytest.mark.parametrize("theme", THEMES)
def test_a_suit_is_seen_on_every_ground_and_can_be_written_on(theme: str, suit: object) -> None:
    name = suit.name  # type: ignore[attr-defined]
    for ground in (*GROUNDS, "back"):
        outline = contrast(shade(f"{name}-edge", theme), shade(ground, theme))
        filling = contrast(shade(name, theme), shade(ground, theme))
        assert max(outline, filling) >= 3, ground
    assert contrast(shade(f"{name}-ink", theme), shade(name, theme)) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_words_and_signs_can_be_read(theme: str) -> None:
    for ground in GROUNDS:
        for name in ("text", "quiet", "accent", "good", "bad", "moved"):
            assert contrast(shade(name, theme), shade(ground, theme)) >= 4.5, (name, ground)
        assert contrast(shade("back-edge", theme), shade(ground, theme)) >= 3, ground
    for name in ("good", "bad", "quiet", "accent", "moved"):
        assert contrast(shade("badge-ink", theme), shade(name, theme)) >= 4.5, name
    assert contrast(shade("text", theme), shade("back", theme)) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_a_washed_out_card_can_be_read(theme: str) -> None:
    for suit in ALL_SUITS:
        for ground in GROUNDS:
            paper = mixed(shade(suit.name, theme), shade(ground, theme), 0.2)
            assert contrast(shade("text", theme), paper) >= 4.5, (suit.name, ground)


def mixed(over: str, under: str, opacity: float) -> str:
    parts = [
        round(opacity * int(over[place : place + 2], 16) + (1 - opacity) * int(under[place : place + 2], 16))
        for place in (1, 3, 5)
    ]
    return "#" + "".join(f"{part:02x}" for part in parts)


def test_a_light_shade_has_one_dark_shade() -> None:
    """`standalone` finds the dark shade of an element by its light one."""
    assert len({shades.light for shades in COLORS.values()}) == len(set(COLORS.values()))


def test_the_suits_are_the_cards_colors_with_a_shape_each() -> None:
    assert tuple(suit.name for suit in SUITS) == COLOR_NAMES
    assert "".join(suit.letter for suit in SUITS) == COLOR_LETTERS
    assert {suit.shape for suit in SUITS} == set(SHAPES)


def test_suits_of_other_games_by_name() -> None:
    assert [suit.letter for suit in suits_named(("red", "blue", "purple"))] == ["R", "B", "P"]
    with pytest.raises(ValueError, match="there is no suit called 'pink'; the suits are red, yellow"):
        suits_named(("red", "pink"))


def test_the_stylesheet_sets_what_drawings_ask_for() -> None:
    assert paint("red") == "var(--draw-red)"
    for theme in THEMES:
        rules = custom_properties(theme)
        assert f"--draw-purple: {shade('purple', theme)};" in rules
        assert rules.count(";") == len(COLORS)
        assert rules in stylesheet()
