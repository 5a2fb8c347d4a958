"""What must hold of every view for everyone: axe-core, no sideways scrolling, large buttons, ids where focus can be."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

WIDTHS = ((1280, 800), (390, 844))
SCHEMES = ("light", "dark")
PHONE = 600  # wide, and not a phone any more

# What is outside of the window to the right, if the document can be scrolled there.
TOO_WIDE = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  return [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > width + 0.5)
    .map(e => e.tagName + "#" + e.id + "." + e.className);
}"""

# Links inside of sentences may be as small as their text.
TOO_SMALL = """least =>
  [...document.querySelectorAll("button, select, summary, [role=button], input, textarea, a.button, nav a")]
  .filter(e => e.checkVisibility({ visibilityProperty: true }) && e.type !== "hidden")
  .map(e => {
    const label = ["checkbox", "radio", "file"].includes(e.type) ? e.closest("label") : null;
    return [e, (label ?? e).getBoundingClientRect()];
  })
  .filter(([e, box]) => box.width > 0 && (box.height < least - 0.5 || box.width < least - 0.5))
  .map(([e, box]) => `${e.tagName}#${e.id} ${e.textContent.slice(0, 30)}: ${box.width} x ${box.height}`)"""

WITHOUT_ID = """() =>
  [...document.querySelectorAll("main :is(a[href], button, input, select, textarea, summary, [tabindex])")]
  .filter(e => !e.id && e.tabIndex >= 0 && e.type !== "hidden").map(e => e.outerHTML.slice(0, 120))"""

SAME_ID = """() => { const ids = [...document.querySelectorAll("[id]")].map(e => e.id);
  return ids.filter((id, place) => ids.indexOf(id) !== place); }"""


def check_everywhere(page: Page) -> None:
    """The page as it is now, light and dark, on a screen and on a phone."""
    before: Any = page.viewport_size
    for width, height in WIDTHS:
        page.set_viewport_size({"width": width, "height": height})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            check(page, f"{page.url}, {width} wide, {scheme}")
    page.set_viewport_size(before)
    page.emulate_media(color_scheme="light")


def check(page: Page, where: str) -> None:
    """The page as it is now."""
    least = 40 if page.evaluate("innerWidth") < PHONE else 24
    faults = {
        "wider than the window": page.evaluate(TOO_WIDE),
        f"smaller than {least} px": page.evaluate(TOO_SMALL, least),
        "takes focus without an id": page.evaluate(WITHOUT_ID),
        "the same id twice": page.evaluate(SAME_ID),
        "found by axe": axe(page),
    }
    found = [f"{where}: {what}: {each}" for what, all_of_it in faults.items() for each in all_of_it[:8]]
    assert not found, "\n".join(found)


def axe(page: Page) -> list[str]:
    """What axe-core finds."""
    violations: list[dict[str, Any]] = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {each['help']}: {node['html'][:160]} {node['failureSummary'][:300]}"
        for each in violations
        for node in each["nodes"][:5]
    ]
