"""Whole games in a browser: by mouse, by keyboard, by finger, by what a screen reader has; alone and together."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.web.browser.playing import click, heading, play_to_the_end, press, start, tap, wait_for_my_turn
from tests.web.browser.watched import Watched
from tests.web.served import Served

Visit = Callable[..., Watched]
OVER = re.compile(r"of \d+ points")


@pytest.mark.parametrize("players", [2, 5])
def test_a_whole_game_by_mouse(server: Served, visit: Visit, players: int) -> None:
    page = visit(server).open(f"/?players={players}&pause=0")
    start(page)
    assert play_to_the_end(page) > 3
    expect(heading(page)).to_contain_text(OVER)


def test_a_whole_game_by_role_and_name_alone(server: Served, visit: Visit) -> None:
    page = visit(server, java_script_enabled=True, reduced_motion="reduce").open("/?players=4&pause=0")
    start(page, press)
    assert play_to_the_end(page, press) > 3
    expect(heading(page)).to_contain_text(OVER)


def test_a_whole_game_by_touch_on_a_phone(server: Served, visit: Visit) -> None:
    page = visit(server, width=390, height=844, has_touch=True, is_mobile=True).open("/?players=3&pause=0")
    start(page, tap)
    assert play_to_the_end(page, tap) > 3
    expect(heading(page)).to_contain_text(OVER)


def test_a_whole_game_by_keyboard_alone(server: Served, visit: Visit) -> None:
    page = visit(server).open("/?players=3&pause=0")
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/**")
    turn = wait_for_my_turn(page)
    page.keyboard.press("m")
    while turn:
        expect(page.get_by_role("textbox", name="Type a move")).to_be_focused()
        page.keyboard.type("p1")
        page.keyboard.press("Enter")
        turn = wait_for_my_turn(page, turn)
    expect(heading(page)).to_contain_text(OVER)


def test_two_persons_and_a_bot(server: Served, visit: Visit) -> None:
    mine = visit(server).open("/?players=3&pause=0&seat2=human&name=Ann")
    start(mine)
    invitation = mine.get_by_role("link", name="this link").get_attribute("href")
    assert invitation
    theirs = visit(server).open(invitation)
    theirs.get_by_role("button", name=re.compile("^Sit down")).click()
    theirs.wait_for_url("**/table/**")
    for _ in range(3):
        turn = wait_for_my_turn(mine)
        expect(heading(theirs)).to_contain_text("Ann is to move")
        play_to_the_end(mine, click, at_most=0)
        mine.get_by_role("button", name=re.compile("^Tell "), disabled=False).first.click()
        assert wait_for_my_turn(theirs) == turn + 1
        theirs.get_by_role("button", name="Play slot 1").click()
        expect(heading(mine)).to_contain_text(re.compile(f"Your turn turn {turn + 3}|points"))
        if "points" in heading(mine).inner_text():
            break
    assert mine.url != theirs.url
