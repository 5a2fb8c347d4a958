"""Panels that are replaced while somebody uses the page: focus, typing, choices, scrolling and clicks survive."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.web.browser.playing import start, wait_for_my_turn
from tests.web.browser.test_at_the_table import review
from tests.web.browser.watched import Watched
from tests.web.served import Served

Visit = Callable[..., Watched]
# As if the server had sent these panels with other contents; words around it show that they were replaced.
REPLACE = """async ids => {
  const { place } = await import("/static/panels.js");
  const panels = ids.map((id) => [id, [null, document.getElementById(id).innerHTML + '<i class="again">again</i>']]);
  place(Object.fromEntries(panels));
}"""
PRESS_UNFOCUSED = "id => document.getElementById(id).click()"
# Found and selected in one step: between two, the page that was just loaded may draw its panels anew.
SELECT = """() => {
  const words = document.querySelector("#review-heading h1").firstChild;
  getSelection().setBaseAndExtent(words, 2, words, 9);
}"""
OFFERED = "field => [...field.options].map((option) => option.textContent)"


def move_without_focus(page: Page) -> None:
    """Discard or play the oldest card, and wait for the next turn, wherever the focus is."""
    turn = wait_for_my_turn(page)
    page.evaluate(PRESS_UNFOCUSED, "discard-1" if page.locator("#discard-1:not([aria-disabled])").count() else "play-1")
    assert wait_for_my_turn(page, turn)


def test_focus_and_typing_stay_while_others_move(server: Served, visit: Visit) -> None:
    page = visit(server).open("/?players=3&pause=0")
    start(page)
    page.locator("#hint-1-1").focus()
    move_without_focus(page)
    expect(page.locator("#hint-1-1")).to_be_focused()
    page.locator("#note-card").select_option(index=2)
    chosen = page.locator("#note-card").input_value()
    page.locator("#note").press_sequentially("keep this")
    page.locator("#note").evaluate("field => field.setSelectionRange(1, 4)")
    move_without_focus(page)
    expect(page.locator("#note")).to_be_focused()
    expect(page.locator("#note")).to_have_value("keep this")
    assert page.locator("#note").evaluate("field => [field.selectionStart, field.selectionEnd]") == [1, 4]
    if page.locator(f"#note-card option[value='{chosen}']").count():
        expect(page.locator("#note-card")).to_have_value(chosen)


def test_what_stands_in_a_replaced_panel_is_put_back(server: Served, visit: Visit) -> None:
    page = visit(server).open("/review")
    page.goto(f"{review(page)}?turn=40")
    page.get_by_text("Set single cards").click()
    page.locator("#try-card1").select_option(index=3)
    page.locator("#try-name").press_sequentially("mine")
    page.locator("#try-name").evaluate("field => field.setSelectionRange(2, 2)")
    page.wait_for_function("document.querySelector('#happened ol').scrollTop > 0")  # to the turn, once it is drawn
    scrolled = page.locator("#happened ol").evaluate("list => list.scrollTop += 5")
    page.evaluate(REPLACE, ["trying", "try-card1", "happened"])
    expect(page.locator("#trying > .again")).to_have_count(1)
    expect(page.locator("#try-name")).to_be_focused()
    expect(page.locator("#try-name")).to_have_value("mine")
    assert page.locator("#try-name").evaluate("field => field.selectionStart") == 2
    assert page.locator("#try-card1").evaluate("field => field.selectedIndex") == 3
    assert page.locator("#happened ol").evaluate("list => list.scrollTop") == scrolled
    assert page.locator("#places").evaluate("details => details.open")


def test_the_legal_moves_of_a_review_follow_the_turn_even_with_the_focus(server: Served, visit: Visit) -> None:
    page = visit(server).open("/review")
    page.goto(f"{review(page)}?turn=5")
    moves = page.locator("#try-move")
    before = moves.evaluate(OFFERED)
    moves.focus()
    moves.select_option(index=2)
    page.evaluate(PRESS_UNFOCUSED, "next-turn")
    expect(page.get_by_role("heading", name=re.compile("^Turn 6 of"))).to_be_visible()
    expect(moves).to_be_focused()
    assert moves.evaluate(OFFERED) != before
    assert moves.evaluate("field => field.selectedIndex") == 0
    elsewhere = visit(server).open(page.url.removeprefix(server.address))
    assert moves.evaluate(OFFERED) == elsewhere.locator("#try-move").evaluate(OFFERED)


def test_text_that_is_selected_stays_so(server: Served, visit: Visit) -> None:
    page = visit(server).open("/review")
    page.goto(f"{review(page)}?turn=5")
    page.evaluate(SELECT)
    selected = page.evaluate("() => getSelection().toString()")
    assert len(selected) == 7
    page.evaluate(REPLACE, ["review-heading"])
    assert page.evaluate("() => getSelection().toString()") == selected


def test_a_button_that_is_replaced_while_it_is_pressed_is_clicked(server: Served, visit: Visit) -> None:
    page = visit(server).open("/review")
    page.goto(f"{review(page)}?turn=5&judge=careful&deals=20")
    page.locator("#newest").hover()
    page.mouse.down()
    page.evaluate(REPLACE, ["review-eyes"])
    page.mouse.up()
    expect(page).to_have_url(re.compile("newest=left"))


def test_the_slider_is_dragged_through_a_game(server: Served, visit: Visit) -> None:
    page = visit(server).open("/review")
    review(page)
    box = page.locator("#slider").bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 10, middle)
    page.mouse.down()
    for part in range(1, 10):
        page.mouse.move(box["x"] + box["width"] * part / 10, middle)
        page.wait_for_timeout(30)
    turn = int(page.locator("#slider").input_value())
    assert turn > 40
    expect(page.get_by_role("heading", name=re.compile(f"^Turn {turn} of"))).to_be_visible()  # before it is let go
    page.mouse.up()
    expect(page.locator("#slider")).to_have_value(str(turn))
