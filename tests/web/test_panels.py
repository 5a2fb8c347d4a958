"""A page is sent the panels that differ from what it has, and puts them together to the same page."""

import random
from pathlib import Path

import pytest

from kagiya.drawing.canvas import Markup, element
from kagiya.web.pages import ReceivedPanels, ShownPanels, cut, panel
from tests.web.review.games import LIVE, looking, opened, pasted, recorded, said


def page(turn: int, words: str = "nothing", is_done: bool = False) -> Markup:
    """A page with a panel in a panel, and one that is not always there."""
    field = panel(element("input", id="slider", value=turn))
    inner = panel(element("p", words, id="words"))
    more = panel(element("p", "the end", id="end")) if is_done else None
    return element("div", panel(element("section", "a < b ", inner, field, id="outer", data_turn=turn)), more)


def whole(drawn: str) -> str:
    return drawn.replace("<!--panel-->", "").replace("<!--/panel-->", "")


def test_only_what_differs_is_sent() -> None:
    shown = ShownPanels()
    assert list(shown.update(page(1))) == ["main", "outer", "words", "slider"]
    assert shown.update(page(1)) == {}
    assert shown.update(page(1, "<b>")) == {"words": (None, "&lt;b&gt;")}
    assert shown.update(page(2, "<b>")) == {
        "outer": ('<section id="outer" data-turn="2">', None),
        "slider": ('<input id="slider" value="2"/>', None),
    }
    assert shown.update(page(2, "<b>", is_done=True)) == {
        "main": (None, "<div><!--outer--><!--end--></div>"),
        "end": ('<p id="end">', "the end"),
    }
    assert shown.update(page(2, "<b>")) == {"main": (None, "<div><!--outer--></div>")}


def test_a_panel_that_stands_elsewhere_or_became_another_element_is_sent_whole() -> None:
    shown = ShownPanels()
    inner = panel(element("ul", panel(element("li", "x", id="item")), id="list"))
    shown.update(element("div", panel(element("div", inner, id="a")), panel(element("div", id="b"))))
    moved = shown.update(element("div", panel(element("div", id="a")), panel(element("div", inner, id="b"))))
    assert moved == {
        "a": (None, ""),
        "b": (None, "<!--list-->"),
        "list": ('<ul id="list">', "<!--item-->"),
        "item": ('<li id="item">', "x"),
    }
    assert shown.update(panel(element("p", id="a"))) == {"main": (None, "<!--a-->"), "a": ('<p id="a">', "")}


def test_any_page_after_any_other_is_put_together_as_it_was_drawn() -> None:
    dice = random.Random(1)

    def some(ids: list[int]) -> list[Markup | str]:
        parts: list[Markup | str] = []
        while ids and dice.random() < 0.7:
            id_ = f"n{ids.pop()}"
            drawn = element(dice.choice("pq"), some(ids), id=id_, title=dice.choice("xy"))
            parts += [dice.choice("<&z"), panel(drawn) if dice.random() < 0.7 else drawn]
        return parts

    shown, received = ShownPanels(), ReceivedPanels()
    for _ in range(300):
        drawn = element("div", some(dice.sample(range(12), 12)))
        received.update(shown.update(drawn))
        assert received.text() == whole(drawn)


@pytest.mark.parametrize("query", ["", "?turn=9&eyes=everything&judge=vdb&second=careful"])
def test_a_step_of_a_review_sends_less_than_half_of_the_page(query: str, tmp_path: Path) -> None:
    with looking(tmp_path) as client:
        address = opened(client, pasted(recorded())).partition("?")[0] + query
        with client.websocket_connect(f"{LIVE}{address.replace('&', '%26')}") as socket:
            first = len(socket.receive_text())
            said(socket, {"do": "step", "way": "next-turn"})
            socket.send_json({"do": "step", "way": "next-turn", "id": "2"})
            sent = [socket.receive_text()]
            while '"did":"2"' not in sent[-1]:
                sent.append(socket.receive_text())
        assert sum(map(len, sent)) < first / 2
        drawn = client.get(address).text
        ids = cut(drawn[drawn.index("<main") : drawn.index("</main>")])
        assert drawn.count("<!--panel-->") == len(ids) - 1  # no id stands for two panels
