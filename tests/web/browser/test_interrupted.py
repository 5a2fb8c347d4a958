"""Reload, a second tab, a server killed in the middle of a game: the same seat and turn, no move lost or doubled."""

import os
import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.web.browser.playing import choose, heading, start, wait_for_my_turn
from tests.web.browser.watched import Watched
from tests.web.served import Served

Visit = Callable[..., Watched]
TIMES = int(os.environ.get("KAGIYA_TEST_KILLS", "2"))


def told(page: Page) -> list[str]:
    """All moves so far, in words, as the page has them."""
    return page.get_by_role("region", name="What happened").get_by_role("link").all_inner_texts()


def stored(page: Page) -> list[str]:
    """The same, as the server has them."""
    answer = page.request.get(re.sub(r"(https?://[^/]+)/", r"\1/json/", page.url, count=1)).json()
    return [each["words"] for each in answer["story"]]


def test_reload_and_a_second_tab(server: Served, visit: Visit) -> None:
    visitor = visit(server)
    page = visitor.open("/?players=3&pause=0")
    start(page)
    turn = wait_for_my_turn(page)
    choose(page, turn).click()
    turn = wait_for_my_turn(page, turn)
    before = told(page)
    page.reload()
    assert wait_for_my_turn(page) == turn
    assert told(page) == before
    other = visitor.open(page.url.removeprefix(server.address))
    assert wait_for_my_turn(other) == turn
    choose(other, turn).click()
    assert wait_for_my_turn(other, turn) == wait_for_my_turn(page, turn) != 0
    assert told(page) == told(other)


def test_a_server_that_is_killed(new_server: Callable[..., Served], visit: Visit) -> None:
    """The page finds the new server by itself; a move that was on its way is made once."""
    served = new_server()
    visitor = visit(served)
    visitor.forgive("WebSocket connection to|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET")
    page = visitor.open("/?players=3&pause=0")
    start(page)
    turn, before = wait_for_my_turn(page), 0
    for number in range(TIMES):
        address = page.url
        choose(page, turn).click(no_wait_after=True)
        if number % 2:
            turn = wait_for_my_turn(page, turn)
        served.kill()
        expect(page.locator("#said")).to_contain_text("The server does not answer")
        served.start()
        expect(page.locator("#said")).not_to_contain_text("does not answer")
        if not number % 2:
            turn = wait_for_my_turn(page, turn)
        assert page.url == address
        if not turn:
            break
        moves = stored(page)
        assert len(moves) == turn - 1 == before + 3
        before = len(moves)
        expect(heading(page)).to_have_text(f"Your turn turn {turn}")


def test_ctrl_c_in_the_middle_of_a_search(new_server: Callable[..., Served], visit: Visit) -> None:
    served = new_server("--think-time", "600")
    visitor = visit(served)
    visitor.forgive("WebSocket connection to|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET")
    page = visitor.open("/?players=2&pause=0&seat2=ris-mcts(time%3D500s)")
    start(page)
    turn = wait_for_my_turn(page)
    choose(page, turn).click()
    expect(heading(page)).to_contain_text("bob is thinking")
    assert served.interrupt() == 130
    assert "Traceback" not in served.said()
    expect(page.locator("#said")).to_contain_text("The server does not answer")
    page.locator("#chances").dispatch_event("click")  # what is done meanwhile does not hide that
    assert "does not answer" in page.inner_text("#said")
    served.start()
    expect(heading(page)).to_contain_text("bob is thinking")
    assert len(stored(page)) == 1
