"""The review in a browser: every format pasted, the game walked through, the link opened elsewhere."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from kagiya.interop.files import FORMATS, games_content
from tests.web.browser.accessible import check_everywhere
from tests.web.browser.watched import Watched
from tests.web.review.games import POSITION, pasted, recorded
from tests.web.served import Served

BINARY = {"safetensors"}  # given as files
Visit = Callable[..., Watched]


def read(page: Page, text: str) -> None:
    """Paste a game and wait for it."""
    page.get_by_role("textbox", name="A record, a position").fill(text)
    page.get_by_role("button", name="Review this game").click()
    page.wait_for_url("**/review/game/**")


def test_a_game_is_walked_through_and_its_link_opened_elsewhere(server: Served, visit: Visit) -> None:
    page = visit(server).open("/review")
    read(page, pasted(recorded()))
    expect(page.get_by_role("heading", level=1)).to_contain_text("score 17 of 25")
    page.get_by_role("button", name="Next turn").click()
    expect(page.get_by_role("heading", name="Turn 2 of 65, bob to move")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="Turn 3 of 65, cathy to move")).to_be_visible()
    page.get_by_role("link", name=re.compile("^16 ?alice plays")).click()
    expect(page.get_by_role("heading", name="Turn 16 of 65, alice to move")).to_be_visible()
    page.get_by_role("link", name="everything").click()
    expect(page).to_have_url(re.compile("eyes=everything"))
    turn = page.get_by_role("heading", name=re.compile("^Turn 1")).inner_text()
    other = visit(server).open(page.url.removeprefix(server.address))
    expect(other.get_by_role("heading", name=turn)).to_be_visible()
    expect(other.locator("main")).to_have_js_property(
        "textContent", page.locator("main").evaluate("e => e.textContent")
    )
    page.go_back()
    expect(page.get_by_role("heading", name="Review a game")).to_be_visible()
    check_everywhere(other)


def test_why_and_what_if(server: Served, visit: Visit) -> None:
    page = visit(server).open("/review")
    read(page, pasted(recorded()))
    page.get_by_role("combobox", name="samples").select_option("20")
    expect(page).to_have_url(re.compile("deals=20"))
    page.get_by_role("combobox", name="and").select_option("vdb")
    expect(page).to_have_url(re.compile("second=vdb"))
    page.get_by_role("button", name="Judge this turn").click()
    moves = page.get_by_role("region", name="Legal moves").get_by_role("table")
    expect(moves.get_by_role("row", name=re.compile("best"))).not_to_have_count(0)
    expect(moves.get_by_role("columnheader", name=re.compile("value"))).to_have_count(2)
    check_everywhere(page)
    page.get_by_role("button", name="Try play 1", exact=True).click()
    page.get_by_role("link", name="turn 1: play 1").click()
    expect(page).to_have_url(re.compile("branch="))
    expect(page.get_by_role("link", name=re.compile("^1 ?alice plays slot 1"))).to_be_visible()
    elsewhere = visit(server).open(page.url.removeprefix(server.address))
    expect(elsewhere.get_by_role("link", name=re.compile("^1 ?alice plays slot 1"))).to_be_visible()
    elsewhere.once("dialog", lambda dialog: dialog.accept())
    elsewhere.get_by_role("button", name="Delete turn 1: play 1").click()
    expect(elsewhere.get_by_role("link", name="turn 1: play 1")).to_have_count(0)


@pytest.mark.parametrize("form", [*(form for form in FORMATS if form not in BINARY), "position"])
def test_every_format_is_pasted(server: Served, visit: Visit, form: str) -> None:
    page = visit(server).open("/review")
    read(page, POSITION if form == "position" else games_content([recorded()], form).decode())
    expect(page.get_by_role("heading", name="Table")).to_be_visible()
    turn = "alice to move" if form == "position" else "Turn 1 of 65, alice to move"
    expect(page.get_by_role("heading", name=turn, level=2)).to_be_visible()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<script>alert(1)</script>", "This is not a game"),
        ('{"deck": 3}', "cannot be read"),
        (pasted(recorded()).replace('"moves": [', '"moves": ["fly away", '), "cannot be read"),
        ("[" * 30_000, "cannot be read"),
        ("x" * 70_000, "a page takes 65,000"),
    ],
)
def test_what_cannot_be_read_is_said(server: Served, visit: Visit, text: str, reason: str) -> None:
    page = visit(server).open("/review")
    page.get_by_role("textbox", name="A record, a position").fill(text)
    page.get_by_role("button", name="Review this game").click()
    expect(page.locator("#said")).to_contain_text(reason)
    expect(page.get_by_role("heading", name="Review a game")).to_be_visible()
