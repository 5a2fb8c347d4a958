"""From the heat map down to one game and its cards, in a browser."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.web.browser.accessible import check_everywhere
from tests.web.browser.watched import Watched
from tests.web.served import Served

Visit = Callable[..., Watched]


def test_from_the_heat_map_to_a_game(server: Served, visit: Visit) -> None:
    page = visit(server).open("/results?players=3")
    heat = page.get_by_role("table", name=re.compile("^Mean score"))
    row = heat.get_by_role("row", name=re.compile("^careful"))
    row.get_by_role("link").nth(1).click()
    expect(page).to_have_url(re.compile("/results/cell"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("careful")
    page.get_by_role("table", name="Worst games").get_by_role("link").first.click()
    expect(page).to_have_url(re.compile("/review/(store|game)/"))
    expect(page.get_by_role("heading", name=re.compile("^Turn 1 of"))).to_be_visible()
    page.get_by_role("button", name="Next turn").click()
    expect(page.get_by_role("heading", name=re.compile("^Turn 2 of"))).to_be_visible()
    check_everywhere(page)
    page.go_back()
    expect(page).to_have_url(re.compile("/results/cell"))
    expect(page.get_by_role("heading", name="Worst, median and best games")).to_be_visible()
