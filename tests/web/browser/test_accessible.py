"""Every view, light and dark, on a screen and on a phone; and the checks themselves can fail."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import FloatRect, expect

from tests.web.browser.accessible import check, check_everywhere
from tests.web.browser.playing import start, wait_for_my_turn
from tests.web.browser.watched import Watched
from tests.web.served import Served

Visit = Callable[..., Watched]
FAILS = "tests.web.process_agents:Raises"


def test_nothing_at_an_address(server: Served, visit: Visit) -> None:
    visitor = visit(server)
    visitor.forgive("404")
    check_everywhere(visitor.open("/nowhere"))


def test_the_keys(server: Served, visit: Visit) -> None:
    page = visit(server).open("/review")
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    check_everywhere(page)


def test_an_agent_that_fails(new_server: Callable[..., Served], visit: Visit) -> None:
    page = visit(new_server("--agent", FAILS), width=390, height=844).open(f"/?players=2&pause=0&seat2={FAILS}")
    start(page)
    wait_for_my_turn(page)
    page.keyboard.press("1")
    button = page.get_by_role("button", name="Let it take the seat")
    button.wait_for()
    check_everywhere(page)
    parts = [
        page.locator(each) for each in ("#whose", "#board .fireworks", "#holding-up p", "#another-agent", "#replace")
    ]
    boxes = [part.bounding_box() for part in parts]
    assert not [(one, other) for place, one in enumerate(boxes) for other in boxes[:place] if do_overlap(one, other)]


def do_overlap(one: FloatRect | None, other: FloatRect | None) -> bool:
    assert one is not None
    assert other is not None
    sides = (("x", "width"), ("y", "height"))
    return all(one[at] < other[at] + other[long] and other[at] < one[at] + one[long] for at, long in sides)  # type: ignore[literal-required]


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/?players=5&seat2=human&seat3=ris-mcts",
        "/review",
        "/results",
        "/results/cell?rules=standard&players=3&guest=careful&host=vdb",
    ],
)
def test_views_that_need_no_game(server: Served, visit: Visit, path: str) -> None:
    check_everywhere(visit(server).open(path))


def test_a_seat_from_the_deal_to_the_end(server: Served, visit: Visit) -> None:
    page = visit(server).open("/?players=5&pause=0")
    start(page)
    turn = wait_for_my_turn(page)
    check_everywhere(page)
    page.set_viewport_size({"width": 390, "height": 844})
    for tab in page.get_by_role("navigation", name="Panels").get_by_role("link").all():
        tab.click()
        check(page, f"tab {tab.inner_text()}")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("slider", name="Turn").wait_for()
    while turn:
        page.get_by_role("button", name="Play slot 1", exact=True).click()
        turn = wait_for_my_turn(page, turn)
    check_everywhere(page)


def test_an_invitation(server: Served, visit: Visit) -> None:
    page = visit(server).open("/?players=2&seat2=human")
    start(page)
    page.get_by_role("link", name="this link").click()
    expect(page.get_by_role("button", name=re.compile("^Sit down"))).to_be_visible()
    check_everywhere(page)


@pytest.mark.parametrize(
    ("mistake", "found"),
    [
        ("<div class=wide id=wide>wide</div>", "wider than the window"),
        ("<button id=tiny class=tiny>x</button>", "smaller than 24 px"),
        ("<a href='/'>x</a>", "without an id"),
        ("<img src='/static/icon.svg'>", "image-alt"),
        ("<p id=main>x</p>", "the same id twice"),
    ],
)
def test_the_checks_find_mistakes(server: Served, visit: Visit, mistake: str, found: str) -> None:
    page = visit(server).open("/review")
    page.evaluate("html => document.querySelector('main').insertAdjacentHTML('beforeend', html)", mistake)
    page.evaluate(
        """() => { const sheet = new CSSStyleSheet();
        sheet.replaceSync(".wide { width: 5000px } .tiny { min-height: 0; height: 10px; padding: 0; width: 8px }");
        document.adoptedStyleSheets = [sheet]; }"""
    )
    with pytest.raises(AssertionError, match=found):
        check(page, "here")
