"""A person at the web table, in a browser: waits for the turn, sees what can be done, does it by some means."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

MY_TURN = re.compile(r"^Your turn turn (\d+)$")
MINE_OR_OVER = re.compile(r"^Your turn turn \d+$|of \d+ points")
NO_MORE = re.compile(MINE_OR_OVER.pattern + "|does not move$")
Means = Callable[[Page, Locator], None]  # how a button is pressed


def click(page: Page, button: Locator) -> None:
    """By mouse."""
    button.click()


def press(page: Page, button: Locator) -> None:
    """By keyboard, or by a screen reader, which does the same."""
    button.focus()
    page.keyboard.press("Enter")


def tap(page: Page, button: Locator) -> None:
    """By finger: the first tap on a hint shows what it touches."""
    is_hint = (button.get_attribute("aria-label") or "").startswith("Tell")
    button.tap()
    if is_hint:
        expect(page.locator(".lit").first).to_be_visible()
        button.tap()


def start(page: Page, means: Means = click) -> None:
    """Sit down at the table that the lobby shows."""
    means(page, page.get_by_role("button", name="Start the game"))
    page.wait_for_url("**/table/**")


def heading(page: Page) -> Locator:
    """Whose turn it is, or how it ended."""
    return page.get_by_role("heading", level=1)


def wait_for_my_turn(page: Page, after: int = 0) -> int:
    """The number of my turn, when it has come; 0 if the game is over."""
    if after:
        expect(heading(page)).not_to_have_text(f"Your turn turn {after}")
    expect(heading(page)).to_have_text(NO_MORE)
    assert MINE_OR_OVER.search(heading(page).inner_text().replace("\n", " ")), page.locator("#holding-up").inner_text()
    found = MY_TURN.match(heading(page).inner_text().replace("\n", " "))
    return int(found[1]) if found else 0


def choose(page: Page, turn: int) -> Locator:
    """A hint at every other turn, else the oldest card away; what fits for certain is played."""
    sure = page.get_by_role("group", name="Your hand").get_by_role("img", name=re.compile("^fits 100 %")).first
    if sure.count():
        card = sure.locator("xpath=ancestor::*[contains(@class, 'card')][1]")
        return card.get_by_role("button", name=re.compile("^Play slot"))
    hints = page.get_by_role("button", name=re.compile("^Tell "), disabled=False)
    discards = page.get_by_role("button", name=re.compile("^Discard slot"), disabled=False)
    if hints.count() and (turn % 4 < 2 or not discards.count()):
        return hints.nth(turn % hints.count())
    return discards.first if discards.count() else page.get_by_role("button", name=re.compile("^Play slot")).first


def play_to_the_end(page: Page, means: Means = click, at_most: int = 1_000) -> int:
    """Make moves until the game is over, or so many; how many were made."""
    made, turn = 0, wait_for_my_turn(page)
    while turn and made < at_most:
        means(page, choose(page, turn))
        made += 1
        turn = wait_for_my_turn(page, turn)
    return made
