"""The pictures of the documents cut no row in two."""

from playwright.sync_api import Browser

from tests.web.pictures import WHOLE_ROWS

STYLE = "* { margin: 0; padding: 0; } li { height: 30px; } #list { height: 100px; overflow-y: auto; }"
PAGE = f"<style>{STYLE}</style><ul id='list'>{'<li>one</li>' * 20}</ul><ul>{'<li>two</li>' * 20}</ul>"
ENDS = """id => [...document.querySelectorAll(`${id} li`)].map(each => each.getBoundingClientRect().bottom)"""


def test_lists_and_the_page_end_with_whole_rows(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 300, "height": 200})
    page.set_content(PAGE)
    page.evaluate("document.querySelector('#list').scrollTop = 40")
    height = page.evaluate(WHOLE_ROWS, 200)
    shown = page.evaluate("document.querySelector('#list').getBoundingClientRect().bottom")
    assert page.evaluate("document.querySelector('#list').scrollTop") == 60
    assert shown == 90
    assert shown in page.evaluate(ENDS, "#list")
    assert height < 200
    assert not any(end - 30 < height < end for end in page.evaluate(ENDS, "ul + ul"))
    page.close()
