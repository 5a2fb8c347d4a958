"""Markup: whatever is not markup comes out as text."""

from xml.etree import ElementTree

from hypothesis import given, strategies as st

from kagiya.drawing.canvas import Markup, element, joined

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]))


@given(TEXT, TEXT)
def test_texts_and_attributes_come_back_as_they_were(text: str, value: str) -> None:
    read = ElementTree.fromstring(element("p", text, title=value))
    assert (read.text or "") == text
    assert read.attrib == {"title": value}


def test_markup_is_not_escaped_again() -> None:
    assert element("p", element("b", "a<b")) == "<p><b>a&lt;b</b></p>"
    assert isinstance(joined("x"), Markup)


def test_children_may_be_lists_numbers_or_nothing() -> None:
    assert element("p", ["a", None, [1, 2.5]], None) == "<p>a12.5</p>"


def test_attributes() -> None:
    made = element("button", class_="hint", data_turn=3, disabled=True, hidden=False, title=None)
    assert made == '<button class="hint" data-turn="3" disabled=""></button>'
    assert element("br") == "<br/>"
