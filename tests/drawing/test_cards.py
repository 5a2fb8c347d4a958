"""Cards, fireworks, discards and chances: well-formed, named by what they show, and free of styles."""

import re
from itertools import product
from xml.etree import ElementTree

from kagiya.drawing.canvas import ALL_SUITS, SUITS, Markup, standalone
from kagiya.drawing.card import (
    Marks,
    Possible,
    card_back,
    card_face,
    chance_bars,
    chance_words,
    chances_grid,
    empty_slot,
    knowledge,
    percent,
    possible_words,
    suit_mark,
)
from kagiya.drawing.table_drawing import discard_grid, fireworks

FIVE = SUITS[:5]
LOST = ((1, 0, 1, 0, 0), (2, 2, 0, 0, 0), (0, 0, 1, 0, 0), (0, 0, 0, 1, 1), (3, 0, 0, 0, 0))
CHANCES = ((0.1, 0.05, 0, 0.004, 0.2), (0, 0, 0, 0, 0), (0.3, 0, 0, 0.046, 0), (0, 0, 0, 0, 0), (0, 0, 0.3, 0, 0))


def drawings() -> list[Markup]:
    return [
        *(card_face(suit, rank) for suit in ALL_SUITS for rank in range(5)),
        *(card_face(SUITS[0], 2, Marks(*flags)) for flags in product((False, True), repeat=7)),
        *(card_back(Possible((0, 2), (1, 3)), Marks(*flags)) for flags in product((False, True), repeat=7)),
        card_back(Possible((1,), (0, 4)), suits=FIVE),
        card_back(Possible((1, 2), (0,)), suits=FIVE),
        card_back(Possible((), ())),
        knowledge(Possible((0, 2), (1,)), Marks(told_rank=True), FIVE),
        empty_slot(),
        suit_mark(SUITS[1]),
        fireworks((0, 1, 2, 3, 4, 5)),
        discard_grid((3, 2, 2, 2, 1), LOST, (1, 0, 3, 2, 0), FIVE),
        chances_grid(CHANCES, FIVE, truth=(4, 2)),
        chance_bars(0.3, 0.5, 0.2),
    ]


def read(drawing: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawing)


def name_of(drawing: Markup) -> str | None:
    return read(drawing).findtext("title")


def test_every_drawing_is_an_image_with_a_name_and_without_styles() -> None:
    for drawing in drawings():
        root = read(drawing)
        assert (root.tag, root.get("role")) == ("svg", "img")
        assert root.findtext("title")
        for part in root.iter():
            assert part.tag not in ("style", "script")
            assert not {"style", "class", "id"} & set(part.attrib), "the page allows no styles; ids would be doubled"


def test_every_drawing_can_stand_alone() -> None:
    for drawing in drawings():
        alone = standalone(drawing)
        assert read(alone).tag == "{http://www.w3.org/2000/svg}svg"
        for value in re.findall(r'(?:fill|stroke)="([^"]*)"', alone):
            assert value == "none" or re.fullmatch("#[0-9a-f]{6}", value)


def test_equal_data_give_equal_drawings() -> None:
    assert drawings() == drawings()


def test_cards_are_called_what_they_are() -> None:
    assert name_of(card_face(SUITS[0], 2)) == "red 3"
    assert name_of(card_face(SUITS[4], 4, Marks(critical=True, playable=True))) == "blue 5, playable, critical"
    assert name_of(card_back(Possible((0, 1), (1, 2)))) == "unknown: red or yellow, 2 or 3"
    marks = Marks(touched=True, told_color=True, told_rank=True)
    assert name_of(card_back(Possible((0,), (2,)), marks)) == "red 3, color and rank told"
    assert name_of(card_back(Possible((0, 1), (2,)), Marks(touched=True))) == "unknown: red or yellow, 3, touched"
    assert possible_words(Possible((), ())) == "unknown"
    assert possible_words(Possible((0, 1), (0, 1, 2)), SUITS[:2], 3) == "unknown"
    assert possible_words(Possible((0, 1), (0,)), SUITS[:2], 3) == "unknown: any color, 1"
    assert possible_words(Possible((0,), (0, 1, 2)), SUITS[:2], 3) == "unknown: red, any rank"


def test_a_name_can_be_replaced_or_left_out() -> None:
    assert name_of(card_face(SUITS[0], 2, label="bob's <first>")) == "bob's <first>"
    hidden = read(card_face(SUITS[0], 2, label=""))
    assert (hidden.get("aria-hidden"), hidden.get("role"), hidden.find("title")) == ("true", None, None)


def texts(drawing: Markup) -> list[str]:
    return [part.text or "" for part in read(drawing).iter("text")]


def test_a_back_shows_what_is_possible_and_nothing_else() -> None:
    back = card_back(Possible((0, 3), (1, 4)), suits=FIVE)
    assert texts(back) == ["2", "5"]
    assert [suit.name for suit in FIVE if f"--draw-{suit.name})" in back] == ["red", "white"]


def test_what_an_owner_knows_is_a_dot_if_it_is_nothing() -> None:
    everything = Possible((0, 1, 2, 3, 4), (0, 1, 2, 3, 4))
    assert "path" not in knowledge(everything, suits=FIVE)
    assert texts(knowledge(everything, suits=FIVE)) == []
    assert len(list(read(knowledge(everything, suits=FIVE)).iter("circle"))) == 2
    assert texts(knowledge(Possible((0, 1), (1, 2)), suits=FIVE)) == ["2", "3"]


def test_a_face_shows_rank_and_letter() -> None:
    assert texts(card_face(SUITS[5], 3)) == ["4", "P"]


def test_marks_change_the_drawing() -> None:
    """What was told is shown by `knowledge` and said in the name; everything else on the card itself."""
    names = ("touched", "critical", "useless", "playable", "moved")
    shown = {card_face(SUITS[0], 2, Marks(**{name: True}), label="") for name in names}
    assert len(shown | {card_face(SUITS[0], 2, label="")}) == len(names) + 1
    possible = Possible((0,), (1, 2))
    told = {knowledge(possible, Marks(**{name: True})) for name in ("told_color", "told_rank")}
    assert len(told | {knowledge(possible)}) == 3


def test_fireworks_and_discards_in_words() -> None:
    assert name_of(fireworks((3, 0), SUITS[:2])) == "fireworks: red 3, yellow 0"
    grid = discard_grid((3, 2, 2, 2, 1), LOST, (1, 0, 3, 2, 0), FIVE)
    said = "red 1, red 3, yellow 1 x 2, yellow 2 x 2, green 3, white 4, white 5, blue 1 x 3"
    assert name_of(grid) == f"discards: {said}"
    assert name_of(discard_grid((3, 1), ((0, 0),), (0,), SUITS[:1])) == "discards: none"


def test_chances_in_percent() -> None:
    assert [percent(chance) for chance in (0, 0.001, 0.5, 0.996, 1)] == ["0", "<1", "50", ">99", "100"]
    said = chance_words(CHANCES, FIVE, most=3)
    assert said == "green 1: 30 %, blue 3: 30 %, red 5: 20 %, 4 others"
    assert texts(chances_grid(CHANCES[:1], FIVE)) == ["1", "2", "3", "4", "5", "10", "5", "<1", "20"]
    assert name_of(chance_bars(0.25, 0.5, 0)) == "fits 25 %, useless 50 %, critical 0 %"
