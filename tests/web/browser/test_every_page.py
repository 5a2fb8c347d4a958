"""What holds on every page: keys, light and dark, words for what is not there; and that the watch itself can fail."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.web.browser.watched import Watched
from tests.web.served import Served

Visit = Callable[..., Watched]


def test_nothing_at_an_address(server: Served, visit: Visit) -> None:
    visitor = visit(server)
    visitor.forgive("404")
    page = visitor.open("/nowhere")
    expect(page.get_by_role("heading", name="Not here")).to_be_visible()
    expect(page.locator("#said")).to_contain_text("There is no page at '/nowhere'")


def test_keys_are_listed_and_can_be_switched_off(server: Served, visit: Visit) -> None:
    visitor = visit(server)
    visitor.forgive("404")
    page = visitor.open("/nowhere")
    expect(page.locator("#said")).to_contain_text("no page")
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Switch keys off").click()
    dialog.get_by_role("button", name="Close").click()
    page.keyboard.press("?")
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name="Keys").click()
    expect(dialog).to_be_visible()


def test_light_and_dark_are_kept(server: Served, visit: Visit) -> None:
    visitor = visit(server, color_scheme="light")
    visitor.forgive("404")
    page = visitor.open("/nowhere")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Light or dark").click()
    dark = page.evaluate(ground)
    assert light != dark
    page.reload()
    expect(page.locator("body")).to_have_css("background-color", dark)


@pytest.mark.parametrize(
    ("mistake", "found"),
    [
        ("console.error('oh')", "error on the console: oh"),
        ("setTimeout(() => { throw new Error('thrown') })", "thrown"),
        ("fetch('http://example.invalid/').catch(() => 0)", "policy breached: connect-src"),
        ("document.body.insertAdjacentHTML('beforeend', '<b style=\"top:0\">x</b>')", "policy breached: style-src"),
    ],
)
def test_the_watch_sees_mistakes(server: Served, visit: Visit, mistake: str, found: str) -> None:
    visitor = visit(server)
    visitor.forgive("404")
    page = visitor.open("/nowhere")
    visitor.check()
    page.evaluate(mistake)
    visitor.wait_for_problem(page, found)
    with pytest.raises(AssertionError, match=found):
        visitor.check()
    visitor.forgive("")
