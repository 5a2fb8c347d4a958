"""Small things done with the pointer and the keys: a hand as its owner sees it, an invitation copied, quick steps."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from kagiya.cards import COLOR_NAMES, card_color, card_rank
from kagiya.view.observation import observe
from tests.web.browser.playing import click, heading, play_to_the_end, press, start
from tests.web.browser.watched import Watched
from tests.web.review.games import pasted, recorded
from tests.web.served import Served

Visit = Callable[..., Watched]
# Before the page can be drawn again.
PRESS_AT_ONCE = """keys => { for (const key of keys)
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })); }"""
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { value: undefined });"


def is_open(page: Page, seat: int) -> bool:
    """Whether the faces of a hand are shown."""
    return page.locator(f"#hand-{seat} .face svg").first.is_visible()


def test_a_key_shows_one_hand_as_its_owner_sees_it_and_nothing_moves(server: Served, visit: Visit) -> None:
    page = visit(server).open("/?players=3&pause=0")
    start(page)
    places = [page.locator(f"#hand-{seat}").bounding_box() for seat in range(3)]
    for seat, other in ((1, 2), (2, 1)):
        page.locator(f"#hand-{seat} h2").hover()
        page.keyboard.down("e")
        expect(page.locator(f"#hand-{seat} .face svg").first).to_be_hidden()
        assert is_open(page, other)
        assert [page.locator(f"#hand-{each}").bounding_box() for each in range(3)] == places
        page.keyboard.up("e")
        expect(page.locator(f"#hand-{seat} .face svg").first).to_be_visible()
    page.mouse.move(0, 0)
    page.locator("#hand-1 .hint").first.focus()
    page.keyboard.down("e")
    expect(page.locator("#hand-1 .face svg").first).to_be_hidden()
    assert is_open(page, 2)
    page.keyboard.up("e")
    page.locator("#eyes").hover()
    page.mouse.down()
    expect(page.locator("#hand-1 .face svg").first).to_be_hidden()
    expect(page.locator("#hand-2 .face svg").first).to_be_hidden()
    page.mouse.up()


@pytest.mark.parametrize("has_clipboard", [True, False])
def test_an_invitation_is_copied_with_one_click(server: Served, visit: Visit, has_clipboard: bool) -> None:
    visitor = visit(server, permissions=["clipboard-read", "clipboard-write"])
    if not has_clipboard:
        visitor.context.add_init_script(NO_CLIPBOARD)
    page = visitor.open("/?players=3&pause=0&seat2=human&name=Ann")
    start(page)
    page.get_by_role("button", name="Copy the link for bob").click()
    expect(page.get_by_role("status").first).to_have_text("The link is on the clipboard.")
    link = page.get_by_role("link", name="this link").get_attribute("href")
    field = page.get_by_role("textbox", name="Type a move")
    field.focus()
    page.keyboard.press("ControlOrMeta+v")
    typed = field.input_value()
    assert typed
    assert f"{server.address}{link}".startswith(typed)  # the line for moves is shorter than an address


def review(page: Page) -> str:
    page.get_by_role("textbox").fill(pasted(recorded()))
    page.get_by_role("button", name="Review this game").click()
    page.wait_for_url("**/review/game/**")
    return page.url.partition("?")[0]


def test_of_quick_steps_each_counts(server: Served, visit: Visit) -> None:
    page = visit(server).open("/review")
    review(page)
    page.evaluate(PRESS_AT_ONCE, ["ArrowRight"] * 5 + ["ArrowLeft"])
    expect(page.get_by_role("heading", name=re.compile("^Turn 5 of"))).to_be_visible()


def test_looking_back_moves_nothing_and_quick_steps_count(server: Served, visit: Visit) -> None:
    page = visit(server).open("/?players=3&pause=0")
    start(page)
    play_to_the_end(page, at_most=2)
    place = page.locator("#turn").bounding_box()
    page.evaluate(PRESS_AT_ONCE, ["ArrowLeft"] * 3 + ["ArrowRight"])
    expect(heading(page)).to_have_text("Before turn 5 earlier")
    assert page.locator("#turn").bounding_box() == place


def test_all_that_can_be_done_is_in_sight_in_a_game_of_five(server: Served, visit: Visit) -> None:
    page = visit(server).open("/?players=5&pause=0")
    start(page)
    for button in page.locator(".hints button, .card button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 800


def test_a_short_click_switches_what_a_long_one_holds(server: Served, visit: Visit) -> None:
    page = visit(server).open("/?players=2&pause=0")
    start(page)
    eyes, chances = page.locator("#eyes"), page.locator("#chances")
    for means in (click, press):
        means(page, eyes)
        expect(eyes).to_have_attribute("aria-pressed", "true")
        assert not is_open(page, 1)
        means(page, eyes)
        expect(eyes).to_have_attribute("aria-pressed", "false")
        assert is_open(page, 1)
        means(page, chances)
        expect(page.get_by_role("figure")).to_have_count(5)
        expect(chances).to_have_attribute("aria-pressed", "true")
        means(page, chances)
        expect(page.get_by_role("figure")).to_have_count(0)
    eyes.hover()
    page.mouse.down()
    page.wait_for_timeout(400)
    page.mouse.up()
    assert is_open(page, 1)


def test_what_was_written_stays_while_the_page_is_drawn_again(server: Served, visit: Visit) -> None:
    page = visit(server).open("/review")
    game = review(page)
    page.goto(f"{game}?turn=12&judge=careful&deals=20")
    page.get_by_label("Name").fill("mine")
    page.get_by_text("Set single cards").click()
    page.get_by_label("Put").first.select_option("the next card of the deck")
    page.get_by_role("button", name="Judge this turn").click()
    expect(page.get_by_text(re.compile("^By careful the move is"))).to_be_visible()
    expect(page.get_by_label("Put").first).to_be_visible()
    expect(page.get_by_label("Put").first).to_have_value("draw 1")
    expect(page.get_by_label("Name")).to_have_value("mine")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_label("Name")).to_have_value("")


def test_a_card_that_nobody_has_seen_is_set(server: Served, visit: Visit) -> None:
    page = visit(server).open("/review")
    game = review(page)
    page.goto(f"{game}?turn=12")
    before = list(recorded().replay())[10]
    unseen = next(iter(observe(before, before.seat).unseen))
    card = f"{COLOR_NAMES[card_color(unseen)]} {card_rank(unseen) + 1}"
    page.get_by_text("Set single cards").click()
    page.get_by_label("Put").first.select_option("the next card of the deck")
    page.get_by_role("button", name="Let them play on").click()
    expect(page.get_by_role("status").first).to_have_text(re.compile("^Choose both"))
    branch = page.get_by_role("link", name=re.compile("^turn 12: the agents decide"))
    while not branch.count():  # a redraw at the very moment of a choice may undo it
        page.get_by_label("Put").first.select_option("the next card of the deck")
        page.get_by_label("this card").first.select_option(card)
        page.get_by_role("button", name="Let them play on").click()
        page.wait_for_timeout(2000)
    while "branch=" not in page.url:  # or move the link between press and release
        branch.first.click()
        page.wait_for_timeout(500)
    expect(page.get_by_text(f"the next card of the deck is {card}")).to_be_visible()
    told = json.loads(page.request.get(page.url.replace("/review/", "/json/review/")).text())
    assert told["branches"][0]["placed"] == [f"the next card of the deck is {card}"]
