"""Pieces of pages are shorter than the drawings that they are made from, and well-formed."""

from xml.etree import ElementTree

import pytest

from kagiya.drawing.canvas import SUITS
from kagiya.drawing.card import Marks, Possible, card_back, card_face, chance_bars
from kagiya.drawing.table_drawing import discard_grid, fireworks
from kagiya.web.table_html import for_page

pytestmark = pytest.mark.quick


def test_drawings_for_the_page_are_shorter_and_still_well_formed() -> None:
    suits = SUITS[:5]
    drawings = [card_face(suits[0], 2, Marks(touched=True, critical=True)), fireworks((1, 2, 0, 5, 3), suits)]
    drawings += [card_back(Possible((0, 3), (1, 2)), Marks(moved=True), suits), chance_bars(0.2, 1.0, 0.0)]
    drawings.append(discard_grid((3, 2, 2, 2, 1), ((1, 0, 0, 2, 0),) * 5, (1, 2, 0, 5, 3), suits))
    for drawing in drawings:
        short = for_page(drawing)
        assert len(short) < len(drawing)
        assert [each.tag for each in ElementTree.fromstring(short).iter() if each.tag != "g"] == [
            each.tag for each in ElementTree.fromstring(drawing).iter() if each.tag != "g"
        ]
